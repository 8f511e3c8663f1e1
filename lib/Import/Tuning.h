//===- Tuning.h - The constants of the import -------------------*- C++ -*-===//
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

#ifndef CILK2CHAN_LIB_IMPORT_TUNING_H
#define CILK2CHAN_LIB_IMPORT_TUNING_H

#include "cilk2chan/Support/Tunable.h"

namespace cilk2chan::tuning {

/// Unit: simple instructions, of which a processor ends four in a cycle
/// Reason: that takes about a microsecond, as long as it takes a thief to take
/// a task.
/// Evidence: docs/performance/tuning.md. Stencils over nine neighbours took 80
/// times as long as their serial elision without the limit.
inline Tunable<unsigned>
    mostBelowGrain("import-most-below-grain", 8192,
                   "Cost of the longest work that is below grain");

/// Unit: as mostBelowGrain
/// Reason: 20 to 26 cycles of 64-bit division on processors until 2018, 10 to
/// 18 since; not pipelined.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned> divisionCost("import-division-cost", 16,
                                      "Cost of a division");

/// Unit: as mostBelowGrain
/// Reason: as a division.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned> rootCost("import-root-cost", 16,
                                  "Cost of a square root");

/// Unit: as mostBelowGrain
/// Reason: exp, log, sin and the like take 10 to 20 cycles in glibc.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned> mathCost("import-math-cost", 64,
                                  "Cost of a call of a function of <math.h>");

/// Unit: as mostBelowGrain
/// Reason: call, return, and saved registers.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned> callCost("import-call-cost", 8, "Cost of a call");

/// Unit: as mostBelowGrain
/// Reason: a few vector instructions.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned> copyCost("import-copy-cost", 8,
                                  "Cost of a copy of up to 256 bytes");

/// Unit: as mostBelowGrain
/// Reason: such a load may wait for memory.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned> indirectCost("import-indirect-cost", 32,
                                      "Cost of a load from a loaded address");

/// Unit: calls
/// Reason: the limit keeps compile time linear.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned> deepestCost("import-deepest-cost", 4,
                                     "Calls that are followed to find a cost");

/// Unit: functions
/// Reason: each is a comparison in front of a call, and a copy of the
/// recursion.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostCallees("import-most-callees", 4,
                "Functions that a callback is compared with");

/// Unit: instructions as CodeGen writes them
/// Reason: copies cost compile time in proportion.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostInCopies("import-most-in-copies", 2000,
                 "Instructions of all copies of a function");

/// Unit: calls
/// Reason: as mostInCopies.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    deepestCallback("import-deepest-callback", 4,
                    "Calls through which a callback is followed");

/// Unit: functions
/// Reason: as mostCallees.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostPromoted("import-most-promoted", 4,
                 "Functions that a called pointer is compared with");

/// Unit: calls and spawns
/// Reason: as mostInCopies.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostPromotedCalls("import-most-promoted-calls", 32,
                      "Calls that comparisons add to a function");

/// Unit: instructions as CodeGen writes them
/// Reason: the function is simplified to find out whether it is small; that
/// costs compile time.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostRawInlined("import-most-raw-inlined", 400,
                   "Unoptimised instructions of a function that is inlined");

/// Unit: instructions after simplification
/// Reason: a kernel with lanes cannot call; LLVM's own limit at -O2 is of that
/// order (225 units of cost).
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostInlined("import-most-inlined", 100,
                "Instructions of a function that is inlined");

/// Unit: instructions after simplification
/// Reason: the largest functions take most of the time of compilation.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostTakenIn("import-most-taken-in", 1000,
                "Instructions that one function may take in");

/// Unit: instructions as CodeGen writes them
/// Reason: a task block with a quick function is no use to a thief; optimised,
/// a third of the instructions are left.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned> mostQuick("import-most-quick", 100,
                                   "Instructions of a quick function");

/// Unit: calls
/// Reason: as mostQuick.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    deepestQuick("import-deepest-quick", 3,
                 "Calls that are followed in a quick function");

/// Unit: instructions as CodeGen writes them
/// Reason: as mostInCopies.
/// Evidence: docs/performance/tuning.md. A filter with a window of 3 by 3 cells
/// took 12 times as long without the copy.
inline Tunable<unsigned>
    mostSpecialized("import-most-specialized", 1000,
                    "Instructions of a function that is copied for constants");

} // namespace cilk2chan::tuning

#endif // CILK2CHAN_LIB_IMPORT_TUNING_H
