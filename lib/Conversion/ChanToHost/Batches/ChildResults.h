//===- ChildResults.h - What children have returned ---------- -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_CHILDRESULTS_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_CHILDRESULTS_H

#include "LaneGroup.h"

namespace cilk2chan {

/// The results of children, which stand in the order in which the children were
/// spawned.
///
/// A phase finds positional results by the masks of its group. A result handler
/// goes through the records of spawns, as long as they are of its site: it
/// has the lanes of each record in turn.
class ChildResults {
public:
  ChildResults(PhaseFunction &phase, LaneGroup &group)
      : phase(phase), group(group), builder(phase.builder) {}

  /// Reads what holds for all groups.
  void begin(mlir::Location loc);
  void beginHandler(mlir::Location loc);
  /// The lanes of the record at the group's position, if that is of this site;
  /// else control goes to `exit`. Records of a group follow each other, so its
  /// local objects stay where they are.
  void beginRecord(chan::DeqOp deq, mlir::Block *first, mlir::Block *exit);
  void finishHandler(mlir::Location loc);
  /// Where the batch has the destinations of results; null if these are
  /// positional.
  mlir::Value getDestinations() const { return destinations; }

  void lower(chan::ChildOp op);
  void lower(chan::DestinationOp op);

private:
  PhaseFunction &phase;
  LaneGroup &group;
  HostBuilder &builder;
  mlir::Value childResults, destinations, spawned;
  /// Of a record: its first child's index, and its lanes.
  mlir::Value start, mask;
  /// Variables: how many results have been handled, and the group whose locals
  /// are in registers.
  mlir::Value received, held;
};

/// Whether the record of a spawn is of the handler's site.
mlir::Value isOwnRecord(PhaseFunction &phase, mlir::Location loc,
                        mlir::Value record);

/// The type of the results, if the handler does nothing but store each where
/// its spawn has said; null otherwise.
mlir::Type typeOfStores(chan::KernelOp kernel);
/// Makes the body of such a handler.
void createStores(PhaseFunction &phase, mlir::Type type);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_CHILDRESULTS_H
