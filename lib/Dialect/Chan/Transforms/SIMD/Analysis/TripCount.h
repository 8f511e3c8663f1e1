//===- TripCount.h - How often a loop runs ----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_TRIPCOUNT_H
#define CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_TRIPCOUNT_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace cilk2chan {

/// A loop that counts from one constant to another, and is left by nothing
/// else.
struct CountedLoop {
  /// What it counts in, an argument of the region that has all there is to do.
  mlir::BlockArgument counter;
  /// How often it runs.
  unsigned trips = 0;
};

/// Recognises such a loop that runs `most` times at most.
std::optional<CountedLoop> countTrips(mlir::scf::WhileOp loop, unsigned most);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_TRIPCOUNT_H
