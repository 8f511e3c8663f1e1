//===- WidenIntegers.cpp - Integers that units compute with ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WidenIntegers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace cilk2chan;

static bool isOdd(Type *type) {
  unsigned width = type->isIntegerTy() ? type->getIntegerBitWidth() : 1;
  return width > 1 && width < 64 && (width < 8 || !isPowerOf2_32(width));
}

/// The type that units have instead.
static Type *widened(Type *type) {
  return isOdd(type) ? IntegerType::get(
                           type->getContext(),
                           std::max<uint64_t>(
                               8, PowerOf2Ceil(type->getIntegerBitWidth())))
                     : type;
}

namespace {
class Widening {
public:
  void run(Function &function);

private:
  Value *wide(Value *value) const;
  Value *extended(IRBuilder<> &builder, Value *value) const;
  Value *cut(IRBuilder<> &builder, Value *value, Type *type) const;
  Value *rewrite(IRBuilder<> &builder, Instruction &instruction);
  Value *rewriteBinary(IRBuilder<> &builder, BinaryOperator &op);

  /// What stands for each instruction that has been rewritten.
  MapVector<Value *, Value *> known;
};
} // namespace

Value *Widening::wide(Value *value) const {
  if (!isOdd(value->getType()))
    return value;
  Type *type = widened(value->getType());
  if (auto *constant = dyn_cast<ConstantInt>(value))
    return ConstantInt::get(
        type, constant->getValue().zext(type->getIntegerBitWidth()));
  if (isa<PoisonValue>(value))
    return PoisonValue::get(type);
  return known.lookup(value);
}

/// As a signed number.
Value *Widening::extended(IRBuilder<> &builder, Value *value) const {
  Value *all = wide(value);
  unsigned spare = all->getType()->getIntegerBitWidth() -
                   value->getType()->getIntegerBitWidth();
  return builder.CreateAShr(builder.CreateShl(all, spare), spare);
}

/// The bits of `value` that `type` has.
Value *Widening::cut(IRBuilder<> &builder, Value *value, Type *type) const {
  value = builder.CreateZExtOrTrunc(value, widened(type));
  return isOdd(type) ? builder.CreateAnd(value, maskTrailingOnes<uint64_t>(
                                                    type->getIntegerBitWidth()))
                     : value;
}

Value *Widening::rewriteBinary(IRBuilder<> &builder, BinaryOperator &op) {
  Instruction::BinaryOps code = op.getOpcode();
  Value *left = op.getOperand(0), *right = op.getOperand(1);
  switch (code) {
  case Instruction::SDiv:
  case Instruction::SRem:
    return cut(builder,
               builder.CreateBinOp(code, extended(builder, left),
                                   extended(builder, right)),
               op.getType());
  case Instruction::AShr:
    return cut(builder,
               builder.CreateAShr(extended(builder, left), wide(right)),
               op.getType());
  default:
    return cut(builder, builder.CreateBinOp(code, wide(left), wide(right)),
               op.getType());
  }
}

/// What stands for `instruction`; null if that cannot be.
Value *Widening::rewrite(IRBuilder<> &builder, Instruction &instruction) {
  Type *type = instruction.getType();
  if (auto *op = dyn_cast<BinaryOperator>(&instruction))
    return rewriteBinary(builder, *op);
  Value *first =
      instruction.getNumOperands() ? instruction.getOperand(0) : nullptr;
  switch (instruction.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
    return cut(builder, wide(first), type);
  case Instruction::SExt: {
    Value *all = isOdd(first->getType()) ? extended(builder, first) : first;
    return cut(builder, builder.CreateSExtOrTrunc(all, widened(type)), type);
  }
  case Instruction::ICmp: {
    auto &compare = cast<ICmpInst>(instruction);
    auto operand = [&](unsigned i) {
      Value *value = compare.getOperand(i);
      return compare.isSigned() ? extended(builder, value) : wide(value);
    };
    return builder.CreateICmp(compare.getPredicate(), operand(0), operand(1));
  }
  case Instruction::Select:
    return builder.CreateSelect(first, wide(instruction.getOperand(1)),
                                wide(instruction.getOperand(2)));
  case Instruction::Freeze:
    return cut(builder, builder.CreateFreeze(wide(first)), type);
  case Instruction::PHI: // Its values come later.
    return builder.CreatePHI(widened(type), instruction.getNumOperands());
  case Instruction::Call:
    if (auto *call = dyn_cast<MinMaxIntrinsic>(&instruction)) {
      auto operand = [&](unsigned i) {
        Value *value = call->getArgOperand(i);
        return call->isSigned() ? extended(builder, value) : wide(value);
      };
      return cut(builder,
                 builder.CreateBinaryIntrinsic(call->getIntrinsicID(),
                                               operand(0), operand(1)),
                 type);
    }
    return nullptr;
  default:
    return nullptr;
  }
}

void Widening::run(Function &function) {
  SmallVector<Instruction *> odd;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &instruction : *block)
      if (isOdd(instruction.getType()) ||
          any_of(instruction.operands(),
                 [](Value *operand) { return isOdd(operand->getType()); }))
        odd.push_back(&instruction);
  for (Instruction *instruction : odd) {
    // The translation reports operations that no unit has.
    if (!isa<PHINode>(instruction) &&
        any_of(instruction->operands(),
               [&](Value *operand) { return !wide(operand); }))
      continue;
    IRBuilder<> builder(instruction);
    if (Value *value = rewrite(builder, *instruction))
      known[instruction] = value;
  }
  for (auto [value, stands] : known) {
    if (auto *phi = dyn_cast<PHINode>(value))
      for (auto [block, incoming] :
           zip(phi->blocks(), phi->incoming_values())) {
        Value *other = wide(incoming);
        cast<PHINode>(stands)->addIncoming(
            other ? other : PoisonValue::get(stands->getType()), block);
      }
    if (!isOdd(value->getType()))
      value->replaceAllUsesWith(stands);
  }
  // What cannot be rewritten keeps the others, and is said to have no unit.
  if (known.size() != odd.size())
    return;
  for (Instruction *instruction : odd)
    instruction->dropAllReferences();
  for (Instruction *instruction : odd)
    instruction->eraseFromParent();
}

void cilk2chan::widenIntegers(Function &function) { Widening().run(function); }
