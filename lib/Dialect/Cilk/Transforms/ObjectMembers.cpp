//===- ObjectMembers.cpp - Each member of an object by itself -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectMembers.h"

#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"

#include "cilk2chan/Support/PromoteObjects.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2chan;

//===----------------------------------------------------------------------===//
// Arrays and their parts
//===----------------------------------------------------------------------===//

LLVM::AllocaOp cilk2chan::createArray(OpBuilder &builder, Location loc,
                                      uint64_t parts, uint64_t part,
                                      uint64_t alignment) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(
      &builder.getInsertionBlock()->getParent()->front());
  return LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      LLVM::LLVMArrayType::get(builder.getIntegerType(8 * part), parts),
      LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                               builder.getI64IntegerAttr(1)),
      std::max(alignment, part));
}

Value cilk2chan::addressOf(OpBuilder &builder, Location loc, Value array,
                           uint64_t part, uint64_t number) {
  auto object = array.getDefiningOp<LLVM::AllocaOp>();
  if (number == 0 && object && object.getElemType().isInteger())
    return array; // A variable.
  return LLVM::GEPOp::create(builder, loc, array.getType(),
                             builder.getIntegerType(8 * part), array,
                             ArrayRef<LLVM::GEPArg>{int32_t(number)});
}

SmallVector<Value> cilk2chan::membersAt(OpBuilder &builder, Location loc,
                                        Value object,
                                        ArrayRef<SmallArrays::Member> members) {
  SmallVector<Value> places;
  for (const SmallArrays::Member &member : members)
    places.push_back(member.offset
                         ? addressOf(builder, loc, object, 1, member.offset)
                         : object);
  return places;
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

SmallVector<Value> ObjectMembers::create(ArrayRef<SmallArrays::Member> members,
                                         uint64_t alignment) {
  SmallVector<Value> its;
  for (const SmallArrays::Member &member : members) {
    auto array = createArray(builder, loc, member.countParts(), member.size,
                             member.offset ? 1 : alignment);
    if (member.countParts() == 1 && members.size() > 1) {
      array.setElemType(builder.getIntegerType(8 * member.size));
      variables.push_back(array);
    }
    its.push_back(array);
  }
  return its;
}

void ObjectMembers::replace(Value object, Value copy,
                            ArrayRef<SmallArrays::Member> members,
                            ArrayRef<Value> its) {
  redirect(copy, copy, SmallArrays::Place(), members, its);
  divided[object].assign(its.begin(), its.end());
}

/// The address in the arrays of members of what is `offset` bytes behind the
/// beginning of their object; null if no code accesses that.
Value ObjectMembers::placeIn(uint64_t offset,
                             ArrayRef<SmallArrays::Member> members,
                             ArrayRef<Value> its) {
  const auto *member = SmallArrays::memberFrom(members, offset);
  if (!member || member->offset > offset)
    return Value();
  Value array = its[member - members.begin()];
  offset -= member->offset;
  return offset ? addressOf(builder, loc, array, 1, offset) : array;
}

/// Has what is accessed at `address`, which is at `place` in the object that
/// begins at `copy`, accessed in `its`.
void ObjectMembers::redirect(Value copy, Value address,
                             const SmallArrays::Place &place,
                             ArrayRef<SmallArrays::Member> members,
                             ArrayRef<Value> its) {
  for (OpOperand &use : llvm::make_early_inc_range(address.getUses())) {
    Operation *op = use.getOwner();
    builder.setInsertionPoint(op);
    if (isDebugRecord(*op) ||
        isa<LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op)) {
      op->erase();
    } else if (isa<LLVM::LoadOp, LLVM::StoreOp>(op)) {
      use.set(placeIn(place.offset, members, its));
    } else if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
      auto inner = *arrays.placeOf(gep, place);
      auto indices = gep.getIndices();
      Value begin =
          placeIn(inner.indices ? inner.offset : place.offset, members, its);
      if (inner.indices == indices.size()) {
        redirect(copy, gep, inner, members, its);
      } else if (begin) {
        SmallVector<LLVM::GEPArg> rest;
        if (inner.indices)
          rest.push_back(int32_t(0));
        for (auto index : llvm::drop_begin(indices, inner.indices))
          if (auto constant = dyn_cast<IntegerAttr>(index))
            rest.push_back(int32_t(constant.getInt()));
          else
            rest.push_back(cast<Value>(index));
        gep.replaceAllUsesWith(
            LLVM::GEPOp::create(builder, gep.getLoc(), gep.getType(),
                                inner.type, begin, rest, gep.getNoWrapFlags())
                .getResult());
      }
      // Code that copies it takes the place from the function itself.
      gep.replaceAllUsesWith(copy);
      gep.erase();
    }
  }
}

void ObjectMembers::promote(LLVM::LLVMFuncOp function,
                            const TypeLayout &layout) {
  (void)promoteObjects(variables, function, builder, layout);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Copies, or sets, the part with that index; the first one if it is null.
void ObjectMembers::movePart(Location loc, Operation *op, uint64_t part,
                             Value index) {
  Type partType = builder.getIntegerType(8 * part);
  auto address = [&](Value base) -> Value {
    return index ? LLVM::GEPOp::create(builder, loc, base.getType(), partType,
                                       base, ArrayRef<LLVM::GEPArg>{index})
                 : base;
  };
  // Only what begins an array is known to be as its parts are aligned.
  auto alignment = [&](Value base) -> unsigned {
    return base.getDefiningOp<LLVM::AllocaOp>() ? part : 1;
  };
  Value value, to = op->getOperand(0);
  if (auto copy = dyn_cast<LLVM::MemcpyOp>(op)) {
    value = LLVM::LoadOp::create(builder, loc, partType, address(copy.getSrc()),
                                 alignment(copy.getSrc()));
  } else {
    APInt byte;
    matchPattern(cast<LLVM::MemsetOp>(op).getVal(), m_ConstantInt(&byte));
    value = LLVM::ConstantOp::create(
        builder, loc, partType,
        builder.getIntegerAttr(partType, APInt::getSplat(8 * part, byte)));
  }
  LLVM::StoreOp::create(builder, loc, value, address(to), alignment(to));
}

/// Copies, or sets, one part after the other.
void ObjectMembers::moveInLoop(Operation *op, uint64_t part) {
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  auto *head = new Block(), *body = new Block();
  head->insertBefore(after);
  body->insertBefore(after);
  Location loc = op->getLoc();
  builder.setInsertionPointToEnd(before);
  Value length = op->getOperand(2);
  Type type = length.getType();
  auto number = [&](uint64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  };
  Value count = part == 1 ? length
                          : LLVM::LShrOp::create(builder, loc, length,
                                                 number(llvm::Log2_64(part)));
  Value zero = number(0), one = number(1);
  LLVM::BrOp::create(builder, loc, zero, head);
  Value index = head->addArgument(type, loc);
  builder.setInsertionPointToEnd(head);
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult,
                                    index, count);
  LLVM::CondBrOp::create(builder, loc, more, body, after);
  builder.setInsertionPointToEnd(body);
  movePart(loc, op, part, index);
  Value next = LLVM::AddOp::create(builder, loc, index, one,
                                   LLVM::IntegerOverflowFlags::nuw);
  LLVM::BrOp::create(builder, loc, next, head);
  op->erase();
}

/// What is `offset` bytes behind an operand of `op`, which is `original` in the
/// function itself.
Value ObjectMembers::placeBehind(Operation *op, Operation *original,
                                 unsigned operand, uint64_t offset) {
  Location loc = op->getLoc();
  Value address = original->getOperand(operand), object = baseOf(address);
  auto its = divided.lookup(object);
  if (its.empty())
    return offset ? addressOf(builder, loc, op->getOperand(operand), 1, offset)
                  : op->getOperand(operand);
  return placeIn(*arrays.offsetOf(address) + offset,
                 arrays.getMembers().find(object)->second, its);
}

/// Copies, or sets, one member after the other of what `original` is about.
void ObjectMembers::moveMembers(Operation *op, Operation *original) {
  APInt constant;
  matchPattern(op->getOperand(2), m_ConstantInt(&constant));
  uint64_t length = constant.getZExtValue(), end;
  Type type = op->getOperand(2).getType();
  unsigned places = isa<LLVM::MemcpyOp>(op) ? 2 : 1;
  for (uint64_t offset = 0; offset < length; offset = end) {
    end = length;
    uint64_t part = 0;
    bool isAccessed = true;
    for (unsigned operand = 0; operand < places; ++operand) {
      Value address = original->getOperand(operand), object = baseOf(address);
      if (!arrays.hasMembers(object))
        continue;
      uint64_t begin = *arrays.offsetOf(address);
      const auto *member = SmallArrays::memberFrom(
          arrays.getMembers().find(object)->second, begin + offset);
      if (member && member->offset <= begin + offset) {
        end = std::min(end, member->end - begin);
        part = member->size;
        continue;
      }
      isAccessed = false;
      if (member)
        end = std::min(end, member->offset - begin);
    }
    if (!isAccessed)
      continue;
    builder.setInsertionPoint(op);
    Operation *piece = builder.clone(*op);
    builder.setInsertionPoint(piece);
    for (unsigned operand = 0; operand < places; ++operand)
      piece->setOperand(operand, placeBehind(op, original, operand, offset));
    piece->setOperand(2, LLVM::ConstantOp::create(
                             builder, op->getLoc(), type,
                             builder.getIntegerAttr(type, end - offset)));
    if (end - offset > part) {
      moveInLoop(piece, part);
      continue;
    }
    movePart(op->getLoc(), piece, part, Value());
    piece->erase();
  }
  op->erase();
}

void ObjectMembers::moveParts(Operation *op, Operation *original) {
  Value to = baseOf(original->getOperand(0));
  Value from = baseOf(original->getOperand(1));
  if (arrays.hasMembers(to) || arrays.hasMembers(from)) {
    moveMembers(op, original);
    return;
  }
  uint64_t part = arrays.partOf(to);
  moveInLoop(op, part ? part : arrays.partOf(from));
}
