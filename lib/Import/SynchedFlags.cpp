//===- SynchedFlags.cpp - SYNCHED where no clone knows more ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SynchedFlags.h"
#include "cilk2chan/Support/Markers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

using namespace cilk2chan;

void cilk2chan::useSynchedFlags(llvm::Module &module,
                                llvm::ArrayRef<llvm::Function *> convert) {
  llvm::Function *marker = module.getFunction(IfSynchedName);
  if (!marker)
    return;
  for (llvm::User *user : llvm::make_early_inc_range(marker->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    if (llvm::is_contained(convert, call->getFunction()))
      continue;
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
  }
  if (marker->use_empty())
    marker->eraseFromParent();
}
