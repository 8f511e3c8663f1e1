//===- LaneCandidates.cpp - Kernels that may have lanes -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneCandidates.h"
#include "LaneRemarks.h"

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LevelFields.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Emit/LaneEmitter.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Prepare/LiftControlFlow.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Prepare/NarrowLanes.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Prepare/SplitStructs.h"

#include "cilk2chan/Dialect/Chan/Passes.h"
#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"
#include "cilk2chan/Support/NamesInC.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace cilk2chan;

//===----------------------------------------------------------------------===//
// Which kernels
//===----------------------------------------------------------------------===//

std::nullopt_t LaneCandidates::sayMissed(chan::KernelOp kernel, Location at,
                                         const Twine &reason) const {
  if (options.reasons)
    remark::missed(at == kernel.getLoc() ? placeOf(kernel) : at, laneRemarks)
        << (describeInC(kernel.getSymName()) +
            (kernel.getPhase() ? " is not used for batches: "
                               : " treats one element at a time: ") +
            reason)
               .str();
  return std::nullopt;
}

std::optional<LaneCandidate> LaneCandidates::consider(chan::KernelOp kernel,
                                                      double elements) {
  WorkingOn working(kernel.getSymName());
  if (kernel->hasAttr(WithoutLanesAttribute))
    return sayMissed(kernel, kernel.getLoc(),
                     "its function may not use all of the processor's vector "
                     "instructions");
  // As few as lanes can be of the widest values.
  if (!options.lanes && elements < std::max(options.vectorBits / 64, 2u))
    return sayMissed(kernel, kernel.getLoc(),
                     llvm::formatv("it finds no more than {0:f0} at a time; "
                                   "what spawns it is neither a loop nor "
                                   "recursive",
                                   elements)
                         .str());
  if (llvm::hasNItemsOrMore(kernel.getBody(), tuning::mostBlocks))
    return sayMissed(kernel, kernel.getLoc(), "it has too many branches");
  OwningOpRef<chan::KernelOp> split(kernel.clone());
  splitStructs(*split, layout);
  if (auto obstacle = findLaneObstacle(*split))
    return sayMissed(kernel, obstacle->op->getLoc(), obstacle->what);
  OwningOpRef<chan::KernelOp> lifted = liftControlFlow(*split);
  if (!lifted)
    return sayMissed(kernel, kernel.getLoc(), "it has a loop without an end");
  if (auto call = findWaitingCall(*lifted, module))
    return sayMissed(kernel, call.getLoc(),
                     "it calls several functions, or one in a "
                     "loop, that may take locks");
  if (auto load = findWaitingLoad(*lifted))
    return sayMissed(kernel, load.getLoc(),
                     "a loop goes on for what an atomic load finds, which "
                     "another lane may have to store");
  return LaneCandidate{kernel, std::move(lifted)};
}

/// What a phase kernel has the same of in all elements of a batch.
SmallVector<StringRef> LaneCandidates::uniformFields(chan::KernelOp phase) {
  auto stack = module.lookupSymbol<chan::StackOp>(phase.getConsumesAttr());
  if (!stack.getUniform())
    return {};
  return llvm::to_vector(stack.getUniform()->getAsValueRange<StringAttr>());
}

//===----------------------------------------------------------------------===//
// How values differ
//===----------------------------------------------------------------------===//

/// Finds how values differ in kernels that have the same locals: the phases of
/// a function, or one kernel.
void LaneCandidates::analyze(MutableArrayRef<LaneCandidate> candidates) {
  findShapes(candidates);
  for (LaneCandidate &candidate : candidates)
    candidate.cyclesOfOne = estimateCost(*candidate.lifted, *candidate.apart, 2,
                                         options.vectorBits, math)
                                .scalar /
                            2;
  if (!options.mayNarrow())
    return;
  bool changed = false;
  for (LaneCandidate &candidate : candidates) {
    candidate.narrowed =
        narrowLanes(*candidate.lifted, *candidate.apart, layout);
    changed |= candidate.narrowed > 0;
  }
  if (changed)
    findShapes(candidates);
}

void LaneCandidates::findShapes(MutableArrayRef<LaneCandidate> candidates) {
  SmallVector<chan::KernelOp> kernels;
  for (LaneCandidate &candidate : candidates)
    kernels.push_back(*candidate.lifted);
  if (!options.interleave)
    kernels.clear();
  Interleaving interleaving(kernels, layout);
  for (LaneCandidate &candidate : candidates) {
    chan::KernelOp kernel = candidate.kernel, lifted = *candidate.lifted;
    // The elements of a batch stay in their order.
    if (kernel.getPhase()) {
      candidate.apart.emplace(lifted, layout, interleaving,
                              uniformFields(kernel));
      continue;
    }
    candidate.apart.emplace(lifted, layout, interleaving);
    auto fields = findLevelFields(kernel, module);
    if (!fields.empty())
      candidate.grouped.emplace(lifted, layout, interleaving, fields);
  }
  for (LaneCandidate &candidate : candidates)
    if (findStride(candidate, candidates))
      candidate.apart.emplace(*candidate.lifted, layout, interleaving,
                              uniformFields(candidate.kernel));
}

/// Finds whether lanes of `receiver` have their destinations side by side,
/// whichever spawn of the site they come from.
bool LaneCandidates::findStride(LaneCandidate &receiver,
                                MutableArrayRef<LaneCandidate> candidates) {
  chan::DestinationOp destination;
  chan::ChildOp child;
  receiver.lifted->getBody().walk([&](Operation *op) {
    if (auto found = dyn_cast<chan::DestinationOp>(op))
      destination = found;
    else if (auto found = dyn_cast<chan::ChildOp>(op))
      child = found;
  });
  if (!destination)
    return false;
  SmallVector<Operation *> marked{destination};
  Type type = receivedType(destination);
  bool adjoins = bool(type);
  for (LaneCandidate &candidate : candidates)
    candidate.lifted->getBody().walk([&](chan::EnqOp enq) {
      if (enq.getSite() != child.getSite())
        return;
      adjoins =
          adjoins && candidate.apart->isContiguous(enq.getDestination(), type);
      marked.push_back(enq);
    });
  auto stride = Builder(module.getContext())
                    .getI64IntegerAttr(adjoins ? layout.storeSize(type) : 0);
  for (Operation *op : marked)
    if (adjoins)
      op->setAttr(StrideAttribute, stride);
    else
      op->removeAttr(StrideAttribute);
  return adjoins;
}

//===----------------------------------------------------------------------===//
// What lanes cost
//===----------------------------------------------------------------------===//

LaneCost LaneCandidates::costOf(LaneCandidate &candidate,
                                unsigned count) const {
  return estimateCost(*candidate.lifted, *candidate.apart, count,
                      options.vectorBits, math);
}

/// What lanes cost, in groups if that is cheaper; else there are none any more.
LaneCost LaneCandidates::estimate(LaneCandidate &candidate,
                                  unsigned count) const {
  auto &[kernel, lifted, apart, grouped, paysApart, narrowed, one, queued] =
      candidate;
  LaneCost cost =
      estimateCost(*lifted, *apart, count, options.vectorBits, math);
  cost.scalar = one * count;
  paysApart = cost.lanes <= cost.scalar;
  if (grouped) {
    LaneCost other =
        estimateCost(*lifted, *grouped, count, options.vectorBits, math);
    if (other.lanes + tuning::groupCycles < cost.lanes) {
      other.instructions += paysApart ? cost.instructions : 0;
      other.scalar = cost.scalar;
      cost = other;
    } else {
      grouped.reset();
    }
  }
  if (options.reasons) {
    explain(kernel, *lifted, grouped ? *grouped : *apart);
    remark::analysis(placeOf(kernel), laneRemarks)
        << llvm::formatv("{0}{1} takes about {2:f0} cycles for {3} elements, "
                         "in lanes {4:f0}",
                         options.onProcessor(),
                         describeInC(kernel.getSymName()), cost.scalar, count,
                         cost.lanes)
               .str();
  }
  return cost;
}

bool LaneCandidates::pays(chan::KernelOp kernel, const LaneCost &cost,
                          unsigned count, double least) const {
  if (options.lanes || least * cost.lanes <= cost.scalar)
    return true;
  std::string losses = cost.losses.describe();
  StringRef gain = cost.lanes < cost.scalar ? ", which is too little gain" : "";
  sayMissed(kernel, kernel.getLoc(),
            llvm::formatv("{0}that takes about {1:f0} cycles for {2} "
                          "elements, in lanes {3:f0}{4}{5}{6}",
                          options.onProcessor(), cost.scalar, count, cost.lanes,
                          gain, losses.empty() ? "" : "; ", losses)
                .str());
  return false;
}

bool cilk2chan::isSmall(const LaneCost &cost) {
  return cost.instructions <= tuning::mostInstructions;
}

bool LaneCandidates::fits(chan::KernelOp kernel, const LaneCost &cost,
                          unsigned count) const {
  if (isSmall(cost))
    return true;
  sayMissed(kernel, kernel.getLoc(),
            llvm::formatv("{0}with {1} lanes it would have about {2:f0} "
                          "instructions, and {3} are the most",
                          options.onProcessor(), count, cost.instructions,
                          tuning::mostInstructions.getValue())
                .str());
  return false;
}

//===----------------------------------------------------------------------===//
// Their code
//===----------------------------------------------------------------------===//

void LaneCandidates::convert(LaneCandidate &candidate, unsigned count) {
  WorkingOn working(candidate.kernel.getSymName());
  auto &[kernel, lifted, apart, grouped, paysApart, narrowed, one, queued] =
      candidate;
  remark::passed(placeOf(kernel), laneRemarks)
      << llvm::formatv("{0} treats {1} elements at a time{2}{3}",
                       describeInC(kernel.getSymName()), count,
                       options.processor.empty() ? "" : " on ",
                       options.processor)
             .str();
  if (narrowed)
    remark::analysis(placeOf(kernel), laneRemarks)
        << llvm::formatv("lanes of {0} compare or carry {1} values in fewer "
                         "bits than C",
                         describeInC(kernel.getSymName()), narrowed)
               .str();
  LaneEmitter(kernel, *lifted, grouped ? *grouped : *apart, count, layout, math,
              grouped && paysApart ? &*apart : nullptr, queued)
      .emit();
}
