//===- Inlining.h - Small functions that kernels call -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_INLINING_H
#define CILK2CHAN_LIB_IMPORT_INLINING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

namespace cilk2chan {

/// Inlines into `converted` what they call that is small, defined in the module
/// and calls nothing itself once that is inlined: kernels with lanes can treat
/// it for all lanes together, and a call only for one after the other. The
/// analyses are those that SROA, EarlyCSE and SimplifyCFG ask for.
void inlineSmallFunctions(llvm::ArrayRef<llvm::Function *> converted,
                          llvm::FunctionAnalysisManager &analyses);

/// Why calls of `callee` are left: what it is or does; empty if that is the
/// caller's affair.
std::string whyNotInlined(const llvm::Function &callee);

/// Removes what is computed twice, and branches between values that might as
/// well be selected.
void simplify(llvm::Function &function,
              llvm::FunctionAnalysisManager &analyses);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_INLINING_H
