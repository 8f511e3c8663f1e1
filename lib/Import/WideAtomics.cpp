//===- WideAtomics.cpp - Atomic accesses that MLIR has no form for --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WideAtomics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace cilk2chan;

/// What an atomic instruction accesses, or null for another instruction.
static llvm::Type *accessedType(const llvm::Instruction &instruction) {
  if (!instruction.isAtomic())
    return nullptr;
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->getType();
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getValueOperand()->getType();
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return update->getValOperand()->getType();
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getNewValOperand()->getType();
  return nullptr; // a fence
}

/// Whether MLIR's verifier takes an atomic access of this type.
static bool hasForm(const llvm::Type *type) {
  unsigned bits = type->getScalarSizeInBits();
  return type->isPointerTy() ||
         (!type->isVectorTy() &&
          (bits == 8 || bits == 16 || bits == 32 || bits == 64));
}

static void outline(llvm::Instruction *instruction) {
  llvm::SmallVector<llvm::Value *> operands(instruction->operand_values());
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *operand : operands)
    types.push_back(operand->getType());
  llvm::Function &user = *instruction->getFunction();
  auto *own = llvm::Function::Create(
      llvm::FunctionType::get(instruction->getType(), types, false),
      llvm::GlobalValue::InternalLinkage, "__cilk_atomic", user.getParent());
  // Those of the processor and of sanitizers, so that it can be inlined.
  own->addFnAttrs(
      llvm::AttrBuilder(user.getContext(), user.getAttributes().getFnAttrs()));
  for (llvm::Attribute::AttrKind kind :
       {llvm::Attribute::NoInline, llvm::Attribute::OptimizeNone})
    own->removeFnAttr(kind);
  own->addFnAttr(llvm::Attribute::AlwaysInline);

  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(user.getContext(), "", own));
  llvm::Instruction *copy = instruction->clone();
  copy->setDebugLoc(llvm::DebugLoc());
  for (auto [index, argument] : llvm::enumerate(own->args()))
    copy->setOperand(index, &argument);
  builder.Insert(copy);
  copy->getType()->isVoidTy() ? builder.CreateRetVoid()
                              : builder.CreateRet(copy);

  builder.SetInsertPoint(instruction);
  instruction->replaceAllUsesWith(builder.CreateCall(own, operands));
  instruction->eraseFromParent();
}

void cilk2chan::outlineWideAtomics(llvm::ArrayRef<llvm::Function *> functions) {
  for (llvm::Function *function : functions)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(*function)))
      if (llvm::Type *type = accessedType(instruction); type && !hasForm(type))
        outline(&instruction);
}
