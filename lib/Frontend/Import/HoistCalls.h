//===- HoistCalls.h - One call for all iterations ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_IMPORT_HOISTCALLS_H
#define CILK2CHAN_LIB_FRONTEND_IMPORT_HOISTCALLS_H

#include "Effects.h"
#include "Finding.h"

#include "llvm/IR/PassManager.h"

namespace cilk2chan {

/// Moves calls that `effects` knows out of loops that are `converted`, where
/// LLVM has one call for all iterations of the serial elision as well.  What
/// follows has kernels, for which LLVM cannot tell any more.
///
/// - From the body of a parallel loop to the front of the loop, which passes
/// the
///   result on: calls that access nothing, that every iteration makes, and that
///   take longer than to pass it.  Bodies of `converted` are replaced in place,
///   and leave it if nothing that is converted is called there any more.
/// - From serial loops of `converted`.
///
/// REQUIRES: locals of `converted` are values.
llvm::SmallVector<Finding> hoistCalls(
    llvm::Module &module, llvm::SmallVectorImpl<llvm::Function *> &converted,
    const KnownEffects &effects, llvm::FunctionAnalysisManager &analyses);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_IMPORT_HOISTCALLS_H
