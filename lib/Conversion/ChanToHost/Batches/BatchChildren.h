//===- BatchChildren.h - What the lanes of a phase spawn ----- -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_BATCHCHILDREN_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_BATCHCHILDREN_H

#include "LaneGroup.h"

namespace cilk2chan {

/// The children that lanes spawn: they go side by side into one block, behind
/// those of the groups before.
///
/// Positional results are found by the masks of the lanes that have spawned at
/// each site, and the index of the first child. Result handlers find a record
/// of each spawn instead.
class BatchChildren {
public:
  BatchChildren(PhaseFunction &phase, LaneGroup &group)
      : phase(phase), group(group), builder(phase.builder) {}

  /// Reads what holds for all groups. Where results go is stored at
  /// `destinations`, unless results are positional.
  void begin(mlir::Location loc, mlir::Value destinations);
  void beginGroup(mlir::Location loc);
  void endGroup(mlir::Location loc);
  void finish(mlir::Location loc);

  /// `more`, and whether there is room for the children of a group.
  mlir::Value andHasRoom(mlir::Location loc, mlir::Value more);
  /// Meanwhile other workers may take what is behind the group at `begins`.
  void lower(chan::EnqOp op, llvm::function_ref<mlir::Value()> begins);

  /// How many children the block has room for.
  mlir::Value capacity;

private:
  void storeFields(chan::EnqOp op, Packing &packing);
  void flushIfFull(mlir::Location loc, mlir::Value begins);
  void record(chan::EnqOp op, mlir::Value bits);

  PhaseFunction &phase;
  LaneGroup &group;
  HostBuilder &builder;
  mlir::Value children, mostChildren, spawned, destinations;
  llvm::SmallVector<mlir::Value> fields;
  /// Variables: how many children and records there are.
  mlir::Value childCount, spawnedCount;
  /// Variables by site: the mask of a group, and its first child.
  llvm::SmallVector<mlir::Value> masks, starts;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_BATCHCHILDREN_H
