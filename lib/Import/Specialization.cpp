//===- Specialization.cpp - Loops for constants of their callers ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Specialization.h"
#include "Attributes.h"
#include "LoopBodies.h"
#include "Markers.h"
#include "Tuning.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace cilk2chan;

namespace {

/// A function and the bodies of its loops.
struct Candidate {
  explicit Candidate(llvm::Function &function);

  bool isCopiable() const;
  bool hasConstants() const;

  llvm::SetVector<llvm::Function *> parts;
  /// Its plain calls.
  llvm::SmallVector<llvm::CallInst *> sites;
};

class Specializer {
public:
  explicit Specializer(llvm::Module &module);

  void copy(Candidate &candidate);

private:
  llvm::Module &module;
  /// The number of the next loop.
  unsigned next = 0;
};

} // namespace

static bool hasMarker(const llvm::Function &function) {
  return llvm::any_of(
      llvm::instructions(function), [](const llvm::Instruction &instruction) {
        auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        return call && (isSpawnMarker(call->getCalledFunction()) ||
                        isSyncMarker(call->getCalledFunction()));
      });
}

Candidate::Candidate(llvm::Function &function) {
  parts.insert(&function);
  for (unsigned i = 0; i != parts.size(); ++i)
    for (llvm::Instruction &instruction : llvm::instructions(*parts[i]))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && isLoopMarker(call->getCalledFunction()))
        parts.insert(llvm::cast<llvm::Function>(call->getArgOperand(0)));
  for (llvm::User *user : function.users())
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(user);
        call && call->getCalledFunction() == &function)
      sites.push_back(call);
}

/// Whether it has loops, and nothing that is to be in a module once.
bool Candidate::isCopiable() const {
  const llvm::Function &function = *parts.front();
  if (parts.size() == 1 || sites.empty() || function.hasLocalLinkage() ||
      !mayBeCopied(function))
    return false;
  unsigned size = 0;
  for (llvm::Function *part : parts) {
    size += part->getInstructionCount();
    for (const llvm::BasicBlock &block : *part) {
      if (block.hasAddressTaken())
        return false;
      for (const llvm::Instruction &instruction : block) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const llvm::Function *callee =
            call ? call->getCalledFunction() : nullptr;
        // Children are numbered as well, and assembly may define a label.
        if (call && (call->isInlineAsm() ||
                     (isSpawnMarker(callee) && !isLoopMarker(callee))))
          return false;
      }
    }
  }
  return size <= tuning::mostSpecialized;
}

/// Whether all calls pass the same constant for a parameter that is used.
bool Candidate::hasConstants() const {
  return llvm::any_of(
      parts.front()->args(), [&](const llvm::Argument &parameter) {
        auto passed = [&](const llvm::CallInst *site) {
          return site->getArgOperand(parameter.getArgNo());
        };
        auto *constant = llvm::dyn_cast<llvm::Constant>(passed(sites.front()));
        return constant && !llvm::isa<llvm::UndefValue>(constant) &&
               !parameter.use_empty() &&
               !parameter.hasPassPointeeByValueCopyAttr() &&
               llvm::all_of(sites, [&](const llvm::CallInst *site) {
                 return passed(site) == constant;
               });
      });
}

Specializer::Specializer(llvm::Module &module) : module(module) {
  for (const llvm::Function &function : module)
    if (auto number = numberOf(function.getName()))
      next = std::max(next, *number + 1);
}

/// Copies it, and has its calls call the copy.
void Specializer::copy(Candidate &candidate) {
  llvm::Function &function = *candidate.parts.front();
  llvm::SmallVector<llvm::Function *> bodies(llvm::drop_begin(candidate.parts));
  llvm::sort(bodies, [](const llvm::Function *a, const llvm::Function *b) {
    return *numberOf(a->getName()) < *numberOf(b->getName());
  });
  llvm::DenseMap<llvm::Function *, llvm::Function *> copies;
  for (llvm::Function *body : bodies) {
    llvm::ValueToValueMapTy map;
    copies[body] = llvm::CloneFunction(body, map);
    copies[body]->setName(BodyPrefix + llvm::Twine(next++));
  }
  llvm::ValueToValueMapTy map;
  llvm::Function *copy = copies[&function] =
      llvm::CloneFunction(&function, map);
  copy->setName(function.getName() + ".constprop");
  copy->setLinkage(llvm::GlobalValue::InternalLinkage);
  copy->setVisibility(llvm::GlobalValue::DefaultVisibility);
  copy->setDSOLocal(true);
  copy->setComdat(nullptr);

  for (llvm::Function *part : candidate.parts)
    for (llvm::Instruction &instruction : llvm::instructions(*copies[part])) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      llvm::Function *marker = call ? call->getCalledFunction() : nullptr;
      if (!isLoopMarker(marker))
        continue;
      llvm::Function *body =
          copies[llvm::cast<llvm::Function>(call->getArgOperand(0))];
      call->setArgOperand(0, body);
      call->setCalledFunction(llvm::Function::Create(
          marker->getFunctionType(), marker->getLinkage(),
          AbiForPrefix + llvm::Twine(*numberOf(body->getName())), module));
    }
  for (llvm::CallInst *site : candidate.sites)
    site->setCalledFunction(copy);
}

void cilk2chan::specializeLoops(llvm::Module &module,
                                llvm::FunctionAnalysisManager &analyses) {
  llvm::SmallVector<Candidate> candidates;
  llvm::SetVector<llvm::Function *> callers;
  for (llvm::Function &function : module) {
    Candidate candidate(function);
    if (!candidate.isCopiable())
      continue;
    for (llvm::CallInst *site : candidate.sites)
      callers.insert(site->getFunction());
    candidates.push_back(std::move(candidate));
  }
  // What they pass may be in a variable.
  for (llvm::Function *caller : callers)
    if (!hasMarker(*caller) && !caller->hasOptNone()) {
      llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(*caller, analyses);
      llvm::EarlyCSEPass().run(*caller, analyses);
      analyses.clear(*caller, caller->getName());
    }
  Specializer specializer(module);
  for (Candidate &candidate : candidates)
    if (candidate.hasConstants())
      specializer.copy(candidate);
}
