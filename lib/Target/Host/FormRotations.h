//===- FormRotations.h - Rotations by masked amounts ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_TARGET_HOST_FORMROTATIONS_H
#define CILK2CHAN_LIB_TARGET_HOST_FORMROTATIONS_H

#include "llvm/Passes/PassBuilder.h"

namespace cilk2chan {

/// Makes one intrinsic of `x << (k & 63) | x >> (-k & 63)`. Clang's elision has
/// done so in a function of its own when that is inlined; here it is inlined
/// before, and what a base case is told of its bounds may take one of the masks
/// away, without which LLVM does not see what it is.
void addFormRotations(llvm::PassBuilder &builder);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_FORMROTATIONS_H
