//===- BelowGrainSpawns.cpp - Children too short to divide ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BelowGrainSpawns.h"
#include "BelowGrainCost.h"
#include "Markers.h"

#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace cilk2chan;

/// Whether only this function, and `spawn` for it, knows the local.
static bool isOwn(const llvm::AllocaInst &local, const llvm::CallInst &spawn) {
  return llvm::all_of(local.users(), [&](const llvm::User *user) {
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->getValueOperand() != &local;
    auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(user);
    return llvm::isa<llvm::LoadInst>(user) || user == &spawn ||
           (intrinsic && intrinsic->isLifetimeStartOrEnd());
  });
}

/// Whether the parent may store the result at once: no other code stores there
/// at the sync, and the result is only stored.
static bool isDeliverable(const llvm::CallInst &spawn) {
  const llvm::Value *place = spawn.getArgOperand(1);
  if (llvm::isa<llvm::ConstantPointerNull>(place))
    return true;
  llvm::StringRef number =
      spawn.getCalledFunction()->getName().substr(AbiSpawnPrefix.size());
  auto *local = llvm::dyn_cast<llvm::AllocaInst>(place);
  return local && isOwn(*local, spawn) &&
         !spawn.getModule()->getFunction((ApplyPrefix + number).str());
}

/// Calls what `spawn` spawns.
static void call(llvm::CallInst &spawn, llvm::Function &callee) {
  llvm::IRBuilder<> builder(&spawn);
  llvm::SmallVector<llvm::Value *> arguments(
      spawn.arg_begin() + FirstSpawnArgument, spawn.arg_end());
  llvm::AttributeList old = spawn.getAttributes();
  llvm::SmallVector<llvm::AttributeSet> attributes;
  for (unsigned i = FirstSpawnArgument; i < spawn.arg_size(); ++i)
    attributes.push_back(old.getParamAttrs(i));
  llvm::CallInst *call =
      builder.CreateCall(callee.getFunctionType(), &callee, arguments);
  call->setCallingConv(spawn.getCallingConv());
  call->setAttributes(llvm::AttributeList::get(
      spawn.getContext(), llvm::AttributeSet(), old.getRetAttrs(), attributes));
  llvm::Value *place = spawn.getArgOperand(1);
  if (!llvm::isa<llvm::ConstantPointerNull>(place))
    builder.CreateStore(call, place);
  spawn.eraseFromParent();
}

/// The spawns of `function` that do not stand in loops.
static llvm::SmallVector<llvm::CallInst *>
findSpawns(llvm::Function &function) {
  llvm::SmallVector<llvm::CallInst *> spawns;
  llvm::CycleInfo cycles;
  cycles.compute(function);
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *spawn = asSpawn(instruction);
        spawn && !cycles.getCycle(spawn->getParent()))
      spawns.push_back(spawn);
  return spawns;
}

llvm::SmallVector<Finding>
cilk2chan::serializeLightSpawns(llvm::Module &module,
                                llvm::FunctionAnalysisManager &analyses) {
  llvm::SmallVector<Finding> serial;
  llvm::DenseMap<llvm::Function *, bool> isLight;
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    for (llvm::CallInst *spawn : findSpawns(function)) {
      auto *callee = llvm::dyn_cast<llvm::Function>(spawn->getArgOperand(0));
      if (!callee || callee->isDeclaration() || callee->isInterposable() ||
          callee->isVarArg() || callee->hasStructRetAttr() ||
          !spawnsAs(*spawn, *callee) || !isDeliverable(*spawn))
        continue;
      auto [known, isNew] = isLight.try_emplace(callee, false);
      if (isNew)
        known->second =
            BelowGrainCost(analyses).ofFunction(*callee).has_value();
      if (!known->second)
        continue;
      serial.push_back(
          {spawn->getDebugLoc(),
           ("a spawn of '" + callee->getName() + "' is a call" + whyLight)
               .str()});
      call(*spawn, *callee);
    }
  }
  return serial;
}
