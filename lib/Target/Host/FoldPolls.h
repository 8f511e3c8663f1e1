//===- FoldPolls.h - Comparisons that load ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_TARGET_HOST_FOLDPOLLS_H
#define CILK2CHAN_LIB_TARGET_HOST_FOLDPOLLS_H

#include "llvm/Passes/PassBuilder.h"

namespace cilk2chan {

/// Has serial clones compare with the limit that other threads write where it
/// is in memory, if the processor can: an instruction less for each spawn.
void addFoldPolls(llvm::PassBuilder &builder);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_FOLDPOLLS_H
