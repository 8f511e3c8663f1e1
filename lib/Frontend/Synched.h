//===- Synched.h - What SYNCHED is ------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_SYNCHED_H
#define CILK2CHAN_LIB_FRONTEND_SYNCHED_H

#include "llvm/IR/Module.h"

namespace cilk2chan {

/// Replaces the calls that SYNCHED stands for by a local of the activation: 1
/// at the beginning and after each sync, 0 after each spawn.
///
/// So it says that nothing was spawned since the last sync, not that all of it
/// has ended: the runtime does not count the children of an activation. In
/// a function that spawns, the local is the operand of a call of
/// `__cilk_if_synched`, as serial clones know more.
void lowerSynched(llvm::Module &module);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_SYNCHED_H
