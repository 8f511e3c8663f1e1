//===- Inlining.cpp - Small functions that kernels call -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inlining.h"
#include "Tuning.h"

#include "cilk2chan/Support/Markers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace cilk2chan;

namespace {

class Inliner {
public:
  Inliner(llvm::ArrayRef<llvm::Function *> converted,
          llvm::FunctionAnalysisManager &analyses)
      : analyses(analyses) {
    for (llvm::Function *function : converted)
      isSmall[function] = false;
  }

  /// Inlines what `function` calls that is small.
  void run(llvm::Function &function);

private:
  bool mayInline(llvm::CallInst &call);
  bool prepare(llvm::Function &callee);

  llvm::FunctionAnalysisManager &analyses;
  /// Of those that have been looked at; one that is being looked at is not,
  /// since it is recursive if it is met again.
  llvm::DenseMap<llvm::Function *, bool> isSmall;
};

} // namespace

/// Whether `instruction` can stand in a kernel with lanes.
static bool isForLanes(const llvm::Instruction &instruction) {
  if (auto *object = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return object->isStaticAlloca();
  if (llvm::isa<llvm::CallBase>(instruction))
    return llvm::isa<llvm::IntrinsicInst>(instruction);
  return !instruction.isAtomic() && !instruction.isVolatile();
}

void cilk2chan::simplify(llvm::Function &function,
                         llvm::FunctionAnalysisManager &analyses) {
  analyses.clear(function, function.getName());
  llvm::EarlyCSEPass().run(function, analyses);
  llvm::SimplifyCFGPass().run(function, analyses);
  analyses.clear(function, function.getName());
}

/// Whether C asks for it to be inlined, however large it is.
static bool isToBeInlined(const llvm::Function &callee) {
  return callee.hasFnAttribute(llvm::Attribute::AlwaysInline);
}

/// Simplifies `callee`, and says whether it is small or asked for.
bool Inliner::prepare(llvm::Function &callee) {
  if (callee.isDeclaration() || callee.isInterposable() ||
      callee.hasFnAttribute(llvm::Attribute::NoInline) ||
      (callee.getInstructionCount() > tuning::mostRawInlined &&
       !isToBeInlined(callee)) ||
      !llvm::isInlineViable(callee).isSuccess())
    return false;
  run(callee);
  if (!llvm::all_of(llvm::instructions(callee), isForLanes))
    return false;
  llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(callee, analyses);
  simplify(callee, analyses);
  return callee.getInstructionCount() <= tuning::mostInlined ||
         isToBeInlined(callee);
}

bool Inliner::mayInline(llvm::CallInst &call) {
  llvm::Function *callee = call.getCalledFunction();
  if (!callee || callee->isIntrinsic() || call.isNoInline() ||
      call.isMustTailCall() || call.hasOperandBundles())
    return false;
  auto [known, isNew] = isSmall.try_emplace(callee, false);
  // Preparing may make the map grow.
  bool small = isNew ? prepare(*callee) : known->second;
  isSmall[callee] = small;
  llvm::Function &caller = *call.getFunction();
  return small && llvm::AttributeFuncs::areInlineCompatible(caller, *callee) &&
         analyses.getResult<llvm::TargetIRAnalysis>(caller).areInlineCompatible(
             &caller, callee);
}

/// Removes what is said of `restrict` pointers: it is of one call, and lanes
/// make many together.
static void dropScopes(llvm::Function &function) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    instruction.setMetadata(llvm::LLVMContext::MD_alias_scope, nullptr);
    instruction.setMetadata(llvm::LLVMContext::MD_noalias, nullptr);
    if (llvm::isa<llvm::NoAliasScopeDeclInst>(instruction))
      instruction.eraseFromParent();
  }
}

void Inliner::run(llvm::Function &function) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
      calls.push_back(call);
  unsigned taken = 0;
  for (llvm::CallInst *call : calls) {
    if (!mayInline(*call))
      continue;
    taken += call->getCalledFunction()->getInstructionCount();
    if (taken > tuning::mostTakenIn &&
        !isToBeInlined(*call->getCalledFunction()))
      continue;
    llvm::InlineFunctionInfo info;
    (void)llvm::InlineFunction(*call, info);
  }
  if (taken > 0) {
    dropScopes(function);
    analyses.clear(function, function.getName());
  }
}

void cilk2chan::inlineSmallFunctions(llvm::ArrayRef<llvm::Function *> converted,
                                     llvm::FunctionAnalysisManager &analyses) {
  Inliner inliner(converted, analyses);
  for (llvm::Function *function : converted)
    inliner.run(*function);
}

/// What keeps an instruction from standing in a kernel with lanes.
static std::string describe(const llvm::Instruction &instruction) {
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const llvm::Function *callee = call->getCalledFunction();
    if (call->isInlineAsm())
      return "has inline assembly";
    if (!callee)
      return "calls a function through a pointer";
    if (callee == instruction.getFunction())
      return "calls itself";
    std::string text = ("calls '" + callee->getName() + "'").str();
    // Clang says so of what writes nothing else.
    if (call->getMetadata(llvm::LLVMContext::MD_tbaa))
      text += ", which may set errno; -fno-math-errno says that it need not";
    return text;
  }
  if (llvm::isa<llvm::AllocaInst>(instruction))
    return "allocates memory by alloca, or a variable-length array";
  return instruction.isAtomic() ? "has an atomic operation"
                                : "accesses volatile memory";
}

std::string cilk2chan::whyNotInlined(const llvm::Function &callee) {
  if (callee.isDeclaration())
    return OfOtherFile.str();
  if (callee.isInterposable())
    return "another definition may replace";
  for (const llvm::Instruction &instruction : llvm::instructions(callee))
    if (!isForLanes(instruction))
      return describe(instruction);
  if (callee.hasFnAttribute(llvm::Attribute::NoInline))
    return "is not to be inlined";
  return callee.getInstructionCount() > tuning::mostInlined
             ? "is too large to be inlined"
             : "";
}
