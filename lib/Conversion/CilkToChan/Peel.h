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

/// What activations do that do not spawn, as far as it is but little.
class Peel {
public:
  /// Nothing if they do much, or anything but compute of the parameters.
  static std::optional<Peel> find(mlir::LLVM::LLVMFuncOp function);

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

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_PEEL_H
