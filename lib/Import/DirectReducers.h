//===- DirectReducers.h - Reducers that need no views -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of integer sums and the like does not matter.  So their reducers are
// updated in place:
//
//   %v = call @chan_reducer_view(@sum, ..., @zero, @add)
//   %old = load %v                                    =>   atomicrmw add @sum, %n
//   %new = add %old, %n
//   store %new, %v
//
// That is done if no other file sees the variable, and if all that code in
// parallel does with it are such updates.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_DIRECTREDUCERS_H
#define CILK2CHAN_LIB_IMPORT_DIRECTREDUCERS_H

#include "Finding.h"

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace cilk2chan {

/// What remarks say of the reducers of a module.
struct ReducerFindings {
  llvm::SmallVector<Finding> inPlace, withViews;
};

/// Removes the views of such reducers. If no others are left, `module` has no
/// call of the runtime's for views any more.
/// REQUIRES: no parallel loop has been outlined.
ReducerFindings removeViews(llvm::Module &module,
                            llvm::FunctionAnalysisManager &analyses);

/// Combines what a loop updates such a variable with, and updates it once behind
/// the loop, if nothing in the loop can see the difference.
/// REQUIRES: parallel loops have been outlined.
void updateBehindLoops(llvm::Function &function);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_DIRECTREDUCERS_H
