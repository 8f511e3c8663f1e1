//===- Children.cpp - Splitting children at their calls -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Children.h"
#include "Markers.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace cilk2chan;
using llvm::StringRef;

/// LLVM's function attribute: what is inlined there has the call's place.
static constexpr llvm::StringLiteral AtCallSite = "no-inline-line-tables";

namespace {

/// What happens to the result of a spawned call.
enum class Delivery {
  None,  ///< it is discarded
  Store, ///< it is stored to the destination as it is
  Apply  ///< a function of destination and result says
};

/// One `__cilk_child.N` and its parts.
class Child {
public:
  Child(llvm::Function &function, llvm::FunctionAnalysisManager &analyses)
      : function(function), analyses(analyses),
        number(function.getName().substr(ChildPrefix.size())) {}

  /// Replaces the child and its marker.
  llvm::Error split();

private:
  llvm::Error error(StringRef what) const {
    return llvm::createStringError("malformed child part '" +
                                   function.getName() + "': " + what);
  }
  void runSROA(llvm::Function &f) {
    llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(f, analyses);
    analyses.invalidate(f, llvm::PreservedAnalyses::none());
  }
  llvm::Error findCall();
  Delivery classify() const;
  llvm::Error makeApply();
  void makePre(Delivery delivery);

  llvm::Function &function;
  llvm::FunctionAnalysisManager &analyses;
  StringRef number;
  llvm::CallInst *call = nullptr;
  /// Null if the result is discarded.
  llvm::Argument *destination = nullptr;
};

} // namespace

/// The parameter of the child that is called, looked up by the front end's
/// convention: it is the first, or the second behind the destination.
llvm::Error Child::findCall() {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *candidate = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!candidate)
      continue;
    auto *callee = llvm::dyn_cast<llvm::Argument>(
        candidate->getCalledOperand()->stripPointerCasts());
    if (!callee)
      continue;
    if (call || callee->getArgNo() > 1)
      return error("more than one call of a parameter");
    call = candidate;
    destination = callee->getArgNo() == 1 ? function.getArg(0) : nullptr;
  }
  return call ? llvm::Error::success() : error("its callee is not called");
}

Delivery Child::classify() const {
  bool returnsInMemory = call->hasStructRetAttr();
  if (!destination || (call->getType()->isVoidTy() && !returnsInMemory))
    return Delivery::None;
  // Anything but "store the result, return" needs a function.
  const llvm::Instruction *next = call->getNextNode();
  auto *store = llvm::dyn_cast<llvm::StoreInst>(next);
  if (!store || !store->isSimple() || store->getValueOperand() != call ||
      store->getPointerOperand() != destination ||
      !llvm::isa<llvm::ReturnInst>(store->getNextNode()))
    return Delivery::Apply;
  llvm::Type *type = call->getType();
  bool plain =
      type->isPointerTy() || type->isFloatTy() || type->isDoubleTy() ||
      (type->isIntegerTy() && llvm::isPowerOf2_32(type->getIntegerBitWidth()) &&
       type->getIntegerBitWidth() >= 8);
  return plain ? Delivery::Store : Delivery::Apply;
}

/// Recomputes at `builder` the value that `instruction` computes before the
/// call, and what that needs.  Returns false for what is not a pure function of
/// the destination and of temporaries.
static bool recompute(llvm::Instruction *instruction, llvm::BasicBlock *entry,
                      llvm::SmallPtrSetImpl<llvm::Instruction *> &done) {
  if (!done.insert(instruction).second)
    return true;
  if (!llvm::isa<llvm::AllocaInst>(instruction) &&
      (instruction->mayReadOrWriteMemory() ||
       !llvm::isSafeToSpeculativelyExecute(instruction)))
    return false;
  for (llvm::Value *operand : instruction->operands()) {
    auto *needed = llvm::dyn_cast<llvm::Instruction>(operand);
    if (needed && !recompute(needed, entry, done))
      return false;
  }
  instruction->moveBefore(*entry, entry->getTerminator()->getIterator());
  return true;
}

llvm::Error Child::makeApply() {
  llvm::LLVMContext &context = function.getContext();
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {pointer, pointer}, /*isVarArg=*/false);
  auto *apply = llvm::Function::Create(
      type, llvm::GlobalValue::InternalLinkage, function.getAddressSpace(),
      ApplyPrefix + number, function.getParent());

  llvm::ValueToValueMapTy map;
  for (llvm::Argument &argument : function.args())
    map[&argument] = llvm::PoisonValue::get(argument.getType());
  map[destination] = apply->getArg(0);
  llvm::SmallVector<llvm::ReturnInst *> returns;
  llvm::CloneFunctionInto(apply, &function, map,
                          llvm::CloneFunctionChangeType::LocalChangesOnly,
                          returns);
  // The clone takes over the child's attributes, also those of parameters that
  // are other ones here.
  apply->setAttributes(llvm::AttributeList::get(
      context, llvm::AttributeList::FunctionIndex,
      llvm::AttrBuilder(context, function.getAttributes().getFnAttrs())));

  // Which C type it has, for checks of indirect calls, would be the child's.
  apply->eraseMetadata(llvm::LLVMContext::MD_func_sanitize);
  apply->eraseMetadata(llvm::LLVMContext::MD_kcfi_type);

  auto *result = llvm::cast<llvm::CallInst>(map[call]);
  llvm::BasicBlock *post =
      llvm::SplitBlock(result->getParent(), result->getNextNode());
  llvm::BasicBlock *entry =
      llvm::BasicBlock::Create(context, "", apply, &apply->getEntryBlock());
  llvm::IRBuilder<> builder(entry);
  builder.SetCurrentDebugLocation(result->getDebugLoc());
  builder.CreateBr(post);

  // Find what the part after the call uses of the part before it.
  llvm::df_iterator_default_set<llvm::BasicBlock *> reachable;
  for (llvm::BasicBlock *block : llvm::depth_first_ext(post, reachable))
    (void)block;
  llvm::SmallVector<llvm::Instruction *> needed;
  for (llvm::BasicBlock *block : reachable)
    for (llvm::Instruction &instruction : *block)
      for (llvm::Value *operand : instruction.operands())
        if (auto *used = llvm::dyn_cast<llvm::Instruction>(operand);
            used && used != result && !reachable.contains(used->getParent()))
          needed.push_back(used);

  llvm::Value *slot = nullptr;
  if (result->hasStructRetAttr()) {
    slot = result->getArgOperand(0);
    if (auto *temporary = llvm::dyn_cast<llvm::Instruction>(slot))
      needed.push_back(temporary);
  }
  llvm::SmallPtrSet<llvm::Instruction *, 8> done;
  for (llvm::Instruction *instruction : needed)
    if (!recompute(instruction, entry, done))
      return error("its destination depends on more than its address");

  builder.SetInsertPoint(entry->getTerminator());
  const llvm::DataLayout &layout = function.getDataLayout();
  llvm::Argument *memory = apply->getArg(1);
  if (slot) {
    llvm::Type *structure = result->getParamStructRetType(0);
    llvm::Align align = layout.getABITypeAlign(structure);
    builder.CreateMemCpy(slot, result->getParamAlign(0).value_or(align), memory,
                         std::min(align, llvm::Align(16)),
                         layout.getTypeAllocSize(structure).getFixedValue());
  } else {
    // The runtime aligns results to 16 bytes (chan/abi.h, chan_deferred).
    result->replaceAllUsesWith(builder.CreateAlignedLoad(
        result->getType(), memory,
        std::min(layout.getABITypeAlign(result->getType()), llvm::Align(16))));
  }
  llvm::removeUnreachableBlocks(*apply);
  runSROA(*apply);
  return llvm::Error::success();
}

/// Leaves of the child what comes before the call, which becomes that of the
/// marker with the lowered arguments.
void Child::makePre(Delivery delivery) {
  llvm::LLVMContext &context = function.getContext();
  auto *pointer = llvm::PointerType::getUnqual(context);
  llvm::FunctionType *calleeType = call->getFunctionType();
  llvm::SmallVector<llvm::Type *> types = {pointer, pointer};
  types.append(calleeType->param_begin(), calleeType->param_end());
  auto *type = llvm::FunctionType::get(calleeType->getReturnType(), types,
                                       calleeType->isVarArg());
  auto *marker =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                             AbiSpawnPrefix + number, function.getParent());

  llvm::Value *to = destination;
  if (delivery == Delivery::None)
    to = llvm::ConstantPointerNull::get(pointer);
  llvm::SmallVector<llvm::Value *> arguments = {call->getCalledOperand(), to};
  arguments.append(call->arg_begin(), call->arg_end());
  llvm::AttributeList old = call->getAttributes();
  llvm::SmallVector<llvm::AttributeSet> attributes(2);
  for (unsigned i = 0; i < call->arg_size(); ++i) {
    llvm::AttributeSet set = old.getParamAttrs(i);
    if (set.hasAttribute(llvm::Attribute::StructRet)) {
      // The parent has no place for the result, so nothing can be said of it.
      llvm::AttrBuilder builder(context);
      builder.addStructRetAttr(set.getStructRetType());
      builder.addAlignmentAttr(set.getAlignment());
      set = llvm::AttributeSet::get(context, builder);
      arguments[i + 2] = llvm::PoisonValue::get(pointer);
    }
    attributes.push_back(set);
  }

  llvm::BasicBlock *before = call->getParent();
  llvm::SplitBlock(before, call);
  before->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(call->getDebugLoc());
  llvm::CallInst *spawn = builder.CreateCall(marker, arguments);
  spawn->setCallingConv(call->getCallingConv());
  spawn->setAttributes(llvm::AttributeList::get(context, llvm::AttributeSet(),
                                                old.getRetAttrs(), attributes));
  builder.CreateRetVoid();
  llvm::removeUnreachableBlocks(function);
}

llvm::Error Child::split() {
  llvm::Function *marker =
      function.getParent()->getFunction((SpawnPrefix + number).str());
  if (marker && !marker->use_empty()) {
    runSROA(function);
    if (llvm::Error failure = findCall())
      return failure;
    Delivery delivery = classify();
    if (delivery == Delivery::Apply)
      if (llvm::Error failure = makeApply())
        return failure;
    makePre(delivery);

    for (llvm::User *user : llvm::make_early_inc_range(marker->users())) {
      auto *site = llvm::dyn_cast<llvm::CallInst>(user);
      if (!site || site->getCalledOperand() != marker ||
          site->getFunctionType() != function.getFunctionType())
        return error("its marker is not called as it is");
      site->setCalledFunction(&function);
      // Its code is the spawn's, for debuggers and for coverage, which counts
      // no lines of inlined functions.
      llvm::Function &parent = *site->getFunction();
      bool isBefore = parent.hasFnAttribute(AtCallSite);
      parent.addFnAttr(AtCallSite);
      llvm::InlineFunctionInfo info;
      llvm::InlineResult inlined = llvm::InlineFunction(
          *site, info, /*MergeAttributes=*/false, /*CalleeAAR=*/nullptr,
          /*InsertLifetime=*/false);
      if (!inlined.isSuccess())
        return error(inlined.getFailureReason());
      if (!isBefore)
        parent.removeFnAttr(AtCallSite);
    }
  }
  if (marker)
    marker->eraseFromParent();
  function.eraseFromParent();
  return llvm::Error::success();
}

llvm::Error cilk2chan::splitChildren(llvm::Module &module,
                                     llvm::FunctionAnalysisManager &analyses) {
  auto isChild = [](const llvm::Value *value) {
    return value->getName().starts_with(ChildPrefix);
  };
  // The front end marks them as used so that CodeGen keeps them.
  llvm::removeFromUsedLists(module, [&](llvm::Constant *constant) {
    return isChild(constant->stripPointerCasts());
  });
  llvm::SmallVector<llvm::Function *> children;
  for (llvm::Function &function : module)
    if (isChild(&function) && !function.isDeclaration())
      children.push_back(&function);
  for (llvm::Function *function : children)
    if (llvm::Error failure = Child(*function, analyses).split())
      return failure;
  return llvm::Error::success();
}
