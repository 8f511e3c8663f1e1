//===- LaneOrders.cpp - Lanes side by side, without AVX-512 ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneOrders.h"

#include <numeric>

using namespace mlir;
using namespace cilk2chan;

/// What an order is made of: bytes, or words of 32 bits.
static constexpr unsigned orderLength = 8;

/// The first lanes of a vector, or all and then anything.
static Value resize(HostBuilder &builder, Location loc, Value all,
                    unsigned size) {
  unsigned count = cast<VectorType>(all.getType()).getNumElements();
  if (size == count)
    return all;
  SmallVector<int32_t> lanes(size, -1);
  std::iota(lanes.begin(), lanes.begin() + std::min(size, count), 0);
  return LLVM::ShuffleVectorOp::create(builder, loc, all, all, lanes);
}

/// For each mask of `count` lanes, where what a lane gets comes from; a byte
/// for each part of `partsPerLane`, the first one lowest.
static SmallVector<int64_t> computeOrders(unsigned count, unsigned partsPerLane,
                                          bool expand) {
  SmallVector<int64_t> orders;
  for (unsigned mask = 0; mask < 1u << count; ++mask) {
    uint64_t order = 0;
    for (unsigned lane = 0, packed = 0; lane < count; ++lane) {
      if (!(mask >> lane & 1))
        continue;
      for (unsigned part = 0; part < partsPerLane; ++part) {
        uint64_t to = (expand ? lane : packed) * partsPerLane + part;
        uint64_t from = (expand ? packed : lane) * partsPerLane + part;
        order |= from << (8 * to);
      }
      ++packed;
    }
    orders.push_back(order);
  }
  return orders;
}

/// The table of orders for lanes of `partsPerLane` each, in the module.
static Value tableOf(HostBuilder &builder, Location loc, unsigned partsPerLane,
                     bool expand) {
  std::string name = (Twine("chan.") + (expand ? "expand" : "compress") +
                      Twine(32 * partsPerLane))
                         .str();
  if (!builder.module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(builder.module.getBody());
    auto orders =
        computeOrders(orderLength / partsPerLane, partsPerLane, expand);
    auto type = LLVM::LLVMArrayType::get(builder.i64, orders.size());
    LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true,
                           LLVM::Linkage::Private, name,
                           builder.getI64TensorAttr(orders), /*alignment=*/64);
  }
  return builder.address(loc, name);
}

/// The order for `mask`, as bytes.
static Value orderFor(HostBuilder &builder, Location loc, Value mask,
                      unsigned partsPerLane, bool expand) {
  unsigned count = cast<VectorType>(mask.getType()).getNumElements();
  Value bits = LLVM::BitcastOp::create(builder, loc,
                                       builder.getIntegerType(count), mask);
  Value order = LLVM::LoadOp::create(
      builder, loc, builder.i64,
      builder.element(loc, tableOf(builder, loc, partsPerLane, expand),
                      sizeof(uint64_t), builder.extend(loc, bits)),
      /*alignment=*/0, /*isVolatile=*/false, /*isNonTemporal=*/false,
      /*isInvariant=*/true);
  return LLVM::BitcastOp::create(
      builder, loc, VectorType::get(orderLength, builder.getI8Type()), order);
}

static Value permute(HostBuilder &builder, Location loc, StringRef intrinsic,
                     Value all, Value order) {
  return LLVM::CallIntrinsicOp::create(builder, loc, all.getType(),
                                       builder.getStringAttr(intrinsic),
                                       ValueRange{all, order})
      .getResults();
}

/// By way of a register of eight words.
static Value permuteLanes(HostBuilder &builder, Location loc, Value all,
                          Value mask, bool expand) {
  auto type = cast<VectorType>(all.getType());
  Type element = type.getElementType();
  bool isPointer = isa<LLVM::LLVMPointerType>(element);
  unsigned bits = isPointer ? 64 : element.getIntOrFloatBitWidth();
  unsigned count = type.getNumElements(), partsPerLane = bits / 32;
  if (isPointer)
    all = LLVM::PtrToIntOp::create(builder, loc,
                                   VectorType::get(count, builder.i64), all);
  auto words = VectorType::get(orderLength, builder.i32);
  auto whole =
      VectorType::get(orderLength / partsPerLane,
                      cast<VectorType>(all.getType()).getElementType());
  Value order = LLVM::ZExtOp::create(
      builder, loc, words, orderFor(builder, loc, mask, partsPerLane, expand));
  all = resize(builder, loc, all, orderLength / partsPerLane);
  all = permute(builder, loc, "llvm.x86.avx2.permd",
                LLVM::BitcastOp::create(builder, loc, words, all), order);
  all = resize(builder, loc, LLVM::BitcastOp::create(builder, loc, whole, all),
               count);
  return isPointer ? LLVM::IntToPtrOp::create(builder, loc, type, all) : all;
}

Value cilk2chan::compressByOrder(HostBuilder &builder, Location loc, Value all,
                                 Value mask) {
  auto type = cast<VectorType>(all.getType());
  if (!type.getElementType().isInteger(8))
    return permuteLanes(builder, loc, all, mask, /*expand=*/false);
  constexpr unsigned bytes = 16;
  Value order =
      orderFor(builder, loc, mask, /*partsPerLane=*/1, /*expand=*/false);
  all = permute(builder, loc, "llvm.x86.ssse3.pshuf.b.128",
                resize(builder, loc, all, bytes),
                resize(builder, loc, order, bytes));
  return resize(builder, loc, all, type.getNumElements());
}

Value cilk2chan::expandByOrder(HostBuilder &builder, Location loc, Value all,
                               Value mask) {
  return permuteLanes(builder, loc, all, mask, /*expand=*/true);
}
