//===- Helping.h - Which thieves work for which owner -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_HELPING_H
#define CHAN_SRC_HELPING_H

#include "Clock.h"
#include "Support.h"

#include <atomic>
#include <stdint.h>
#include <utility>

namespace chan {

/// How much thieves do of a worker's task blocks, and for which owner the
/// worker itself works as a thief. StealBackoff decides by it whether sharing
/// pays.
///
/// Thread safety: thieves write `helpers` and `helped` of their owner. The rest
/// is the worker's own.
struct alignas(cacheLineSize) Helping {
  /// How many thieves work on this worker's task blocks, and the sum of the
  /// ticks that finished ones took. relaxed, all: hints.
  std::atomic<uint32_t> helpers{0};
  std::atomic<uint64_t> helped{0};
  /// The owner of the task block that this worker runs, and since when. Null if
  /// it runs none, or while it waits for other workers.
  Helping *owner = nullptr;
  uint64_t since = 0;

  /// From now on this worker runs a task block of `next`, or none if that is
  /// null. Returns the previous owner.
  Helping *help(Helping *next) {
    uint64_t now = ticks();
    if (owner) {
      owner->helped.fetch_add(now - since, std::memory_order_relaxed);
      owner->helpers.fetch_sub(1, std::memory_order_relaxed);
    }
    if (next)
      next->helpers.fetch_add(1, std::memory_order_relaxed);
    since = now;
    return std::exchange(owner, next);
  }
};

} // namespace chan

#endif // CHAN_SRC_HELPING_H
