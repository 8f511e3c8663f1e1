//===- PeelBodyLoops.h - Peel what loops run once more ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_TARGET_HOST_PEELBODYLOOPS_H
#define CILK2CHAN_LIB_TARGET_HOST_PEELBODYLOOPS_H

#include "llvm/Passes/PassBuilder.h"

namespace cilk2chan {

/// Lets LLVM peel the loops in bodies of parallel loops a second time: it peels
/// the first iterations or the last, and by that makes the others plain. The
/// elision's loops come to that twice where their function is inlined: there,
/// and before, by themselves.
///
///   for (x = 0; x < w; x++)           b[0] = a[w - 1] + a[1];
///     b[x] = a[x ? x - 1 : w - 1] +   for (x = 1; x < w - 1; x++)
///            a[x < w - 1 ? x + 1 : 0];  b[x] = a[x - 1] + a[x + 1];
///                                     b[w - 1] = a[w - 2] + a[0];
///
/// What is left has vectors. Of what unrolling has made several copies of that
/// only InstCombine makes alike, one is left, as it is the second time (a
/// cellular automaton divided four times instead of three).
void addPeelBodyLoops(llvm::PassBuilder &builder);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_PEELBODYLOOPS_H
