//===- UnrollClones.h - Unroll what Clang would without polls ---*- C++ -*-===//
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_TARGET_HOST_UNROLLCLONES_H
#define CILK2CHAN_LIB_TARGET_HOST_UNROLLCLONES_H

#include "llvm/Passes/PassBuilder.h"

namespace cilk2chan {

/// Has loops of serial clones that spawn, of constant trip count, fully
/// unrolled if those of the serial elision would be: the polls in front of
/// spawns do not count.
void addUnrollClones(llvm::PassBuilder &builder);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_UNROLLCLONES_H
