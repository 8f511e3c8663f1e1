//===- Guard.h - What an activation does before it spawns -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recursion ends where an activation spawns nothing: a test in front, the
// guard, says so.  Its caller can do that test, and call what is left to do
// only if there is anything.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_GUARD_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_GUARD_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2chan {

/// The last operation of `function` that is executed before all its spawns and
/// calls, and before which nothing has had an effect.
mlir::Operation *lastPlaceToStartAgain(mlir::LLVM::LLVMFuncOp function);

/// What a guard calls.
struct Divided {
  /// For activations that may spawn; null: there is no guard, and the function
  /// is what it was.
  mlir::LLVM::LLVMFuncOp rest;
  /// For those that spawn nothing but have loops or calls to do, of which not
  /// every caller needs a copy; null: there are none.  Their values have the
  /// registers for themselves there, as the children's callers have theirs.
  mlir::LLVM::LLVMFuncOp leaf;
};

/// Leaves the guard of `function`, to be inlined by all callers if it is small;
/// one that is not keeps its leaves.  What it calls
/// has its name, followed by RestSuffix and LeafSuffix.  REQUIRES:
/// hoistConstants.
Divided divideAtGuard(mlir::LLVM::LLVMFuncOp function);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_GUARD_H
