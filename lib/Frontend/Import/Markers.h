//===- Markers.h - Recognising marker calls ---------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_IMPORT_MARKERS_H
#define CILK2CHAN_LIB_FRONTEND_IMPORT_MARKERS_H

#include "cilk2chan/Support/Markers.h"
#include "llvm/IR/Function.h"

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
  return callee && callee->getName() == SyncName;
}

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_IMPORT_MARKERS_H
