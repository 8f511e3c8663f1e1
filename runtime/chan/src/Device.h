//===- Device.h - Kernels of a device ---------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_DEVICE_H
#define CHAN_SRC_DEVICE_H

#include "chan/abi.h"

namespace chan {

/// chan_run for a channel without a kernel.  Ends the program if there is no
/// device.
void runOnDevice(chan_block *block);

/// The grain from chan_device; 0 without a device.
uint64_t grainOnDevice(uint64_t count);

} // namespace chan

#endif // CHAN_SRC_DEVICE_H
