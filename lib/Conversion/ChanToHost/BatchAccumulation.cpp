//===- BatchAccumulation.cpp - What lanes of a batch combine --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batches.h"

#include "cilk2chan/Conversion/RuntimeABI.h"

using namespace mlir;
using namespace cilk2chan;

Value Batches::combine(Location loc, Value one, Value other) {
  switch (*accumulates) {
  case chan::Combination::Sum:
    return LLVM::AddOp::create(builder, loc, one, other);
  case chan::Combination::Product:
    return LLVM::MulOp::create(builder, loc, one, other);
  case chan::Combination::And:
    return LLVM::AndOp::create(builder, loc, one, other);
  case chan::Combination::Or:
    return LLVM::OrOp::create(builder, loc, one, other);
  case chan::Combination::ExclusiveOr:
    return LLVM::XOrOp::create(builder, loc, one, other);
  case chan::Combination::SignedMaximum:
    return LLVM::SMaxOp::create(builder, loc, one, other);
  case chan::Combination::SignedMinimum:
    return LLVM::SMinOp::create(builder, loc, one, other);
  case chan::Combination::UnsignedMaximum:
    return LLVM::UMaxOp::create(builder, loc, one, other);
  case chan::Combination::UnsignedMinimum:
    return LLVM::UMinOp::create(builder, loc, one, other);
  }
  llvm_unreachable("unknown combination");
}

/// A variable of what lanes have accumulated, which makes no difference so far.
void Batches::beginAccumulating(Location loc) {
  auto stack = elements.stack(kernel.getConsumes());
  Type element = stack.getSignature()->getReturnType();
  auto type = VectorType::get(count, element);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&function.front());
    accumulated = LLVM::AllocaOp::create(builder, loc, builder.pointer, type,
                                         builder.constant(loc, builder.i64, 1));
  }
  APInt identity =
      chan::identityOf(*accumulates, element.getIntOrFloatBitWidth());
  set(loc, accumulated,
      LLVM::ConstantOp::create(
          builder, loc, type,
          DenseElementsAttr::get(type,
                                 builder.getIntegerAttr(element, identity))));
  // A sum of one register is added to as fast as lanes are counted.
  if (*accumulates != chan::Combination::Sum ||
      count * element.getIntOrFloatBitWidth() <= vectorBits)
    return;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&function.front());
    counted = LLVM::AllocaOp::create(builder, loc, builder.pointer, element,
                                     builder.constant(loc, builder.i64, 1));
  }
  set(loc, counted, builder.constant(loc, element, 0));
}

/// Adds a value to what has been counted as often as there are lanes.
void Batches::countLanes(chan::AccumulateOp op) {
  Location loc = op.getLoc();
  Type type = op.getValue().getType();
  Value number = lanes.popcount(loc, op.getMask());
  unsigned width = type.getIntOrFloatBitWidth();
  if (width > 32)
    number = LLVM::ZExtOp::create(builder, loc, type, number);
  else if (width < 32)
    number = LLVM::TruncOp::create(builder, loc, type, number);
  set(loc, counted,
      LLVM::AddOp::create(
          builder, loc, LLVM::LoadOp::create(builder, loc, type, counted),
          LLVM::MulOp::create(builder, loc, op.getValue(), number)));
}

void Batches::lower(chan::AccumulateOp op) {
  Location loc = op.getLoc();
  Value value = op.getValue();
  if (!isa<VectorType>(value.getType())) {
    if (counted)
      return countLanes(op);
    value = builder.splat(loc, value, count);
  }
  Value before =
      LLVM::LoadOp::create(builder, loc, value.getType(), accumulated);
  set(loc, accumulated,
      LLVM::SelectOp::create(builder, loc, op.getMask(),
                             combine(loc, before, value), before));
}

/// Combines what the lanes have with what the batch has.
void Batches::addAccumulated(Location loc) {
  Value batch = function.getArgument(1);
  auto type = cast<VectorType>(
      accumulated.getDefiningOp<LLVM::AllocaOp>().getElemType());
  Type element = type.getElementType();
  Value all = LLVM::LoadOp::create(builder, loc, type, accumulated);
  Value own;
  switch (*accumulates) {
  case chan::Combination::Sum:
    own = LLVM::vector_reduce_add::create(builder, loc, element, all);
    break;
  case chan::Combination::Product:
    own = LLVM::vector_reduce_mul::create(builder, loc, element, all);
    break;
  case chan::Combination::And:
    own = LLVM::vector_reduce_and::create(builder, loc, element, all);
    break;
  case chan::Combination::Or:
    own = LLVM::vector_reduce_or::create(builder, loc, element, all);
    break;
  case chan::Combination::ExclusiveOr:
    own = LLVM::vector_reduce_xor::create(builder, loc, element, all);
    break;
  case chan::Combination::SignedMaximum:
    own = LLVM::vector_reduce_smax::create(builder, loc, element, all);
    break;
  case chan::Combination::SignedMinimum:
    own = LLVM::vector_reduce_smin::create(builder, loc, element, all);
    break;
  case chan::Combination::UnsignedMaximum:
    own = LLVM::vector_reduce_umax::create(builder, loc, element, all);
    break;
  case chan::Combination::UnsignedMinimum:
    own = LLVM::vector_reduce_umin::create(builder, loc, element, all);
    break;
  }
  if (counted)
    own =
        combine(loc, own, LLVM::LoadOp::create(builder, loc, element, counted));
  Value place =
      builder.load(loc, builder.pointer, batch, abi::batchAccumulator);
  Value before = LLVM::LoadOp::create(builder, loc, element, place);
  LLVM::StoreOp::create(builder, loc, combine(loc, before, own), place);
}
