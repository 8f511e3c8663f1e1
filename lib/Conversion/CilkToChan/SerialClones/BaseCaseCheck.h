//===- BaseCaseCheck.h - The check that callers inline ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recursion ends with its base cases, whose activations spawn nothing.  A
// check at the beginning of the function tells them apart (`if (n < 2)`).
// Callers inline that check, so that a base case is no call:
//
//   f.serial        the inlined base-case check, and small base cases
//   f.serial.body   the outlined body: all from the first effect or spawn on
//   f.serial.base   the outlined base case: base cases with loops or calls
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_BASECASECHECK_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_BASECASECHECK_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2chan {

/// The last operation of `function` that is executed before all its spawns and
/// calls, and before which nothing has had an effect.
mlir::Operation *lastPlaceToStartAgain(mlir::LLVM::LLVMFuncOp function);

/// What a base-case check calls.
struct Outlined {
  /// For activations that may spawn.  Null: there is no check, and the function
  /// is what it was.
  mlir::LLVM::LLVMFuncOp body;
  /// For base cases with loops or calls, of which not every caller needs a
  /// copy. Null: there are none.  In a function of their own, their values have
  /// all registers.
  mlir::LLVM::LLVMFuncOp baseCase;
};

/// Leaves the base-case check in `function`, and outlines the rest.  All
/// callers inline the check if it is small; a large one keeps its base cases.
/// The outlined functions have its name, followed by BodySuffix and
/// BaseCaseSuffix. REQUIRES: hoistConstants.
Outlined outlineBehindCheck(mlir::LLVM::LLVMFuncOp function);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_BASECASECHECK_H
