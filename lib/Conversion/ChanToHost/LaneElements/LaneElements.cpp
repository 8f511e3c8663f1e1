//===- LaneElements.cpp - Elements of many lanes at once ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/ChanToHost/LaneElements/LaneElements.h"
#include "LaneOrders.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"

#include <numeric>

using namespace mlir;
using namespace cilk2chan;

static unsigned widthOf(Type type) {
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth()
                             : 8 * abi::pointerSize;
}

static Value typed(HostBuilder &builder, Location loc, Type type,
                   Attribute value) {
  return LLVM::ConstantOp::create(builder, loc, type, cast<TypedAttr>(value));
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
  unsigned bits = isPointer ? 64 : type.getIntOrFloatBitWidth();
  bool isNarrow = bits < 32;
  if (vectorBits >= 512 && isNarrow)
    return refill(loc, type, place, loadRegister(loc, type, place), mask,
                  /*before=*/Value());
  if (vectorBits >= 512) {
    // X86 has an instruction for it, which LLVM does not use for pointers.
    VectorType all = lanesOf(isPointer ? builder.i64 : type);
    Value value = LLVM::masked_expandload::create(
        builder, loc, all, place, mask,
        LLVM::PoisonOp::create(builder, loc, all));
    return isPointer
               ? LLVM::IntToPtrOp::create(builder, loc, lanesOf(type), value)
               : value;
  }
  Value all = LLVM::PoisonOp::create(builder, loc, lanesOf(type));
  if (vectorBits >= 256) {
    unsigned size = std::min(lanesInOrder(std::max(bits, 32u)), count);
    auto narrow = VectorType::get(size, type),
         words = VectorType::get(size, builder.i32);
    Packing packing(*this, loc, mask, builder.constant(loc, builder.i64, 0));
    for (auto [i, part] : llvm::enumerate(packing.divide(size))) {
      Value packed = LLVM::LoadOp::create(
          builder, loc, narrow,
          builder.element(loc, place, bits / 8, part.index), bits / 8);
      if (isNarrow)
        packed = LLVM::ZExtOp::create(builder, loc, words, packed);
      packed = expandByOrder(builder, loc, packed, part.mask);
      if (isNarrow)
        packed = LLVM::TruncOp::create(builder, loc, narrow, packed);
      all = insert(loc, all, packed, i * size);
    }
    return all;
  }
  // Each lane loads where it would find its value, which is then the next
  // one's place if it has none.
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

Value Lanes::loadRegister(Location loc, Type type, Value place) {
  unsigned bits = widthOf(type);
  unsigned size = std::min(vectorBits / std::max(bits, 32u), count);
  return LLVM::LoadOp::create(builder, loc, VectorType::get(size, type), place,
                              bits / 8);
}

Value Lanes::refill(Location loc, Type type, Value place, Value some,
                    Value mask, Value before) {
  unsigned size = cast<VectorType>(some.getType()).getNumElements();
  Value all = LLVM::PoisonOp::create(builder, loc, lanesOf(type));
  Packing packing(*this, loc, mask, builder.constant(loc, builder.i64, 0));
  for (auto [i, part] : llvm::enumerate(packing.divide(size))) {
    if (i != 0)
      some = loadRegister(
          loc, type,
          builder.element(loc, place, widthOf(type) / 8, part.index));
    all = insert(loc, all,
                 expand(loc, some, part.mask,
                        before ? slice(loc, before, i * size, size) : some),
                 i * size);
  }
  return all;
}

Value Lanes::compress(Location loc, Value all, Value mask) {
  Type type = all.getType();
  return LLVM::CallIntrinsicOp::create(
             builder, loc, type,
             builder.getStringAttr("llvm.experimental.vector.compress"),
             ValueRange{all, mask, LLVM::ZeroOp::create(builder, loc, type)})
      .getResults();
}

Value Lanes::expand(Location loc, Value all, Value mask, Value before) {
  auto type = cast<VectorType>(all.getType());
  Type element = type.getElementType();
  unsigned size = type.getNumElements();
  bool isPointer = isa<LLVM::LLVMPointerType>(element);
  unsigned bits = widthOf(element);
  auto integers = VectorType::get(size, builder.getIntegerType(bits));
  auto words = VectorType::get(
      size, builder.getIntegerType(std::max({bits, 32u, 128 / size})));
  auto toWords = [&](Value value) -> Value {
    if (isPointer)
      value = LLVM::PtrToIntOp::create(builder, loc, integers, value);
    else
      value = LLVM::BitcastOp::create(builder, loc, integers, value);
    return words == integers ? value
                             : LLVM::ZExtOp::create(builder, loc, words, value);
  };
  all = LLVM::CallIntrinsicOp::create(
            builder, loc, words,
            builder.getStringAttr("llvm.x86.avx512.mask.expand"),
            ValueRange{toWords(all), toWords(before), mask})
            .getResults();
  if (words != integers)
    all = LLVM::TruncOp::create(builder, loc, integers, all);
  if (isPointer)
    return LLVM::IntToPtrOp::create(builder, loc, type, all);
  return LLVM::BitcastOp::create(builder, loc, type, all);
}

Value Lanes::slice(Location loc, Value all, unsigned begin, unsigned size) {
  SmallVector<int32_t> lanes(size);
  std::iota(lanes.begin(), lanes.end(), begin);
  return LLVM::ShuffleVectorOp::create(builder, loc, all, all, lanes);
}

Value Lanes::insert(Location loc, Value all, Value some, unsigned begin) {
  unsigned size = cast<VectorType>(some.getType()).getNumElements();
  if (size == count)
    return some;
  // Two vectors of the same length are one's lanes from the other's.
  SmallVector<int32_t> wide(count, -1), lanes(count);
  std::iota(wide.begin(), wide.begin() + size, 0);
  std::iota(lanes.begin(), lanes.end(), 0);
  std::iota(lanes.begin() + begin, lanes.begin() + begin + size, count);
  some = LLVM::ShuffleVectorOp::create(builder, loc, some, some, wide);
  return LLVM::ShuffleVectorOp::create(builder, loc, all, some, lanes);
}

Packing::Packing(Lanes &lanes, Location loc, Value mask, Value first)
    : lanes(lanes), builder(lanes.builder), loc(loc), mask(mask), first(first) {
}

/// The registers of `size` lanes each.
ArrayRef<Packing::Part> Packing::divide(unsigned size) {
  auto [known, isNew] = parts.try_emplace(size);
  if (!isNew)
    return known->second;
  SmallVector<Part> &all = known->second;
  Value index = first;
  for (unsigned begin = 0; begin < lanes.count; begin += size) {
    Part part{index};
    if (size == 1)
      part.mask = LLVM::ExtractElementOp::create(
          builder, loc, mask, builder.constant(loc, builder.i32, begin));
    else if (size < lanes.count)
      part.mask = lanes.slice(loc, mask, begin, size);
    else
      part.mask = mask;
    all.push_back(part);
    if (begin + size == lanes.count)
      break;
    Value present = size == 1 ? part.mask : lanes.popcount(loc, part.mask);
    index =
        LLVM::AddOp::create(builder, loc, index, builder.extend(loc, present));
  }
  return known->second;
}

void Packing::storeOne(Value some, Value index, Address address,
                       unsigned alignment) {
  LLVM::StoreOp::create(builder, loc, some, address(index), alignment);
}

/// Bytes have the instruction in few processors. But they can be put in any
/// order within 16, and the order is the same for all values.
void Packing::storeBytes(Value all, Address address, unsigned alignment) {
  ArrayRef<Part> chunks = divide(chunk);
  if (orders.empty()) {
    SmallVector<int32_t> numbers(chunk);
    std::iota(numbers.begin(), numbers.end(), 0);
    auto words = VectorType::get(chunk, builder.i32);
    Value inOrder =
        typed(builder, loc, words, DenseIntElementsAttr::get(words, numbers));
    for (const Part &part : chunks)
      orders.push_back(LLVM::TruncOp::create(
          builder, loc, VectorType::get(chunk, builder.getI8Type()),
          lanes.compress(loc, inOrder, part.mask)));
  }
  auto permute = [&](unsigned bytes, StringRef intrinsic, Value values,
                     Value order) -> Value {
    return LLVM::CallIntrinsicOp::create(
               builder, loc, VectorType::get(bytes, builder.getI8Type()),
               builder.getStringAttr(intrinsic), ValueRange{values, order})
        .getResults();
  };
  if (lanes.count == chunk)
    return storeOne(
        permute(chunk, "llvm.x86.ssse3.pshuf.b.128", all, orders.front()),
        chunks.front().index, address, alignment);
  // Two at a time.
  for (unsigned i = 0; i < chunks.size(); i += 2) {
    SmallVector<int32_t> both(2 * chunk);
    std::iota(both.begin(), both.end(), 0);
    Value order = LLVM::ShuffleVectorOp::create(builder, loc, orders[i],
                                                orders[i + 1], both);
    Value packed = permute(2 * chunk, "llvm.x86.avx2.pshuf.b",
                           lanes.slice(loc, all, i * chunk, 2 * chunk), order);
    for (unsigned half : {0, 1})
      storeOne(lanes.slice(loc, packed, half * chunk, chunk),
               chunks[i + half].index, address, alignment);
  }
}

void Packing::storeByOrder(Value all, unsigned bits, Address address,
                           unsigned alignment) {
  Type type = cast<VectorType>(all.getType()).getElementType();
  unsigned size = std::min(lanesInOrder(bits), lanes.count);
  if (bits == 16)
    all = LLVM::ZExtOp::create(builder, loc, lanes.lanesOf(builder.i32), all);
  for (auto [i, part] : llvm::enumerate(divide(size))) {
    Value packed = compressByOrder(
        builder, loc, lanes.slice(loc, all, i * size, size), part.mask);
    if (bits == 16)
      packed = LLVM::TruncOp::create(builder, loc, VectorType::get(size, type),
                                     packed);
    storeOne(packed, part.index, address, alignment);
  }
}

void Packing::store(Value all, Address address, unsigned alignment) {
  Type type = cast<VectorType>(all.getType()).getElementType();
  unsigned bits = widthOf(type);
  if (lanes.vectorBits >= 256 && lanes.vectorBits < 512)
    return storeByOrder(all, bits, address, alignment);
  // Without an instruction for it, each lane is stored and then perhaps
  // overwritten by the next.
  if (lanes.vectorBits < 256) {
    for (auto [lane, part] : llvm::enumerate(divide(1)))
      storeOne(LLVM::ExtractElementOp::create(
                   builder, loc, all, builder.constant(loc, builder.i32, lane)),
               part.index, address, alignment);
    return;
  }
  if (bits == 8 && lanes.count >= chunk)
    return storeBytes(all, address, alignment);
  // One register at a time: when LLVM divides longer vectors, it stores to
  // addresses that it wrongly takes for aligned. Eight bytes make it crash.
  bool isNarrow = bits < 32;
  if (isNarrow)
    all = LLVM::ZExtOp::create(builder, loc, lanes.lanesOf(builder.i32), all);
  unsigned size = std::min(lanes.vectorBits / std::max(bits, 32u), lanes.count);
  for (auto [i, part] : llvm::enumerate(divide(size))) {
    Value some =
        size < lanes.count ? lanes.slice(loc, all, i * size, size) : all;
    Value packed = lanes.compress(loc, some, part.mask);
    if (isNarrow)
      packed = LLVM::TruncOp::create(builder, loc, VectorType::get(size, type),
                                     packed);
    storeOne(packed, part.index, address, alignment);
  }
}

Value Lanes::bitsOf(Location loc, Value mask) {
  Value bits = LLVM::BitcastOp::create(builder, loc,
                                       builder.getIntegerType(count), mask);
  return count == 64 ? bits : builder.extend(loc, bits);
}

Value Lanes::maskOf(Location loc, Value bits) {
  if (count < 64)
    bits = LLVM::TruncOp::create(builder, loc, builder.getIntegerType(count),
                                 bits);
  return LLVM::BitcastOp::create(
      builder, loc, VectorType::get(count, builder.getI1Type()), bits);
}

Value Lanes::maskOfLanes(Location loc, Value bits) {
  unsigned width = std::min(64u, vectorBits / count);
  if (vectorBits >= 512 || width < count)
    return maskOf(loc, bits);
  SmallVector<APInt> own;
  for (unsigned i = 0; i < count; ++i)
    own.push_back(APInt::getOneBitSet(width, i));
  Type word = builder.getIntegerType(width);
  auto type = VectorType::get(count, word);
  Value bit = LLVM::ConstantOp::create(builder, loc, type,
                                       DenseElementsAttr::get(type, own));
  if (width < 64)
    bits = LLVM::TruncOp::create(builder, loc, word, bits);
  Value its =
      LLVM::AndOp::create(builder, loc, builder.splat(loc, bits, count), bit);
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, its, bit);
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
