//===- UnrollLoops.h - Several iterations in a block ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_UNROLLLOOPS_H
#define CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_UNROLLLOOPS_H

#include "llvm/IR/PassManager.h"

namespace cilk2chan {

/// Unrolls loops of one block as far as the fabric has units (UnrollLoops.cpp).
/// REQUIRES: a legalized device function.
struct UnrollLoopsPass : llvm::PassInfoMixin<UnrollLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &kernel,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_UNROLLLOOPS_H
