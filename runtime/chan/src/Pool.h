//===- Pool.h - The workers of the process ----------------------*- C++ -*-===//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef CHAN_SRC_POOL_H
#define CHAN_SRC_POOL_H

#include "Worker.h"

#include <atomic>

namespace chan {

/// All workers of the process.
///
/// Thread safety: any thread may call any function.
class Pool {
public:
  /// A worker for the calling thread.  The first call reads the options.
  static Worker *join();
  /// The calling thread ends: frees what hangs from its worker.
  static void leave(Worker *worker);

  /// True when somebody would take work.  The one thing a busy worker looks at.
  static bool wanted() {
    // relaxed: a hint; what is shared is published by the channel it goes
    // through.
    return demand.load(std::memory_order_relaxed) > 0;
  }
  static uint32_t workers() { return options.workers; }

private:
  static std::atomic<int> demand;
  static Options options;
};

} // namespace chan

#endif
