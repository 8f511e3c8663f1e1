//===- PointerChasing.h - Pointers that come out of memory ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Activations that go through a linked structure, such as a tree, begin by
// waiting for what their parameter points to.  Where they wait for each other
// in a batch, it is known long before whose turn is next.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_POINTERCHASING_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_POINTERCHASING_H

#include "PhaseBuilder.h"

#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

/// Sets `chased` of candidates, by name: the parameters that are pointers,
/// which some candidate has loaded from memory and passes, and that the first
/// phase loads or stores near. A remark (`chan-batch`) names them.
void findChasedPointers(llvm::MapVector<llvm::StringRef, Candidate> &candidates,
                        const TypeLayout &layout);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_POINTERCHASING_H
