//===- LaneAccesses.cpp - Gathers that the processor lacks ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/ChanToHost/LaneElements/LaneAccesses.h"

using namespace mlir;
using namespace cilk2chan;

/// As much as any access of a lane relies on.
static constexpr unsigned spareAlignment = 16;

namespace {

class Expansion {
public:
  Expansion(LLVM::LLVMFuncOp function, HostBuilder &builder,
            unsigned vectorBits, bool gathers, bool exact)
      : function(function), builder(builder), vectorBits(vectorBits),
        gathers(gathers), exact(exact) {}
  void expand(LLVM::masked_gather op);
  void expand(LLVM::masked_scatter op);

private:
  bool isInstruction(Type lanes, unsigned leastBits) const;
  Value gatherInWords(LLVM::masked_gather op);
  Value splat(Location loc, VectorType type, int64_t value) {
    return LLVM::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(
            type, builder.getIntegerAttr(type.getElementType(), value)));
  }
  Value spareWord();
  Value safePointers(Location loc, Value pointers, Value mask);
  Value lane(Location loc, Value all, unsigned number) {
    return LLVM::ExtractElementOp::create(
        builder, loc, all, builder.constant(loc, builder.i32, number));
  }

  LLVM::LLVMFuncOp function;
  HostBuilder &builder;
  const unsigned vectorBits;
  const bool gathers, exact;
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
  unsigned count = cast<VectorType>(pointers.getType()).getNumElements();
  return LLVM::SelectOp::create(builder, loc, mask, pointers,
                                builder.splat(loc, spareWord(), count));
}

/// Bytes and halves of words, by way of the aligned words that they are in. No
/// page ends within one.
Value Expansion::gatherInWords(LLVM::masked_gather op) {
  Location loc = op.getLoc();
  auto type = cast<VectorType>(op.getType());
  auto words = VectorType::get(type.getShape(), builder.i32);
  auto addresses = VectorType::get(type.getShape(), builder.i64);
  Value base = LLVM::PtrMaskOp::create(builder, loc, op.getPtrs().getType(),
                                       op.getPtrs(), splat(loc, addresses, -4));
  Value word =
      LLVM::masked_gather::create(builder, loc, words, base, op.getMask(),
                                  ValueRange(), builder.getI32IntegerAttr(4));
  Value place = LLVM::TruncOp::create(
      builder, loc, words,
      LLVM::PtrToIntOp::create(builder, loc, addresses, op.getPtrs()));
  Value bits = LLVM::ShlOp::create(
      builder, loc,
      LLVM::AndOp::create(builder, loc, place, splat(loc, words, 3)),
      splat(loc, words, 3));
  return LLVM::TruncOp::create(builder, loc, type,
                               LLVM::LShrOp::create(builder, loc, word, bits));
}

void Expansion::expand(LLVM::masked_gather op) {
  auto type = cast<VectorType>(op.getType());
  if (isInstruction(type, gathers ? 256 : 512))
    return;
  Location loc = op.getLoc();
  builder.setInsertionPoint(op);
  Type element = type.getElementType();
  if (!exact && vectorBits >= (gathers ? 256 : 512) && element.isInteger() &&
      element.getIntOrFloatBitWidth() <= std::min(16u, 8 * op.getAlignment())) {
    op.replaceAllUsesWith(gatherInWords(op));
    op.erase();
    return;
  }
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
                                   HostBuilder &builder, unsigned vectorBits,
                                   bool gathers, bool exact) {
  Expansion expansion(function, builder, vectorBits, gathers, exact);
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

bool cilk2chan::isSanitized(chan::KernelOp kernel) {
  auto source = kernel.getSourceAttr();
  auto function =
      source ? SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(kernel,
                                                                      source)
             : LLVM::LLVMFuncOp();
  if (!function || !function.getPassthrough())
    return false;
  return llvm::any_of(*function.getPassthrough(), [](Attribute attribute) {
    auto name = dyn_cast<StringAttr>(attribute);
    return name && name.getValue().starts_with("sanitize_");
  });
}
