//===- InlineClones.cpp - Recursion two levels at a time ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inlines a small serial clone into itself, once:
//
//   fib.serial(n):                      fib.serial(n):
//     poll                                poll
//     x = fib.serial(n - 1)       ->      x = [x' = fib.serial(n - 2)
//     y = fib.serial(n - 2)                    y' = fib.serial(n - 3); x' + y']
//                                         y = [the same of n - 2]
//
// LLVM inlines no function into itself. GCC does, which makes a recursion of
// small activations up to twice as fast. Clones also save polls: the outer
// activation has just polled on the same frame, and the calls of the inner one
// poll again. The pass runs after tail calls have become loops, and leaves
// these loops as they are.
//
//===----------------------------------------------------------------------===//

#include "InlineClones.h"
#include "Clones.h"
#include "Tuning.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2chan;

namespace {

class InlineClones : public PassInfoMixin<InlineClones> {
public:
  explicit InlineClones(FunctionPassManager simplify)
      : simplify(std::move(simplify)) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses);

private:
  /// Of a function that something was inlined into.
  FunctionPassManager simplify;
};

} // namespace

static bool polls(const BasicBlock &block) { return any_of(block, isPollCall); }

/// Whether activations of `function` are small enough to do two in one.
static bool isSmall(const Function &function) {
  if (function.hasFnAttribute(Attribute::NoInline) ||
      function.hasFnAttribute(Attribute::OptimizeNone) || function.hasOptSize())
    return false;
  unsigned parameters = 0;
  for (const Argument &argument : function.args())
    parameters +=
        !argument.hasSwiftSelfAttr() && !argument.getType()->isFPOrFPVectorTy();
  if (parameters > tuning::mostCloneParameters)
    return false;
  uint64_t bytes = 0;
  for (const BasicBlock &block : function)
    for (const Instruction &instruction : block)
      if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
        auto size = alloca->getAllocationSize(function.getDataLayout());
        if (!alloca->isStaticAlloca() || !size || size->isScalable())
          return false;
        bytes += size->getFixedValue();
      }
  return bytes <= tuning::mostCloneStack;
}

/// The calls of `function` to itself that are worth inlining.
static SmallVector<CallInst *> findCalls(Function &function,
                                         FunctionAnalysisManager &analyses) {
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  SmallVector<BasicBlock *> pollBlocks;
  for (BasicBlock &block : function)
    if (polls(block))
      pollBlocks.push_back(&block);
  SmallVector<CallInst *> calls;
  SmallVector<std::pair<BasicBlock *, unsigned>> blocks;
  unsigned size = 0;
  for (BasicBlock &block : function) {
    // Control comes there only after a poll.
    if (any_of(pollBlocks, [&](BasicBlock *poll) {
          return dominators.dominates(poll, &block);
        }))
      continue;
    blocks.push_back({&block, block.sizeWithoutDebug()});
    size += blocks.back().second;
    for (Instruction &instruction : block)
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && call->getCalledFunction() == &function &&
          !call->isMustTailCall())
        calls.push_back(call);
  }
  if (calls.empty() || calls.size() * size > tuning::mostInlinedClone)
    return {};

  auto &frequencies = analyses.getResult<BlockFrequencyAnalysis>(function);
  auto frequencyOf = [&](const BasicBlock *block) {
    return double(frequencies.getBlockFreq(block).getFrequency());
  };
  double executed = 0, called = 0;
  for (auto [block, count] : blocks)
    executed += frequencyOf(block) * count;
  for (const CallInst *call : calls)
    called += frequencyOf(call->getParent());
  if (executed > tuning::mostPerCloneCall * called)
    return {};
  return calls;
}

/// Has control not come to `poll` any more.
static void removePoll(BasicBlock &poll) {
  for (BasicBlock *before : to_vector(predecessors(&poll))) {
    auto *branch = dyn_cast<BranchInst>(before->getTerminator());
    if (!branch || !branch->isConditional())
      continue;
    bool isFirst = branch->getSuccessor(0) == &poll;
    BasicBlock *other = branch->getSuccessor(isFirst ? 1 : 0);
    if (other == &poll)
      continue;
    poll.removePredecessor(before);
    BranchInst::Create(other, branch->getIterator())
        ->setDebugLoc(branch->getDebugLoc());
    branch->eraseFromParent();
  }
}

static void inlineOnce(Function &function, ArrayRef<CallInst *> calls) {
  ValueToValueMapTy values;
  Function *inner = CloneFunction(&function, values);
  for (BasicBlock &block : *inner)
    if (polls(block))
      removePoll(block);
  for (CallInst *call : calls) {
    call->setCalledFunction(inner);
    InlineFunctionInfo info;
    if (!InlineFunction(*call, info).isSuccess())
      call->setCalledFunction(&function);
  }
  inner->eraseFromParent();
}

PreservedAnalyses InlineClones::run(Module &module,
                                    ModuleAnalysisManager &analyses) {
  auto &functions =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  SmallVector<Function *> clones;
  for (Function &function : module)
    if (isClone(function) && any_of(function, polls) && isSmall(function))
      clones.push_back(&function);
  bool changed = false;
  for (Function *function : clones) {
    SmallVector<CallInst *> calls = findCalls(*function, functions);
    if (calls.empty())
      continue;
    inlineOnce(*function, calls);
    functions.invalidate(*function, PreservedAnalyses::none());
    functions.invalidate(*function, simplify.run(*function, functions));
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// Of a function that something was inlined into: what the outer level knows of
/// the inner one's base-case check, in the main. The rest of LLVM's passes is
/// to come.
static FunctionPassManager simplification() {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(JumpThreadingPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  return passes;
}

void cilk2chan::addInlineClones(PassBuilder &builder) {
  builder.registerOptimizerEarlyEPCallback([](ModulePassManager &passes,
                                              OptimizationLevel level,
                                              ThinOrFullLTOPhase) {
    if (level.getSpeedupLevel() >= 2 && level.getSizeLevel() == 0)
      passes.addPass(InlineClones(simplification()));
  });
}
