//===- SerialPoints.cpp - Where nothing runs in parallel ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SerialPoints.h"
#include "Markers.h"
#include "cilk2chan/Support/Markers.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace cilk2chan;

static llvm::StringRef calleeName(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : llvm::StringRef();
}

SerialPoints::SerialPoints(llvm::Module &module) : module(module) {}

void SerialPoints::step(State &state, const llvm::Instruction &instruction) {
  llvm::StringRef name = calleeName(instruction);
  if (name.starts_with(ForPrefix))
    ++state.loops;
  else if (name.starts_with(ForEndPrefix) && state.loops)
    --state.loops;
  else if (state.loops)
    return; // Children of an iteration, for which the iteration waits.
  else if (name.starts_with(SpawnPrefix))
    state.hasChildren = true;
  else if (name == SyncName || name == SyncReleaseName)
    state.hasChildren = false;
}

const SerialPoints::States &SerialPoints::statesOf(llvm::Function &function) {
  auto [found, isNew] = states.try_emplace(&function);
  if (!isNew)
    return found->second;
  States result;
  llvm::SmallVector<llvm::BasicBlock *> work = {&function.front()};
  result[&function.front()] = State();
  while (!work.empty()) {
    llvm::BasicBlock *block = work.pop_back_val();
    State state = result.lookup(block);
    for (llvm::Instruction &instruction : *block)
      step(state, instruction);
    for (llvm::BasicBlock *next : llvm::successors(block)) {
      auto [known, isFirst] = result.try_emplace(next, state);
      bool changes = isFirst ||
                     (state.hasChildren && !known->second.hasChildren) ||
                     state.loops > known->second.loops;
      if (!changes)
        continue;
      known->second.hasChildren |= state.hasChildren;
      known->second.loops = std::max(known->second.loops, state.loops);
      work.push_back(next);
    }
  }
  return states[&function] = std::move(result);
}

bool SerialPoints::isSerial(llvm::Instruction *instruction) {
  State state =
      statesOf(*instruction->getFunction()).lookup(instruction->getParent());
  for (llvm::Instruction &before : *instruction->getParent()) {
    if (&before == instruction)
      break;
    step(state, before);
  }
  return state.isSerial();
}

void SerialPoints::addParallel(llvm::Function *function) {
  if (!function->isDeclaration())
    parallel.insert(function);
}

void SerialPoints::findParallel() {
  isFound = true;
  for (llvm::Function &function : module) {
    bool isMain = function.getName() == "main" && function.use_empty();
    // What another file does is not known; what is only spawned, or given to
    // someone, may run at any time.
    bool isCalledOnly = function.hasLocalLinkage() &&
                        llvm::all_of(function.users(), [&](llvm::User *user) {
                          auto *call = llvm::dyn_cast<llvm::CallBase>(user);
                          return call && call->getCalledOperand() == &function;
                        });
    if (!isMain && !isCalledOnly)
      addParallel(&function);
  }
  auto calleesOf = [&](llvm::Function &function, bool inParallelOnly) {
    llvm::SmallVector<llvm::Function *> callees;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        if (llvm::Function *callee = call->getCalledFunction())
          if (!inParallelOnly || !isSerial(&instruction))
            callees.push_back(callee);
    return callees;
  };
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !parallel.contains(&function))
      for (llvm::Function *callee : calleesOf(function, true))
        addParallel(callee);
  for (size_t i = 0; i < parallel.size(); ++i)
    for (llvm::Function *callee : calleesOf(*parallel[i], false))
      addParallel(callee);
}

bool SerialPoints::mayRunInParallel(llvm::Function *function) {
  if (!isFound)
    findParallel();
  return parallel.contains(function);
}
