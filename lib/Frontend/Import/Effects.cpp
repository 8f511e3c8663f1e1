//===- Effects.cpp - What spawning functions access -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Effects.h"
#include "Markers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/ModRef.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"

using namespace cilk2chan;
using llvm::IRMemLocation;
using llvm::MemoryEffects;
using llvm::ModRefInfo;

/// What an access to `place` is to who calls its function.
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

/// What `call` accesses if functions access no more than `effects` says.
static MemoryEffects ofCall(const llvm::CallBase &call,
                            const KnownEffects &effects) {
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
                                   const KnownEffects &effects) {
  if (!instruction.mayReadOrWriteMemory())
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

KnownEffects cilk2chan::findEffects(const llvm::Module &module) {
  // Each is assumed to access nothing until something is found that it does.
  KnownEffects effects;
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
  KnownEffects reading;
  for (auto [function, found] : effects)
    if (found.onlyReadsMemory())
      reading.try_emplace(function, found);
  return reading;
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

/// Calls of what is known that have the same arguments in all iterations.
static llvm::SmallVector<llvm::CallInst *>
findRepeated(llvm::Function &function, const KnownEffects &effects) {
  auto isKnown = [&](llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call && effects.contains(call->getCalledFunction());
  };
  llvm::SmallVector<llvm::CallInst *> repeated;
  if (llvm::none_of(llvm::instructions(function), isKnown))
    return repeated;
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    const llvm::Loop *loop = loops.getLoopFor(instruction.getParent());
    if (loop && isKnown(instruction) &&
        loop->hasLoopInvariantOperands(&instruction))
      repeated.push_back(llvm::cast<llvm::CallInst>(&instruction));
  }
  return repeated;
}

void cilk2chan::hoistCalls(llvm::Function &function,
                           const KnownEffects &effects) {
  llvm::SmallVector<llvm::CallInst *> calls = findRepeated(function, effects);
  if (calls.empty())
    return;
  for (llvm::CallInst *call : calls)
    call->setMemoryEffects(call->getMemoryEffects() &
                           effects.find(call->getCalledFunction())->second);
  llvm::LoopAnalysisManager ofLoops;
  llvm::FunctionAnalysisManager ofFunctions;
  llvm::CGSCCAnalysisManager ofComponents;
  llvm::ModuleAnalysisManager ofModules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(ofModules);
  builder.registerCGSCCAnalyses(ofComponents);
  builder.registerFunctionAnalyses(ofFunctions);
  builder.registerLoopAnalyses(ofLoops);
  builder.crossRegisterProxies(ofLoops, ofFunctions, ofComponents, ofModules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(
      llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(llvm::EarlyCSEPass());
  passes.run(function, ofFunctions);
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && effects.contains(call->getCalledFunction()))
      call->removeFnAttr(llvm::Attribute::Memory);
}
