//===- Tuning.h - The constants of chan-simd --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each constant of the pass, with its unit, its reason and what shows it.  The
// hidden option that changes it is its first argument (Tunable.h).
//
// "By design" marks a value that was not measured by itself; costs are then
// those of processors of the years 2015 to 2025.  They are tested together:
// test/Conversion/Run/lane-cost.c, math.c and test/Driver/widest-lanes.c fail
// if another kernel has lanes than the one that was found faster.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_TUNING_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_TUNING_H

#include "cilk2chan/Support/Tunable.h"

namespace cilk2chan::tuning {

//===----------------------------------------------------------------------===//
// Which kernels have lanes
//===----------------------------------------------------------------------===//

/// Unit: ratio of estimated cycles, one element at a time to lanes.
/// Reason: the estimate errs; a kernel has lanes only if it gains more.
/// Evidence: kernels of the benchmarks and workloads with a larger estimate
/// were faster than serial clones. It was 1.25 before the estimate knew how
/// many children the elements of a tree have.
inline Tunable<double>
    leastGain("chan-simd-least-gain", 1.07,
              "Estimated gain from which on a kernel has lanes, as a ratio");

/// Unit: as leastGain.
/// Reason: activations that have one child at a time are no more than were
/// begun with, so many lanes may be empty.
/// Evidence: by design; it was not lowered together with leastGain.
inline Tunable<double>
    leastGainOfFew("chan-simd-least-gain-of-few", 1.25,
                   "The same for kernels that may find few elements");

/// Unit: elements at a time.
/// Reason: with fewer, most lanes are empty; what such elements spawn begins
/// the batches instead.
/// Evidence: nqueens.c of test/Workloads compiles in 0.35 s instead of 0.45 s,
/// at the same run time.
inline Tunable<double> fewestElements(
    "chan-simd-fewest-elements", 8,
    "Elements at a time from which on a function may begin a batch");

/// Unit: basic blocks of a kernel.
/// Reason: lifting control flow to structured form takes more than linear time.
/// Evidence: by design.
inline Tunable<unsigned> mostBlocks("chan-simd-most-blocks", 400,
                                    "Blocks of the largest kernel with lanes");

/// Unit: estimated instructions of a kernel with lanes.
/// Reason: LLVM's optimiser and code generator take more than linear time.
/// Evidence: queens with boards of 20 to 64 bytes: if a kernel would be
/// larger, half as many lanes still gain 5.9 to 16 times.
inline Tunable<unsigned>
    mostInstructions("chan-simd-most-instructions", 6000,
                     "Estimated instructions of the largest kernel with lanes");

/// Unit: steps along a cycle of calls.
/// Reason: the number of elements at a time grows around a cycle of calls; the
/// analysis stops when it is large.
/// Evidence: by design.
inline Tunable<unsigned>
    mostSteps("chan-simd-most-steps", 64,
              "Steps along a cycle of calls in which elements are counted");

/// Unit: operations.
/// Reason: bounds the compile time of finding how many bits a value needs.
/// Evidence: by design; boards of `char` gain 1.5 times by narrower lanes.
inline Tunable<unsigned>
    deepestNarrowing("chan-simd-deepest-narrowing", 8,
                     "Operations through which narrower values are followed");

//===----------------------------------------------------------------------===//
// How code is made
//===----------------------------------------------------------------------===//

/// Unit: operations of an arm.
/// Reason: lanes run a small arm whether one of them takes it or not; that is
/// faster than a branch that is often mispredicted.
/// Evidence: by design.
inline Tunable<unsigned>
    mostSpeculated("chan-simd-most-speculated", 12,
                   "Operations of an arm that lanes run without a branch");

/// Unit: parts of an object.
/// Reason: parts are filled one after another, and each is code.
/// Evidence: by design; queens with boards of 64 bytes (5.9 times the elision)
/// and a Merkle tree (0.7 -> 1.2) gain by interleaved objects.
inline Tunable<unsigned>
    mostFilledParts("chan-simd-most-filled-parts", 64,
                    "Parts of an interleaved object that lanes fill");

/// Unit: copies of the parts of a kernel with lane refill.
/// Reason: each iteration waits for the mask of the one before; with two
/// wavefronts the processor works on the other meanwhile.
/// Evidence: docs/performance/log.md, bit-mask queens: lane refill in one
/// wavefront gains nothing over an iteration queue, in two 1.25 times, in three
/// no more.
inline Tunable<unsigned>
    wavefronts("chan-simd-wavefronts", 2,
               "Wavefronts that take turns in a kernel with lane refill");

//===----------------------------------------------------------------------===//
// How often code is taken to run
//===----------------------------------------------------------------------===//

/// Unit: iterations.
/// Reason: how often a loop runs is not known; it is short in fine-grained
/// recursion.
/// Evidence: by design.
inline Tunable<double>
    iterations("chan-simd-iterations", 8,
               "Iterations of a loop that has no constant number of them");

/// Unit: iterations.
/// Reason: LLVM unrolls a loop of so few constant iterations, so what depends
/// on the iteration alone costs nothing.
/// Evidence: a loop of four spawns that chooses by its counter: 0.5 -> 1.6
/// times the elision.
inline Tunable<unsigned>
    mostUnrolled("chan-simd-most-unrolled", 8,
                 "Iterations of the longest loop that LLVM unrolls");

//===----------------------------------------------------------------------===//
// What operations cost
//===----------------------------------------------------------------------===//

/// Unit of this section, unless it says otherwise: cycles.

/// Reason: processors compute with half as many registers of 512 bits at a time
/// as with scalars.
/// Evidence: five programs that lost in lanes (0.65 to 0.95 times the elision)
/// became clones (1.2 to 1.45).
inline Tunable<double> scalarCyclesOf512(
    "chan-simd-scalar-cycles-of-512", 0.5,
    "Cycles of a scalar operation, in those of a register of 512 bits");
/// By design.
inline Tunable<double> divisionCycles("chan-simd-division-cycles", 5,
                                      "Cycles of a division of integers");
/// By design.
inline Tunable<double> multiplyCycles("chan-simd-multiply-cycles", 4,
                                      "Cycles of a product of integers");
/// By design.
inline Tunable<double>
    rootCycles("chan-simd-root-cycles", 4,
               "Cycles of a division or a root in floating point");
/// By design.
inline Tunable<double> callCycles("chan-simd-call-cycles", 20,
                                  "Cycles of a call");
/// Evidence: by design; test/Conversion/Run/math.c.
inline Tunable<double> mathCycles("chan-simd-math-cycles", 40,
                                  "Cycles of a math function");
/// By design.
inline Tunable<double> enqueueCycles("chan-simd-enqueue-cycles", 8,
                                     "Cycles to enqueue an element");
/// Reason: a serial clone calls the child instead.
/// Evidence: with AVX2, binomial had 0.7 and parentheses 0.28 of the elision's
/// speed in lanes before they were compared with serial clones.
inline Tunable<double> spawnCycles("chan-simd-spawn-cycles", 3,
                                   "Cycles of a spawn in a serial clone");
/// By design.
inline Tunable<double> laneLoopCycles("chan-simd-lane-loop-cycles", 4,
                                      "Cycles of a turn of a loop over lanes");
/// By design.
inline Tunable<double> branchCycles("chan-simd-branch-cycles", 3,
                                    "Cycles of a branch that elements take "
                                    "differently, mispredictions included");
/// Reason: without a fast instruction, AVX2 loads lanes one by one.
/// Evidence: an expression tree and a Merkle tree with -march=x86-64-v3, which are clones now (0.77 -> 1.07, 0.57 -> 1.0).
inline Tunable<double> gatherCycles("chan-simd-gather-cycles", 3.5,
                                    "Cycles of a lane of a gather with AVX2");
/// Evidence: colouring of test/Workloads, whose activations update one counter.
inline Tunable<double> updateCycles("chan-simd-update-cycles", 20,
                                    "Cycles of an atomic update of memory");
/// By design.
inline Tunable<double>
    missCycles("chan-simd-miss-cycles", 15,
               "Cycles lost where control comes to a loop over lanes");
/// Evidence: nqueens-bits and tree with -march=x86-64, which had no lanes
/// before the estimate knew mispredicted exits: 0.86 -> 2.0, 0.8 -> 2.3.
inline Tunable<double> mispredictionCycles("chan-simd-misprediction-cycles", 15,
                                           "Cycles of a mispredicted branch");
/// Reason: without AVX-512, LLVM has no register for the mask.
/// Evidence: by design.
inline Tunable<double>
    maskedStoreCycles("chan-simd-masked-store-cycles", 15,
                      "Cycles of a masked store without AVX-512");
/// Reason: the locals of a batch's activations are in memory, where calls one
/// after the other find theirs in the cache.
/// Evidence: boards in structures and large arrays of each activation lost up
/// to 2 times in lanes.
inline Tunable<double> lineCycles("chan-simd-line-cycles", 35,
                                  "Cycles of a cache line of locals");
/// Evidence: by design; test/Conversion/ChanToHost/lane-accesses.mlir shows the
/// code.
inline Tunable<double> accessCycles("chan-simd-access-cycles", 4.5,
                                    "Cycles of an access for one lane");
/// By design: a scatter of AVX-512.
inline Tunable<double> scatterCycles("chan-simd-scatter-cycles", 1.6,
                                     "Cycles of a lane of a scatter");
/// Unit: instructions.
inline Tunable<double> accessCode("chan-simd-access-code", 7,
                                  "Instructions of an access for one lane");
/// Reason: an element waits for the second-level cache where it has an object
/// of its own; lanes wait at the same time.
/// Evidence: treesum and tree with -march=x86-64 (2.7 and 2.3 times the
/// elision); docs/performance/log.md counts 0.62 to 0.65 misses a task.
inline Tunable<double>
    waitCycles("chan-simd-wait-cycles", 14,
               "Cycles that an element waits for an object of its own");
/// Evidence: by design.
inline Tunable<double> packOneCycles("chan-simd-pack-one-cycles", 2,
                                     "Cycles of a lane that SSE2 packs");
/// Reason: a register of an iteration queue is compressed, written and read.
/// Evidence: tree 0.149 s -> 0.089 s and nqueens-bits 0.230 s -> 0.220 s by
/// stream compaction; docs/performance/log.md counts the instructions.
inline Tunable<double>
    queueCycles("chan-simd-queue-cycles", 4,
                "Cycles of a register that goes through an iteration queue");

/// Unit: SSE2 instructions for what is one instruction from AVX2 on.
/// Reason: SSE2 has no blend, no product of words, no shift of each lane, and
/// no order of long words.
/// Evidence: the code that LLVM makes of them.
inline Tunable<double> blendOps("chan-simd-blend-ops", 3,
                                "SSE2 instructions of a blend");
inline Tunable<double> productOps("chan-simd-product-ops", 6,
                                  "SSE2 instructions of a product");
inline Tunable<double> shiftOps("chan-simd-shift-ops", 8,
                                "SSE2 instructions of a shift by lanes");
inline Tunable<double> orderOps("chan-simd-order-ops", 7,
                                "SSE2 instructions of an order of long words");

/// Unit: bytes.
/// Reason: a serial clone has the parts of a small object in registers if their
/// places are constants.
/// Evidence: trees with four children, whose results the estimate counted as
/// loads: with it right, leastGain could go from 1.25 to 1.07.
inline Tunable<unsigned>
    mostInRegisters("chan-simd-most-in-registers", 64,
                    "Bytes of the largest object in a clone's registers");
/// Unit: bytes.
/// Reason: LLVM fills and copies more by a call.
/// Evidence: by design.
inline Tunable<unsigned> mostFilled("chan-simd-most-filled", 256,
                                    "Bytes that are filled without a call");

} // namespace cilk2chan::tuning

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_TUNING_H
