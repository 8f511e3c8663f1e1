//===- Specialization.h - Loops for constants of their callers --*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_SPECIALIZATION_H
#define CILK2CHAN_LIB_IMPORT_SPECIALIZATION_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace cilk2chan {

/// Gives exported functions with parallel loops a local copy where all calls in
/// their module pass the same constant for a parameter: `f.constprop`, which
/// these call, and which is told what that is as any local function
/// (Parameters.h).  An ordinary compiler inlines such a function, which a
/// spawning one is not.
///
/// REQUIRES: loops are outlined (Loops.h).
void specializeLoops(llvm::Module &module,
                     llvm::FunctionAnalysisManager &analyses);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_SPECIALIZATION_H
