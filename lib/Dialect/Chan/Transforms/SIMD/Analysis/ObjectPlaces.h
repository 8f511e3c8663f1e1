//===- ObjectPlaces.h - Where a batch has its objects -------- -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_OBJECTPLACES_H
#define CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_OBJECTPLACES_H

#include "Frequencies.h"

#include "llvm/ADT/StringSet.h"

namespace cilk2chan {

/// Where the objects that a kernel accesses are: in registers, in arrays, or in
/// memory of their own.
class ObjectPlaces {
public:
  ObjectPlaces(chan::KernelOp kernel, const LaneShapes &shapes,
               const Frequencies &frequencies, unsigned vectorBits);

  /// Whether each lane has an object of its own at `address` that it has found
  /// by a pointer, as nodes of trees are; of arrays, those nearby come along.
  bool isOfObjects(mlir::Value address) const;
  /// Whether a serial clone has the object in registers that `address` leads
  /// into.
  bool isInRegisters(mlir::Value address) const;

private:
  void findPositions(chan::KernelOp kernel);
  void findRegisters(chan::KernelOp kernel);

  const LaneShapes &shapes;
  const Frequencies &frequencies;
  const unsigned vectorBits;
  /// Fields that are positions in arrays: children have the next.
  llvm::StringSet<> positions;
  /// Objects of an activation's own.
  llvm::SmallPtrSet<mlir::Value, 4> inRegisters;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_OBJECTPLACES_H
