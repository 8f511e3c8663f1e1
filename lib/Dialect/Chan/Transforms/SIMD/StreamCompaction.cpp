//===- StreamCompaction.cpp - Iterations that fill lanes ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamCompaction.h"
#include "LaneRemarks.h"

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Prepare/NarrowLanes.h"

#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"
#include "cilk2chan/Support/NamesInC.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace cilk2chan;

static constexpr remark::RemarkOpts compaction =
    remark::RemarkOpts::name("compact").category("chan-simd");

void cilk2chan::removeIterationMarks(chan::KernelOp kernel) {
  kernel.getBody().walk([](chan::IterationOp mark) { mark.erase(); });
}

/// Finds what lanes have each of what the two kernels pass on: none of it,
/// until one of them says otherwise. Returns its types. `counts` is whether
/// other values change from one iteration to the next: these are the same of
/// those only that have done as many.
static SmallVector<Type> findVaryingQueued(LaneCandidates &candidates,
                                           LaneCandidate &enter,
                                           LaneCandidate &iterate,
                                           bool &counts) {
  const LaneOptions &options = candidates.getOptions();
  const TypeLayout &layout = candidates.getLayout();
  chan::IterationDeqOp dequeued;
  iterate.lifted->getBody().walk(
      [&](chan::IterationDeqOp op) { dequeued = op; });
  llvm::BitVector varying(dequeued.getNumResults());
  SmallVector<chan::KernelOp> kernels;
  if (options.interleave)
    kernels = {*enter.lifted, *iterate.lifted};
  Interleaving interleaving(kernels, layout);
  auto analyze = [&](LaneCandidate &part, bool ofAll) {
    part.shapes.emplace(*part.lifted, layout, interleaving,
                        candidates.uniformFields(part.kernel), varying, ofAll);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (LaneCandidate *part : {&enter, &iterate}) {
      analyze(*part, /*ofAll=*/true);
      part->lifted->getBody().walk([&](chan::IterationEnqOp op) {
        for (auto [i, value] : llvm::enumerate(op.getValues()))
          if (!varying[i] && !part->shapes->isUniform(value))
            varying[i] = changed = true;
      });
    }
  }
  for (LaneCandidate *part : {&enter, &iterate}) {
    analyze(*part, /*ofAll=*/false);
    if (options.mayNarrow())
      part->narrowed = narrowLanes(*part->lifted, *part->shapes, layout);
    if (part->narrowed)
      analyze(*part, /*ofAll=*/false);
    part->varyingQueued = varying;
  }
  counts = false;
  iterate.lifted->getBody().walk([&](chan::IterationEnqOp op) {
    for (auto [i, value] : llvm::enumerate(op.getValues()))
      counts |= !varying[i] && value != dequeued.getResult(i);
  });
  SmallVector<Type> types;
  for (unsigned i : varying.set_bits())
    types.push_back(dequeued.getValues()[i].getType());
  return types;
}

/// Whether lanes leave the loop that has iterations counted at different times.
static bool leavesOneByOne(const LaneCandidate &candidate) {
  chan::KernelOp lifted = *candidate.lifted;
  return lifted.getBody()
      .walk([&](chan::IterationOp mark) {
        auto loop = mark->getParentOfType<scf::WhileOp>();
        Value more = loop.getConditionOp().getCondition();
        return candidate.shapes->isUniform(more) ? WalkResult::advance()
                                                 : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Makes the parts members of the group and finds the `cycles` that they take
/// for as many activations as there are lanes, if that may gain; else returns
/// why it does not.
static std::string compactInto(LaneCandidates &candidates, KernelGroup &group,
                               double &cycles) {
  const LaneOptions &options = candidates.getOptions();
  auto marked = candidates.consider(group.kernels.front().kernel);
  auto enter = candidates.consider(*group.split.enter);
  auto iterate = candidates.consider(*group.split.iterate);
  if (!marked || !enter || !iterate)
    return "its parts cannot have lanes";
  candidates.analyze(*marked);
  if (!leavesOneByOne(*marked))
    return "all leave its loop together";
  double queueing = 0;
  bool counts;
  for (Type type : findVaryingQueued(candidates, *enter, *iterate, counts))
    queueing += tuning::queueCycles *
                std::max(1.0, double(laneBits(type)) * group.lanes /
                                  options.vectorBits);
  auto costOf = [&](LaneCandidate &part) {
    return candidates.costOf(part, group.lanes);
  };
  LaneCost once = costOf(*enter), often = costOf(*iterate);
  // Without such registers, to fill lanes takes as long as to pass on.
  group.laneRefill =
      options.vectorBits >= 512 && !counts && once.lanes <= often.lanes;
  double instructions = costOf(*marked).instructions +
                        (group.laneRefill ? tuning::wavefronts : 1) *
                            (once.instructions + often.instructions);
  if (instructions > tuning::mostInstructions)
    return llvm::formatv("with its parts it would have about {0:f0} "
                         "instructions, and {1} are the most",
                         instructions, tuning::mostInstructions.getValue());
  if (!options.lanes && !group.laneRefill && 2 * queueing > often.lanes)
    return llvm::formatv("{0:f0} of about {1:f0} cycles of an iteration would "
                         "be for passing it on",
                         queueing, often.lanes);
  cycles = once.lanes + tuning::iterations * often.lanes;
  group.kernels.clear();
  group.kernels.push_back(std::move(*marked));
  group.compacted.push_back(std::move(*enter));
  group.compacted.push_back(std::move(*iterate));
  return {};
}

double cilk2chan::considerCompaction(LaneCandidates &candidates,
                                     KernelGroup &group) {
  double cycles = std::numeric_limits<double>::infinity();
  chan::KernelOp kernel = group.kernels.front().kernel;
  auto stack = candidates.getModule().lookupSymbol<chan::StackOp>(
      kernel.getConsumesAttr());
  // The queue is where there would be records for result handlers.
  if (!candidates.getOptions().compact || !stack.getJoinFree() ||
      !stack.getResultHandlers() ||
      stack.getBatch()->getValue().back() !=
          FlatSymbolRefAttr::get(kernel.getSymNameAttr()))
    return cycles;
  group.split = splitLoop(kernel, candidates.getLayout());
  if (group.split.enter)
    group.split.obstacle = compactInto(candidates, group, cycles);
  if (!group.split.obstacle.empty())
    removeIterationMarks(kernel);
  return cycles;
}

void cilk2chan::compactGroup(const LaneCandidates &candidates,
                             KernelGroup &group) {
  chan::KernelOp kernel = group.kernels.front().kernel;
  // It is about the loop's spawn.
  Location place = placeOf(kernel);
  kernel.getBody().walk([&](chan::EnqOp enq) {
    place = enq.getLoc();
    return WalkResult::interrupt();
  });
  auto &[enter, iterate, obstacle] = group.split;
  if (!obstacle.empty() && candidates.getOptions().reasons)
    remark::missed(place, compaction)
        << "lanes of " + describeInC(kernel.getSymName()) +
               " wait for each other: " + obstacle;
  if (group.compacted.empty())
    return;
  SmallVector<Attribute> names;
  SymbolTable symbols(candidates.getModule());
  for (chan::KernelOp part : {enter.release(), iterate.release()}) {
    symbols.insert(part, std::next(kernel->getIterator()));
    names.push_back(FlatSymbolRefAttr::get(part.getSymNameAttr()));
  }
  kernel.setCompactedAttr(ArrayAttr::get(kernel.getContext(), names));
  kernel.setLaneRefill(group.laneRefill);
  remark::passed(place, compaction)
      << "iterations of " + describeInC(kernel.getSymName()) +
             " are compacted where lanes leave its loop one after another" +
             (group.laneRefill ? ", and these take the next elements" : "");
}
