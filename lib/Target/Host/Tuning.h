//===- Tuning.h - The constants of the passes on LLVM IR --------*- C++ -*-===//
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

#ifndef CILK2CHAN_LIB_TARGET_HOST_TUNING_H
#define CILK2CHAN_LIB_TARGET_HOST_TUNING_H

#include "cilk2chan/Support/Tunable.h"

namespace cilk2chan::tuning {

/// Unit: instructions
/// Reason: more do not fit into the instruction cache beside what calls them.
/// Evidence: docs/performance/log.md (100 programs),
/// docs/performance/tuning.md.
inline Tunable<unsigned>
    mostInlinedClone("host-most-inlined-clone", 600,
                     "Instructions that inlining a clone into itself adds");

/// Unit: instructions, by LLVM's estimate
/// Reason: in longer activations the cost of the call does not count.
/// Evidence: docs/performance/log.md (100 programs),
/// docs/performance/tuning.md.
inline Tunable<double>
    mostPerCloneCall("host-most-per-clone-call", 64,
                     "Instructions that an activation executes for each call");

/// Unit: parameters
/// Reason: calls preserve few registers; values of two levels would go to the
/// stack.
/// Evidence: docs/performance/log.md (100 programs),
/// docs/performance/tuning.md.
inline Tunable<unsigned>
    mostCloneParameters("host-most-clone-parameters", 3,
                        "Parameters of a clone that is inlined into itself");

/// Unit: bytes
/// Reason: the objects of both levels stay on the stack for all levels below.
/// Evidence: docs/performance/log.md (100 programs),
/// docs/performance/tuning.md.
inline Tunable<uint64_t>
    mostCloneStack("host-most-clone-stack", 64,
                   "Stack of a clone that is inlined into itself");

/// Unit: instructions
/// Reason: they are copied for the last call.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostBeforeReturn("host-most-before-return", 8,
                     "Instructions between a last call and its return");

/// Unit: instructions
/// Reason: they are there twice.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostAfterSlowPath("host-most-after-slow-path", 32,
                      "Instructions that are copied for a slow path");

/// Unit: instructions
/// Reason: twice LLVM's limit (UnrollThreshold 300): LLVM's own pass allows up
/// to four times its limit if much folds away, and this pass does not estimate
/// that.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostUnrolledO3("host-most-unrolled-o3", 600,
                   "Instructions of an unrolled loop of a clone at -O3");

/// Unit: instructions
/// Reason: twice LLVM's limit (150), as for mostUnrolledO3.
/// Evidence: docs/performance/tuning.md.
inline Tunable<unsigned>
    mostUnrolledO2("host-most-unrolled-o2", 300,
                   "Instructions of an unrolled loop of a clone at -O2");

} // namespace cilk2chan::tuning

#endif // CILK2CHAN_LIB_TARGET_HOST_TUNING_H
