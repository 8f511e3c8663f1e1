//===- Tuning.h - The constants of the passes of cilk -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each constant of the library's heuristics, with its unit, its reason and what
// shows it.  The hidden option that changes it is its first argument
// (Tunable.h).  docs/performance/tuning.md has what half and twice each value
// do to the benchmark programs.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_TUNING_H
#define CILK2CHAN_DIALECT_CILK_TUNING_H

#include "cilk2chan/Support/Tunable.h"

namespace cilk2chan::tuning {

/// Unit: iterations
/// Reason: a batch runs its lanes to the end of a function; in a longer loop
/// that does not spawn, most lanes would wait.
/// Evidence: docs/performance/tuning.md. A nest may have the square: it tests
/// each pair of 64 elements, as the search for a conflict in n-queens does.
inline Tunable<uint64_t>
    mostShortIterations("cilk-most-short-iterations", 64,
                        "Iterations of the longest loop that is short");

/// Unit: operations
/// Reason: bounds of loops in C are sums of few terms; the limit keeps compile
/// time linear.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    deepestTripCount("cilk-deepest-trip-count", 8,
                     "Operations through which a loop bound is followed");

/// Unit: operations
/// Reason: as deepestTripCount.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    deepestDistance("cilk-deepest-distance", 8,
                    "Additions through which a distance is followed");

/// Unit: operations
/// Reason: two computations of a child's argument are compared operation by
/// operation; the limit keeps compile time linear.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    deepestEqual("cilk-deepest-equal", 12,
                 "Operations through which two values are compared");

/// Unit: operations and branches
/// Reason: a parent evaluates a base case for each child; a larger one costs
/// more than the element that it saves.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostRecomputed("cilk-most-recomputed", 16,
                   "Operations and branches that a parent computes again");

/// Unit: parts
/// Reason: a range that spawns many parts takes fewer levels; a thief takes
/// half of the parts that are left.
/// Evidence: docs/performance/tuning.md.
inline Tunable<int64_t> rangeFanOut(
    "cilk-range-fan-out", 16,
    "Parts that a range of a parallel loop is divided into at once");

/// Unit: iterations
/// Reason: cilk-spawn-iterations may spawn each iteration although a grain is
/// given, as few children fit into one batch.
/// Evidence: docs/performance/tuning.md.
inline Tunable<uint64_t>
    mostSpawnedWithGrain("cilk-most-spawned-with-grain", 64,
                         "Iterations of a loop with a grain that are spawned");

/// Unit: parts
/// Reason: an array of unknown size is passed by value if it turns out to have
/// no more parts.
/// Evidence: docs/performance/tuning.md. nqueens with an array of n places: n
/// is at most 16.
inline Tunable<uint64_t>
    mostArrayParts("cilk-most-array-parts", 16,
                   "Parts of an array of a size known at run time");

/// Unit: bytes
/// Reason: one cache line; a larger array costs more to pass than its address.
/// Evidence: docs/performance/tuning.md.
inline Tunable<uint64_t>
    mostArrayBytes("cilk-most-array-bytes", 64,
                   "Bytes of an array that is passed by value");

/// Unit: parts
/// Reason: each part is a column of the element, and a register of the kernel.
/// Evidence: docs/performance/tuning.md.
inline Tunable<uint64_t>
    mostPartsPassed("cilk-most-parts-passed", 64,
                    "Parts that one spawn passes by value");

/// Unit: iterations
/// Reason: a work-group has 64 threads at most, and 16 iterations a thread are
/// no more than a group of 1024 has in turns. A longer inner loop makes more
/// threads if it is a launch of its own.
/// Evidence: docs/architecture/VGIW.md, Work-groups.
inline Tunable<uint64_t>
    mostGroupIterations("cilk-most-group-iterations", 1024,
                        "Iterations of an inner loop that a work-group runs");

/// Unit: bytes
/// Reason: the scratchpad of a streaming multiprocessor of Fermi, which is the
/// most that a work-group can have there (GTX480, 48 KB).
/// Evidence: docs/architecture/VGIW.md, Work-groups.
inline Tunable<uint64_t>
    mostGroupBytes("cilk-most-group-bytes", 48 * 1024,
                   "Bytes of the memory that a work-group shares");

} // namespace cilk2chan::tuning

#endif // CILK2CHAN_DIALECT_CILK_TUNING_H
