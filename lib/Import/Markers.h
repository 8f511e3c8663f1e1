//===- Markers.h - Recognising marker calls ---------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_MARKERS_H
#define CILK2CHAN_LIB_IMPORT_MARKERS_H

#include "cilk2chan/Support/KeptObjects.h"
#include "cilk2chan/Support/Markers.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace cilk2chan {

/// Whether `callee` marks a spawn or a parallel loop, as the front end or the
/// import left it.
inline bool isSpawnMarker(const llvm::Function *callee) {
  return callee && (callee->getName().starts_with(SpawnPrefix) ||
                    callee->getName().starts_with(AbiSpawnPrefix) ||
                    callee->getName().starts_with(ForPrefix) ||
                    callee->getName().starts_with(AbiForPrefix));
}

/// Whether it is `__cilk_for_abi.N`.
inline bool isLoopMarker(const llvm::Function *callee) {
  return callee && callee->getName().starts_with(AbiForPrefix);
}

inline bool isSyncMarker(const llvm::Function *callee) {
  return callee && (callee->getName() == SyncName ||
                    callee->getName() == SyncReleaseName);
}

/// Where the arguments of the callee begin in a spawn: behind the callee and
/// the place of its result.
inline constexpr unsigned FirstSpawnArgument = 2;

/// Where the captures of a loop begin: behind its body, the number of its
/// iterations and the grain.
inline constexpr unsigned FirstLoopCapture = 3;

/// The instruction as a call of `__cilk_spawn_abi.N`, or null.
inline llvm::CallInst *asSpawn(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  llvm::Function *marker = call ? call->getCalledFunction() : nullptr;
  return marker && marker->getName().starts_with(AbiSpawnPrefix) ? call
                                                                 : nullptr;
}

/// Whether the child is called as `callee` is defined.
inline bool spawnsAs(const llvm::CallInst &spawn,
                     const llvm::Function &callee) {
  return spawn.getType() == callee.getReturnType() &&
         spawn.arg_size() == FirstSpawnArgument + callee.arg_size() &&
         llvm::all_of(callee.args(), [&](const llvm::Argument &parameter) {
           return spawn
                      .getArgOperand(FirstSpawnArgument + parameter.getArgNo())
                      ->getType() == parameter.getType();
         });
}

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_MARKERS_H
