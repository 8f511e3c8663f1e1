//===- Loop.cpp - The grain of parallel loops -----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Pool.h"
#include "Support.h"
#include "chan/abi.h"

using namespace chan;

// The rule of Cilk Plus: eight ranges per worker, so that unequal ranges even
// out, and a length limit, so that thieves can help with each. If there are
// more workers than processors, only as many count as can run at one time.
static constexpr uint64_t kRangesPerWorker = 8;
static constexpr uint64_t kMaxGrain = 2048;

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
