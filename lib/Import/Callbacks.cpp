//===- Callbacks.cpp - Copies for what a recursion calls ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Callbacks.h"
#include "Attributes.h"
#include "Markers.h"
#include "Tuning.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace cilk2chan;

/// What `value` is if it is loaded from a variable that is stored to once, as
/// Clang's CodeGen has parameters.
static llvm::Value *lookThrough(llvm::Value *value) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
  auto *variable =
      load && !load->isVolatile()
          ? llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand())
          : nullptr;
  llvm::Value *stored = nullptr;
  if (!variable)
    return value;
  for (llvm::User *user : variable->users()) {
    if (llvm::isa<llvm::LoadInst>(user) ||
        llvm::cast<llvm::Instruction>(user)->isLifetimeStartOrEnd())
      continue;
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!store || store->getValueOperand() == variable || stored ||
        store->getValueOperand()->getType() != load->getType())
      return value;
    stored = store->getValueOperand();
  }
  // A variable has a value when it is loaded, or the program is wrong.
  bool isFixed = stored && (llvm::isa<llvm::Argument, llvm::Constant>(stored));
  return isFixed ? stored : value;
}

/// The call or spawn of a function that `use` is for; null if it is for
/// something else.
static llvm::CallInst *siteOf(const llvm::Use &use) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
  if (!call || call->isMustTailCall() || call->hasOperandBundles())
    return nullptr;
  auto &function = *llvm::cast<llvm::Function>(use.get());
  if (asSpawn(*call))
    return use.getOperandNo() == 0 && spawnsAs(*call, function) ? call
                                                                : nullptr;
  return call->isCallee(&use) &&
                 call->getFunctionType() == function.getFunctionType()
             ? call
             : nullptr;
}

namespace {

/// A function, and the parameter that it calls and passes on.
struct Recursion {
  llvm::Function *function;
  unsigned number;
  /// What it calls by the parameter is of this type.
  llvm::FunctionType *type = nullptr;
  llvm::CallingConv::ID convention = llvm::CallingConv::C;
  /// The calls and spawns of others.
  llvm::SmallVector<llvm::CallInst *> sites = {};

  llvm::Value *passedBy(llvm::CallInst &site) const {
    return lookThrough(
        site.getArgOperand(number + (asSpawn(site) ? FirstSpawnArgument : 0)));
  }
  bool isOwn(llvm::Value *value) const {
    return lookThrough(value) == function->getArg(number);
  }
  bool find();
};

class Copying {
public:
  explicit Copying(llvm::Module &module);
  void run(Recursion &recursion);

  llvm::SmallVector<Finding> findings;

private:
  llvm::Function *copyFor(Recursion &recursion, llvm::Function &callee);
  llvm::SmallVector<llvm::Function *> calleesFor(const Recursion &recursion,
                                                 llvm::CallInst &site) const;

  llvm::MapVector<std::pair<llvm::FunctionType *, llvm::CallingConv::ID>,
                  llvm::SmallVector<llvm::Function *>>
      known;
  /// Of the recursion that is looked at.
  llvm::MapVector<llvm::Function *, llvm::Function *> copies;
};

} // namespace

/// Whether there may be several of a function in a module.
static bool isCopiable(const llvm::Function &function) {
  return mayBeCopied(function) &&
         llvm::none_of(function, [](const llvm::BasicBlock &block) {
           return block.hasAddressTaken() ||
                  llvm::any_of(block, [](const llvm::Instruction &instruction) {
                    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
                    // Bodies of loops are numbered, and assembly may have
                    // labels.
                    return call && (call->isInlineAsm() ||
                                    isLoopMarker(call->getCalledFunction()));
                  });
         });
}

/// Whether a function may become part of a kernel with lanes, as far as what it
/// calls says: else a copy for it gains little.
static bool mayBeInlined(const llvm::Function &function, unsigned depth = 0) {
  auto isForLanes = [&](const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call)
      return !instruction.isAtomic() && !instruction.isVolatile();
    const llvm::Function *callee = call->getCalledFunction();
    return callee &&
           (callee->isIntrinsic() || mayBeInlined(*callee, depth + 1));
  };
  return !function.isDeclaration() && !function.isInterposable() &&
         depth < tuning::deepestCallback &&
         function.getInstructionCount() <=
             tuning::mostInCopies / tuning::mostCallees &&
         !function.hasFnAttribute(llvm::Attribute::NoInline) &&
         llvm::all_of(llvm::instructions(function), isForLanes);
}

/// Whether the function spawns itself with the parameter as it is, and calls
/// what that points to.
bool Recursion::find() {
  bool isCalled = false, isPassedOn = false;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || call->getCalledFunction() || !isOwn(call->getCalledOperand()))
      continue;
    if (isCalled && (type != call->getFunctionType() ||
                     convention != call->getCallingConv()))
      return false;
    isCalled = true;
    type = call->getFunctionType();
    convention = call->getCallingConv();
  }
  for (llvm::Use &use : function->uses()) {
    llvm::CallInst *site = siteOf(use);
    if (!site)
      continue;
    if (site->getFunction() != function)
      sites.push_back(site);
    else if (asSpawn(*site))
      isPassedOn |= passedBy(*site) == function->getArg(number);
  }
  // The first comes last.
  std::reverse(sites.begin(), sites.end());
  return isCalled && isPassedOn && !sites.empty();
}

Copying::Copying(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (mayBeInlined(function) &&
        llvm::any_of(function.uses(),
                     [](const llvm::Use &use) { return !siteOf(use); }))
      known[{function.getFunctionType(), function.getCallingConv()}].push_back(
          &function);
}

/// What a caller may pass that there is a copy for.
llvm::SmallVector<llvm::Function *>
Copying::calleesFor(const Recursion &recursion, llvm::CallInst &site) const {
  llvm::Value *passed = recursion.passedBy(site);
  if (auto *callee = llvm::dyn_cast<llvm::Function>(passed)) {
    bool fits = mayBeInlined(*callee) &&
                callee->getFunctionType() == recursion.type &&
                callee->getCallingConv() == recursion.convention;
    return fits ? llvm::SmallVector<llvm::Function *>{callee}
                : llvm::SmallVector<llvm::Function *>();
  }
  auto callees = llvm::isa<llvm::Constant>(passed)
                     ? llvm::SmallVector<llvm::Function *>()
                     : known.lookup({recursion.type, recursion.convention});
  if (callees.size() > tuning::mostCallees)
    callees.clear();
  return callees;
}

/// The function as it is where its parameter is the address of `callee`.
llvm::Function *Copying::copyFor(Recursion &recursion, llvm::Function &callee) {
  llvm::Function *&copy = copies[&callee];
  if (copy)
    return copy;
  llvm::Function &function = *recursion.function;
  llvm::ValueToValueMapTy map;
  copy = llvm::CloneFunction(&function, map);
  copy->setName(function.getName() + "." + callee.getName());
  copy->setLinkage(llvm::GlobalValue::InternalLinkage);
  copy->setVisibility(llvm::GlobalValue::DefaultVisibility);
  copy->setDSOLocal(true);
  copy->setComdat(nullptr);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call)
      continue;
    auto *its = llvm::cast<llvm::CallInst>(map[call]);
    if (!call->getCalledFunction() && recursion.isOwn(call->getCalledOperand()))
      its->setCalledOperand(&callee);
    for (llvm::Use &use : call->operands())
      if (use.get() == &function && siteOf(use) == call &&
          recursion.passedBy(*call) == function.getArg(recursion.number))
        its->setOperand(use.getOperandNo(), copy);
  }
  copy->getArg(recursion.number)->replaceAllUsesWith(&callee);
  return copy;
}

/// Where the pointer is to `callee`, calls or spawns the copy.
static void promote(llvm::CallInst &site, llvm::Value &passed,
                    llvm::Function &callee, llvm::Function &copy) {
  llvm::IRBuilder<> builder(&site);
  llvm::Value *isCallee = builder.CreateICmpEQ(&passed, &callee);
  llvm::Instruction *same, *other;
  llvm::SplitBlockAndInsertIfThenElse(isCallee, &site, &same, &other);
  auto *direct = llvm::cast<llvm::CallInst>(site.clone());
  if (asSpawn(site))
    direct->setArgOperand(0, &copy);
  else
    direct->setCalledFunction(&copy);
  direct->insertBefore(same->getIterator());
  llvm::BasicBlock *behind = site.getParent();
  site.moveBefore(other->getIterator());
  if (site.use_empty())
    return;
  builder.SetInsertPoint(behind, behind->begin());
  auto *result = builder.CreatePHI(site.getType(), 2);
  site.replaceAllUsesWith(result);
  result->addIncoming(direct, direct->getParent());
  result->addIncoming(&site, site.getParent());
}

void Copying::run(Recursion &recursion) {
  llvm::Function &function = *recursion.function;
  llvm::MapVector<llvm::CallInst *, llvm::SmallVector<llvm::Function *>>
      callees;
  llvm::SmallSetVector<llvm::Function *, 4> all;
  for (llvm::CallInst *site : recursion.sites) {
    callees[site] = calleesFor(recursion, *site);
    all.insert_range(callees[site]);
  }
  if (all.size() > tuning::mostCallees ||
      all.size() * function.getInstructionCount() > tuning::mostInCopies)
    return;
  // Parameters.cpp knows what all pass.
  if (all.empty() || (all.size() == 1 && function.hasLocalLinkage() &&
                      llvm::all_of(recursion.sites, [&](llvm::CallInst *site) {
                        return recursion.passedBy(*site) == all.front();
                      })))
    return;
  copies.clear();
  for (auto &[site, its] : callees)
    for (llvm::Function *callee : its) {
      llvm::Function *copy = copyFor(recursion, *callee);
      if (recursion.passedBy(*site) != callee) {
        llvm::Value *pointer = site->getArgOperand(
            recursion.number + (asSpawn(*site) ? FirstSpawnArgument : 0));
        promote(*site, *pointer, *callee, *copy);
      } else if (asSpawn(*site)) {
        site->setArgOperand(0, copy);
      } else {
        site->setCalledFunction(copy);
      }
    }
  auto nameOf = [](llvm::Function *callee) {
    return "'" + callee->getName().str() + "'";
  };
  const llvm::Instruction &first = *function.getEntryBlock().getTerminator();
  findings.push_back(
      {first.getDebugLoc(), nameOf(&function) + " has a copy for each of " +
                                llvm::join(llvm::map_range(all, nameOf), ", ") +
                                ", which it calls through a pointer"});
}

/// Deletes the body of a function that has no callers but itself.
static void deleteUnused(llvm::Function &function) {
  auto isOutside = [&](const llvm::User *user) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return !instruction || instruction->getFunction() != &function;
  };
  if (function.hasLocalLinkage() && llvm::none_of(function.users(), isOutside))
    function.deleteBody();
}

llvm::SmallVector<Finding>
cilk2chan::specializeCallbacks(llvm::Module &module) {
  Copying copying(module);
  llvm::SmallVector<Recursion> recursions;
  for (llvm::Function &function : module) {
    if (!isCopiable(function))
      continue;
    for (llvm::Argument &parameter : function.args()) {
      Recursion recursion{&function, parameter.getArgNo()};
      if (parameter.getType()->isPointerTy() && recursion.find()) {
        recursions.push_back(std::move(recursion));
        break;
      }
    }
  }
  for (Recursion &recursion : recursions)
    copying.run(recursion);
  // They may have been sites of others.
  for (Recursion &recursion : recursions)
    deleteUnused(*recursion.function);
  return std::move(copying.findings);
}
