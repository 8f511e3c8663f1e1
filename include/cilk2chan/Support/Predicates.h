//===- Predicates.h - Comparisons of integers -------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_PREDICATES_H
#define CILK2CHAN_SUPPORT_PREDICATES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2chan {

/// What `comparison` asks, or its opposite, in the dialect that can evaluate
/// and invert it.
inline mlir::arith::CmpIPredicate predicateOf(mlir::LLVM::ICmpOp comparison,
                                              bool holds = true) {
  // The dialects have the same numbers for them (mlir::arith to LLVM).
  auto predicate =
      static_cast<mlir::arith::CmpIPredicate>(comparison.getPredicate());
  return holds ? predicate : mlir::arith::invertPredicate(predicate);
}

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_PREDICATES_H
