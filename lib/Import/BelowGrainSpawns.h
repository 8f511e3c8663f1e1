//===- BelowGrainSpawns.h - Children too short to divide --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_IMPORT_LIGHTSPAWNS_H
#define CILK2CHAN_LIB_FRONTEND_IMPORT_LIGHTSPAWNS_H

#include "Finding.h"

#include "llvm/IR/PassManager.h"

namespace cilk2chan {

/// Makes spawns plain calls whose callees are known and take a microsecond at
/// most: those that do not stand in a loop, as many together would be worth
/// others' help. The result is stored in the parent then, not at the sync, so
/// it has to go to a local that no other spawn's goes to.
llvm::SmallVector<Finding>
serializeLightSpawns(llvm::Module &module,
                     llvm::FunctionAnalysisManager &analyses);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_IMPORT_LIGHTSPAWNS_H
