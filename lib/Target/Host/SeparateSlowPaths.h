//===- SeparateSlowPaths.h - What follows a slow path -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_TARGET_HOST_SEPARATESLOWPATHS_H
#define CILK2CHAN_LIB_TARGET_HOST_SEPARATESLOWPATHS_H

#include "llvm/Passes/PassBuilder.h"

namespace cilk2chan {

/// Gives the slow path of a serial clone's loop a copy of what follows it. What
/// is computed of the loop's results then depends on the fast path alone, as in
/// the serial elision: where an iteration has left a constant, so is what it
/// leads to.
void addSeparateSlowPaths(llvm::PassBuilder &builder);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_SEPARATESLOWPATHS_H
