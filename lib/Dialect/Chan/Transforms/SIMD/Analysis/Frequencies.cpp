//===- Frequencies.cpp - How often code of a kernel runs ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frequencies.h"
#include "TripCount.h"

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"
#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace cilk2chan;

Frequencies::Frequencies(chan::KernelOp kernel, const LaneShapes &shapes)
    : shapes(shapes) {
  findUnrolled(kernel);
}

void Frequencies::findUnrolled(chan::KernelOp kernel) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto loop = dyn_cast<scf::WhileOp>(op);
    auto counted = loop ? countTrips(loop, tuning::mostUnrolled) : std::nullopt;
    if (counted) {
      unrolled.insert(counted->counter);
      findLeaving(loop.getConditionOp().getCondition());
    } else if (isElementwise(op) && !unrolled.empty() &&
               llvm::all_of(op->getOperands(),
                            [&](Value of) { return isUnrolled(of); })) {
      unrolled.insert(op->getResult(0));
    }
  });
}

bool Frequencies::isUnrolled(Value value) const {
  return unrolled.contains(value) || matchPattern(value, m_Constant());
}

/// Finds the arms that make `more`, which a loop goes on by, a constant zero.
void Frequencies::findLeaving(Value more) {
  while (auto conversion = more.getDefiningOp<LLVM::TruncOp>())
    more = conversion.getArg();
  auto result = dyn_cast<OpResult>(more);
  if (!result)
    return;
  // Left from within a loop inside it.
  if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner()))
    return findLeaving(
        loop.getConditionOp().getArgs()[result.getResultNumber()]);
  if (!isa<scf::IfOp, scf::IndexSwitchOp>(result.getOwner()))
    return;
  for (Region &arm : result.getOwner()->getRegions()) {
    if (arm.empty())
      continue;
    Value its =
        arm.front().getTerminator()->getOperand(result.getResultNumber());
    if (matchPattern(its, m_Zero()))
      leaving.insert(&arm);
    else
      findLeaving(its);
  }
}

void Frequencies::enter(scf::WhileOp loop) {
  findLeaving(loop.getConditionOp().getCondition());
}

bool Frequencies::leavesTogether(scf::WhileOp loop) const {
  if (!loop->getParentOfType<scf::WhileOp>())
    return false;
  // Whether `more` is zero only where all lanes have chosen so, or in an arm
  // that leaves the loop around as well.
  auto isSo = [&](auto &isSo, Value more) {
    while (auto conversion = more.getDefiningOp<LLVM::TruncOp>())
      more = conversion.getArg();
    auto result = dyn_cast<OpResult>(more);
    if (!result || !isa<scf::IfOp, scf::IndexSwitchOp>(result.getOwner()))
      return matchPattern(more, m_NonZero());
    bool together = shapes.isUniform(result.getOwner()->getOperand(0));
    return llvm::all_of(result.getOwner()->getRegions(), [&](Region &arm) {
      Value its =
          arm.front().getTerminator()->getOperand(result.getResultNumber());
      return leaving.contains(&arm) ||
             (together && matchPattern(its, m_Zero())) || isSo(isSo, its);
    });
  };
  return isSo(isSo, loop.getConditionOp().getCondition());
}

bool cilk2chan::isHoistedToParents(Region &arm) {
  return endingArm(arm.getParentOp()) == &arm;
}

bool Frequencies::isRare(Region &arm) const {
  return leaving.contains(&arm) || isHoistedToParents(arm);
}

static bool spawns(Region &region) {
  return region.walk([](chan::EnqOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

SmallVector<double> Frequencies::sharesOf(Operation &choice) const {
  double arms = choice.getNumRegions();
  double last = llvm::count_if(choice.getRegions(),
                               [&](Region &arm) { return isRare(arm); });
  // An unrolled loop has no branch by which it is left.
  double rare =
      unrolled.contains(choice.getOperand(0)) ? 0 : 1 / tuning::iterations;
  SmallVector<double> shares;
  for (Region &arm : choice.getRegions())
    shares.push_back(last == 0 || last == arms ? 1 / arms
                     : isRare(arm)             ? rare / last
                                               : (1 - rare) / (arms - last));
  return shares;
}

bool Frequencies::spawnLess(Operation &choice, MutableArrayRef<double> shares,
                            double children) const {
  double spawning = 0;
  for (auto [arm, share] : llvm::zip(choice.getRegions(), shares)) {
    if (isRare(arm))
      return false;
    spawning += spawns(arm) ? share : 0;
  }
  if (children <= 1 || spawning == 0 || spawning == 1)
    return false;
  for (auto [arm, share] : llvm::zip(choice.getRegions(), shares))
    share *=
        spawns(arm) ? 1 / children : (1 - spawning / children) / (1 - spawning);
  return true;
}

double Frequencies::childrenOf(Region &region) const {
  double all = 0;
  for (Operation &op : region.getOps()) {
    all += isa<chan::EnqOp>(op);
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      auto counted = countTrips(loop, tuning::mostUnrolled);
      if (double some = childrenOf(loop.getBefore()))
        all += counted ? counted->trips * some : HUGE_VAL;
    } else if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
      for (auto [arm, share] : llvm::zip(op.getRegions(), sharesOf(op)))
        if (double some = childrenOf(arm))
          all += share * some;
    }
  }
  return all;
}
