//===- InlineClones.h - Recursion two levels at a time ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_TARGET_HOST_INLINECLONES_H
#define CILK2CHAN_LIB_TARGET_HOST_INLINECLONES_H

#include "llvm/Passes/PassBuilder.h"

namespace cilk2chan {

/// Has small serial clones that call themselves do two levels of the recursion
/// in one activation, which polls once: half of the calls, and of the polls,
/// are gone.
void addInlineClones(llvm::PassBuilder &builder);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_INLINECLONES_H
