//===- LaneAccesses.cpp - Gathers that the processor lacks ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneAccesses.h"

using namespace mlir;
using namespace cilk2chan;

/// As much as any access of a lane relies on.
static constexpr unsigned spareAlignment = 16;

namespace {

class Expansion {
public:
  Expansion(LLVM::LLVMFuncOp function, HostBuilder &builder,
            unsigned vectorBits)
      : function(function), builder(builder), vectorBits(vectorBits) {}
  void expand(LLVM::masked_gather op);
  void expand(LLVM::masked_scatter op);

private:
  bool isInstruction(Type lanes, unsigned leastBits) const;
  Value spareWord();
  Value safePointers(Location loc, Value pointers, Value mask);
  Value lane(Location loc, Value all, unsigned number) {
    return LLVM::ExtractElementOp::create(
        builder, loc, all, builder.constant(loc, builder.i32, number));
  }

  LLVM::LLVMFuncOp function;
  HostBuilder &builder;
  const unsigned vectorBits;
  Value spare;
};

} // namespace

/// Whether there are instructions for vectors of `lanes` from registers of
/// `leastBits` on.
bool Expansion::isInstruction(Type lanes, unsigned leastBits) const {
  Type type = cast<VectorType>(lanes).getElementType();
  bool wide = !type.isIntOrFloat() || type.getIntOrFloatBitWidth() >= 32;
  return wide && vectorBits >= leastBits;
}

/// The word that lanes access in vain.
Value Expansion::spareWord() {
  if (spare)
    return spare;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(function.front().getTerminator());
  Location loc = function.getLoc();
  spare = LLVM::AllocaOp::create(builder, loc, builder.pointer, builder.i64,
                                 builder.constant(loc, builder.i64, 1),
                                 spareAlignment);
  builder.store(loc, builder.constant(loc, builder.i64, 0), spare, 0);
  return spare;
}

/// `pointers`, but to the spare word where `mask` is not set.
Value Expansion::safePointers(Location loc, Value pointers, Value mask) {
  auto type = cast<VectorType>(pointers.getType());
  Value first = LLVM::InsertElementOp::create(
      builder, loc, LLVM::PoisonOp::create(builder, loc, type), spareWord(),
      builder.constant(loc, builder.i32, 0));
  Value spares = LLVM::ShuffleVectorOp::create(
      builder, loc, first, first,
      SmallVector<int32_t>(type.getNumElements(), 0));
  return LLVM::SelectOp::create(builder, loc, mask, pointers, spares);
}

void Expansion::expand(LLVM::masked_gather op) {
  auto type = cast<VectorType>(op.getType());
  if (isInstruction(type, 256))
    return;
  Location loc = op.getLoc();
  builder.setInsertionPoint(op);
  Value pointers = safePointers(loc, op.getPtrs(), op.getMask());
  Value result = LLVM::PoisonOp::create(builder, loc, type);
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value one = LLVM::LoadOp::create(
        builder, loc, type.getElementType(), lane(loc, pointers, i),
        std::min(op.getAlignment(), spareAlignment));
    result = LLVM::InsertElementOp::create(
        builder, loc, result, one, builder.constant(loc, builder.i32, i));
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

void Expansion::expand(LLVM::masked_scatter op) {
  auto type = cast<VectorType>(op.getValue().getType());
  if (isInstruction(type, 512))
    return;
  Location loc = op.getLoc();
  builder.setInsertionPoint(op);
  Value pointers = safePointers(loc, op.getPtrs(), op.getMask());
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    LLVM::StoreOp::create(builder, loc, lane(loc, op.getValue(), i),
                          lane(loc, pointers, i),
                          std::min(op.getAlignment(), spareAlignment));
  op.erase();
}

void cilk2chan::expandLaneAccesses(LLVM::LLVMFuncOp function,
                                   HostBuilder &builder, unsigned vectorBits) {
  Expansion expansion(function, builder, vectorBits);
  SmallVector<Operation *> accesses;
  function.walk([&](Operation *op) {
    if (isa<LLVM::masked_gather, LLVM::masked_scatter>(op))
      accesses.push_back(op);
  });
  for (Operation *op : accesses)
    if (auto gather = dyn_cast<LLVM::masked_gather>(op))
      expansion.expand(gather);
    else
      expansion.expand(cast<LLVM::masked_scatter>(op));
}
