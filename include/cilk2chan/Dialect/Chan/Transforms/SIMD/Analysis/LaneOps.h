//===- LaneOps.h - Which operations lanes can do together -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LANEOPS_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LANEOPS_H

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

/// Whether an op computes each lane of its result from the same lanes of its
/// operands, and LLVM has it for vectors with the same results.
bool isElementwise(mlir::Operation *op);

/// Whether an op is a constant or an address: it has no operands and no effect.
bool isMadeOfNothing(mlir::Operation *op);

/// Whether a value is that of paths on which there is none, be it the outcome
/// of choices between such.
bool isPoison(mlir::Value value);

/// Integer division: undefined for some operands, in lanes that are not to
/// compute it as well.
bool isDivision(mlir::Operation *op);

/// Whether a division by `value` is defined for all dividends: by a constant,
/// which costs a few multiplications.
bool isSafeDivisor(mlir::Value value);

/// Whether a division of integers is done in floating point: that is exact, and
/// there are vector instructions for it.
bool dividesInFloatingPoint(mlir::Operation *op);

/// Bytes from one lane's copy of an object, on the C stack or a local of a
/// phase, to the next one's.
int64_t laneObjectSize(mlir::Operation *object, const TypeLayout &layout);

/// Bits of a value in a lane: of an integer, a pointer, a float or a double;
/// 0 if there can be no vector of them.
unsigned laneBits(mlir::Type type);

/// Whether values that lie side by side can be loaded as one vector.
bool hasVectorsInMemory(mlir::Type type);

/// The arm of a choice that no element takes whose parents have tested it; null
/// if there is none.
mlir::Region *endingArm(mlir::Operation *choice);

/// Whether a load is atomic, and in no order with other accesses: lanes may do
/// it one after another, and one for all where they have one address.
bool isRelaxed(mlir::LLVM::LoadOp load);

/// Why a kernel cannot have lanes.
struct LaneObstacle {
  mlir::Operation *op;
  std::string what;
};

/// The first thing of `kernel` that keeps it from having lanes.
std::optional<LaneObstacle> findLaneObstacle(chan::KernelOp kernel);

/// What `call` calls, if that is known.
mlir::LLVM::LLVMFuncOp calleeOf(mlir::LLVM::CallOp call, mlir::ModuleOp module);

/// A relaxed load that decides whether a loop goes on; null if there is none.
/// What the loop waits for may be what another lane does behind it.
mlir::LLVM::LoadOp findWaitingLoad(chan::KernelOp lifted);

/// A call that lanes must not come to together, because one may hold a lock
/// there that another wants; null if there is none.
mlir::LLVM::CallOp findWaitingCall(chan::KernelOp lifted,
                                   mlir::ModuleOp module);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_LANEOPS_H
