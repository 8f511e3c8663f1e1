//===- LevelFields.h - Fields that elements of a level share ----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LEVELFIELDS_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LEVELFIELDS_H

#include "cilk2chan/Dialect/Chan/Chan.h"

namespace cilk2chan {

/// The fields of what `kernel` consumes that a recursive function passes on to
/// all its children alike: each of them gets the same function of its parent's
/// (a context, a depth, a row). Elements of one level that descend from one
/// root then have the same values of them. Those of several roots may differ.
llvm::SmallVector<llvm::StringRef> findLevelFields(chan::KernelOp kernel,
                                                   mlir::ModuleOp module);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LEVELFIELDS_H
