//===- KernelGroups.cpp - Kernels that get lanes together -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGroups.h"
#include "LaneRemarks.h"
#include "StreamCompaction.h"

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"

#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"
#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/MathFunctions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cilk2chan;

/// Which share of the elements of these phases is likely to come to the later
/// ones.  Where parents do not find out which children end before they spawn,
/// these are elements: all but one of as many as an activation spawns.
static double shareThatGoesOn(MutableArrayRef<LaneCandidate> phases) {
  LaneCandidate &first = phases.front();
  if (first.kernel.getBaseCasesHoisted())
    return 1;
  bool mayEnd = false;
  first.lifted->getBody().walk([&](chan::PendOp pend) {
    mayEnd |= !isa<chan::KernelOp>(pend->getParentOp());
  });
  unsigned spawns = 0;
  for (LaneCandidate &phase : phases)
    phase.lifted->getBody().walk([&](chan::EnqOp) { ++spawns; });
  return mayEnd ? 1.0 / std::max(2u, spawns) : 1;
}

/// How many children an element can have of `region`; of a loop, two.
static unsigned mostChildren(Region &region) {
  unsigned all = 0;
  for (Operation &op : region.getOps()) {
    unsigned most = isa<chan::EnqOp>(op);
    for (Region &nested : op.getRegions())
      most = std::max(most, mostChildren(nested));
    all += isa<scf::WhileOp>(op) ? 2 * most : most;
  }
  return all;
}

std::unique_ptr<KernelGroup>
cilk2chan::considerGroup(LaneCandidates &candidates,
                         ArrayRef<Attribute> symbols, bool *loses) {
  const LaneOptions &options = candidates.getOptions();
  ModuleOp module = candidates.getModule();
  auto group = std::make_unique<KernelGroup>();
  LaneWidths widths;
  for (Attribute symbol : symbols) {
    auto kernel = module.lookupSymbol<chan::KernelOp>(
        cast<FlatSymbolRefAttr>(symbol).getAttr());
    for (auto call : kernel.getBody().getOps<LLVM::CallOp>()) {
      if (auto callee = calleeOf(call, module);
          callee &&
          (isCold(callee) || hasFunctionAttribute(callee, QuickAttribute) ||
           (callee.isExternal() && isMathFunction(call))))
        continue;
      candidates.sayMissed(kernel, call.getLoc(), describe(call, module));
      return {};
    }
    // Its tree may have been considered by itself before.
    removeIterationMarks(kernel);
    auto candidate = candidates.consider(kernel);
    if (!candidate)
      return {};
    group->kernels.push_back(std::move(*candidate));
  }
  candidates.analyze(group->kernels);
  for (LaneCandidate &candidate : group->kernels)
    widths.add(*candidate.lifted, *candidate.shapes);
  group->lanes =
      options.lanes ? options.lanes : widths.chooseLanes(options.vectorBits);
  // Of many fields half as many lanes are half as much code.
  auto areSmall = [&] {
    return llvm::all_of(group->kernels, [&](LaneCandidate &candidate) {
      return isSmall(candidates.costOf(candidate, group->lanes));
    });
  };
  while (!options.lanes && group->lanes > options.vectorBits / 32 &&
         !areSmall())
    group->lanes /= 2;
  LaneCost all;
  double goesOn = shareThatGoesOn(group->kernels), share = 1;
  for (LaneCandidate &candidate : group->kernels) {
    LaneCost cost = candidates.estimate(candidate, group->lanes);
    if (!candidates.fits(candidate.kernel, cost, group->lanes))
      return {};
    // Groups of lanes go on if one of them does.
    all.scalar += share * cost.scalar;
    all.lanes += cost.lanes;
    all.losses.add(cost.losses);
    share = goesOn;
  }
  all.lanes = std::min(all.lanes, considerCompaction(candidates, *group));
  bool forks = llvm::any_of(group->kernels, [](LaneCandidate &phase) {
    return mostChildren(phase.lifted->getBody()) > 1;
  });
  if (!candidates.pays(group->kernels.front().kernel, all, group->lanes,
                       forks ? tuning::leastGain : tuning::leastGainOfFew)) {
    if (loses)
      *loses = true;
    return {};
  }
  return group;
}
