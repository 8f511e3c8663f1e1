//===- Device.cpp - Kernels of a device -----------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Support.h"

namespace chan {

// Set by constructors, before there is a second thread that could read it.
static const chan_device *device = nullptr;

void runOnDevice(chan_block *block) {
  if (!device) {
    (Message() << "the kernels of '" << block->channel->name
               << "' are for a simulated machine whose library is not linked; "
                  "link with 'cilk2chan --target=vgiw'")
        .print();
    fail();
  }
  device->run(block);
}

uint64_t grainOnDevice(uint64_t count) {
  return device ? device->grain(count) : 0;
}

} // namespace chan

void chan_set_device(const chan_device *given) { chan::device = given; }
