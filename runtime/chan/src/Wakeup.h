//===- Wakeup.h - How a worker sleeps and is woken --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_WAKEUP_H
#define CHAN_SRC_WAKEUP_H

#include "Futex.h"
#include "Support.h"

#include <atomic>
#include <stdint.h>

namespace chan {

/// What a worker sleeps on, and what other threads must know of its sleep.
///
/// The order that loses no wakeup: the worker reads the alarm, announces that
/// it sleeps, looks for work once more, and then sleeps while the alarm is as
/// it was. A thread that has something for it rings after that has become
/// visible. test/Models/sleep.pml is a model of this.
///
/// Thread safety: any thread may ring and read. A cache line of its own, since
/// other threads write it.
struct alignas(cacheLineSize) Wakeup {
  /// Flags of `asleep`.
  enum Sleep : uint8_t {
    isAsleep = 1,
    wasCounted = 2, ///< The pool counts it as awake again once it is rung.
    helps = 4,      ///< It takes descendants of its own task blocks.
  };

  /// Changes when the worker is to wake. Any thread writes it.
  std::atomic<uint32_t> alarm{0};
  /// Flags while the worker sleeps in awaitTaskBlocks: `isAsleep`, and what
  /// else holds. Any thread reads it; the thread that rings clears it.
  std::atomic<uint8_t> asleep{0};
  /// Whether the sleeping worker checks the reservations every period. Any
  /// thread reads it.
  std::atomic<bool> dozes{false};
  /// How often the worker has slept in awaitTaskBlocks. Its own.
  int64_t naps = 0;

  /// Wakes the worker. Any thread.
  void ring() {
    // release: a thread that read the alarm before it slept sees the reason for
    // the ring.
    alarm.fetch_add(1, std::memory_order_release);
    futexWake(alarm);
  }
  /// The alarm. A thread reads it before it announces that it sleeps.
  uint32_t alarmNow() const {
    return alarm.load(std::memory_order_acquire); // see ring
  }
};

} // namespace chan

#endif // CHAN_SRC_WAKEUP_H
