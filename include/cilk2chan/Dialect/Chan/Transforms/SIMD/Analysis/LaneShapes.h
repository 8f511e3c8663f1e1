//===- LaneShapes.h - How values differ between lanes -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LANESHAPES_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LANESHAPES_H

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/Interleaving.h"

#include "cilk2chan/Support/TypeLayout.h"

#include "llvm/ADT/BitVector.h"

namespace cilk2chan {

/// How a value of a kernel differs between the lanes that compute it at one
/// time.
struct LaneShape {
  enum Kind {
    Unknown, ///< nothing has reached it yet
    Uniform, ///< the same in all lanes
    Strided, ///< a pointer, `stride` bytes further from lane to lane
    Varying, ///< anything else
  };
  Kind kind = Unknown;
  int64_t stride = 0;

  bool operator==(const LaneShape &) const = default;
};

/// The shapes of all values of a kernel of structured form
/// (LiftControlFlow.h): an optimistic dataflow analysis to a fixed point.
///
/// What lanes choose differently is uniform if the arms have one value between
/// them: the others then have none. A value that a loop carries, and that each
/// of the lanes still in it has the same of, is uniform in the loop; behind it,
/// it is varying if lanes may have left at different times.
class LaneShapes {
public:
  /// The lanes have the same values of the fields `shared`, and of what the
  /// kernel dequeues of an iteration, but for the values whose numbers are in
  /// `varying`. With `ofAll`, uniform is what is the same in the lanes of all
  /// groups that come to it: so not what some of these have no value of.
  LaneShapes(chan::KernelOp lifted, const TypeLayout &layout,
             const Interleaving &interleaving,
             llvm::ArrayRef<llvm::StringRef> shared = {},
             const llvm::BitVector &varying = {}, bool ofAll = false);

  const Interleaving &getInterleaving() const { return interleaving; }
  LaneShape of(mlir::Value value) const { return shapes.lookup(value); }
  bool isUniform(mlir::Value value) const {
    return of(value).kind == LaneShape::Uniform;
  }
  /// Whether the lanes' values of `type` at `address` are side by side.
  bool isContiguous(mlir::Value address, mlir::Type type) const {
    LaneShape shape = of(address);
    return shape.kind == LaneShape::Strided &&
           uint64_t(shape.stride) == layout.storeSize(type);
  }

private:
  void visit(mlir::Operation *op);
  void visitChoice(mlir::Operation *op, mlir::Value selector);
  void visitLoop(mlir::Operation *op);
  LaneShape compute(mlir::Operation *op) const;
  LaneShape computeAddress(mlir::LLVM::GEPOp op) const;
  /// Adds what is known of `value`.
  void join(mlir::Value value, LaneShape shape);

  const TypeLayout &layout;
  Interleaving interleaving;
  llvm::SmallVector<llvm::StringRef> shared;
  llvm::BitVector varyingQueued;
  const bool ofAll;
  llvm::DenseMap<mlir::Value, LaneShape> shapes;
  bool changed = false;
};

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LANESHAPES_H
