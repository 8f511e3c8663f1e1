//===- Analyses.h - What the import's passes know of functions --*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The import runs some of LLVM's passes on single functions. The results of
// their analyses are kept until a step of the import clears them.
//
// A result is kept by its function's address. The import erases functions and
// creates others, and a new function may get the address of an erased one. SROA
// would then have the dominator tree of the erased function. It would take
// blocks for unreachable, and make `poison` of the variables there. So this
// class clears what is known of a function when the function is erased.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_ANALYSES_H
#define CILK2CHAN_LIB_IMPORT_ANALYSES_H

#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueMap.h"

namespace cilk2chan {

/// The analyses that SROA, EarlyCSE, SimplifyCFG and inlining ask for. Erased
/// functions need not be cleared.
class Analyses {
public:
  Analyses();
  Analyses(const Analyses &) = delete;

  llvm::FunctionAnalysisManager manager;

private:
  struct ClearErased : llvm::ValueMapConfig<const llvm::Function *> {
    enum { FollowRAUW = false };
    using ExtraData = llvm::FunctionAnalysisManager *;
    static void onDelete(ExtraData manager, const llvm::Function *function);
  };

  llvm::PassInstrumentationCallbacks callbacks;
  /// The functions of which there may be results.
  llvm::ValueMap<const llvm::Function *, bool, ClearErased> analysed;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_ANALYSES_H
