//===- Combination.h - What results are combined by -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_ANALYSIS_COMBINATION_H
#define CILK2CHAN_DIALECT_CILK_ANALYSIS_COMBINATION_H

#include "cilk2chan/Dialect/Chan/Chan.h"

namespace cilk2chan {

/// Whether all bits of a result depend on all bits of what is combined, and not
/// only the low ones on the low ones.
bool isExtremum(chan::Combination combination);

/// What an operation combines by something that can be done to many in any
/// order.
struct Combined {
  chan::Combination by;
  mlir::Value first, second;
};

/// What `op` combines, if it does. Differences are sums; the select of a
/// comparison may be a maximum.
std::optional<Combined> combinedBy(mlir::Operation *op);

/// Whether `op` only compares, for what `combinedBy` finds to be a maximum or
/// minimum.
bool isOnlyCombined(mlir::LLVM::ICmpOp op);

/// How the result of a child is combined with the place that it is assigned to.
struct Assignment {
  chan::Combination by;
  mlir::Operation *op;
  /// The operand that is not what was in the place before.
  mlir::Value other;
};

/// What `apply`, the function of a spawn, does if the order of several such
/// makes no difference.
std::optional<Assignment> assignmentOf(mlir::LLVM::LLVMFuncOp apply);

/// Combines two values, or each lane of two vectors.
mlir::Value createCombined(mlir::OpBuilder &builder, mlir::Location loc,
                           chan::Combination by, mlir::Value one,
                           mlir::Value other);

/// Makes a function `(place, result)` that says what is done with the result of
/// a spawn in `parent`, by whose name and `suffix` it is called, and goes on in
/// its entry block.
mlir::LLVM::LLVMFuncOp createApplyFunction(mlir::LLVM::LLVMFuncOp parent,
                                           llvm::StringRef suffix,
                                           mlir::Location loc,
                                           mlir::SymbolTable &symbols,
                                           mlir::OpBuilder &builder);

/// Has an operation promise nothing of its result: in another order there are
/// other intermediate ones.
void forgetOrder(mlir::Operation *op);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CILK_ANALYSIS_COMBINATION_H
