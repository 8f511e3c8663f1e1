//===- Clock.cpp - The rate of the processor's counter --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clock.h"

namespace chan {

uint64_t tickRate(const Moment &first, const Moment &last) {
#if defined(__aarch64__)
  uint64_t frequency;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
  uint64_t rate = frequency / 1'000'000;
  (void)first, (void)last;
  return rate ? rate : kAssumedTickRate;
#else
  uint64_t passed = last.nanoseconds - first.nanoseconds;
  if (passed < kLeastForTickRate)
    return kAssumedTickRate;
  // A thread may have moved between processors whose counters differ.
  uint64_t rate = static_cast<uint64_t>(
      double(last.ticks - first.ticks) * 1000 / double(passed) + 0.5);
  bool isPlausible =
      rate >= kAssumedTickRate / 5 && rate <= 5 * kAssumedTickRate;
  return isPlausible ? rate : kAssumedTickRate;
#endif
}

} // namespace chan
