//===- Clock.h - A cheap clock ----------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_CLOCK_H
#define CHAN_SRC_CLOCK_H

#include "Tuning.h"

#include <stdint.h>
#include <time.h>

namespace chan {

/// Nanoseconds of a clock of the system, 0 if the thread that it belongs to has
/// ended.
inline uint64_t nanosecondsOf(clockid_t clock) {
  timespec now;
  return clock_gettime(clock, &now) == 0
             ? uint64_t(now.tv_sec) * 1'000'000'000 + uint64_t(now.tv_nsec)
             : 0;
}

/// Nanoseconds of the system's clock, counted from an arbitrary moment.
inline uint64_t nanosecondsNow() { return nanosecondsOf(CLOCK_MONOTONIC); }

#if defined(CHAN_DEBUG)
/// What ticks() returns in this thread; 0 if time passes. Tests use it to stop
/// the clock.
inline thread_local uint64_t stoppedClock = 0;
#endif

/// Ticks of the processor's counter. Only differences between readings of one
/// thread are meaningful.
inline uint64_t ticks() {
#if defined(CHAN_DEBUG)
  if (stoppedClock)
    return stoppedClock;
#endif
#if defined(__x86_64__)
  // <x86intrin.h> takes half a second to compile.
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t value;
  asm volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
  return nanosecondsNow();
#endif
}

/// Leaves the core to its other hardware thread for some ticks. For loops that
/// wait.
inline void pauseProcessor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

/// What two clocks show at one moment.
struct Moment {
  uint64_t ticks, nanoseconds;

  static Moment now() { return read(chan::ticks, nanosecondsNow); }

  /// Reads two clocks at one moment. A thread may lose its processor between
  /// two readings, so the try with the fewest ticks around it counts.
  template <typename Ticks, typename Nanoseconds>
  static Moment read(Ticks ticks, Nanoseconds nanoseconds) {
    Moment best{};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i != kMomentTries; ++i) {
      uint64_t before = ticks();
      uint64_t between = nanoseconds();
      uint64_t around = ticks() - before;
      if (around < least) {
        least = around;
        best = {before + around / 2, between};
      }
    }
    return best;
  }

  /// Nanoseconds per tick from `first` to now.
  static double nanosecondsPerTick(const Moment &first) {
    Moment last = now();
    uint64_t passed = last.ticks - first.ticks;
    return passed
               ? double(last.nanoseconds - first.nanoseconds) / double(passed)
               : 1;
  }
};

/// Ticks in a microsecond, from two readings of the clocks. kAssumedTickRate if
/// they are too close to tell, or show something that no processor has. Reads
/// the register that says it where there is one (AArch64).
///
/// x86's CPUID is not used. It has the rate only on some processors. In a
/// virtual machine on an EPYC it takes 5 us for each leaf and has none.
uint64_t tickRate(const Moment &first, const Moment &last);

} // namespace chan

#endif
