//===- UnrollClones.cpp - Unroll what Clang would without polls -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unrolls loops of serial clones that spawn, if LLVM would unroll those of the
// serial elision:
//
//   for (i = 0; i < 3; i++) {           poll; f(0);
//     poll;                      ->     poll; f(1);
//     f(i);                             poll; f(2);
//   }
//
// LLVM counts the instructions of the polls, and finds such a loop too large.
// The pass does not count them.
//
//===----------------------------------------------------------------------===//

#include "UnrollClones.h"
#include "Clones.h"
#include "Tuning.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace cilk2chan;

namespace {

class UnrollClones : public PassInfoMixin<UnrollClones> {
public:
  explicit UnrollClones(unsigned most) : most(most) {}

  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &,
                        LoopStandardAnalysisResults &results, LPMUpdater &) {
    unsigned trips = tripCount(loop, results.SE);
    if (trips > 1 && polls(loop) &&
        hasUnrollTransformation(&loop) == TM_Unspecified &&
        trips * sizeOf(loop, results.TTI) <= most)
      addStringMetadataToLoop(&loop, "llvm.loop.unroll.full");
    return PreservedAnalyses::all();
  }

private:
  static unsigned tripCount(const Loop &loop, ScalarEvolution &evolution);
  static bool polls(const Loop &loop);
  static unsigned sizeOf(const Loop &loop, const TargetTransformInfo &target);

  unsigned most;
};

} // namespace

/// Where the stack ends.
static bool isStackPointer(const Value *value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  return call && call->getIntrinsicID() == Intrinsic::stacksave;
}

/// Whether it is the condition of a poll: `stack pointer < limit` and the like.
static bool isPollCondition(const Value *value) {
  auto *compare = dyn_cast<ICmpInst>(value);
  return compare && any_of(compare->operands(), [](const Use &use) {
           return isStackPointer(use.get());
         });
}

/// Whether `instruction` is part of a poll.
static bool isPartOfPoll(const Instruction &instruction) {
  auto *branch = dyn_cast<BranchInst>(&instruction);
  return isStackPointer(&instruction) || isPollCondition(&instruction) ||
         (branch && branch->isConditional() &&
          isPollCondition(branch->getCondition())) ||
         (!instruction.use_empty() &&
          all_of(instruction.users(), isPollCondition));
}

/// How often the loop runs unless it is left for the slow path.
unsigned UnrollClones::tripCount(const Loop &loop, ScalarEvolution &evolution) {
  SmallVector<BasicBlock *> exiting;
  loop.getExitingBlocks(exiting);
  unsigned least = 0;
  for (BasicBlock *block : exiting)
    if (unsigned trips = evolution.getSmallConstantTripCount(&loop, block))
      least = least ? std::min(least, trips) : trips;
  return least;
}

bool UnrollClones::polls(const Loop &loop) {
  return loop.isInnermost() && any_of(loop.blocks(), [](BasicBlock *block) {
           return any_of(*block, isPollCall);
         });
}

unsigned UnrollClones::sizeOf(const Loop &loop,
                              const TargetTransformInfo &target) {
  InstructionCost size = 0;
  for (BasicBlock *block : loop.blocks()) {
    // The call of a poll, and what depends on its result.
    if (any_of(*block, isPollCall))
      continue;
    for (Instruction &instruction : *block)
      if (!isPartOfPoll(instruction))
        size += target.getInstructionCost(&instruction,
                                          TargetTransformInfo::TCK_CodeSize);
  }
  return size.isValid() && size > 0 ? unsigned(size.getValue()) : UINT_MAX;
}

void cilk2chan::addUnrollClones(PassBuilder &builder) {
  builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &loops, OptimizationLevel level) {
        if (level.getSpeedupLevel() >= 2 && level.getSizeLevel() == 0)
          loops.addPass(UnrollClones(level.getSpeedupLevel() > 2
                                         ? tuning::mostUnrolledO3
                                         : tuning::mostUnrolledO2));
      });
}
