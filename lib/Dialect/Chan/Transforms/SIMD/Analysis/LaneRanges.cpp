//===- LaneRanges.cpp - The values that integers of a kernel can have -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneRanges.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/BaseOf.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2chan;
using llvm::ConstantRange;

unsigned cilk2chan::integerBits(Value value) {
  auto type = dyn_cast<IntegerType>(value.getType());
  return type && type.getWidth() <= 64 ? type.getWidth() : 0;
}

/// The size of an object on the stack; 0 for anything else.
static uint64_t sizeOfObject(Value object, const TypeLayout &layout) {
  if (auto local = object.getDefiningOp<chan::LocalOp>())
    return local.getSize();
  auto alloca = object.getDefiningOp<LLVM::AllocaOp>();
  APInt count;
  if (!alloca || !matchPattern(alloca.getArraySize(), m_ConstantInt(&count)))
    return 0;
  return layout.allocSize(alloca.getElemType()) * count.getZExtValue();
}

/// Whether control comes to `second` only by way of `first`, in one and the
/// same iteration of what both are in.
static bool isInFront(Operation *first, Operation *second) {
  Operation *beside =
      second ? first->getBlock()->findAncestorOpInBlock(*second) : nullptr;
  return beside && first->isBeforeInBlock(beside);
}

LaneRanges::LaneRanges(chan::KernelOp lifted, const TypeLayout &layout) {
  lifted.getBody().walk([&](Operation *op) {
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      addAccess(op, load.getAddr(), load.getType(), layout);
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      addAccess(op, store.getAddr(), store.getValue().getType(), layout);
  });
}

/// An access is within its object, or undefined.
void LaneRanges::addAccess(Operation *op, Value address, Type type,
                           const TypeLayout &layout) {
  auto gep = address.getDefiningOp<LLVM::GEPOp>();
  if (!gep || gep.getDynamicIndices().size() != 1)
    return;
  uint64_t size = sizeOfObject(gep.getBase(), layout);
  uint64_t accessed = layout.storeSize(type);
  // The object's address, and from there on one index.
  Type element = gep.getElemType();
  for (auto [i, index] : llvm::enumerate(gep.getRawConstantIndices())) {
    if (i > 0) {
      auto array = dyn_cast<LLVM::LLVMArrayType>(element);
      if (!array)
        return;
      element = array.getElementType();
    }
    if (index == LLVM::GEPOp::kDynamicIndex) {
      if (i + 1 != gep.getRawConstantIndices().size())
        return;
    } else if (index != 0) {
      return;
    }
  }
  uint64_t distance = layout.allocSize(element);
  bool mayWrap = gep.getNoWrapFlags() == LLVM::GEPNoWrapFlags::none;
  if (size < accessed || distance == 0 || (mayWrap && distance != 1))
    return;
  uint64_t last = (size - accessed) / distance;
  Value index = gep.getDynamicIndices().front();
  while (true) {
    unsigned bits = integerBits(index);
    if (bits < 64 && last >= (uint64_t(1) << (bits - 1)))
      return;
    accesses[index].push_back(
        {op, ConstantRange(APInt(bits, 0), APInt(bits, last + 1))});
    Operation *from = index.getDefiningOp();
    if (!isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp>(from))
      return;
    index = from->getOperand(0);
  }
}

ConstantRange LaneRanges::of(Value value) {
  ConstantRange full = ConstantRange::getFull(integerBits(value));
  auto [entry, isNew] = known.try_emplace(value, full);
  if (!isNew)
    return entry->second;
  ConstantRange range = full;
  if (auto result = dyn_cast<OpResult>(value))
    range = compute(result.getOwner(), result.getResultNumber());
  for (const Access &access : accesses.lookup(value))
    if (access.range.getBitWidth() == range.getBitWidth() &&
        isInFront(access.op, place)) {
      ConstantRange both = range.intersectWith(access.range);
      // Nothing comes here.
      range = both.isEmptySet() ? range : both;
    }
  known.find(value)->second = range;
  return range;
}

ConstantRange LaneRanges::compute(Operation *op, unsigned result) {
  unsigned bits = integerBits(op->getResult(result));
  APInt value;
  if (matchPattern(op, m_ConstantInt(&value)))
    return value;
  auto of = [&](unsigned operand) { return this->of(op->getOperand(operand)); };
  ConstantRange full = ConstantRange::getFull(bits);
  bool isKnown = llvm::all_of(op->getOperands(), [](Value operand) {
    return integerBits(operand) != 0;
  });
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
    ConstantRange all = ConstantRange::getEmpty(bits);
    for (Region &region : op->getRegions())
      if (Value one = region.front().getTerminator()->getOperand(result);
          !isPoison(one))
        all = all.unionWith(this->of(one));
    return all.isEmptySet() ? full : all;
  }
  if (!isKnown)
    return full;
  if (isa<LLVM::SExtOp>(op))
    return of(0).signExtend(bits);
  if (isa<LLVM::ZExtOp>(op))
    return of(0).zeroExtend(bits);
  if (isa<LLVM::TruncOp>(op))
    return of(0).truncate(bits);
  if (isa<LLVM::SelectOp>(op))
    return of(1).unionWith(of(2));
  if (isa<LLVM::AddOp>(op))
    return of(0).add(of(1));
  if (isa<LLVM::SubOp>(op))
    return of(0).sub(of(1));
  if (isa<LLVM::MulOp>(op))
    return of(0).multiply(of(1));
  if (isa<LLVM::AndOp>(op))
    return of(0).binaryAnd(of(1));
  if (isa<LLVM::OrOp>(op))
    return of(0).binaryOr(of(1));
  if (isa<LLVM::XOrOp>(op))
    return of(0).binaryXor(of(1));
  if (isa<LLVM::ShlOp>(op))
    return of(0).shl(of(1));
  if (isa<LLVM::LShrOp>(op))
    return of(0).lshr(of(1));
  if (isa<LLVM::AShrOp>(op))
    return of(0).ashr(of(1));
  if (isa<LLVM::SMaxOp>(op))
    return of(0).smax(of(1));
  if (isa<LLVM::SMinOp>(op))
    return of(0).smin(of(1));
  if (isa<LLVM::UMaxOp>(op))
    return of(0).umax(of(1));
  if (isa<LLVM::UMinOp>(op))
    return of(0).umin(of(1));
  if (isa<LLVM::AbsOp>(op))
    return of(0).abs();
  return full;
}
