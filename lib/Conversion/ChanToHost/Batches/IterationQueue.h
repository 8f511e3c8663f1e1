//===- IterationQueue.h - Iterations that wait in memory ----- -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_ITERATIONQUEUE_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_ITERATIONQUEUE_H

#include "LaneGroup.h"

namespace cilk2chan {

/// Stream compaction by rounds: what goes on to a next iteration stands in a
/// queue, a structure of arrays, and all of it does one iteration before any
/// does another. So what is uniform in the loop stays it, and all lanes are
/// full but those at the queue's end.
class IterationQueue {
public:
  IterationQueue(PhaseFunction &phase, LaneGroup &group)
      : phase(phase), group(group), builder(phase.builder) {}

  /// Adds the two parts of the kernel to the loop over groups, `header` to
  /// `exit`. Returns where the first begins, for which `beginGroup` finds the
  /// lanes. There is room for `capacity` records.
  mlir::Block *
  create(mlir::Block *header, mlir::Block *exit, mlir::Value capacity,
         llvm::function_ref<void(chan::DeqOp, mlir::Block *)> beginGroup);
  /// Whether there is memory enough for the queue.
  mlir::Value hasRoom;

  void lower(chan::RequeueOp op);
  /// Reads those values that lanes have each.
  void lower(chan::ResumeOp op);

private:
  void createQueue(mlir::Location loc, chan::ResumeOp resume,
                   mlir::Value capacity);

  PhaseFunction &phase;
  LaneGroup &group;
  HostBuilder &builder;
  /// Where values wait, and how many find room; the number of the first that
  /// goes on. A variable: how many there are.
  llvm::SmallVector<mlir::Value> queue;
  uint64_t queueCapacity = 0;
  mlir::Value resumed, queued;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_ITERATIONQUEUE_H
