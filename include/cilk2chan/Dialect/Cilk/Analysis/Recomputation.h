//===- Recomputation.h - Compute a value once more --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_ANALYSIS_RECOMPUTATION_H
#define CILK2CHAN_DIALECT_CILK_ANALYSIS_RECOMPUTATION_H

#include "mlir/IR/Builders.h"

namespace cilk2chan {

/// Whether an operation has no effect, may be executed where the program would
/// not, and takes a few cycles at most.
bool isCheapAndPure(mlir::Operation *op);

/// Whether two values are computed alike of the same, without memory or by
/// loads that find the same all the time, as `isStable` says.
bool areSame(mlir::Value one, mlir::Value other,
             llvm::function_ref<bool(mlir::Operation *)> isStable = {},
             unsigned depth = 0);

/// Whether computeAgain can do so of values that are known.
bool canComputeAgain(mlir::Value value,
                     llvm::function_ref<bool(mlir::Value)> isKnown);

/// Computes `value` once more where `builder` stands, of values that `known`
/// has; null, and nothing is left behind, if that takes many operations, or any
/// with an effect.
mlir::Value computeAgain(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value,
                         llvm::function_ref<mlir::Value(mlir::Value)> known);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CILK_ANALYSIS_RECOMPUTATION_H
