//===- VectorMath.h - Math functions for several lanes ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_VECTORMATH_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_VECTORMATH_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

namespace cilk2chan {

/// The math functions for vectors that a library has, if there is one. Their
/// results are not always those of the functions for one number; so where there
/// is none, these are called lane by lane.
class VectorMath {
public:
  VectorMath(mlir::ModuleOp module, llvm::VectorLibrary library,
             unsigned vectorBits);

  /// The function for the most of `lanes` lanes of what `op` does, or for the
  /// fewest more, that a vector register holds; null if there is none.
  const llvm::VecDesc *find(mlir::Operation *op, unsigned lanes) const;

private:
  llvm::TargetLibraryInfoImpl functions;
  unsigned vectorBits;
};

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_VECTORMATH_H
