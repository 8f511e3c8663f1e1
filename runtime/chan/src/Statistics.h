//===- Statistics.h - What CHAN_STATS counts --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_STATISTICS_H
#define CHAN_SRC_STATISTICS_H

#include <atomic>
#include <stdint.h>

namespace chan {

/// Counts the elements that kernels have run, each a task, and those that
/// serial clones have run with all their descendants, if CHAN_STATS asks for
/// it.
///
/// Thread safety: any thread may call any function.
class Statistics {
public:
  static bool wanted() {
    // relaxed: set before a thread of the pool runs.
    return on.load(std::memory_order_relaxed);
  }
  static void countKernel(uint32_t tasks) { add(inKernels, tasks); }
  static void countBatch(uint32_t tasks) { add(inBatches, tasks); }
  static void countSerial(uint32_t tasks) { add(inClones, tasks); }

  /// Begins to count; print() writes to the file `name`, or to stderr if that
  /// is null.
  static void begin(const char *name);
  /// Writes what was counted so far, if anything was to be.
  static void print();

private:
  static void add(std::atomic<uint64_t> &sum, uint32_t tasks) {
    if (__builtin_expect(wanted(), 0))
      sum.fetch_add(tasks, std::memory_order_relaxed); // a sum, read at the end
  }

  static std::atomic<bool> on;
  static std::atomic<uint64_t> inKernels, inClones, inBatches;
};

} // namespace chan

#endif
