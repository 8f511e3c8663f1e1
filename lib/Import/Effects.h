//===- Effects.h - What spawning functions access ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_EFFECTS_H
#define CILK2CHAN_LIB_IMPORT_EFFECTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueMap.h"

namespace cilk2chan {

/// What functions access that is not their own local variables, where it is
/// known that they write to nothing else, and do the same in all threads.  Of a
/// function that is erased nothing is known any more: another may come to be
/// where it was.
using KnownEffects =
    llvm::ValueMap<const llvm::Function *, llvm::MemoryEffects>;

/// What the functions of `module` access, as C has them: with the children they
/// spawn, and without the runtime that these need.
///
/// REQUIRES: loops are outlined, and children split at their calls.
void findEffects(const llvm::Module &module, KnownEffects &effects);

/// Tells calls of `converted` in ordinary functions what is known of them, so
/// that LLVM has one call for all iterations of a loop, as in the serial
/// elision.  It would not find out, as what enters the runtime accesses that.
void tellEffects(llvm::ArrayRef<llvm::Function *> converted,
                 const KnownEffects &effects);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_EFFECTS_H
