//===- PromoteCalls.cpp - Pointers to spawning functions ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PromoteCalls.h"
#include "Markers.h"
#include "Tuning.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace cilk2chan;

namespace {

class Promotion {
public:
  explicit Promotion(llvm::Module &module);
  llvm::SmallVector<Finding> run();

private:
  void nameDefinition(llvm::Function &function);
  void promoteIn(llvm::Function &function);
  llvm::SmallVector<llvm::Function *> candidatesFor(llvm::CallInst &call) const;

  llvm::Module &module;
  llvm::MapVector<llvm::FunctionType *, llvm::SmallVector<llvm::Function *>>
      candidates;
  /// Types of pointers that may be to others.
  llvm::DenseSet<llvm::FunctionType *> others;
  /// What may be the definition that a weak symbol's address, as loaded here,
  /// is that of.
  llvm::DenseMap<llvm::Value *, llvm::Function *> definitions;
  llvm::SmallVector<Finding> findings;
};

} // namespace

/// The use of what `call` calls or spawns.
static llvm::Use &useOfCalled(llvm::CallInst &call) {
  return asSpawn(call) ? call.getArgOperandUse(0) : call.getCalledOperandUse();
}

/// Whether the user of a function does nothing but call or spawn it.
static bool isUseByCall(const llvm::Use &use) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
  return call && &use == &useOfCalled(*call);
}

static bool spawns(const llvm::Function &function) {
  return llvm::any_of(
      llvm::instructions(function), [](const llvm::Instruction &instruction) {
        auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        return call && isSpawnMarker(call->getCalledFunction());
      });
}

/// Whether anything but calls and spawns has the function's address.
static bool isKnownElsewhere(const llvm::Function &function) {
  return llvm::any_of(function.uses(), [](const llvm::Use &use) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    // The body of a loop is its marker's first operand.
    bool isBody = call && isLoopMarker(call->getCalledFunction()) &&
                  use.getOperandNo() == 0;
    return !isBody && !isUseByCall(use);
  });
}

/// Makes a weak function a weak alias of one that cannot be replaced, and loads
/// the address of each that is called: the linker chooses the definition.  LLVM
/// knows that of an alias, but takes the declaration that kernels have of it
/// for another function.  So it is not to see what is loaded before they are
/// back, when it finds no store to the variable.
void Promotion::nameDefinition(llvm::Function &function) {
  auto *definition = llvm::Function::Create(
      function.getFunctionType(), llvm::GlobalValue::InternalLinkage,
      function.getAddressSpace(), function.getName() + ".weak", &module);
  definition->copyAttributesFrom(&function);
  definition->setLinkage(llvm::GlobalValue::InternalLinkage);
  definition->setVisibility(llvm::GlobalValue::DefaultVisibility);
  definition->setDSOLocal(true);
  definition->copyMetadata(&function, 0);
  definition->splice(definition->begin(), &function);
  for (auto [from, to] : llvm::zip(function.args(), definition->args())) {
    to.takeName(&from);
    from.replaceAllUsesWith(&to);
  }
  auto *symbol = llvm::GlobalAlias::create(
      function.getFunctionType(), function.getAddressSpace(),
      function.getLinkage(), "", definition, &module);
  symbol->setVisibility(function.getVisibility());
  symbol->setDSOLocal(function.isDSOLocal());
  symbol->takeName(&function);
  function.replaceAllUsesWith(symbol);
  function.eraseFromParent();

  auto *pointer = llvm::PointerType::getUnqual(module.getContext());
  auto *address = new llvm::GlobalVariable(
      module, pointer, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      symbol, symbol->getName() + ".address");
  for (llvm::Use &use : llvm::make_early_inc_range(symbol->uses())) {
    if (!isUseByCall(use))
      continue;
    llvm::IRBuilder<> builder(llvm::cast<llvm::CallInst>(use.getUser()));
    llvm::Value *loaded = builder.CreateLoad(pointer, address);
    use.set(loaded);
    definitions[loaded] = definition;
  }
}

/// Whether a weak function is called here, and its definition may have another
/// name.
static bool mayNameDefinition(const llvm::Function &function) {
  auto isAlias = [](const llvm::User *user) {
    return llvm::isa<llvm::GlobalAlias>(user);
  };
  auto hasAddress = [](const llvm::BasicBlock &block) {
    return block.hasAddressTaken();
  };
  return !function.isDeclaration() && function.isInterposable() &&
         !function.isVarArg() && !function.hasComdat() &&
         !function.hasFnAttribute(llvm::Attribute::Naked) && spawns(function) &&
         llvm::any_of(function.uses(), isUseByCall) &&
         llvm::none_of(function, hasAddress) &&
         llvm::none_of(function.users(), isAlias);
}

Promotion::Promotion(llvm::Module &module) : module(module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    if (mayNameDefinition(function))
      nameDefinition(function);
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || function.isInterposable() ||
        function.isVarArg() || !isKnownElsewhere(function))
      continue;
    // In a shared library, what has its address may be the program's.
    if (spawns(function) && function.isDSOLocal())
      candidates[function.getFunctionType()].push_back(&function);
    else
      others.insert(function.getFunctionType());
  }
}

/// Whether arguments and result are where `callee` has them.
static bool isCalledAs(llvm::CallInst &call, llvm::Function &callee) {
  bool isSpawn = asSpawn(call);
  if (call.getCallingConv() != callee.getCallingConv() ||
      !(isSpawn ? spawnsAs(call, callee)
                : call.getFunctionType() == callee.getFunctionType() &&
                      llvm::isLegalToPromote(call, &callee)))
    return false;
  unsigned first = isSpawn ? FirstSpawnArgument : 0;
  return llvm::all_of(callee.args(), [&](const llvm::Argument &parameter) {
    unsigned number = parameter.getArgNo();
    return llvm::all_of(
        std::array{llvm::Attribute::ByVal, llvm::Attribute::StructRet,
                   llvm::Attribute::InReg, llvm::Attribute::Nest},
        [&](llvm::Attribute::AttrKind kind) {
          return callee.getAttributes().getParamAttr(number, kind) ==
                 call.getAttributes().getParamAttr(first + number, kind);
        });
  });
}

/// What the pointer of a call is compared with; nothing if that is too much.
llvm::SmallVector<llvm::Function *>
Promotion::candidatesFor(llvm::CallInst &call) const {
  if (call.isInlineAsm() || call.hasOperandBundles() || call.isMustTailCall() ||
      llvm::isa<llvm::Constant>(useOfCalled(call)))
    return {};
  if (llvm::Function *definition = definitions.lookup(useOfCalled(call)))
    return isCalledAs(call, *definition)
               ? llvm::SmallVector<llvm::Function *>{definition}
               : llvm::SmallVector<llvm::Function *>();
  llvm::FunctionType *type = call.getFunctionType();
  if (asSpawn(call))
    type = llvm::FunctionType::get(
        type->getReturnType(), type->params().drop_front(FirstSpawnArgument),
        type->isVarArg());
  llvm::SmallVector<llvm::Function *> result;
  for (llvm::Function *callee : candidates.lookup(type))
    if (isCalledAs(call, *callee))
      result.push_back(callee);
  // In vain they cost more than a call through the pointer, and of several
  // functions the processor guesses that one as well.
  if (result.size() > tuning::mostPromoted || others.contains(type))
    result.clear();
  return result;
}

/// Where the pointer is to `callee`, that is spawned.
static void promoteSpawn(llvm::CallInst &spawn, llvm::Function &callee) {
  llvm::IRBuilder<> builder(&spawn);
  llvm::Value *isCallee = builder.CreateICmpEQ(spawn.getArgOperand(0), &callee);
  llvm::Instruction *known, *unknown;
  llvm::SplitBlockAndInsertIfThenElse(isCallee, &spawn, &known, &unknown);
  auto *direct = llvm::cast<llvm::CallInst>(spawn.clone());
  direct->setArgOperand(0, &callee);
  direct->insertBefore(known->getIterator());
  spawn.moveBefore(unknown->getIterator());
}

void Promotion::promoteIn(llvm::Function &function) {
  llvm::MapVector<llvm::CallInst *, llvm::SmallVector<llvm::Function *>> sites;
  unsigned added = 0;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      if (auto callees = candidatesFor(*call); !callees.empty()) {
        added += callees.size();
        sites[call] = std::move(callees);
      }
  if (added > tuning::mostPromotedCalls)
    return;
  for (auto &[call, callees] : sites) {
    bool isSpawn = asSpawn(*call);
    std::string what = isSpawn ? "this spawn" : "this call";
    auto nameOf = [](llvm::Function *callee) {
      return "'" + callee->getName().str() + "'";
    };
    findings.push_back(
        {call->getDebugLoc(),
         definitions.contains(useOfCalled(*call))
             ? what + " is compared with the definition in this file, which is "
                      "called directly"
             : what + " is compared with, and calls directly, " +
                   llvm::join(llvm::map_range(callees, nameOf), " or ")});
    for (llvm::Function *callee : callees)
      if (isSpawn)
        promoteSpawn(*call, *callee);
      else
        llvm::promoteCallWithIfThenElse(*call, callee);
  }
}

llvm::SmallVector<Finding> Promotion::run() {
  // Ordinary functions between them stay whole.
  if (!candidates.empty())
    for (llvm::Function &function : module)
      if (spawns(function) || function.getName().starts_with(BodyPrefix))
        promoteIn(function);
  return std::move(findings);
}

llvm::SmallVector<Finding> cilk2chan::promoteCalls(llvm::Module &module) {
  return Promotion(module).run();
}
