//===- Children.h - Splitting children at their calls -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_CHILDREN_H
#define CILK2CHAN_LIB_IMPORT_CHILDREN_H

#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"

namespace cilk2chan {

/// Splits each `__cilk_child.N` of `module` at its one call: what comes before
/// is inlined where `__cilk_spawn.N` is called, with the call itself as a call
/// of `__cilk_spawn_abi.N`; what comes after becomes `__cilk_apply.N`, unless
/// it is nothing or a plain store of the result.  The children and their
/// markers are gone afterwards.
llvm::Error splitChildren(llvm::Module &module,
                          llvm::FunctionAnalysisManager &analyses);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_CHILDREN_H
