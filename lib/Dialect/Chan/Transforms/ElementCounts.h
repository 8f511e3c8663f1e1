//===- ElementCounts.h - How many elements kernels find ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_ELEMENTCOUNTS_H
#define CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_ELEMENTCOUNTS_H

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
  static constexpr double many = 1e6;

private:
  llvm::DenseMap<mlir::StringAttr, double> most;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_ELEMENTCOUNTS_H
