//===- FormRotations.cpp - Rotations by masked amounts --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes one intrinsic of the operations of a rotation:
//
//   %l = shl i64 %x, (%k & 63)
//   %r = lshr i64 %x, (-%k & 63)      ->   %y = llvm.fshl(%x, %x, %k)
//   %y = or i64 %l, %r
//
// In the serial elision, Clang does so in a function that is inlined later.
// Here the function is inlined before. What is known of the bounds may then
// remove one of the masks, without which LLVM does not recognise a rotation.
//
//===----------------------------------------------------------------------===//

#include "FormRotations.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace cilk2chan;

namespace {
class FormRotations : public PassInfoMixin<FormRotations> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &);
};
} // namespace

/// The rotation that an instruction is the last operation of; null if it is of
/// none. What it is computed of stays for others, or is dead.
static Value *asRotation(Instruction &instruction) {
  Value *value, *amount;
  unsigned width = instruction.getType()->getScalarSizeInBits();
  if (!isPowerOf2_32(width))
    return nullptr;
  auto masked = [&](auto by) {
    return m_ZExtOrSelf(m_c_And(by, m_SpecificInt(width - 1)));
  };
  bool isLeft = match(
      &instruction,
      m_c_Or(m_Shl(m_Value(value), masked(m_Value(amount))),
             m_LShr(m_Deferred(value), masked(m_Neg(m_Deferred(amount))))));
  if (!isLeft && !match(&instruction,
                        m_c_Or(m_LShr(m_Value(value), masked(m_Value(amount))),
                               m_Shl(m_Deferred(value),
                                     masked(m_Neg(m_Deferred(amount)))))))
    return nullptr;
  IRBuilder<> builder(&instruction);
  // By the amount modulo the width.
  Type *type = instruction.getType();
  return builder.CreateIntrinsic(
      isLeft ? Intrinsic::fshl : Intrinsic::fshr, {type},
      {value, value, builder.CreateZExtOrTrunc(amount, type)});
}

PreservedAnalyses FormRotations::run(Function &function,
                                     FunctionAnalysisManager &) {
  bool changed = false;
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block))
      if (instruction.getOpcode() == Instruction::Or)
        if (Value *rotation = asRotation(instruction)) {
          instruction.replaceAllUsesWith(rotation);
          instruction.eraseFromParent();
          changed = true;
        }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

void cilk2chan::addFormRotations(PassBuilder &builder) {
  builder.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager &passes, OptimizationLevel level,
         ThinOrFullLTOPhase) {
        if (level.getSpeedupLevel() >= 1)
          passes.addPass(createModuleToFunctionPassAdaptor(FormRotations()));
      });
}
