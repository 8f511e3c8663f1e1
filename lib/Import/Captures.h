//===- Captures.h - Which locals a region shares ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_CAPTURES_H
#define CILK2CHAN_LIB_IMPORT_CAPTURES_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cilk2chan {

/// Blocks that are entered at `entry` and left for `exit` only, which is none
/// of them.
struct Region {
  llvm::BasicBlock *entry = nullptr, *exit = nullptr;
  llvm::SetVector<llvm::BasicBlock *> blocks;
};

/// Decides for each local of the function what code in the region is to know of
/// it once it is a function of its own:
///
/// - nothing but its own: the local is used in the region alone, or carries no
///   value into it or out of it, or is `control`. Its allocation stands in the
///   entry of the region, and is returned.
/// - its value, if the region does not change it and its address is not known
///   elsewhere: it is loaded at `before`.
/// - its address otherwise.
llvm::SmallVector<llvm::AllocaInst *> separateLocals(const Region &region,
                                                     llvm::AllocaInst *control,
                                                     llvm::Instruction *before);

/// Gives the body of a parallel loop of `module` the value of a local instead
/// of its address if it does nothing but load from there, and no other code has
/// the address: what a helper has changed by its address is such a local once
/// the helper has been inlined. Functions of `converted` are replaced in place.
/// Returns the functions that no longer pass an address.
llvm::SmallVector<llvm::Function *>
passValues(llvm::Module &module,
           llvm::SmallVectorImpl<llvm::Function *> &converted);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_CAPTURES_H
