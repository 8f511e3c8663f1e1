//===- Lanes.cpp - Elements of many lanes at once -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include "cilk2chan/Conversion/RuntimeABI.h"

#include "llvm/ADT/MapVector.h"

#include <numeric>

using namespace mlir;
using namespace cilk2chan;

Type cilk2chan::inMemory(Type type) {
  return type.isInteger(1) ? IntegerType::get(type.getContext(), 8) : type;
}

static Value typed(HostBuilder &builder, Location loc, Type type,
                   Attribute value) {
  return LLVM::ConstantOp::create(builder, loc, type, cast<TypedAttr>(value));
}

void Lanes::beginKernel(LLVM::LLVMFuncOp kernel, unsigned lanes) {
  function = kernel;
  count = lanes;
  stagingBlock = {};
  stagingElement = 0;
}

Value Lanes::splat(Location loc, Type type, int64_t value) {
  return typed(builder, loc, lanesOf(type),
               DenseElementsAttr::get(lanesOf(type),
                                      builder.getIntegerAttr(type, value)));
}

Value Lanes::firstOf(Location loc, Value present) {
  // As many bits as most values have, which is what masks are kept in.
  Type i32 = builder.i32;
  SmallVector<int32_t> numbers;
  for (unsigned lane = 0; lane < count; ++lane)
    numbers.push_back(lane);
  Value lanes = typed(builder, loc, lanesOf(i32),
                      DenseIntElementsAttr::get(lanesOf(i32), numbers));
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, lanes,
                              builder.splat(loc, present, count));
}

Value Lanes::loadUnpacked(Location loc, Type type, Value place, Value mask) {
  bool isPointer = isa<LLVM::LLVMPointerType>(type);
  if (vectorBits >= 512 && (isPointer || (type.isIntOrFloat() &&
                                          type.getIntOrFloatBitWidth() >= 32)))
    return LLVM::masked_expandload::create(
        builder, loc, lanesOf(type), place, mask,
        LLVM::PoisonOp::create(builder, loc, lanesOf(type)));
  // Each lane loads where it would find its value, which is then the next
  // one's place if it has none.
  Value all = LLVM::PoisonOp::create(builder, loc, lanesOf(type));
  for (unsigned lane = 0; lane < count; ++lane) {
    Value number = builder.constant(loc, builder.i32, lane);
    Value value = LLVM::LoadOp::create(builder, loc, type, place);
    all = LLVM::InsertElementOp::create(builder, loc, all, value, number);
    Value present = LLVM::ExtractElementOp::create(builder, loc, mask, number);
    place = LLVM::GEPOp::create(
        builder, loc, builder.pointer, type, place,
        ArrayRef<LLVM::GEPArg>{builder.extend(loc, present)});
  }
  return all;
}

void Lanes::lower(chan::DeqOp op, const ElementPlace &taken, Value end) {
  Location loc = op.getLoc();
  // As many bits as most values have, which is what masks are kept in.
  Type i32 = builder.i32;
  Value left = LLVM::SubOp::create(builder, loc, end, taken.index);
  Value most = builder.constant(loc, builder.i64, count);
  Value full =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::uge, left, most);
  Value present = LLVM::TruncOp::create(
      builder, loc, i32, LLVM::UMinOp::create(builder, loc, left, most));
  Value mask = firstOf(loc, present);
  op.getMask().replaceAllUsesWith(mask);

  const ElementLayout &layout = elements.layout(op.getElement());
  llvm::MapVector<StringRef, SmallVector<chan::GetOp>> gets;
  for (Operation *user : op.getElement().getUsers())
    if (auto get = dyn_cast<chan::GetOp>(user))
      gets[get.getField()].push_back(get);
  if (gets.empty())
    return;

  // The whole of a vector is loaded where there are elements for it.
  Block *before = builder.getInsertionBlock();
  Block *after = builder.splitHere();
  Block *whole = builder.createBlock(after);
  Block *part = builder.createBlock(after);
  SmallVector<Value> wholes, parts;
  for (auto &[name, users] : gets) {
    const ElementLayout::Field &field = layout.field(name);
    VectorType type = lanesOf(inMemory(field.type));
    auto address = [&] {
      return builder.element(loc, taken.fields[layout.index(field)], field.size,
                             taken.index);
    };
    builder.setInsertionPointToEnd(whole);
    wholes.push_back(
        LLVM::LoadOp::create(builder, loc, type, address(), field.alignment));
    builder.setInsertionPointToEnd(part);
    parts.push_back(LLVM::MaskedLoadOp::create(
        builder, loc, type, address(), mask,
        LLVM::ZeroOp::create(builder, loc, type),
        builder.getI32IntegerAttr(field.alignment), UnitAttr()));
    Value all = after->addArgument(type, loc);
    builder.setInsertionPointToStart(after);
    if (field.type != inMemory(field.type))
      all = LLVM::TruncOp::create(builder, loc, lanesOf(field.type), all);
    for (chan::GetOp get : users)
      get.getValue().replaceAllUsesWith(all);
  }
  builder.setInsertionPointToEnd(whole);
  LLVM::BrOp::create(builder, loc, wholes, after);
  builder.setInsertionPointToEnd(part);
  LLVM::BrOp::create(builder, loc, parts, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, full, whole, part);
}

/// A block on the C stack, of as many elements as there are lanes.
Value Lanes::staging(uint64_t elementSize) {
  stagingElement = std::max(stagingElement, elementSize);
  OpBuilder::InsertionGuard guard(builder);
  uint64_t bytes = abi::blockHeader + stagingElement * count;
  if (stagingBlock) {
    builder.setInsertionPoint(stagingBlock);
    stagingBlock.getArraySizeMutable().assign(
        builder.constant(stagingBlock.getLoc(), builder.i64, bytes));
    return stagingBlock;
  }
  Location loc = function.getLoc();
  builder.setInsertionPoint(function.front().getTerminator());
  stagingBlock = LLVM::AllocaOp::create(
      builder, loc, builder.pointer, builder.getI8Type(),
      builder.constant(loc, builder.i64, bytes), /*alignment=*/64);
  builder.store(loc, builder.constant(loc, builder.i32, count), stagingBlock,
                abi::blockCapacity);
  return stagingBlock;
}

Value Lanes::compress(Location loc, Value all, Value mask) {
  auto type = cast<VectorType>(all.getType());
  Type element = type.getElementType();
  // Narrow lanes have the instruction in few processors, and eight bytes make
  // LLVM 22 crash.
  bool narrow = element.isInteger() && element.getIntOrFloatBitWidth() < 32;
  if (narrow) {
    type = VectorType::get(type.getShape(), builder.i32);
    all = LLVM::ZExtOp::create(builder, loc, type, all);
  }
  Value packed =
      LLVM::CallIntrinsicOp::create(
          builder, loc, type,
          builder.getStringAttr("llvm.experimental.vector.compress"),
          ValueRange{all, mask, LLVM::PoisonOp::create(builder, loc, type)})
          .getResults();
  return narrow
             ? LLVM::TruncOp::create(builder, loc,
                                     VectorType::get(type.getShape(), element),
                                     packed)
             : packed;
}

void Lanes::storePacked(Location loc, Value all, Value mask, Value index,
                        function_ref<Value(Value)> address,
                        unsigned alignment) {
  Type type = cast<VectorType>(all.getType()).getElementType();
  unsigned bits =
      type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 8 * abi::pointerSize;
  // One register at a time: when LLVM divides longer vectors, it stores to
  // addresses that it wrongly takes for aligned. Without an instruction for it,
  // each lane is stored and then perhaps overwritten by the next.
  unsigned part =
      vectorBits < 512 ? 1 : std::min(vectorBits / std::max(bits, 32u), count);
  for (unsigned begin = 0; begin < count; begin += part) {
    Value some, present;
    if (part == 1) {
      Value lane = builder.constant(loc, builder.i32, begin);
      some = LLVM::ExtractElementOp::create(builder, loc, all, lane);
      present = LLVM::ExtractElementOp::create(builder, loc, mask, lane);
    } else {
      SmallVector<int32_t> lanes(part);
      std::iota(lanes.begin(), lanes.end(), begin);
      Value these =
          LLVM::ShuffleVectorOp::create(builder, loc, mask, mask, lanes);
      some = compress(
          loc, LLVM::ShuffleVectorOp::create(builder, loc, all, all, lanes),
          these);
      present = popcount(loc, these);
    }
    LLVM::StoreOp::create(builder, loc, some, address(index), alignment);
    if (begin + part < count)
      index = LLVM::AddOp::create(builder, loc, index,
                                  builder.extend(loc, present));
  }
}

Value Lanes::popcount(Location loc, Value mask) {
  unsigned size = cast<VectorType>(mask.getType()).getNumElements();
  Type bits = builder.getIntegerType(size);
  Value number = LLVM::CtPopOp::create(
      builder, loc, bits, LLVM::BitcastOp::create(builder, loc, bits, mask));
  if (size < 32)
    return LLVM::ZExtOp::create(builder, loc, builder.i32, number);
  if (size > 32)
    return LLVM::TruncOp::create(builder, loc, builder.i32, number);
  return number;
}

void Lanes::lower(chan::EnqOp op) {
  Location loc = op.getLoc();
  auto talloc = op.getElement().getDefiningOp<chan::TallocOp>();
  const ElementLayout &layout = elements.layout(op.getElement());
  Type i32 = builder.i32;
  Value channel =
      builder.address(loc, op.getElement().getType().getStack().getValue());
  Value list = tallocs.list(loc, talloc.getLevel());
  Value spare = staging(layout.getSize());
  auto compare = [&](LLVM::ICmpPredicate how, Value a, Value b) {
    return LLVM::ICmpOp::create(builder, loc, how, a, b);
  };

  // Room for all lanes in the block that fills, or else in the spare one.
  Value filling = builder.load(loc, builder.pointer, list, 0);
  Value same = compare(
      LLVM::ICmpPredicate::eq,
      builder.load(loc, builder.pointer, filling, abi::blockChannel), channel);
  Value there = builder.load(loc, i32, filling, abi::blockCount);
  Value room = LLVM::SubOp::create(
      builder, loc, builder.load(loc, i32, filling, abi::blockCapacity), there);
  Value fits = compare(LLVM::ICmpPredicate::uge, room,
                       builder.constant(loc, i32, count));
  Value fast = LLVM::AndOp::create(builder, loc, same, fits);
  Value block = LLVM::SelectOp::create(builder, loc, fast, filling, spare);
  Value at = LLVM::SelectOp::create(builder, loc, fast, there,
                                    builder.constant(loc, i32, 0));
  Value index = builder.extend(loc, at);

  SmallVector<Value> fields = fieldsOf(layout, block, builder, loc);
  for (Operation *user : talloc.getElement().getUsers()) {
    auto set = dyn_cast<chan::SetOp>(user);
    if (!set)
      continue;
    const ElementLayout::Field &field = layout.field(set.getField());
    Type type = inMemory(field.type);
    Value all = set.getValue();
    if (type != field.type)
      all = LLVM::ZExtOp::create(builder, loc, lanesOf(type), all);
    storePacked(
        loc, all, talloc.getMask(), index,
        [&](Value position) {
          return builder.element(loc, fields[layout.index(field)], field.size,
                                 position);
        },
        field.alignment);
  }

  Value more = popcount(loc, talloc.getMask());
  builder.store(loc, LLVM::AddOp::create(builder, loc, at, more), block,
                abi::blockCount);

  Block *before = builder.getInsertionBlock();
  Block *after = builder.splitHere();
  Block *slow = builder.createBlock(after);
  builder.store(loc, channel, spare, abi::blockChannel);
  builder.call(loc, "chan_enq_block", builder.nothing,
               {function.getArgument(0), spare,
                builder.constant(loc, i32, talloc.getLevel())});
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, fast, after, ValueRange(), slow,
                         ValueRange(), std::make_pair(2000, 1));
}

void Lanes::lower(chan::DeliverOp op) {
  Location loc = op.getLoc();
  Value null = LLVM::ZeroOp::create(builder, loc, lanesOf(builder.pointer));
  Value wanted = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                      op.getSlot(), null);
  // A lane outside of the mask may have a slot that is poison.
  Value mask = LLVM::SelectOp::create(builder, loc, op.getMask(), wanted,
                                      splat(loc, builder.getI1Type(), 0));
  Value value = op.getValue();
  Type type = cast<VectorType>(value.getType()).getElementType();
  if (inMemory(type) != type)
    value = LLVM::ZExtOp::create(builder, loc, lanesOf(inMemory(type)), value);
  // As for one element, the destination may be less aligned than its type.
  LLVM::masked_scatter::create(builder, loc, value, op.getSlot(), mask,
                               builder.getI32IntegerAttr(1));
}
