//===- HoistCalls.cpp - One call for all iterations -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoistCalls.h"
#include "Attributes.h"
#include "LoopBodies.h"
#include "Markers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace cilk2chan;

/// Whether the arguments are what `isLeaf` says or computed from such values
/// alone, in a way that may be done anywhere, by any thread.
static bool areComputedFrom(llvm::CallInst &call,
                            llvm::function_ref<bool(llvm::Value *)> isLeaf) {
  llvm::SetVector<llvm::Value *> needed(call.arg_begin(), call.arg_end());
  for (unsigned i = 0; i != needed.size(); ++i) {
    llvm::Value *value = needed[i];
    if (llvm::isa<llvm::Constant>(value) || isLeaf(value))
      continue;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(value);
    if (!instruction || llvm::isa<llvm::PHINode>(instruction) ||
        (intrinsic &&
         intrinsic->getIntrinsicID() == llvm::Intrinsic::threadlocal_address) ||
        instruction->mayReadOrWriteMemory() ||
        !llvm::isSafeToSpeculativelyExecute(instruction))
      return false;
    needed.insert_range(instruction->operands());
  }
  return true;
}

/// The instruction as a call of what `effects` knows, or null.
static llvm::CallInst *asKnownCall(llvm::Instruction &instruction,
                                   const KnownEffects &effects) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && effects.count(callee) ? call : nullptr;
}

/// What is said of a call that has been moved from there.
static Finding foundAlike(llvm::DebugLoc location) {
  return {std::move(location),
          "all iterations make this call alike, which has no effects: it is "
          "made once, in front of the loop"};
}

//===----------------------------------------------------------------------===//
// Serial loops
//===----------------------------------------------------------------------===//

/// Calls of what is known that have the same arguments in all iterations.
static llvm::SmallVector<llvm::CallInst *>
findRepeated(llvm::Function &function, const KnownEffects &effects) {
  llvm::SmallVector<llvm::CallInst *> repeated;
  if (llvm::none_of(llvm::instructions(function),
                    [&](llvm::Instruction &instruction) {
                      return asKnownCall(instruction, effects);
                    }))
    return repeated;
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    const llvm::Loop *loop = loops.getLoopFor(instruction.getParent());
    llvm::CallInst *call = asKnownCall(instruction, effects);
    if (loop && call && areComputedFrom(*call, [&](llvm::Value *value) {
          return loop->isLoopInvariant(value);
        }))
      repeated.push_back(call);
  }
  return repeated;
}

static void hoistFromSerialLoops(llvm::Function &function,
                                 const KnownEffects &effects,
                                 llvm::SmallVectorImpl<Finding> &findings) {
  llvm::SmallVector<llvm::CallInst *> calls = findRepeated(function, effects);
  if (calls.empty())
    return;
  // LLVM moves them, and may erase them then for others.
  llvm::SmallVector<std::pair<llvm::WeakVH, llvm::DebugLoc>> places;
  for (llvm::CallInst *call : calls) {
    places.emplace_back(call, call->getDebugLoc());
    call->setMemoryEffects(call->getMemoryEffects() &
                           effects.find(call->getCalledFunction())->second);
  }
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
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (const auto &[place, location] : places)
    if (auto *call = llvm::cast_or_null<llvm::CallInst>(place);
        call && !loops.getLoopFor(call->getParent()))
      findings.push_back(foundAlike(location));
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::CallInst *call = asKnownCall(instruction, effects))
      call->removeFnAttr(llvm::Attribute::Memory);
}

//===----------------------------------------------------------------------===//
// Parallel loops
//===----------------------------------------------------------------------===//

namespace {
/// Which functions have a loop, spawn or recur, or call one that does: others
/// may be a constant once they are inlined, and take no longer than to pass
/// one.
class LongFunctions {
public:
  bool contains(const llvm::Function &function);

private:
  /// True while it is being found: who calls what it is inside of recurs.
  llvm::DenseMap<const llvm::Function *, bool> known;
};
} // namespace

bool LongFunctions::contains(const llvm::Function &function) {
  auto [place, isNew] = known.try_emplace(&function, true);
  if (!isNew)
    return place->second;
  llvm::SmallVector<
      std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>>
      edges;
  llvm::FindFunctionBackedges(function, edges);
  bool found =
      !edges.empty() ||
      llvm::any_of(llvm::instructions(function),
                   [&](const llvm::Instruction &instruction) {
                     auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
                     const llvm::Function *callee =
                         call ? call->getCalledFunction() : nullptr;
                     return callee &&
                            (isSpawnMarker(callee) ||
                             (!callee->isDeclaration() && contains(*callee)));
                   });
  return known[&function] = found;
}

namespace {
/// A body from which calls go to the front of its loop.
class ParallelLoop {
public:
  ParallelLoop(llvm::Function &body, const KnownEffects &effects,
               LongFunctions &longFunctions)
      : body(body), marker(markerOf(body)), effects(effects),
        longFunctions(longFunctions) {}

  /// Whether the body calls what may go.
  bool mayHaveRepeated() const;
  /// Null if nothing changes.
  llvm::Function *run(llvm::SmallVectorImpl<Finding> &findings);

private:
  bool mayGo(llvm::Instruction &instruction) const;
  void findRepeated();
  llvm::Value *callInFront(llvm::CallInst *call);

  llvm::Function &body;
  llvm::CallInst *marker;
  const KnownEffects &effects;
  LongFunctions &longFunctions;
  /// They are in an order in which they may be made.
  llvm::SmallVector<llvm::CallInst *> calls;
};
} // namespace

bool ParallelLoop::mayGo(llvm::Instruction &instruction) const {
  llvm::CallInst *call = asKnownCall(instruction, effects);
  return call && call->getType()->isSingleValueType() &&
         !call->isMustTailCall() && !call->hasOperandBundles() &&
         effects.find(call->getCalledFunction())
             ->second.doesNotAccessMemory() &&
         longFunctions.contains(*call->getCalledFunction());
}

bool ParallelLoop::mayHaveRepeated() const {
  return llvm::any_of(
      llvm::instructions(body),
      [&](llvm::Instruction &instruction) { return mayGo(instruction); });
}

/// Whether `loop` is that over the range of `body`, which is not empty.
static bool isOverRange(const llvm::Loop &loop, llvm::Function &body) {
  llvm::BasicBlock *header = loop.getHeader();
  llvm::BasicBlock *before = loop.getLoopPredecessor();
  // From the entry on there is one way.
  unsigned blocks = 0;
  llvm::BasicBlock *block = &body.getEntryBlock();
  while (block && block != before && ++blocks != body.size())
    block = block->getUniqueSuccessor();
  if (!before || block != before)
    return false;
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
  auto *compare = branch && branch->isConditional()
                      ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                      : nullptr;
  if (!compare || compare->getOperand(1) != body.getArg(1))
    return false;
  auto *index = llvm::dyn_cast<llvm::PHINode>(compare->getOperand(0));
  if (!index || index->getParent() != header ||
      index->getIncomingValueForBlock(before) != body.getArg(0))
    return false;
  bool enters = compare->getPredicate() == llvm::CmpInst::ICMP_NE ||
                compare->getPredicate() == llvm::CmpInst::ICMP_ULT;
  bool leaves = compare->getPredicate() == llvm::CmpInst::ICMP_EQ ||
                compare->getPredicate() == llvm::CmpInst::ICMP_UGE;
  if (!enters && !leaves)
    return false;
  return loop.contains(branch->getSuccessor(leaves)) &&
         !loop.contains(branch->getSuccessor(enters));
}

/// Finds the calls that the first iteration of a range makes, with arguments
/// that do not depend on the range.
void ParallelLoop::findRepeated() {
  llvm::DominatorTree dominators(body);
  llvm::LoopInfo loops(dominators);
  auto range = llvm::find_if(loops, [&](const llvm::Loop *loop) {
    return loop->getLoopLatch() && isOverRange(*loop, body);
  });
  // In a cycle with two entries no order tells what comes first.
  llvm::ReversePostOrderTraversal<llvm::Function *> order(&body);
  if (range == loops.end() ||
      llvm::containsIrreducibleCFG<const llvm::BasicBlock *>(order, loops))
    return;
  const llvm::Loop &loop = **range;
  auto isCapture = [](llvm::Value *value) {
    auto *parameter = llvm::dyn_cast<llvm::Argument>(value);
    return parameter && parameter->getArgNo() >= FirstCapture;
  };
  // Nothing is certain behind what may end the program or never come to an end.
  auto isPassed = [&](llvm::Instruction &instruction) {
    return asKnownCall(instruction, effects) ||
           llvm::isGuaranteedToTransferExecutionToSuccessor(&instruction);
  };
  for (llvm::BasicBlock *block : order) {
    if (!loop.contains(block) || block == loop.getHeader())
      continue;
    bool isInAll = dominators.dominates(block, loop.getLoopLatch());
    for (llvm::Instruction &instruction : *block) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (isInAll && mayGo(instruction) && areComputedFrom(*call, isCapture))
        calls.push_back(call);
      else if (!isPassed(instruction))
        return;
    }
    if (loops.getLoopFor(block) != &loop ||
        !llvm::all_of(llvm::successors(block), [&](llvm::BasicBlock *next) {
          return loop.contains(next);
        }))
      return;
  }
}

/// Makes the call in front of the loop, if that has iterations.
llvm::Value *ParallelLoop::callInFront(llvm::CallInst *call) {
  llvm::Value *count = marker->getArgOperand(1);
  llvm::IRBuilder<> builder(marker);
  builder.SetCurrentDebugLocation(marker->getDebugLoc());
  llvm::DenseMap<llvm::Value *, llvm::Value *> values;
  auto value = [&](auto &&value, llvm::Value *inBody) -> llvm::Value * {
    if (auto *parameter = llvm::dyn_cast<llvm::Argument>(inBody))
      return marker->getArgOperand(operandOf(parameter->getArgNo()));
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(inBody);
    if (!instruction)
      return inBody;
    llvm::Value *&known = values[instruction];
    if (known)
      return known;
    llvm::Instruction *copy = instruction->clone();
    copy->dropDbgRecords();
    for (llvm::Use &use : copy->operands())
      use.set(value(value, use.get()));
    builder.Insert(copy);
    copy->setDebugLoc(marker->getDebugLoc());
    return values[instruction] = copy;
  };
  if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(count);
      known && !known->isZero())
    return value(value, call);
  llvm::BasicBlock *before = marker->getParent();
  llvm::Instruction *branch = llvm::SplitBlockAndInsertIfThen(
      builder.CreateIsNotNull(count), marker->getIterator(),
      /*Unreachable=*/false);
  builder.SetInsertPoint(branch);
  llvm::Value *result = value(value, call);
  builder.SetInsertPoint(marker->getParent(), marker->getParent()->begin());
  llvm::PHINode *either = builder.CreatePHI(call->getType(), 2);
  either->addIncoming(result, branch->getParent());
  either->addIncoming(llvm::PoisonValue::get(call->getType()), before);
  return either;
}

llvm::Function *ParallelLoop::run(llvm::SmallVectorImpl<Finding> &findings) {
  findRepeated();
  if (calls.empty())
    return nullptr;
  llvm::SmallVector<llvm::Type *> types(body.getFunctionType()->params());
  llvm::SmallVector<llvm::Value *> operands(marker->args());
  for (llvm::CallInst *call : calls) {
    types.push_back(call->getType());
    operands.push_back(callInFront(call));
  }
  unsigned first = unsigned(body.arg_size());
  llvm::Function *changed =
      withParameters(body, types, [](unsigned) { return false; });
  for (auto [number, call] : llvm::enumerate(calls)) {
    findings.push_back(foundAlike(call->getDebugLoc()));
    call->replaceAllUsesWith(changed->getArg(first + unsigned(number)));
    call->eraseFromParent();
  }
  operands[0] = changed;
  changeOperands(marker, operands);
  body.eraseFromParent();
  return changed;
}

/// Whether `function` has a marker, or calls what is `converted`.
static bool entersConverted(llvm::Function &function,
                            llvm::ArrayRef<llvm::Function *> converted) {
  return llvm::any_of(
      llvm::instructions(function), [&](llvm::Instruction &instruction) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
        return callee && (isSpawnMarker(callee) || isSyncMarker(callee) ||
                          llvm::is_contained(converted, callee));
      });
}

llvm::SmallVector<Finding> cilk2chan::hoistCalls(
    llvm::Module &module, llvm::SmallVectorImpl<llvm::Function *> &converted,
    const KnownEffects &effects, llvm::FunctionAnalysisManager &analyses) {
  llvm::SmallVector<Finding> findings;
  LongFunctions longFunctions;
  for (llvm::Function *body : bodiesOf(module)) {
    ParallelLoop loop(*body, effects, longFunctions);
    if (!loop.mayHaveRepeated())
      continue;
    auto *place = llvm::find(converted, body);
    if (place == converted.end()) {
      removeLifetimeMarkers(*body);
      llvm::SROAPass(llvm::SROAOptions::ModifyCFG).run(*body, analyses);
    }
    analyses.clear(*body, body->getName());
    // What is called with the result of another may go behind that.
    llvm::Function *changed = loop.run(findings);
    for (llvm::Function *last = changed; last;) {
      changed = last;
      last = ParallelLoop(*last, effects, longFunctions).run(findings);
    }
    if (!changed || place == converted.end())
      continue;
    if (entersConverted(*changed, converted))
      *place = changed;
    else
      converted.erase(place);
  }
  for (llvm::Function *function : converted)
    hoistFromSerialLoops(*function, effects, findings);
  return findings;
}
