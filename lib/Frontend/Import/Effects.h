//===- Effects.h - What spawning functions access ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_IMPORT_EFFECTS_H
#define CILK2CHAN_LIB_FRONTEND_IMPORT_EFFECTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace cilk2chan {

/// What functions access that is not their own local variables, where it is
/// known that they write to nothing else.
using KnownEffects =
    llvm::DenseMap<const llvm::Function *, llvm::MemoryEffects>;

/// What the functions of `module` access, as C has them: with the children they
/// spawn, and without the runtime that these need.
///
/// REQUIRES: loops are outlined, and children split at their calls.
KnownEffects findEffects(const llvm::Module &module);

/// Tells calls of `converted` in ordinary functions what is known of them, so
/// that LLVM has one call for all iterations of a loop, as in the serial
/// elision.  It would not find out, as what enters the runtime accesses that.
void tellEffects(llvm::ArrayRef<llvm::Function *> converted,
                 const KnownEffects &effects);

/// Moves calls that `effects` knows out of the loops of `function`, which
/// spawns or is a loop's body, where LLVM has one call for all iterations as
/// well. What follows has kernels, for which LLVM cannot tell any more.
void hoistCalls(llvm::Function &function, const KnownEffects &effects);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_IMPORT_EFFECTS_H
