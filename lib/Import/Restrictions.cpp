//===- Restrictions.cpp - What cannot be split ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Restrictions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace cilk2chan;
using llvm::StringRef;

static StringRef restrictionOf(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::CallBrInst>(instruction))
    return "'asm goto'";
  if (llvm::isa<llvm::IndirectBrInst>(instruction))
    return "a computed goto";
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call)
    return "";
  if (call->isMustTailCall())
    return "'musttail'";
  if (call->hasFnAttr(llvm::Attribute::ReturnsTwice))
    return "a function that returns twice";
  if (llvm::isa<llvm::ConstrainedFPIntrinsic>(call))
    return "floating-point arithmetic with strict semantics "
           "('-ffp-model=strict', '#pragma STDC FENV_ACCESS')";
  // The llvm dialect has no metadata values.
  if (llvm::isa<llvm::IntrinsicInst>(call) &&
      !llvm::isa<llvm::NoAliasScopeDeclInst>(call) &&
      llvm::any_of(call->args(), [](const llvm::Value *argument) {
        return argument->getType()->isMetadataTy();
      }))
    return "a builtin that depends on metadata";
  return "";
}

std::optional<Restriction>
cilk2chan::findRestriction(const llvm::Function &function) {
  if (function.isVarArg())
    return Restriction{nullptr, "variable arguments"};
  if (function.hasFnAttribute(llvm::Attribute::Naked))
    return Restriction{nullptr, "the attribute 'naked'"};
  for (const llvm::Instruction &instruction : llvm::instructions(function))
    if (StringRef what = restrictionOf(instruction); !what.empty())
      return Restriction{&instruction, what};
  return std::nullopt;
}

unsigned cilk2chan::encodedLocationOf(const llvm::Instruction &instruction) {
  const llvm::MDNode *source = instruction.getMetadata("srcloc");
  if (!source || !source->getNumOperands())
    return 0;
  auto *constant =
      llvm::mdconst::dyn_extract<llvm::ConstantInt>(source->getOperand(0));
  return constant ? constant->getZExtValue() : 0;
}
