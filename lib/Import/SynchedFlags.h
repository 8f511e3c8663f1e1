//===- SynchedFlags.h - SYNCHED where no clone knows more -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_SYNCHEDFLAGS_H
#define CILK2CHAN_LIB_IMPORT_SYNCHEDFLAGS_H

#include "llvm/IR/Module.h"

namespace cilk2chan {

/// Makes of `__cilk_if_synched(flag)` its flag in all functions but those to
/// `convert`.
void useSynchedFlags(llvm::Module &module,
                     llvm::ArrayRef<llvm::Function *> convert = {});

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_SYNCHEDFLAGS_H
