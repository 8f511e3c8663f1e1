//===- LaneEmitter.h - The body of a kernel, for W elements -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_EMIT_LANEEMITTER_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_EMIT_LANEEMITTER_H

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneShapes.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/VectorMath.h"

#include "cilk2chan/Support/TypeLayout.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace cilk2chan {

/// Writes the body of a phase kernel with lanes, in branches between blocks, from the
/// structured form of the kernel's own (LiftControlFlow.h).
///
/// A value is a scalar where it is the same in all lanes, lane 0's where it is
/// strided, else a vector. Code runs under a mask of the lanes whose control
/// flow is there. What may not be done for a lane in vain (accesses, divisions,
/// channels, calls, branches) stands where the mask is not empty, and is done
/// for its lanes only; anything else is also computed for lanes that do not
/// want it, whose results, which may be poison, are never looked at.
class LaneEmitter {
public:
  /// Of the values that lanes enqueue for an iteration, those with numbers in
  /// `varyingQueued` differ between lanes.
  LaneEmitter(chan::KernelOp kernel, chan::KernelOp lifted,
              const LaneShapes &shapes, unsigned lanes,
              const TypeLayout &layout, const VectorMath &math,
              const llvm::BitVector &varyingQueued = {});

  /// Replaces the body of `kernel`, which has lanes from then on.
  void emit();

private:
  using Results = llvm::SmallVector<mlir::Value>;

  // Values (LaneEmitter.cpp).
  mlir::VectorType lanesOf(mlir::Type type) const {
    return mlir::VectorType::get(lanes, type);
  }
  bool isUniform(mlir::Value value) const { return shapes.isUniform(value); }
  /// The scalar that stands for a uniform or strided value.
  mlir::Value scalar(mlir::Value value) const { return values.lookup(value); }
  /// A value as a vector.
  mlir::Value vector(mlir::Value value);
  /// A value as a scalar if `wanted`, or what comes in its place, is uniform.
  mlir::Value inShapeOf(mlir::Value wanted, mlir::Value value) {
    return isUniform(wanted) ? scalar(value) : vector(value);
  }
  mlir::Type typeInShapeOf(mlir::Value wanted) const;
  mlir::Value splat(mlir::Value value);
  mlir::Value splatConstant(mlir::Type type, mlir::Attribute value);
  mlir::Value integer(mlir::Type type, int64_t value);
  mlir::Value poison(mlir::Type type) {
    return mlir::LLVM::PoisonOp::create(builder, loc, type);
  }
  /// Per lane, `yes` where `mask` is set and `no` elsewhere.
  mlir::Value blend(mlir::Value mask, mlir::Value yes, mlir::Value no) {
    return mlir::LLVM::SelectOp::create(builder, loc, mask, yes, no);
  }
  mlir::Value none() {
    return splatConstant(builder.getI1Type(), builder.getBoolAttr(false));
  }
  mlir::Value opposite(mlir::Value mask);
  mlir::Value without(mlir::Value mask, mlir::Value lanes);
  /// The mask as an integer, lane 0 the lowest bit.
  mlir::Value bitsOf(mlir::Value mask);
  mlir::Value isAny(mlir::Value mask);
  /// An array on the C stack of one `type` per lane; uses with different
  /// numbers do not share it.
  mlir::Value array(mlir::Type type, unsigned number);
  mlir::Value allocate(int64_t bytes, uint64_t alignment);

  // Operations (LaneEmitter.cpp).
  void emit(mlir::Operation &op);
  mlir::Value safeDivisor(mlir::Operation &op);
  mlir::Value divide(mlir::Operation &op, mlir::Value dividend,
                     mlir::Value divisor);
  void emitElementwise(mlir::Operation &op);
  void emitVectorCalls(mlir::Operation &op, const llvm::VecDesc &function);
  void emitAddress(mlir::LLVM::GEPOp op);
  void emitLoad(mlir::LLVM::LoadOp op);
  void emitStore(mlir::LLVM::StoreOp op);
  void storeAdjoining(mlir::Value value, mlir::Value to, unsigned align);
  void emitFill(mlir::Operation &op, const Fill &fill);
  bool isOfBatch(mlir::LLVM::AtomicRMWOp op) const;
  void emitReduction(mlir::LLVM::AtomicRMWOp op);
  unsigned alignment(std::optional<uint64_t> given, mlir::Type type) const;
  unsigned laneAlignment(mlir::Value address, std::optional<uint64_t> given,
                         mlir::Type type) const;
  bool emitChannelOp(mlir::Operation &op);

  // Control flow (LaneControl.cpp).
  void emitBlock(mlir::Block &block);
  mlir::Value lacking(mlir::Value among, mlir::Value condition);
  std::pair<mlir::Value, mlir::Value> divide(mlir::Value among,
                                             mlir::Value condition);
  void emitIf(mlir::scf::IfOp op);
  mlir::Value tested();
  void emitTest(mlir::scf::IfOp op, mlir::Region &ending);
  void emitSwitch(mlir::scf::IndexSwitchOp op);
  void emitLoop(mlir::scf::WhileOp op);
  void emitByLane(mlir::Operation &op);
  mlir::Block *newBlock(mlir::TypeRange arguments = {});
  void branch(mlir::Block *to, mlir::ValueRange arguments = {});
  /// Emits an arm of `choice` behind a branch that all lanes take, up to the
  /// branch to `after`, which is passed the results.
  void emitArm(mlir::Region &region, mlir::Operation &choice,
               mlir::Block *after);
  /// Emits an arm of `choice` for the lanes of `armMask` and returns the
  /// results.
  Results emitMaskedArm(mlir::Region &region, mlir::Operation &choice,
                        mlir::Value armMask);
  Results yielded(mlir::Region &region, mlir::Operation &choice);
  /// What comes of `choice` if the lanes of `armMask` take the arm `region`,
  /// with the results `arm`, and others what led to `results`.
  void merge(mlir::Operation &choice, mlir::Region &region, mlir::Value armMask,
             Results arm, Results &results);
  llvm::SmallVector<mlir::Type> resultTypes(mlir::Operation &choice) const;
  bool isOfNoLanes(mlir::Operation &op) const;
  bool isSpeculatable(mlir::Region &region) const;

  chan::KernelOp kernel, lifted;
  const LaneShapes &shapes;
  const unsigned lanes;
  const TypeLayout &layout;
  const VectorMath &math;
  const llvm::BitVector varyingQueued;

  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::IRMapping values;
  /// The lanes that are at the place of emission.
  mlir::Value mask;
  chan::DeqOp deq;
  /// Whether no element ends before it spawns; null if nothing depends on it.
  mlir::Value isTested;
  llvm::DenseMap<std::pair<mlir::Type, unsigned>, mlir::Value> arrays;
};

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_EMIT_LANEEMITTER_H
