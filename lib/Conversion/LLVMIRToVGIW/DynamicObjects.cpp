//===- DynamicObjects.cpp - Objects of variable size ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SystemCalls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cilk2chan;

/// Private memory has a place for those of the entry only.
static bool isDynamic(const AllocaInst &object) {
  return !object.isStaticAlloca();
}

void cilk2chan::lowerDynamicObjects(Function &kernel) {
  SmallVector<AllocaInst *> objects;
  SmallVector<ReturnInst *> returns;
  SmallVector<IntrinsicInst *> stackCalls;
  for (Instruction &instruction : instructions(kernel)) {
    if (auto *object = dyn_cast<AllocaInst>(&instruction)) {
      if (isDynamic(*object))
        objects.push_back(object);
    } else if (auto *end = dyn_cast<ReturnInst>(&instruction)) {
      returns.push_back(end);
    } else if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
      if (is_contained({Intrinsic::stacksave, Intrinsic::stackrestore},
                       call->getIntrinsicID()))
        stackCalls.push_back(call);
    }
  }
  // There is no stack to be cut back.
  for (IntrinsicInst *call : reverse(stackCalls)) {
    call->replaceAllUsesWith(PoisonValue::get(call->getType()));
    call->eraseFromParent();
  }
  if (objects.empty())
    return;

  Module &module = *kernel.getParent();
  const DataLayout &layout = module.getDataLayout();
  IRBuilder<> builder(&*kernel.getEntryBlock().getFirstInsertionPt());
  Type *pointer = builder.getPtrTy(), *word = builder.getInt64Ty();
  AllocaInst *arena = builder.CreateAlloca(pointer, nullptr, "arena");
  builder.CreateStore(ConstantPointerNull::get(builder.getPtrTy()), arena);
  FunctionCallee allocate = module.getOrInsertFunction(
      "chansim_arena_alloc", pointer, pointer, word, word);
  FunctionCallee release = module.getOrInsertFunction(
      "chansim_arena_free", builder.getVoidTy(), pointer);
  for (AllocaInst *object : objects) {
    builder.SetInsertPoint(object);
    Value *count = builder.CreateZExtOrTrunc(object->getArraySize(), word);
    Value *size = builder.CreateMul(
        count,
        builder.getInt64(layout.getTypeAllocSize(object->getAllocatedType())));
    CallInst *call = builder.CreateCall(
        allocate, {arena, size, builder.getInt64(object->getAlign().value())});
    call->setDebugLoc(object->getDebugLoc());
    // Marks of lifetimes are those of objects on a stack.
    for (User *user : make_early_inc_range(object->users()))
      if (auto *mark = dyn_cast<IntrinsicInst>(user);
          mark && mark->isLifetimeStartOrEnd())
        mark->eraseFromParent();
    object->replaceAllUsesWith(call);
    object->eraseFromParent();
  }
  for (ReturnInst *end : returns) {
    builder.SetInsertPoint(end);
    builder.CreateCall(release, {arena});
  }
}
