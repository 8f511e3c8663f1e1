//===- MathFunctions.h - Which operations are calls of libm -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_MATHFUNCTIONS_H
#define CILK2CHAN_SUPPORT_MATHFUNCTIONS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cilk2chan {

constexpr llvm::StringLiteral IntrinsicPrefix = "llvm.intr.";

/// Whether an op is one of C's math functions that are an instruction or a few,
/// for vectors as well.
inline bool isMathInstruction(mlir::Operation *op) {
  using namespace mlir::LLVM;
  return mlir::isa<FAbsOp, SqrtOp, FMAOp, FMulAddOp, CopySignOp, FFloorOp,
                   FCeilOp, FTruncOp, RintOp, NearbyintOp, RoundOp, RoundEvenOp,
                   MaxNumOp, MinNumOp, MaximumOp, MinimumOp>(op);
}

/// Whether a call does nothing but return its result.
inline bool isPureCall(mlir::LLVM::CallOp call) {
  auto isNone = [](mlir::LLVM::ModRefInfo info) {
    return info == mlir::LLVM::ModRefInfo::NoModRef;
  };
  auto effects = call.getMemoryEffectsAttr();
  return call.getNoUnwind() && call.getWillReturn() && effects &&
         isNone(effects.getOther()) && isNone(effects.getArgMem()) &&
         isNone(effects.getInaccessibleMem()) && isNone(effects.getErrnoMem());
}

/// Whether an op computes a number of numbers, has no other effect, not even on
/// `errno`, and is a call in the end: dear, and not known for vectors.
inline bool isMathFunction(mlir::Operation *op) {
  auto isNumber = [](mlir::Type type) { return type.isF32() || type.isF64(); };
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !llvm::all_of(op->getResultTypes(), isNumber) ||
      !isNumber(op->getOperand(0).getType()))
    return false;
  if (auto call = mlir::dyn_cast<mlir::LLVM::CallOp>(op))
    return call.getCallee() && isPureCall(call) &&
           llvm::all_of(op->getOperandTypes(), isNumber);
  return op->getName().getStringRef().starts_with(IntrinsicPrefix) &&
         mlir::isPure(op) && !isMathInstruction(op);
}

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_MATHFUNCTIONS_H
