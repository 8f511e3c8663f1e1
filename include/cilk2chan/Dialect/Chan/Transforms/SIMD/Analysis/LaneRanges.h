//===- LaneRanges.h - The values that integers can have ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LANERANGES_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LANERANGES_H

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/TypeLayout.h"

#include "llvm/IR/ConstantRange.h"

namespace cilk2chan {

/// The bits of an integer of at most 64; 0 for anything else.
unsigned integerBits(mlir::Value value);

/// Ranges of the integers of a kernel in structured form (LiftControlFlow.h):
/// what operations make of those of their operands, and what an access to an
/// object of known size says of the index behind it.
///
///   int8_t a[16];
///   a[i] ...;      // i is 0 to 15
///
/// Ranges are computed when asked for, and kept.
class LaneRanges {
public:
  LaneRanges(chan::KernelOp lifted, const TypeLayout &layout);

  /// The range of an integer of at most 64 bits.
  llvm::ConstantRange of(mlir::Value value);
  /// From now on, ranges are those that values have at `op`, which is behind
  /// what computes them.
  void lookFrom(mlir::Operation *op) {
    place = op;
    known.clear();
  }
  /// After a change of the kernel. No access may have been erased.
  void forget() { lookFrom(nullptr); }

private:
  struct Access {
    mlir::Operation *op;
    llvm::ConstantRange range;
  };
  void addAccess(mlir::Operation *op, mlir::Value address, mlir::Type type,
                 const TypeLayout &layout);
  llvm::ConstantRange compute(mlir::Operation *op, unsigned result);

  llvm::DenseMap<mlir::Value, llvm::SmallVector<Access, 2>> accesses;
  llvm::DenseMap<mlir::Value, llvm::ConstantRange> known;
  mlir::Operation *place = nullptr;
};

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LANERANGES_H
