//===- LaneCost.h - How many lanes, and whether they pay --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_LANECOST_H
#define CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_LANECOST_H

#include "LaneShapes.h"

namespace cilk2chan {

/// As many lanes as the varying values that are most frequent in the kernel
/// fit a vector register.
unsigned chooseLanes(chan::KernelOp lifted, const LaneShapes &shapes,
                     unsigned vectorBits);

/// Estimated cycles for as many elements as there are lanes.
struct LaneCost {
  double scalar = 0, lanes = 0;
};

LaneCost estimateCost(chan::KernelOp lifted, const LaneShapes &shapes,
                      unsigned lanes, unsigned vectorBits);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_LANECOST_H
