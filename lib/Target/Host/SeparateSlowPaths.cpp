//===- SeparateSlowPaths.cpp - What follows a slow path -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives the slow path of a serial clone's loop a copy of what follows the loop:
//
//   fast: ...  goto out                 fast: ...  x = fast.x; return x * 2
//   slow: ...  goto out          ->     slow: ...  y = slow.x; return y * 2
//   out: x = phi(fast.x, slow.x)
//        return x * 2
//
// What is computed from the loop's results then depends on the fast path alone,
// as in the serial elision. A constant that an iteration has left stays a
// constant.
//
//===----------------------------------------------------------------------===//

#include "SeparateSlowPaths.h"
#include "Tuning.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace cilk2chan;

namespace {

class SeparateSlowPaths : public PassInfoMixin<SeparateSlowPaths> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses);
};

} // namespace

/// Whether a slow path ends in `block` (SerialRange.cpp).
static bool endsSlowPath(const BasicBlock &block) {
  return any_of(block, [](const Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName() == "chan_late_close";
  });
}

/// Whether control comes to `block` again.
static bool isRepeated(const BasicBlock *block, const LoopInfo &loops) {
  const Loop *loop = loops.getLoopFor(block);
  // Control comes to a header from outside of its loop.
  if (loop && loop->getHeader() == block)
    loop = loop->getParentLoop();
  return loop != nullptr;
}

/// The blocks that both paths come to, and no others;
/// none if that is nothing to do, or much.
static SmallVector<BasicBlock *> findCommon(BasicBlock &slow,
                                            const DominatorTree &dominators,
                                            const LoopInfo &loops) {
  BasicBlock *first = slow.getSingleSuccessor();
  if (!first || first->getSinglePredecessor() || isRepeated(first, loops))
    return {};
  SmallVector<BasicBlock *> blocks;
  dominators.getDescendants(first, blocks);
  unsigned count = 0;
  for (BasicBlock *block : blocks) {
    if (block == &slow)
      return {};
    for (Instruction &instruction : *block)
      count += !isa<PHINode>(instruction) && !instruction.isTerminator();
  }
  if (count == 0 || count > tuning::mostAfterSlowPath)
    return {};
  return blocks;
}

/// Has `slow` go on in copies of `blocks`, the first of which it goes on in.
static void separate(BasicBlock &slow, ArrayRef<BasicBlock *> blocks) {
  ValueToValueMapTy values;
  SmallVector<BasicBlock *> copies;
  for (BasicBlock *block : blocks) {
    BasicBlock *copy =
        CloneBasicBlock(block, values, ".slow", slow.getParent());
    values[block] = copy;
    copies.push_back(copy);
  }
  remapInstructionsInBlocks(copies, values);

  BasicBlock *first = blocks.front(), *copyOfFirst = copies.front();
  slow.getTerminator()->replaceSuccessorWith(first, copyOfFirst);
  first->removePredecessor(&slow, /*KeepOneInputPHIs=*/true);
  for (PHINode &phi : copyOfFirst->phis())
    phi.removeIncomingValueIf([&](unsigned i) {
      BasicBlock *from = phi.getIncomingBlock(i);
      return from != &slow && !is_contained(copies, from);
    });
  for (auto [block, copy] : zip_equal(blocks, copies))
    for (BasicBlock *next : successors(block)) {
      if (is_contained(blocks, next))
        continue;
      for (PHINode &phi : next->phis()) {
        Value *passed = phi.getIncomingValueForBlock(block);
        Value *its = values.lookup(passed);
        phi.addIncoming(its ? its : passed, copy);
      }
    }
}

PreservedAnalyses SeparateSlowPaths::run(Function &function,
                                         FunctionAnalysisManager &analyses) {
  bool changed = false;
  for (BasicBlock &slow : make_early_inc_range(function)) {
    if (!endsSlowPath(slow))
      continue;
    auto blocks =
        findCommon(slow, analyses.getResult<DominatorTreeAnalysis>(function),
                   analyses.getResult<LoopAnalysis>(function));
    if (blocks.empty())
      continue;
    separate(slow, blocks);
    analyses.invalidate(function, PreservedAnalyses::none());
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

void cilk2chan::addSeparateSlowPaths(PassBuilder &builder) {
  builder.registerPeepholeEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() >= 2 && level.getSizeLevel() == 0)
          passes.addPass(SeparateSlowPaths());
      });
}
