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

/// Unit: quarters of the lanes.
/// Reason: full lanes gain more than the queue costs where more of them are
/// idle in the loop.
/// Evidence: 0.32 of the lanes were in tree's loop, and 0.58 in that of
/// nqueens-bits; both gain.
inline Tunable<unsigned>
    mostIdleQuarters("chan-host-most-idle-quarters", 1,
                     "Quarters of lanes idle in a loop that is not compacted");

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

//===----------------------------------------------------------------------===//
// llvm-to-cilk
//===----------------------------------------------------------------------===//

/// Unit: locks
/// Reason: locks that are held are counted along each path; a larger number is
/// as good as an unknown one.
/// Evidence: by design: it bounds the states of a data flow.
inline Tunable<unsigned>
    mostLocks("cilk-most-locks", 8,
              "Locks that may be held at once, as far as they are counted");

//===----------------------------------------------------------------------===//
// chan-serial-clones
//===----------------------------------------------------------------------===//

/// Unit: operations
/// Reason: every caller has a copy of it.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostInCheck("chan-most-in-check", 30,
                "Operations of a base-case check that is inlined");

/// Unit: iterations
/// Reason: a loop with a small known bound is unrolled, as in the serial
/// elision; a large one must stay a loop.
/// Evidence: tiles of 32 by 32 took 1.09 times as long in a base case that did
/// not know the bound.
inline Tunable<unsigned>
    fewIterations("chan-few-iterations", 32,
                  "Bound of a loop that a base case may know");

/// Unit: bytes
/// Reason: a slow path begins when a worker is idle, which is rare; larger
/// objects stay in memory.
/// Evidence: docs/performance/tuning.md.
inline Tunable<uint64_t> mostCopiedToSlowPath(
    "chan-most-copied-to-slow-path", 512,
    "Bytes of an object that is copied when a slow path begins");

//===----------------------------------------------------------------------===//
// LLVM IR to vgiw
//===----------------------------------------------------------------------===//

/// Unit: nodes
/// Reason: half of the fabric of MICRO'15: a larger block might not fit, and be
/// cut where more values cross.
/// Evidence: docs/performance/tuning.md, "VGIW".
inline Tunable<unsigned>
    mostNodes("vgiw-most-nodes", 54,
              "Nodes of a block that other code is moved or copied to");

/// Unit: load/store units
/// Reason: MICRO'15 has 16; placement needs some room.
/// Evidence: docs/performance/tuning.md, "VGIW".
inline Tunable<unsigned> mostAccesses("vgiw-most-accesses", 12,
                                      "Memory accesses of an unrolled block");

/// Unit: special compute units
/// Reason: MICRO'15 has 12; placement needs some room.
/// Evidence: docs/performance/tuning.md, "VGIW".
inline Tunable<unsigned>
    mostSpecial("vgiw-most-special", 8,
                "Divisions, roots and the like of an unrolled block");

/// Unit: iterations
/// Reason: more iterations in a block fire fewer control nodes for each, but
/// threads that leave early fire in vain.
/// Evidence: docs/performance/tuning.md, "VGIW".
inline Tunable<unsigned>
    mostUnrolledIterations("vgiw-most-unrolled-iterations", 8,
                           "Iterations of an unrolled block");

/// Unit: instructions
/// Reason: the machine has no call stack; a larger function becomes a kernel of
/// its own.
/// Evidence: by design: it bounds the time of compilation.
inline Tunable<unsigned>
    mostInlinedDevice("vgiw-most-inlined", 2000,
                      "Instructions of a device function that is inlined");

} // namespace cilk2chan::tuning

#endif // CILK2CHAN_CONVERSION_TUNING_H
