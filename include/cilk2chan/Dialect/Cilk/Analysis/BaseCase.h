//===- BaseCase.h - What a function does where it does not spawn *- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Half of the activations of a recursion are often base cases: a test of the
// parameters at the beginning, and then a little arithmetic.
//
//   long fib(int n) { if (n < 2) return n; ... }
//
// A parent that runs this test itself (base-case hoisting) need not spawn a
// child to run it.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_ANALYSIS_BASECASE_H
#define CILK2CHAN_DIALECT_CILK_ANALYSIS_BASECASE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace cilk2chan {

/// Whether an activation ends without spawning, i1, and what it returns then;
/// null if that is nothing.
struct Ending {
  mlir::Value ends, result;
  /// What it does then with ReductionAttribute.
  struct Update {
    mlir::LLVM::AtomicBinOp by;
    mlir::Value address, value;
  };
  llvm::SmallVector<Update, 1> updates = {};

  /// Does so.
  void update(mlir::OpBuilder &builder, mlir::Location loc) const;
};

/// The base case of a function: what an activation does that does not spawn.
class BaseCase {
public:
  /// Nothing if the base case is long, or has effects beyond its result.
  static std::optional<BaseCase> find(mlir::LLVM::LLVMFuncOp function);

  /// Those branches, and their ways, that an activation takes once at most, and
  /// only if it ends so.
  llvm::ArrayRef<std::pair<mlir::Operation *, unsigned>> getEndings() const {
    return endings;
  }

  /// Computes how an activation with arguments `args` ends.
  Ending build(mlir::OpBuilder &builder, mlir::Location loc,
               mlir::ValueRange args) const;

private:
  mlir::LLVM::LLVMFuncOp function;
  llvm::SmallVector<std::pair<mlir::Operation *, unsigned>, 2> endings;
};

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CILK_ANALYSIS_BASECASE_H
