//===- LaneGroup.h - The group that a phase is at ------------ -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_LANEGROUP_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_LANEGROUP_H

#include "GroupRegisters.h"
#include "PhaseFunction.h"

namespace cilk2chan {

/// The group of elements that the function is at, a lane for each: where their
/// fields, their locals and their marks are.
class LaneGroup {
public:
  explicit LaneGroup(PhaseFunction &phase)
      : registers(phase.builder), phase(phase), builder(phase.builder) {}

  /// Reads what holds for all groups.
  void begin(mlir::Location loc);
  /// Moves to the group whose first element is at the index `first`.
  void find(mlir::Location loc, mlir::Value first);
  /// The locals of such a group.
  mlir::Value localsOf(mlir::Location loc, mlir::Value first);
  /// The address of a word of the group's marks.
  mlir::Value mark(mlir::Location loc, unsigned number) {
    return builder.offset(loc, marks, number * sizeof(uint64_t));
  }
  /// Fetches what a group of elements that come soon after `from` point to, if
  /// it `isTime`. Their order is known, and nothing else says early enough what
  /// is needed of a linked structure.
  void fetchAhead(mlir::Location loc, mlir::Value from, mlir::Value isTime);
  /// Reads a field that has the same value in all elements, once for all
  /// groups.
  void readUniform(chan::GetOp op);
  /// Reads the field of all lanes.
  void read(chan::GetOp op);
  /// The field that is read of the element at `position`.
  mlir::Value placeOf(chan::GetOp op, mlir::Value position);

  /// In which order the loop goes through elements or records, and the index of
  /// the group's first element.
  mlir::Value position, index;
  mlir::Value sliceBegin, locals;
  /// A variable: the end of the elements or records.
  mlir::Value end;
  GroupRegisters registers;

private:
  PhaseFunction &phase;
  HostBuilder &builder;
  mlir::Value allLocals, allMarks, marks;
  llvm::SmallVector<mlir::Value> fields;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_LANEGROUP_H
