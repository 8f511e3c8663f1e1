//===- DeviceLink.h - The link of a program for a machine -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_DEVICELINK_H
#define CILK2CHAN_LIB_DRIVER_DEVICELINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace cilk2chan {

/// The first argument of a device link: `cilk2chan DeviceLinkMode MACHINE
/// LINKER ARGUMENT...`, which link jobs become.
inline constexpr llvm::StringLiteral DeviceLinkMode = "-device-link";

/// Makes one configuration of the device code in the objects that the linker is
/// given, an object of that, and runs the linker with it. Returns the exit
/// status.
int runDeviceLink(llvm::ArrayRef<const char *> arguments);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_DEVICELINK_H
