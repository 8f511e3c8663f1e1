//===- NarrowLanes.h - Values of fewer bits than C gives them ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_PREPARE_NARROWLANES_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_PREPARE_NARROWLANES_H

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneShapes.h"

namespace cilk2chan {

/// Of a kernel in structured form (LiftControlFlow.h), which `shapes` is of,
/// has lanes compare and carry integers of 8, 16 or 32 bits where C promotes
/// these to wider ones: a register holds the more of them. Returns how many
/// comparisons and values that is, after which `shapes` no longer holds.
unsigned narrowLanes(chan::KernelOp lifted, const LaneShapes &shapes,
                     const TypeLayout &layout);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_PREPARE_NARROWLANES_H
