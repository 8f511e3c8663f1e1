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

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_GUARD_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_GUARD_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2chan {

/// The last operation of `function` that is executed before all its spawns and
/// calls, and before which nothing has had an effect.
mlir::Operation *lastPlaceToStartAgain(mlir::LLVM::LLVMFuncOp function);

/// Leaves the guard of `function`, to be inlined by all callers, and returns
/// what it calls for the rest, a function of the name `rest`.  Null if there is
/// no small guard.  REQUIRES: hoistConstants.
mlir::LLVM::LLVMFuncOp divideAtGuard(mlir::LLVM::LLVMFuncOp function,
                                     llvm::StringRef rest);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_GUARD_H
