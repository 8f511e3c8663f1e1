//===- Peel.h - Children that end where they begin --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recursion's leaves are often as many as its other activations.  Where a
// test of the parameters in front of a function tells that it only computes
// something of them, a parent that runs the test itself need not spawn them.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_PEEL_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_PEEL_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace cilk2chan {

/// The test in front of a function, and what the function returns if it holds.
class Peel {
public:
  /// Nothing if the function has no such test, or a large one.
  static std::optional<Peel> find(mlir::LLVM::LLVMFuncOp function);

  /// Computes for arguments `args` whether the test holds.
  mlir::Value test(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::ValueRange args) const;
  /// Computes what the function then returns; null if that is nothing.
  mlir::Value result(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::ValueRange args) const;

private:
  mlir::Value clone(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::ValueRange args, mlir::Value value) const;

  mlir::LLVM::LLVMFuncOp function;
  mlir::Value condition, returned;
  /// Which of the test's outcomes it is.
  bool outcome = true;
};

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

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_PEEL_H
