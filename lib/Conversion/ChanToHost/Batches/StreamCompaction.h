//===- StreamCompaction.h - Iterations of many activations --- -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_STREAMCOMPACTION_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_STREAMCOMPACTION_H

#include "IterationQueue.h"
#include "LaneRefill.h"

namespace cilk2chan {

/// Stream compaction of the iterations of a loop that lanes leave one after
/// another: lanes are filled with iterations of other activations. The kernel
/// counts how many of its lanes are in the loop, and its other form is chosen
/// where many are not.
class StreamCompaction {
public:
  StreamCompaction(PhaseFunction &phase, LaneGroup &group)
      : queue(phase, group), refill(phase, group), phase(phase), group(group),
        builder(phase.builder) {}

  /// Adds the two parts to the loop over groups, for where `header` comes to a
  /// group with lanes that wait for each other. `beginsGroup` and `exit` are
  /// where `header` leads otherwise.
  void create(mlir::Block *header, mlir::Block *beginsGroup, mlir::Block *exit,
              mlir::Value capacity,
              llvm::function_ref<void(chan::DeqOp, mlir::Block *)> beginGroup);

  /// Counts the lanes that are in an iteration.
  void lower(chan::TripOp op);

  /// The kernel has one of them.
  IterationQueue queue;
  LaneRefill refill;

private:
  mlir::Value isSparse(mlir::Location loc);

  PhaseFunction &phase;
  LaneGroup &group;
  HostBuilder &builder;
  /// Variables: iterations of the loop, and lanes in these.
  mlir::Value iterations, attended;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_STREAMCOMPACTION_H
