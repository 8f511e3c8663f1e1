//===- LaneRefill.h - Lanes that take the next elements ------ -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_LANEREFILL_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_LANEREFILL_H

#include "LaneGroup.h"

#include <vector>

namespace cilk2chan {

/// Stream compaction in registers: lanes that have left the loop are given the
/// next elements of the batch before all do another iteration. So all are full
/// until there are no more elements, and nothing is written that goes on. But
/// lanes have done different numbers of iterations, and to begin elements takes
/// as long for one lane as for all.
///
/// From one iteration to the next all depends on which lanes are left. As a GPU
/// does, the processor has other wavefronts to go on with meanwhile.
class LaneRefill {
public:
  LaneRefill(PhaseFunction &phase, LaneGroup &group)
      : phase(phase), group(group), builder(phase.builder) {}

  /// Adds wavefronts to the loop over groups, which do all that is left of the
  /// elements; then control goes to `header`. Returns where that begins.
  mlir::Block *create(mlir::Block *header, mlir::Block *exit);

  /// Whether a wavefront has the operation.
  bool has(mlir::Operation *op) const { return wavefrontOf.contains(op); }
  /// The index of the next element that a lane begins.
  mlir::Value getCursor(mlir::Location loc) { return phase.get(loc, cursor); }

  void lower(chan::GetOp op);
  void lower(chan::RequeueOp op);
  void lower(chan::ResumeOp op);

private:
  /// Copies of the parts of the kernel for lanes that are refilled.
  /// Variables: what they go on with, and the mask of those that are in the
  /// loop. `entered` are those that begin elements, which `enters` says.
  struct Wavefront {
    mlir::OwningOpRef<chan::KernelOp> entering, iterating;
    llvm::SmallVector<mlir::Value> values;
    mlir::Value present, entered;
    chan::RequeueOp enters;
    /// By `chan.get`: what has been loaded from the cursor on.
    llvm::DenseMap<mlir::Operation *, mlir::Value> loaded;
  };

  void createWavefront(Wavefront &wavefront);
  mlir::Block *createFill(Wavefront &wavefront, mlir::Block *next);
  mlir::Block *createIteration(Wavefront &wavefront, mlir::Block *next);
  mlir::Value anyOf(mlir::Location loc, mlir::Value mask);
  mlir::Value presentOf(mlir::Location loc, const Wavefront &wavefront);

  PhaseFunction &phase;
  LaneGroup &group;
  HostBuilder &builder;
  std::vector<Wavefront> wavefronts;
  /// Whose part an operation is of.
  llvm::DenseMap<mlir::Operation *, Wavefront *> wavefrontOf;
  /// A variable.
  mlir::Value cursor;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_LANEREFILL_H
