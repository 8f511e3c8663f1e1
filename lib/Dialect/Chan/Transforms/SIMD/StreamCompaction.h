//===- StreamCompaction.h - Iterations that fill lanes ------- -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_STREAMCOMPACTION_H
#define CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_STREAMCOMPACTION_H

#include "KernelGroups.h"

namespace cilk2chan {

/// Of the kernel of a group that accumulates: where lanes leave its loop one
/// after another, there are kernels in which iterations of many activations
/// fill them. Returns the cycles that these take for as many activations as
/// there are lanes; infinitely many if there are none.
double considerCompaction(LaneCandidates &candidates, KernelGroup &group);

/// Has the kernel of the group go with its parts, or says why there are none.
void compactGroup(const LaneCandidates &candidates, KernelGroup &group);

/// Removes the mark of a kernel that is not compacted after all.
void removeTrips(chan::KernelOp kernel);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_STREAMCOMPACTION_H
