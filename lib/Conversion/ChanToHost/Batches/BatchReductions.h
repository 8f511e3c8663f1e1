//===- BatchReductions.h - What lanes of a batch combine ----- -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_BATCHREDUCTIONS_H
#define CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_BATCHREDUCTIONS_H

#include "PhaseFunction.h"

namespace cilk2chan {

/// Lowers reductions: each lane combines its parts in a vector that LLVM keeps
/// in a register, and the lanes are combined when the function returns.
class BatchReductions {
public:
  explicit BatchReductions(PhaseFunction &phase)
      : phase(phase), builder(phase.builder) {}

  /// A part of the join-free reduction of the batch's results.
  void lower(chan::AccumulateOp op);
  /// A part of a shared reduction variable.
  void lower(chan::ReduceOp op);
  /// Has what lanes have combined where it belongs, at the function's return.
  void finish();

private:
  /// What lanes combine in variables: a vector of what each has, and what all
  /// of those have that had the same; null if it is with the rest. Without an
  /// address it is of the batch's results.
  struct Accumulator {
    chan::Combination by;
    mlir::Type element;
    mlir::Value address, lanes, counted;
  };

  Accumulator &accumulatorOf(mlir::Location loc, mlir::Value address,
                             chan::Combination by, mlir::Type element);
  void countLanes(mlir::Location loc, const Accumulator &to, mlir::Value value,
                  mlir::Value mask);
  void combine(mlir::Location loc, const Accumulator &to, mlir::Value value,
               mlir::Value mask);
  mlir::Value sharedPlaceOf(mlir::Location loc, const Accumulator &one,
                            uint32_t number);

  PhaseFunction &phase;
  HostBuilder &builder;
  llvm::SmallVector<Accumulator, 2> accumulators;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CHANTOHOST_BATCHES_BATCHREDUCTIONS_H
