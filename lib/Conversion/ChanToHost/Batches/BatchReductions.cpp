//===- BatchReductions.cpp - What lanes of a batch combine ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchReductions.h"

#include "cilk2chan/Dialect/Cilk/Analysis/Combination.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"

using namespace mlir;
using namespace cilk2chan;

/// The combination of all lanes' parts.
static Value combineLanes(OpBuilder &builder, Location loc,
                          chan::Combination combination, Value all) {
  Type element = cast<VectorType>(all.getType()).getElementType();
  switch (combination) {
  case chan::Combination::Sum:
    return LLVM::vector_reduce_add::create(builder, loc, element, all);
  case chan::Combination::Product:
    return LLVM::vector_reduce_mul::create(builder, loc, element, all);
  case chan::Combination::And:
    return LLVM::vector_reduce_and::create(builder, loc, element, all);
  case chan::Combination::Or:
    return LLVM::vector_reduce_or::create(builder, loc, element, all);
  case chan::Combination::ExclusiveOr:
    return LLVM::vector_reduce_xor::create(builder, loc, element, all);
  case chan::Combination::SignedMaximum:
    return LLVM::vector_reduce_smax::create(builder, loc, element, all);
  case chan::Combination::SignedMinimum:
    return LLVM::vector_reduce_smin::create(builder, loc, element, all);
  case chan::Combination::UnsignedMaximum:
    return LLVM::vector_reduce_umax::create(builder, loc, element, all);
  case chan::Combination::UnsignedMinimum:
    return LLVM::vector_reduce_umin::create(builder, loc, element, all);
  }
  llvm_unreachable("unknown combination");
}

/// What lanes combine with what is at `address`, or in the batch's reduction
/// if that is null.
BatchReductions::Partial &BatchReductions::partialOf(Location loc,
                                                     Value address,
                                                     chan::Combination by,
                                                     Type element) {
  for (Partial &known : partials)
    if (known.address == address && known.by == by && known.element == element)
      return known;
  OpBuilder::InsertionGuard guard(builder);
  auto variable = [&](Type type, Attribute first) -> Value {
    builder.setInsertionPointToStart(&phase.function.front());
    Value place = LLVM::AllocaOp::create(builder, loc, builder.pointer, type,
                                         builder.constant(loc, builder.i64, 1));
    builder.setInsertionPoint(phase.function.front().getTerminator());
    phase.set(
        loc, place,
        LLVM::ConstantOp::create(builder, loc, type, cast<TypedAttr>(first)));
    return place;
  };
  auto type = VectorType::get(phase.count, element);
  unsigned bits = element.getIntOrFloatBitWidth();
  Attribute identity =
      builder.getIntegerAttr(element, chan::identityOf(by, bits));
  Partial &one = partials.emplace_back();
  one = {by,
         element,
         address,
         variable(type, DenseElementsAttr::get(type, identity)),
         {}};
  // A sum of one register is added to as fast as lanes are counted.
  if (by == chan::Combination::Sum && phase.count * bits > phase.vectorBits)
    one.counted = variable(element, identity);
  return one;
}

/// Adds a value to what has been counted as often as there are lanes.
void BatchReductions::countLanes(Location loc, const Partial &to, Value value,
                                 Value mask) {
  Type type = value.getType();
  Value number = phase.lanes.popcount(loc, mask);
  unsigned width = type.getIntOrFloatBitWidth();
  if (width > 32)
    number = LLVM::ZExtOp::create(builder, loc, type, number);
  else if (width < 32)
    number = LLVM::TruncOp::create(builder, loc, type, number);
  phase.set(
      loc, to.counted,
      LLVM::AddOp::create(builder, loc,
                          LLVM::LoadOp::create(builder, loc, type, to.counted),
                          LLVM::MulOp::create(builder, loc, value, number)));
}

/// Combines what the lanes of a mask have: a vector, or the same value each.
void BatchReductions::combine(Location loc, const Partial &to, Value value,
                              Value mask) {
  if (!isa<VectorType>(value.getType())) {
    if (to.counted)
      return countLanes(loc, to, value, mask);
    value = builder.splat(loc, value, phase.count);
  }
  Value before = LLVM::LoadOp::create(builder, loc, value.getType(), to.lanes);
  phase.set(loc, to.lanes,
            LLVM::SelectOp::create(
                builder, loc, mask,
                createCombined(builder, loc, to.by, before, value), before));
}

void BatchReductions::lower(chan::ReduceResultOp op) {
  Value value = op.getValue();
  combine(op.getLoc(),
          partialOf(op.getLoc(), /*address=*/Value(), *phase.joinFree,
                    getElementTypeOrSelf(value.getType())),
          value, op.getMask());
}

void BatchReductions::lower(chan::ReduceSharedOp op) {
  Value value = op.getValue(), address = op.getAddress();
  assert(address.getParentBlock() == &phase.function.front() &&
         "a uniform field is read once");
  combine(op.getLoc(),
          partialOf(op.getLoc(), address, op.getCombination(),
                    getElementTypeOrSelf(value.getType())),
          value, op.getMask());
}

/// Where the worker has what its batches combine with what is at the address
/// (chan/abi.h, chan_reduction).
Value BatchReductions::sharedPlaceOf(Location loc, const Partial &one,
                                     uint32_t number) {
  Value worker = phase.getWorker();
  int32_t at = abi::workerReductions + number * abi::reductionSize;
  uint64_t bytes = one.element.getIntOrFloatBitWidth() / 8;
  Value kind =
      builder.constant(loc, builder.i64, uint64_t(one.by) | bytes << 8);
  auto differs = [&](Type type, int32_t field, Value from) -> Value {
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                builder.load(loc, type, worker, at + field),
                                from);
  };
  Value other = LLVM::OrOp::create(
      builder, loc,
      differs(builder.pointer, abi::reductionAddress, one.address),
      differs(builder.i64, abi::reductionKind, kind));
  Block *before = builder.getInsertionBlock();
  Block *after = builder.splitHere();
  Block *begin = builder.createBlock(after);
  builder.call(
      loc, "chan_reduction_begin", builder.nothing,
      {worker, builder.constant(loc, builder.i32, number), one.address, kind});
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, other, begin, ValueRange(), after,
                         ValueRange(), HostBuilder::unlikely);
  builder.setInsertionPointToStart(after);
  return builder.offset(loc, worker, at + abi::reductionValue);
}

/// Has what lanes have combined where it belongs, when the function returns.
void BatchReductions::finish() {
  LLVM::ReturnOp end;
  phase.function.walk([&](LLVM::ReturnOp op) { end = op; });
  builder.setInsertionPoint(end);
  Location loc = end.getLoc();
  uint32_t number = 0;
  for (const Partial &one : partials) {
    Value all = LLVM::LoadOp::create(
        builder, loc, VectorType::get(phase.count, one.element), one.lanes);
    Value own = combineLanes(builder, loc, one.by, all);
    if (one.counted)
      own = createCombined(
          builder, loc, one.by, own,
          LLVM::LoadOp::create(builder, loc, one.element, one.counted));
    Value place = one.address
                      ? sharedPlaceOf(loc, one, number++ % abi::reductions)
                      : builder.load(loc, builder.pointer, phase.getBatch(),
                                     abi::batchAccumulator);
    Value before = LLVM::LoadOp::create(builder, loc, one.element, place);
    LLVM::StoreOp::create(
        builder, loc, createCombined(builder, loc, one.by, before, own), place);
  }
}
