//===- Loop.cpp - The grain of parallel loops -----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Pool.h"
#include "Support.h"
#include "Tuning.h"
#include "chan/abi.h"

using namespace chan;

uint64_t chan_grain(uint64_t count, int64_t requested) {
  if (requested > 0)
    return requested;
  if (uint64_t grain = grainOnDevice(count))
    return grain;
  uint64_t others = Pool::othersAtOnce();
  uint64_t ranges = others ? kRangesPerWorker * (others + 1) : 1;
  uint64_t grain = count / ranges + (count % ranges != 0);
  return grain > kMaxGrain ? kMaxGrain : grain ? grain : 1;
}

void chan_endless_loop(const char *where) {
  Message message;
  message << "cilk_for at " << where
          << " has no end: its stride does not lead to its limit";
  message.print();
  fail();
}
