//===- NoAlias.h - What only a loop's body points to ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_NOALIAS_H
#define CILK2CHAN_LIB_IMPORT_NOALIAS_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace cilk2chan {

/// Tells the outlined bodies of parallel loops what their functions know of the
/// captured pointers: that no other points to the same object, as `restrict`
/// says of a parameter, and as is so of a local array or of what `malloc`
/// returned, or a function of the module that passes on what `malloc` returned.
/// Bodies that may wait for others (locks, barriers, atomics) are
/// not told: there, other iterations do.
///
/// REQUIRES: the functions with such loops, which are in `converted`, are in
/// SSA form; the bodies will be.
void inferNoAlias(llvm::Module &module,
                  llvm::ArrayRef<llvm::Function *> converted,
                  llvm::FunctionAnalysisManager &analyses);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_NOALIAS_H
