//===- UnrollLoops.cpp - Several iterations in a block --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an iteration leaves for the next one, and what all of them use, goes
// through the live value cache each time that a thread comes to the block. With
// several iterations in it these pass by the fabric. Threads in flight are
// limited, so loads of several iterations at once also hide more latency.
//
// A loop of one block is unrolled twice, four or eight times, as its nodes
// still fit. Iterations that are left over are done in a loop of their own.
//
//===----------------------------------------------------------------------===//

#include "UnrollLoops.h"
#include "MemoryOrder.h"
#include "Opcodes.h"
#include "cilk2chan/Conversion/Tuning.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace cilk2chan;

/// How many iterations of `block` a block may have.
static unsigned countFitting(const BasicBlock &block) {
  unsigned nodes = 0, accesses = 0, special = 0;
  SmallPtrSet<const Value *, 16> carried;
  for (const Instruction &instruction : block) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    if (isa<CallBase>(instruction) && !intrinsic)
      return 1;
    nodes += countNodes(instruction);
    accesses += isMemoryOperation(instruction);
    if (std::optional<vgiw::Opcode> opcode =
            intrinsic ? opcodeOf(*intrinsic) : opcodeOf(instruction))
      special += vgiw::isSpecial(*opcode);
    if (isa<PHINode>(instruction))
      carried.insert(&instruction);
    for (const Value *operand : instruction.operands())
      if (auto *source = dyn_cast<Instruction>(operand);
          source && source->getParent() != &block)
        carried.insert(source);
  }
  unsigned fitting = 1;
  while (fitting < tuning::mostUnrolledIterations) {
    unsigned next = 2 * fitting;
    if (next * nodes + carried.size() > tuning::mostNodes ||
        next * accesses > tuning::mostAccesses ||
        next * special > tuning::mostSpecial)
      break;
    fitting = next;
  }
  return fitting;
}

PreservedAnalyses UnrollLoopsPass::run(Function &kernel,
                                       FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(kernel);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(kernel);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(kernel);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(kernel);
  auto &machine = analyses.getResult<TargetIRAnalysis>(kernel);
  auto &remarks = analyses.getResult<OptimizationRemarkEmitterAnalysis>(kernel);
  bool any = false;
  SmallVector<Loop *> work;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->getNumBlocks() == 1 && countFitting(*loop->getHeader()) > 1 &&
        evolution.hasLoopInvariantBackedgeTakenCount(loop))
      work.push_back(loop);
  for (Loop *loop : work) {
    UnrollLoopOptions options{};
    options.Count = countFitting(*loop->getHeader());
    if (unsigned trips = evolution.getSmallConstantMaxTripCount(loop))
      options.Count = std::min(options.Count, unsigned(bit_floor(trips)));
    if (options.Count < 2)
      continue;
    options.Runtime = true;
    // A known number of iterations that are left over needs no loop.
    options.UnrollRemainder = evolution.getSmallConstantTripCount(loop) != 0;
    options.SCEVExpansionBudget = 8;
    simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions,
                 /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
    formLCSSARecursively(*loop, dominators, &loops, &evolution);
    any |= UnrollLoop(loop, options, &loops, &evolution, &dominators,
                      &assumptions, &machine, &remarks,
                      /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
  }
  return any || !work.empty() ? PreservedAnalyses::none()
                              : PreservedAnalyses::all();
}
