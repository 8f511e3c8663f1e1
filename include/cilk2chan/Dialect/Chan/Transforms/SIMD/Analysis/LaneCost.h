//===- LaneCost.h - How many lanes, and whether they pay --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LANECOST_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LANECOST_H

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneShapes.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/VectorMath.h"

#include <map>

namespace cilk2chan {

/// What the kernels of a function compute with, and so how many lanes they
/// have.
///
/// All have the same number: what one leaves for another, the other finds in
/// its own lanes. It is that of the narrowest values that are not rare, as they
/// are the ones to gain; wider ones, and addresses, take several registers.
class LaneWidths {
public:
  void add(chan::KernelOp lifted, const LaneShapes &shapes);
  unsigned chooseLanes(unsigned vectorBits) const;

private:
  void add(mlir::Region &region, const LaneShapes &shapes, double weight);
  /// By width, estimated operations.
  std::map<unsigned, double> operations;
};

/// By what lanes lose.
enum class LaneLoss { Accesses, Calls, Choices, Loops, Elements, Operations };

/// The cycles that lanes take longer for, by causes, and of each the operation
/// that has most of them.
class LaneLosses {
public:
  void add(LaneLoss cause, double cycles, mlir::Operation *place);
  void add(const LaneLosses &others);
  /// What lanes lose most by, and the line; empty if they lose by nothing.
  std::string describe() const;

private:
  struct Sum {
    double cycles = 0, most = 0;
    mlir::LocationAttr place;
  };
  std::map<LaneLoss, Sum> sums;
};

/// Estimated cycles for as many elements as there are lanes, and instructions
/// of the code with lanes.
struct LaneCost {
  double scalar = 0, lanes = 0, instructions = 0;
  LaneLosses losses = {};
};

LaneCost estimateCost(chan::KernelOp lifted, const LaneShapes &shapes,
                      unsigned lanes, unsigned vectorBits,
                      const VectorMath &math);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LANECOST_H
