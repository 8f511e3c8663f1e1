//===- PhaseMarks.h - Which lanes wait for which phase ------- -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_PHASEMARKS_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_PHASEMARKS_H

#include "LaneGroup.h"

namespace cilk2chan {

/// Which lanes of a group wait for which later phase: a mask for each phase, in
/// variables while the function is at the group, then in the group's marks. The
/// batch has a bit for each phase that a lane of any group waits for.
class PhaseMarks {
public:
  PhaseMarks(PhaseFunction &phase, LaneGroup &group)
      : phase(phase), group(group), builder(phase.builder) {}

  /// Reads what holds for all groups.
  void begin(mlir::Location loc);
  /// Reads the masks of the group. The phase `number` is being run.
  void beginGroup(mlir::Location loc, unsigned number);
  void lower(chan::PendOp op);
  void endGroup(mlir::Location loc);
  void finish(mlir::Location loc);

  /// Whether lanes may wait.
  bool areThere() const { return bool(pending); }

private:
  PhaseFunction &phase;
  LaneGroup &group;
  HostBuilder &builder;
  /// Variables: the phases that are waited for, and the lanes of each.
  mlir::Value pending;
  llvm::SmallVector<mlir::Value> waiting;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_PHASEMARKS_H
