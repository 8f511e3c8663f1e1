//===- Bounds.h - What each iteration knows of its number -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_BOUNDS_H
#define CILK2CHAN_LIB_IMPORT_BOUNDS_H

#include "cilk2chan/Support/LoopForm.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
class Function;
class ICmpInst;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace cilk2chan {

struct Region;

/// What the condition of a loop says at the beginning of `iteration`, where an
/// iteration starts with its number and the control variable in these: that the
/// latter is between `first` and `limit`.  In `region`, the loop, neither wraps
/// around.
llvm::SmallVector<llvm::ICmpInst *, 3>
compareWithBounds(const Region &region, llvm::BasicBlock &iteration,
                  llvm::AllocaInst &number, llvm::AllocaInst &control,
                  llvm::Value &first, llvm::Value &limit, const LoopForm &form);

/// Says that it is so.
void assumeBound(llvm::ICmpInst &comparison);

/// Removes all that assumeBound has said in `function`.
void dropBounds(llvm::Function &function);

/// Computes the bounds in bodies from what these capture for other reasons.
/// Forgets those in `converted`, and when `areConstantsKnown` of parameters,
/// all that are not computed.
void settleBounds(llvm::Module &module,
                  llvm::SmallVectorImpl<llvm::Function *> &converted,
                  bool areConstantsKnown);

/// Whether `instruction` is what assumeBound says.
bool isBound(const llvm::Instruction &instruction);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_BOUNDS_H
