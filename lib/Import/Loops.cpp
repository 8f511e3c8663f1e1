//===- Loops.cpp - Outlining of parallel loops ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The markers stand in what CodeGen made of the C: every local is an alloca of
// the entry block, and no value crosses the region but through them, apart from
// addresses and sizes of variable-length arrays.
//
//===----------------------------------------------------------------------===//

#include "Loops.h"
#include "Attributes.h"
#include "Bounds.h"
#include "Captures.h"
#include "DebugInfoTransfer.h"
#include "cilk2chan/Import/Import.h"
#include "cilk2chan/Support/LoopForm.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/WorkingOn.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace cilk2chan;
using llvm::StringRef;

namespace {

/// The loop between `__cilk_for.N` and `__cilk_for_end.N`.
class Loop {
public:
  Loop(llvm::CallInst *begin, llvm::CallInst *end)
      : begin(begin), end(end),
        number(begin->getCalledFunction()->getName().substr(ForPrefix.size())) {
  }

  llvm::Error outline(bool tellBounds);

private:
  llvm::Error error(StringRef what) const {
    llvm::StringRef parent = begin->getFunction()->getName();
    return llvm::make_error<InternalError>(("malformed loop '" + ForPrefix +
                                            number + "' in '" + parent +
                                            "': " + what)
                                               .str(),
                                           parent);
  }
  llvm::Value *operand(unsigned index) const {
    return begin->getArgOperand(index);
  }
  llvm::Value *countIterations();
  void refuseEndless(llvm::Value *endless);
  llvm::Error findRegion();
  void copyShared();
  void replaceRangeCalls(llvm::Instruction *low, llvm::Instruction *high);
  llvm::SmallVector<llvm::ICmpInst *, 3>
  compareWithBounds(llvm::Instruction *high);

  llvm::CallInst *begin, *end;
  std::string number;
  Region region;
};

} // namespace

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// Computes in front of the loop how often it runs.
llvm::Value *Loop::countIterations() {
  llvm::IRBuilder<llvm::InstSimplifyFolder> builder(
      begin->getParent(), begin->getIterator(),
      llvm::InstSimplifyFolder(begin->getDataLayout()));
  builder.SetCurrentDebugLocation(begin->getDebugLoc());
  llvm::Value *first = operand(1), *limit = operand(2), *stride = operand(3);
  auto form = LoopForm::decode(
      llvm::cast<llvm::ConstantInt>(operand(4))->getZExtValue());
  auto *zero = builder.getInt64(0), *one = builder.getInt64(1);

  llvm::Value *negative = builder.getFalse();
  if (form.signedStride)
    negative = builder.CreateICmpSLT(stride, zero);
  llvm::Value *magnitude =
      builder.CreateSelect(negative, builder.CreateNeg(stride), stride);
  llvm::Value *descends =
      form.subtracts ? builder.CreateNot(negative) : negative;
  llvm::Value *none = builder.CreateICmpEQ(magnitude, zero);
  llvm::Value *divisor = builder.CreateSelect(none, one, magnitude);

  if (form.relation == LoopForm::notEqual) {
    llvm::Value *enters = builder.CreateICmpNE(first, limit);
    llvm::Value *span =
        builder.CreateSelect(descends, builder.CreateSub(first, limit),
                             builder.CreateSub(limit, first));
    span = builder.CreateAnd(
        span, llvm::APInt::getLowBitsSet(64, form.width).getZExtValue());
    llvm::Value *rest = builder.CreateURem(span, divisor);
    llvm::Value *misses = builder.CreateOr(builder.CreateICmpNE(rest, zero),
                                           builder.CreateICmpEQ(span, zero));
    refuseEndless(builder.CreateAnd(enters, builder.CreateOr(none, misses)));
    return builder.CreateUDiv(span, divisor);
  }

  bool ascending =
      form.relation == LoopForm::less || form.relation == LoopForm::lessEqual;
  bool strict =
      form.relation == LoopForm::less || form.relation == LoopForm::greater;
  auto predicate =
      ascending ? (strict ? llvm::CmpInst::ICMP_ULT : llvm::CmpInst::ICMP_ULE)
                : (strict ? llvm::CmpInst::ICMP_UGT : llvm::CmpInst::ICMP_UGE);
  if (form.signedComparison)
    predicate = llvm::ICmpInst::getSignedPredicate(predicate);
  llvm::Value *enters = builder.CreateICmp(predicate, first, limit);
  llvm::Value *span = ascending ? builder.CreateSub(limit, first)
                                : builder.CreateSub(first, limit);
  if (strict)
    span = builder.CreateSub(span, one);
  llvm::Value *steps = builder.CreateUDiv(span, divisor);
  // All 2^64 values are one more than can be counted, or waited for.
  llvm::Value *count = builder.CreateAdd(steps, one);
  if (!strict)
    count =
        builder.CreateSelect(builder.CreateICmpEQ(count, zero), steps, count);
  llvm::Value *away = ascending ? descends : builder.CreateNot(descends);
  count = builder.CreateSelect(enters, count, zero);
  refuseEndless(builder.CreateAnd(enters, builder.CreateOr(none, away)));
  return count;
}

/// Ends the program with a message if the stride does not lead to the limit.
void Loop::refuseEndless(llvm::Value *endless) {
  if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(endless);
      known && known->isZero())
    return;
  llvm::Instruction *branch = llvm::SplitBlockAndInsertIfThen(
      endless, begin->getIterator(), /*Unreachable=*/true);
  llvm::IRBuilder<> builder(branch);
  builder.SetCurrentDebugLocation(begin->getDebugLoc());
  llvm::FunctionCallee report = begin->getModule()->getOrInsertFunction(
      "chan_endless_loop", builder.getVoidTy(), builder.getPtrTy());
  builder.CreateCall(report, operand(6))->setDoesNotReturn();
}

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

/// Gives the region copies of the blocks that both it and other code jump to.
/// CodeGen makes one block for all that cannot happen and for all traps of a
/// function, optimised:
///
///   loop --> check --> next --> exit     loop --> check --> next --> exit
///              |                           |
///              v                =>         v
///   other --> trap                       trap.copy     other --> trap
///
/// Control ends there, so that no value comes back from the copies.
void Loop::copyShared() {
  auto isOutside = [&](llvm::BasicBlock *block) {
    return !region.blocks.contains(block);
  };
  llvm::SetVector<llvm::BasicBlock *> shared;
  for (llvm::BasicBlock *block : region.blocks)
    if (block != region.entry &&
        llvm::any_of(llvm::predecessors(block), isOutside))
      shared.insert(block);
  for (size_t i = 0; i < shared.size(); ++i)
    for (llvm::BasicBlock *next : llvm::successors(shared[i]))
      shared.insert(next);
  // What leads on is not copied, and found to be entered from outside.
  if (shared.contains(region.exit) || shared.contains(region.entry))
    return;

  region.blocks.set_subtract(shared);
  llvm::ValueToValueMapTy map;
  llvm::SmallVector<llvm::BasicBlock *> copies;
  for (llvm::BasicBlock *block : shared) {
    llvm::BasicBlock *copy =
        llvm::CloneBasicBlock(block, map, ".copy", block->getParent());
    map[block] = copy;
    copies.push_back(copy);
  }
  llvm::remapInstructionsInBlocks(copies, map);
  for (llvm::BasicBlock *block : region.blocks)
    for (llvm::Use &use : block->getTerminator()->operands())
      if (llvm::Value *copy = map.lookup(use.get()))
        use.set(copy);
  // Each has the values of its own predecessors.
  auto keepIncoming = [](llvm::BasicBlock &block, auto isKept) {
    for (llvm::PHINode &phi : block.phis())
      phi.removeIncomingValueIf(
          [&](unsigned index) { return !isKept(phi.getIncomingBlock(index)); },
          /*DeletePHIIfEmpty=*/false);
  };
  for (llvm::BasicBlock *block : shared)
    keepIncoming(*block, isOutside);
  region.blocks.insert_range(copies);
  for (llvm::BasicBlock *copy : copies)
    keepIncoming(*copy, [&](llvm::BasicBlock *from) {
      return region.blocks.contains(from);
    });
}

/// Finds the blocks between the markers, which front ends leave by the end
/// only.
llvm::Error Loop::findRegion() {
  llvm::BasicBlock *before = begin->getParent();
  region.entry = before->splitBasicBlock(begin->getNextNode());
  region.exit = end->getParent()->splitBasicBlock(end->getIterator());
  region.blocks.insert(region.entry);
  for (size_t i = 0; i < region.blocks.size(); ++i)
    for (llvm::BasicBlock *successor : llvm::successors(region.blocks[i]))
      if (successor != region.exit)
        region.blocks.insert(successor);
  copyShared();
  for (llvm::BasicBlock *block : region.blocks)
    for (llvm::BasicBlock *predecessor : llvm::predecessors(block))
      if (!region.blocks.contains(predecessor) &&
          (block != region.entry || predecessor != before))
        return error("it is entered from outside");
  return llvm::Error::success();
}

void Loop::replaceRangeCalls(llvm::Instruction *low, llvm::Instruction *high) {
  for (llvm::BasicBlock *block : region.blocks)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || (callee->getName() != RangeBeginName &&
                      callee->getName() != RangeEndName))
        continue;
      call->replaceAllUsesWith(callee->getName() == RangeBeginName ? low
                                                                   : high);
      call->eraseFromParent();
    }
}

/// What the condition of the loop would say at the beginning of each iteration.
llvm::SmallVector<llvm::ICmpInst *, 3>
Loop::compareWithBounds(llvm::Instruction *high) {
  auto *goesOn = high->hasOneUse()
                     ? llvm::dyn_cast<llvm::ICmpInst>(high->user_back())
                     : nullptr;
  auto *branch = goesOn && goesOn->hasOneUse()
                     ? llvm::dyn_cast<llvm::BranchInst>(goesOn->user_back())
                     : nullptr;
  auto *current =
      goesOn ? llvm::dyn_cast<llvm::LoadInst>(goesOn->getOperand(0)) : nullptr;
  auto *number =
      current ? llvm::dyn_cast<llvm::AllocaInst>(current->getPointerOperand())
              : nullptr;
  auto *control = llvm::dyn_cast<llvm::AllocaInst>(operand(0));
  if (!control || !branch || !number ||
      goesOn->getPredicate() != llvm::CmpInst::ICMP_NE ||
      !branch->getSuccessor(0)->getSinglePredecessor())
    return {};
  auto form = llvm::cast<llvm::ConstantInt>(operand(4))->getZExtValue();
  return cilk2chan::compareWithBounds(region, *branch->getSuccessor(0), *number,
                                      *control, *operand(1), *operand(2),
                                      LoopForm::decode(form));
}

/// Puts those captured values into memory that debug records speak of: there a
/// debugger finds them in unoptimised code, too.
static void storeDescribed(llvm::Function &body) {
  llvm::BasicBlock &entry = body.getEntryBlock();
  llvm::BasicBlock::iterator end = entry.getTerminator()->getIterator();
  for (llvm::Argument &argument : body.args()) {
    llvm::SmallVector<llvm::DbgVariableRecord *> records;
    llvm::findDbgValues(&argument, records);
    if (records.empty())
      continue;
    // At the front, where it is the last that SROA thinks of: so, it does with
    // the others what it does without debug information.
    auto *place = new llvm::AllocaInst(
        argument.getType(), body.getDataLayout().getAllocaAddrSpace(), "",
        entry.begin());
    new llvm::StoreInst(&argument, place, end);
    for (llvm::DbgVariableRecord *record : records) {
      entry.insertDbgRecordBefore(llvm::DbgVariableRecord::createDVRDeclare(
                                      place, record->getVariable(),
                                      record->getExpression(),
                                      record->getDebugLoc()),
                                  end);
      record->eraseFromParent();
    }
  }
}

llvm::Error Loop::outline(bool tellBounds) {
  llvm::Function &parent = *begin->getFunction();
  WorkingOn working(parent.getName());
  llvm::Value *count = countIterations();
  llvm::Value *grain = operand(5);
  if (llvm::Error failure = findRegion())
    return failure;

  // They stand for the range until it comes as arguments.
  llvm::IRBuilder<> builder(begin);
  auto *low = llvm::cast<llvm::Instruction>(
      builder.CreateFreeze(llvm::PoisonValue::get(builder.getInt64Ty())));
  auto *high = llvm::cast<llvm::Instruction>(
      builder.CreateFreeze(llvm::PoisonValue::get(builder.getInt64Ty())));
  replaceRangeCalls(low, high);
  llvm::SmallVector<llvm::ICmpInst *, 3> bounds;
  if (tellBounds)
    bounds = compareWithBounds(high);
  auto owned = separateLocals(
      region, llvm::dyn_cast<llvm::AllocaInst>(operand(0)), begin);
  llvm::DebugLoc location = begin->getDebugLoc();
  end->replaceAllUsesWith(count);
  end->eraseFromParent();
  begin->eraseFromParent();

  // The captures come behind the range.
  llvm::SetVector<llvm::Value *> inputs, outputs;
  inputs.insert(low);
  inputs.insert(high);
  llvm::CodeExtractorAnalysisCache cache(parent);
  llvm::CodeExtractor extractor(
      region.blocks.getArrayRef(), /*DT=*/nullptr, /*AggregateArgs=*/false,
      /*BFI=*/nullptr, /*BPI=*/nullptr, /*AC=*/nullptr, /*AllowVarArgs=*/false,
      /*AllowAlloca=*/true, /*AllocationBlock=*/nullptr, /*Suffix=*/"for");
  llvm::Function *body = extractor.extractCodeRegion(cache, inputs, outputs);
  if (!body || !outputs.empty())
    return llvm::make_error<InternalError>("cannot outline loop '" +
                                               ForPrefix.str() + number + "'",
                                           parent.getName());
  body->setName(BodyPrefix + number);
  body->setLinkage(llvm::GlobalValue::InternalLinkage);
  removeCallMessages(*body);
  // The extractor has named it for its new function.
  if (llvm::DISubprogram *subprogram = body->getSubprogram()) {
    subprogram->replaceOperandWith(2, parent.getSubprogram()->getRawName());
    subprogram->replaceLinkageName(nullptr);
    // It has given it line 0 as well, which is no place: coverage reads it as
    // the end of a list.
    bool hasLine = location && location.getLine();
    placeSubprogram(
        *body, hasLine ? location.getLine() : parent.getSubprogram()->getLine(),
        hasLine ? location.getCol() : 0);
  }
  for (llvm::AllocaInst *local : owned)
    local->moveBefore(body->getEntryBlock().getTerminator()->getIterator());
  storeDescribed(*body);
  // The extractor would have removed assumptions.
  for (llvm::ICmpInst *bound : bounds)
    assumeBound(*bound);

  // The one call of the body becomes that of the marker.
  auto *call = llvm::cast<llvm::CallInst>(*body->user_begin());
  builder.SetInsertPoint(call);
  builder.SetCurrentDebugLocation(location);
  llvm::SmallVector<llvm::Value *> operands = {body, count, grain};
  llvm::SmallVector<llvm::Type *> types;
  operands.append(call->arg_begin() + 2, call->arg_end());
  for (llvm::Value *value : operands)
    types.push_back(value->getType());
  auto *type = llvm::FunctionType::get(builder.getVoidTy(), types, false);
  builder.CreateCall(
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                             AbiForPrefix + number, parent.getParent()),
      operands);
  for (llvm::Instruction *dead :
       std::initializer_list<llvm::Instruction *>{call, low, high})
    dead->eraseFromParent();
  return llvm::Error::success();
}

/// The one call of the function of that name, or null.
static llvm::CallInst *onlyCallOf(llvm::Module &module, StringRef name) {
  llvm::Function *function = module.getFunction(name);
  if (!function || !function->hasOneUse())
    return nullptr;
  return llvm::dyn_cast<llvm::CallInst>(*function->user_begin());
}

/// Lets every block between two markers be reached from the first.
static void removeDeadCode(llvm::Module &module) {
  llvm::SmallPtrSet<llvm::Function *, 16> parents;
  for (llvm::Function &function : module)
    if (function.getName().starts_with(ForPrefix))
      for (llvm::User *user : function.users())
        parents.insert(llvm::cast<llvm::CallInst>(user)->getFunction());
  for (llvm::Function *parent : parents)
    llvm::removeUnreachableBlocks(*parent);
}

llvm::Error cilk2chan::outlineLoops(llvm::Module &module, bool tellBounds) {
  removeDeadCode(module);
  // A loop's number is less than those of the loops around it.
  llvm::SmallVector<std::pair<unsigned, llvm::Function *>> markers;
  for (llvm::Function &function : module) {
    StringRef name = function.getName();
    unsigned number;
    if (name.consume_front(ForPrefix) && !name.getAsInteger(10, number))
      markers.push_back({number, &function});
  }
  llvm::sort(markers);
  for (auto [number, function] : markers) {
    std::string endName = (ForEndPrefix + llvm::Twine(number)).str();
    llvm::CallInst *begin = onlyCallOf(module, function->getName());
    llvm::CallInst *end = onlyCallOf(module, endName);
    if (begin && end && begin->getFunction() == end->getFunction()) {
      if (llvm::Error failure = Loop(begin, end).outline(tellBounds))
        return failure;
    } else if (begin || end) {
      return llvm::createStringError("loop marker '" + function->getName() +
                                     "' has no end");
    }
    function->eraseFromParent();
    if (llvm::Function *ending = module.getFunction(endName))
      ending->eraseFromParent();
  }
  for (StringRef name : {RangeBeginName, RangeEndName})
    if (llvm::Function *marker = module.getFunction(name))
      marker->eraseFromParent();
  return llvm::Error::success();
}

/// Which of `count` iterations a body does: those from the first parameter to
/// the second, which are some.
static void tellRange(llvm::Function &body, const llvm::APInt &count) {
  auto tell = [&](unsigned parameter, const llvm::ConstantRange &range) {
    body.addParamAttr(
        parameter,
        llvm::Attribute::get(body.getContext(), llvm::Attribute::Range, range));
  };
  llvm::APInt zero = llvm::APInt::getZero(count.getBitWidth()), one = zero + 1;
  if (count.ult(llvm::APInt::getSignedMaxValue(count.getBitWidth())) &&
      !count.isZero()) {
    tell(0, {zero, count});
    tell(1, {one, count + 1});
  }
}

void cilk2chan::tellRanges(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (!function.getName().starts_with(AbiForPrefix))
      continue;
    for (llvm::User *user : function.users()) {
      auto *loop = llvm::cast<llvm::CallInst>(user);
      auto *body = llvm::cast<llvm::Function>(loop->getArgOperand(0));
      auto *count = llvm::dyn_cast<llvm::ConstantInt>(loop->getArgOperand(1));
      // Of a body for several loops nothing is known.
      if (count && body->hasOneUse())
        tellRange(*body, count->getValue());
    }
  }
}
