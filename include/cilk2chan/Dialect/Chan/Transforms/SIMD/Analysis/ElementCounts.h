//===- ElementCounts.h - How many elements kernels find ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_ELEMENTCOUNTS_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_ELEMENTCOUNTS_H

#include "cilk2chan/Dialect/Chan/Chan.h"

namespace cilk2chan {

/// How many elements of one level each stack may have at one time, as far as
/// the graph tells: C enters a function with one, and every talloc of a kernel
/// makes one of each that the kernel takes, or any number in a loop. Recursion
/// makes them many where it is of more than one child.
class ElementCounts {
public:
  explicit ElementCounts(mlir::ModuleOp module);

  /// At most this number; `many` stands for any.
  double of(chan::KernelOp kernel) const {
    return most.lookup(kernel.getConsumesAttr().getAttr());
  }
  /// How many activations of the kernel's C function others have spawned at one
  /// level; C enters with one. So many trees there are at a time.
  double ofTrees(chan::KernelOp kernel) const {
    return others.lookup(functionOf(kernel));
  }
  static constexpr double many = 1e6;

private:
  static mlir::StringAttr functionOf(chan::KernelOp kernel);

  /// By stack.
  llvm::DenseMap<mlir::StringAttr, double> most;
  llvm::DenseMap<mlir::StringAttr, mlir::StringAttr> functions;
  /// By function.
  llvm::DenseMap<mlir::StringAttr, double> others;
};

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_ELEMENTCOUNTS_H
