//===- Demand.h - How many workers want work --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_DEMAND_H
#define CHAN_SRC_DEMAND_H

#include "Support.h"

#include <atomic>
#include <stdint.h>

namespace chan {

/// How many more workers want work than there are task blocks on offer. A busy
/// worker looks at this one number between slices and where it allocates a
/// block. test/Models/demand.pml is a model of the requests.
///
/// Thread safety: any thread.
class Demand {
public:
  /// True when a worker wants work. A busy worker checks nothing else.
  static bool wanted() {
    // relaxed: a hint. The steal queue publishes what is shared.
    return number.load(std::memory_order_relaxed) > 0;
  }
  /// As wanted, for Worker::refreshLimit, which says why it is seq_cst.
  static bool wantedNow() { return number.load(std::memory_order_seq_cst) > 0; }
  /// How many workers want work.
  static uint32_t demanded() {
    int now = number.load(std::memory_order_relaxed); // as in wanted()
    return now > 0 ? static_cast<uint32_t>(now) : 0;
  }

  /// `more` more workers want work. Makes all serial clones poll.
  static void raise(uint32_t more);
  /// The calling worker waits for work, or has some again.
  static void idle() { raise(1); }
  static void busy() {
    number.fetch_sub(1, std::memory_order_relaxed); // a hint, see wanted()
  }
  /// A task block is no longer on offer, because a thief claimed it or its
  /// owner takes it back.
  static void claimed() { raise(1); }
  /// The caller has put a task block on offer. seq_cst: see Pool::offered.
  static void offered() { number.fetch_sub(1, std::memory_order_seq_cst); }
  /// Fewer threads than expected could be started.
  static void lose(uint32_t threads) {
    number.fetch_sub(static_cast<int>(threads), std::memory_order_relaxed);
  }
  /// Sets the number. REQUIRES: no other thread of the runtime runs.
  static void set(int value) { number.store(value, std::memory_order_relaxed); }

private:
  /// A cache line of its own: all workers read it all the time.
  struct alignas(cacheLineSize) Number : std::atomic<int> {
    using std::atomic<int>::atomic;
  };
  static constinit Number number;
};

} // namespace chan

#endif // CHAN_SRC_DEMAND_H
