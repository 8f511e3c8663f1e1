//===- LongLoops.h - Loops that may take long -------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_ANALYSIS_LONGLOOPS_H
#define CILK2CHAN_DIALECT_CILK_ANALYSIS_LONGLOOPS_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"

namespace cilk2chan {

/// A loop that keeps a function from having a batch form.
struct LongLoop {
  /// An operation in its line.
  mlir::Operation *place;
  /// Whether it is short, but each lane goes through memory of its own there.
  bool gathers;
};

/// Finds a loop that does not spawn and is not known to be short:
/// then an activation may take long, and where there are but a few of them,
/// lanes may cost more than they gain. Loops are known to be short that count
/// between constants or what the branches in front of them say is near
/// (Distances.h), that go through a local array, or through the bits of an
/// integer, 64 times at most; and where each lane goes through memory of its
/// own, other than local variables, they are long all the same.
std::optional<LongLoop> findLongLoop(mlir::LLVM::LLVMFuncOp function);

/// How many elements there are where an address begins that lanes are each to
/// have an array of their own for; 0 if they are not.
using OwnArrays = llvm::function_ref<uint64_t(mlir::Value)>;

/// Finds one in `loop` of an iteration that ends in a spawn, where lanes have
/// `arrays` that are no local variables yet. In a nest each
/// loop is to be short, and 64 times 64 iterations are the most of all.
std::optional<LongLoop> findLongLoop(const mlir::CFGLoop &loop,
                                     const mlir::CFGLoopInfo &loops,
                                     mlir::DominanceInfo &dominance,
                                     OwnArrays arrays);

/// The elements of a local object, of whatever dimensions; 0 if it has none, or
/// their number is known at run time only.
uint64_t countElements(mlir::LLVM::AllocaOp object);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CILK_ANALYSIS_LONGLOOPS_H
