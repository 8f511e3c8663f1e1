//===- LockHelpers.cpp - Functions that take locks for others -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LockHelpers.h"
#include "cilk2chan/Support/LockFunctions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace cilk2chan;

using Effects = llvm::DenseMap<const llvm::Function *, LockFunction::Kind>;

/// A function that takes locks and releases none leaves them to its caller, and
/// so does one that only releases.
static LockFunction::Kind effectOf(const llvm::Function &function,
                                   Effects &effects) {
  LockFunction::Kind known = lockFunction(function.getName()).kind;
  if (known != LockFunction::unknown || function.isDeclaration())
    return known;
  // A function that calls itself is as good as one that does not.
  auto [place, isNew] = effects.try_emplace(&function, LockFunction::unknown);
  if (!isNew)
    return place->second;
  bool takes = false, releases = false;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
      continue;
    LockFunction::Kind effect = effectOf(*callee, effects);
    takes |= effect == LockFunction::acquire || effect == LockFunction::attempt;
    releases |= effect == LockFunction::release;
  }
  return effects[&function] = takes == releases ? LockFunction::neutral
                              : takes           ? LockFunction::acquire
                                                : LockFunction::release;
}

void cilk2chan::markLockHelpers(const llvm::Module &module,
                                llvm::Module &extracted) {
  Effects effects;
  for (llvm::Function &declared : extracted) {
    const llvm::Function *function = module.getFunction(declared.getName());
    if (!declared.isDeclaration() || !function || function->isDeclaration())
      continue;
    LockFunction::Kind effect = effectOf(*function, effects);
    if (effect == LockFunction::acquire || effect == LockFunction::release)
      declared.addFnAttr(LockAttribute, effect == LockFunction::acquire
                                            ? LockAcquires
                                            : LockReleases);
  }
}
