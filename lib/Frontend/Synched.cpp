//===- Synched.cpp - What SYNCHED is --------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Synched.h"
#include "cilk2chan/Support/KeptObjects.h"
#include "cilk2chan/Support/Markers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace cilk2chan;

static bool isSync(llvm::StringRef name) {
  return name == SyncName || name == SyncReleaseName;
}

/// The calls of markers in a function that asks for SYNCHED.
static llvm::SmallVector<llvm::CallInst *>
markerCalls(llvm::Function &function) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || !call->getCalledFunction())
      continue;
    llvm::StringRef name = call->getCalledFunction()->getName();
    if (name == SynchedName || isSync(name) || name.starts_with(SpawnPrefix))
      calls.push_back(call);
  }
  return calls;
}

/// Whether the iterations of a parallel loop, which run anywhere, are still
/// part of the function.
static bool hasLoops(const llvm::Function &function) {
  return llvm::any_of(
      llvm::instructions(function), [](const llvm::Instruction &instruction) {
        auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        return call && call->getCalledFunction() &&
               call->getCalledFunction()->getName().starts_with(ForPrefix);
      });
}

static llvm::Function *question(llvm::Module &module) {
  llvm::Type *type = llvm::Type::getInt32Ty(module.getContext());
  auto *function = llvm::cast<llvm::Function>(
      module.getOrInsertFunction(IfSynchedName, type, type).getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setNoSync();
  return function;
}

static void lowerIn(llvm::Function &function) {
  llvm::SmallVector<llvm::CallInst *> calls = markerCalls(function);
  if (hasLoops(function)) {
    // One flag would be shared by all iterations; 0 is always a right answer.
    for (llvm::CallInst *call : calls)
      if (call->getCalledFunction()->getName() == SynchedName) {
        call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), 0));
        call->eraseFromParent();
      }
    return;
  }
  bool spawns = llvm::any_of(calls, [](llvm::CallInst *call) {
    return call->getCalledFunction()->getName().starts_with(SpawnPrefix);
  });
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  llvm::Type *type = builder.getInt32Ty();
  llvm::AllocaInst *synched = builder.CreateAlloca(type, nullptr, "synched");
  builder.CreateStore(builder.getInt32(1), synched);
  for (llvm::CallInst *call : calls) {
    llvm::StringRef name = call->getCalledFunction()->getName();
    if (name == SynchedName) {
      builder.SetInsertPoint(call);
      llvm::Value *flag = builder.CreateLoad(type, synched);
      call->replaceAllUsesWith(
          spawns ? builder.CreateCall(question(*function.getParent()), flag)
                 : flag);
      call->eraseFromParent();
    } else {
      builder.SetInsertPoint(std::next(call->getIterator()));
      builder.CreateStore(builder.getInt32(isSync(name)), synched);
    }
  }
}

void cilk2chan::lowerSynched(llvm::Module &module) {
  llvm::Function *marker = module.getFunction(SynchedName);
  if (!marker)
    return;
  while (!marker->use_empty())
    lowerIn(*llvm::cast<llvm::CallInst>(marker->user_back())->getFunction());
  marker->eraseFromParent();
}
