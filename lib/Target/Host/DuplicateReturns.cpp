//===- DuplicateReturns.cpp - Return behind a recursive call --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives the last call of a serial clone to itself a return of its own:
//
//   if (n < 3) y = 1;            ->     if (n < 3) { y = 1; goto out; }
//   else y = f(n - 2);                  y = f(n - 2); return x + y;
//   out: return x + y;                  out: return x + y;
//
// LLVM then makes a loop of the call, with the sum as an accumulator.
//
//===----------------------------------------------------------------------===//

#include "DuplicateReturns.h"
#include "Clones.h"
#include "Tuning.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace cilk2chan;

namespace {

class DuplicateReturns : public PassInfoMixin<DuplicateReturns> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &);
};

} // namespace

/// Whether a call of its own function is the last that `block` does.
static bool endsInRecursion(const BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || branch->isConditional())
    return false;
  auto *call = dyn_cast_if_present<CallInst>(branch->getPrevNode());
  return call && call->getCalledFunction() == block.getParent();
}

/// Finds the blocks from `block` to the return; none if there are several ways,
/// or none, or much to do.
static SmallVector<BasicBlock *> findWayOut(BasicBlock &block) {
  SmallVector<BasicBlock *> way;
  unsigned count = 0;
  for (BasicBlock *next = block.getSingleSuccessor(); next;
       next = next->getSingleSuccessor()) {
    if (is_contained(way, next))
      return {};
    way.push_back(next);
    for (Instruction &instruction : *next) {
      bool isEnd =
          isa<PHINode, ReturnInst>(instruction) || instruction.isTerminator();
      count += !isEnd;
      if ((!isEnd && instruction.mayHaveSideEffects()) ||
          instruction.mayReadFromMemory())
        return {};
    }
    if (count > tuning::mostBeforeReturn)
      return {};
    if (isa<ReturnInst>(next->getTerminator()))
      return way;
  }
  return {};
}

/// Does what is on `way` at the end of `block`, and returns.
static void returnFrom(BasicBlock &block, ArrayRef<BasicBlock *> way) {
  ValueToValueMapTy values;
  Instruction *end = block.getTerminator();
  BasicBlock *from = &block;
  for (BasicBlock *next : way) {
    for (PHINode &phi : next->phis()) {
      Value *passed = phi.getIncomingValueForBlock(from);
      Value *known = values.lookup(passed);
      values[&phi] = known ? known : passed;
    }
    for (Instruction &instruction : *next) {
      if (isa<PHINode>(instruction) ||
          (instruction.isTerminator() && !isa<ReturnInst>(instruction)))
        continue;
      Instruction *copy = instruction.clone();
      copy->insertBefore(end->getIterator());
      RemapInstruction(copy, values,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      values[&instruction] = copy;
    }
    from = next;
  }
  way.front()->removePredecessor(&block);
  end->eraseFromParent();
}

PreservedAnalyses DuplicateReturns::run(Function &function,
                                        FunctionAnalysisManager &) {
  if (!isClone(function))
    return PreservedAnalyses::all();
  bool changed = false;
  for (BasicBlock &block : function) {
    if (!endsInRecursion(block))
      continue;
    SmallVector<BasicBlock *> way = findWayOut(block);
    if (way.empty())
      continue;
    returnFrom(block, way);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

void cilk2chan::addDuplicateReturns(PassBuilder &builder) {
  builder.registerPeepholeEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() >= 2 && level.getSizeLevel() == 0)
          passes.addPass(DuplicateReturns());
      });
}
