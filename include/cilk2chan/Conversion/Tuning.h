//===- Tuning.h - The constants of the conversions --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each constant of the library's heuristics, with its unit, its reason and what
// shows it.  The hidden option that changes it is its first argument
// (Tunable.h).  "By design" marks a value that was not measured by itself.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_TUNING_H
#define CILK2CHAN_CONVERSION_TUNING_H

#include "cilk2chan/Support/Tunable.h"

namespace cilk2chan::tuning {

//===----------------------------------------------------------------------===//
// chan-to-host
//===----------------------------------------------------------------------===//

/// Unit: elements of a batch.
/// Reason: to fetch what an element points to takes as long as 32 others take,
/// or longer.
/// Evidence: docs/performance/log.md, treesum of 4 million nodes: 26 ns a node
/// instead of 45 ns without; 64, 96 and 160 elements are no better.
inline Tunable<unsigned>
    elementsAhead("chan-host-elements-ahead", 32,
                  "How many elements ahead of their use pointers are fetched");

/// Unit: groups of lanes.
/// Reason: with fewer, the ends of iteration queues cost more than full lanes
/// gain.
/// Evidence: by design; test/Conversion/Run/compact.c runs both forms.
inline Tunable<unsigned>
    leastGroups("chan-host-least-groups", 8,
                "Groups of a batch from which on iterations are compacted");

/// Unit: bytes.
/// Reason: an iteration queue is to leave room in the first-level cache of 32
/// KiB.
/// Evidence: tree 0.149 s -> 0.089 s and nqueens-bits 0.230 s -> 0.220 s by
/// stream compaction with this size.
inline Tunable<unsigned> queueBytes("chan-host-queue-bytes", 8 << 10,
                                    "Bytes of an iteration queue");

/// Unit: iterations.
/// Reason: a batch has at most so many elements.
/// Evidence: by design.
inline Tunable<unsigned> mostQueued("chan-host-most-queued", 1024,
                                    "Iterations of the longest queue");

/// Unit: operations of a kernel that LLVM could improve.
/// Reason: a kernel that hardly ever runs, and only moves elements, is
/// minimally optimised; a larger one may have something to gain.
/// Evidence: docs/performance/compiling.md: the kernels of short functions took
/// a sixth of a file's compile time (test/Workloads/recurrences.c).
inline Tunable<unsigned> mostMinimallyOptimized(
    "chan-host-most-minimally-optimised", 48,
    "Operations of the largest kernel that is minimally optimised");

/// Unit: tallocs of a kernel.
/// Reason: LLVM's register allocation takes the square of their number; a call
/// for each is less code.
/// Evidence: 5,000 spawns of an external function in one function took 19 s to
/// compile.
inline Tunable<unsigned>
    mostInlineTallocs("chan-host-most-inline-tallocs", 16,
                      "Tallocs of a kernel that are inline");

} // namespace cilk2chan::tuning

#endif // CILK2CHAN_CONVERSION_TUNING_H
