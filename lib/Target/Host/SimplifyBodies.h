//===- SimplifyBodies.h - Simplify what loops run once more -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_TARGET_HOST_SIMPLIFYBODIES_H
#define CILK2CHAN_LIB_TARGET_HOST_SIMPLIFYBODIES_H

#include "llvm/Passes/PassBuilder.h"

namespace cilk2chan {

/// Runs LLVM's simplification of functions on the bodies of parallel loops a
/// second time. The elision's loops have it twice where their function is
/// inlined: there, and before, by themselves. The second time finds what the
/// first has made plain, as that an index does not wrap; a loop with `x ? x - 1
/// : w - 1` for an index has vectors then, and none before.
void addSimplifyBodies(llvm::PassBuilder &builder);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_SIMPLIFYBODIES_H
