//===- Distances.h - How far apart values can be ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_ANALYSIS_DISTANCES_H
#define CILK2CHAN_DIALECT_CILK_ANALYSIS_DISTANCES_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"

namespace cilk2chan {

/// The most by which `high` is above `low` where control comes to `loop`, as
/// the branches say by which it has to come there; nothing if they do not.
/// Arithmetic is taken to be that of whole numbers: of a program in which it
/// overflows this may be wrong.
std::optional<int64_t> findMostBetween(mlir::Value low, mlir::Value high,
                                       const mlir::CFGLoop &loop,
                                       mlir::DominanceInfo &dominance,
                                       const mlir::CFGLoopInfo &loops);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CILK_ANALYSIS_DISTANCES_H
