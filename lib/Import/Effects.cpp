//===- Effects.cpp - What spawning functions access -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Effects.h"
#include "Bounds.h"
#include "Markers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/ModRef.h"

using namespace cilk2chan;
using llvm::IRMemLocation;
using llvm::MemoryEffects;
using llvm::ModRefInfo;

/// What an access to `place` is to the callers of its function.
static MemoryEffects accessTo(const llvm::Value *place, ModRefInfo kind) {
  const llvm::Value *object = llvm::getUnderlyingObject(place);
  if (llvm::isa<llvm::AllocaInst>(object))
    return MemoryEffects::none();
  if (auto *global = llvm::dyn_cast<llvm::GlobalVariable>(object);
      global && global->isConstant() && !llvm::isModSet(kind))
    return MemoryEffects::none();
  if (llvm::isa<llvm::Argument>(object))
    return MemoryEffects::argMemOnly(kind);
  return MemoryEffects(kind);
}

/// What a call accesses that accesses `made` by itself, given `arguments`.
static MemoryEffects
withArguments(MemoryEffects made,
              llvm::iterator_range<llvm::User::const_op_iterator> arguments) {
  MemoryEffects total = made.getWithoutLoc(IRMemLocation::ArgMem);
  ModRefInfo kind = made.getModRef(IRMemLocation::ArgMem);
  if (llvm::isModOrRefSet(kind))
    for (const llvm::Use &argument : arguments)
      if (argument->getType()->isPtrOrPtrVectorTy())
        total |= accessTo(argument, kind);
  return total;
}

/// What functions access as far as is known while it is being found.
using Found = llvm::DenseMap<const llvm::Function *, MemoryEffects>;

/// What `call` accesses if functions access no more than `effects` says.
static MemoryEffects ofCall(const llvm::CallBase &call, const Found &effects) {
  auto of = [&](const llvm::Value *callee) {
    auto known = effects.find(llvm::dyn_cast_or_null<llvm::Function>(callee));
    return known == effects.end() ? MemoryEffects::unknown() : known->second;
  };
  const llvm::Function *callee = call.getCalledFunction();
  auto arguments = [&](unsigned first) {
    return llvm::make_range(call.arg_begin() + first, call.arg_end());
  };
  if (isSyncMarker(callee))
    return MemoryEffects::none();
  if (isLoopMarker(callee))
    return withArguments(of(call.getArgOperand(0)),
                         arguments(FirstLoopCapture));
  if (isSpawnMarker(callee)) {
    MemoryEffects made =
        withArguments(of(call.getArgOperand(0)), arguments(FirstSpawnArgument));
    const llvm::Value *place = call.getArgOperand(FirstSpawnArgument - 1);
    if (llvm::isa<llvm::ConstantPointerNull>(place))
      return made;
    llvm::StringRef number = callee->getName().substr(AbiSpawnPrefix.size());
    const llvm::Function *apply =
        call.getModule()->getFunction((ApplyPrefix + number).str());
    return made | accessTo(place, ModRefInfo::ModRef) |
           (apply ? of(apply).getWithoutLoc(IRMemLocation::ArgMem)
                  : MemoryEffects::none());
  }
  return withArguments(call.getMemoryEffects() & of(callee), arguments(0));
}

static MemoryEffects ofInstruction(const llvm::Instruction &instruction,
                                   const Found &effects) {
  // A caller that is told so may call it in another thread.
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (intrinsic &&
      intrinsic->getIntrinsicID() == llvm::Intrinsic::threadlocal_address)
    return MemoryEffects::unknown();
  if (!instruction.mayReadOrWriteMemory() || isBound(instruction))
    return MemoryEffects::none();
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return ofCall(*call, effects);
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      load && load->isSimple())
    return accessTo(load->getPointerOperand(), ModRefInfo::Ref);
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      store && store->isSimple())
    return accessTo(store->getPointerOperand(), ModRefInfo::Mod);
  return MemoryEffects::unknown();
}

void cilk2chan::findEffects(const llvm::Module &module, KnownEffects &reading) {
  // Each is assumed to access nothing until something is found that it does.
  Found effects;
  llvm::SetVector<const llvm::Function *> work;
  for (const llvm::Function &function : module)
    if (!function.isDeclaration() && function.hasExactDefinition()) {
      effects.try_emplace(&function, MemoryEffects::none());
      work.insert(&function);
    }
  while (!work.empty()) {
    const llvm::Function *function = work.pop_back_val();
    MemoryEffects found = MemoryEffects::none();
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      found |= ofInstruction(instruction, effects);
    MemoryEffects &known = effects.find(function)->second;
    if (found == known)
      continue;
    known = found;
    for (const llvm::User *user : function->users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
          call && effects.contains(call->getFunction()))
        work.insert(call->getFunction());
    // What it does with a child's result is no call of it.
    if (function->getName().starts_with(ApplyPrefix))
      work.insert_range(llvm::make_first_range(effects));
  }
  for (auto [function, found] : effects)
    if (found.onlyReadsMemory())
      reading.insert({function, found});
}

void cilk2chan::tellEffects(llvm::ArrayRef<llvm::Function *> converted,
                            const KnownEffects &effects) {
  llvm::SmallPtrSet<const llvm::Function *, 16> enter(converted.begin(),
                                                      converted.end());
  for (llvm::Function *function : converted) {
    auto known = effects.find(function);
    if (known == effects.end())
      continue;
    for (llvm::User *user : function->users())
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(user);
          call && call->getCalledFunction() == function &&
          !enter.contains(call->getFunction()))
        call->setMemoryEffects(call->getMemoryEffects() & known->second);
  }
}
