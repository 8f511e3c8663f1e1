//===- LaneCandidates.cpp - Kernels that may have lanes -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneCandidates.h"
#include "LaneRemarks.h"

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"
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
            " is not used for batches: " + reason)
               .str();
  return std::nullopt;
}

std::optional<LaneCandidate> LaneCandidates::consider(chan::KernelOp kernel) {
  WorkingOn working(kernel.getSymName());
  if (kernel.getWithoutLanes())
    return sayMissed(kernel, kernel.getLoc(),
                     "its function may not use all of the processor's vector "
                     "instructions");
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

/// Finds how values differ in the phases of a function, which have the same
/// locals.
void LaneCandidates::analyze(MutableArrayRef<LaneCandidate> candidates) {
  findShapes(candidates);
  for (LaneCandidate &candidate : candidates)
    candidate.cyclesOfOne = estimateCost(*candidate.lifted, *candidate.shapes,
                                         2, options.vectorBits, math)
                                .scalar /
                            2;
  if (!options.mayNarrow())
    return;
  bool changed = false;
  for (LaneCandidate &candidate : candidates) {
    candidate.narrowed =
        narrowLanes(*candidate.lifted, *candidate.shapes, layout);
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
    candidate.shapes.emplace(*candidate.lifted, layout, interleaving,
                             uniformFields(candidate.kernel));
  }
  for (LaneCandidate &candidate : candidates)
    if (findStride(candidate, candidates))
      candidate.shapes.emplace(*candidate.lifted, layout, interleaving,
                               uniformFields(candidate.kernel));
}

/// Finds whether lanes of the result handler have their destinations side by
/// side, whichever spawn of the site they come from.
bool LaneCandidates::findStride(LaneCandidate &handler,
                                MutableArrayRef<LaneCandidate> candidates) {
  chan::DestinationOp destination;
  chan::ChildOp child;
  handler.lifted->getBody().walk([&](Operation *op) {
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
          adjoins && candidate.shapes->isContiguous(enq.getDestination(), type);
      marked.push_back(enq);
    });
  auto stride = Builder(module.getContext())
                    .getI64IntegerAttr(adjoins ? layout.storeSize(type) : 0);
  for (Operation *op : marked)
    if (adjoins)
      op->setAttr(chan::StrideAttribute, stride);
    else
      op->removeAttr(chan::StrideAttribute);
  return adjoins;
}

//===----------------------------------------------------------------------===//
// What lanes cost
//===----------------------------------------------------------------------===//

LaneCost LaneCandidates::costOf(LaneCandidate &candidate,
                                unsigned count) const {
  return estimateCost(*candidate.lifted, *candidate.shapes, count,
                      options.vectorBits, math);
}

LaneCost LaneCandidates::estimate(LaneCandidate &candidate,
                                  unsigned count) const {
  chan::KernelOp kernel = candidate.kernel;
  LaneCost cost = costOf(candidate, count);
  cost.scalar = candidate.cyclesOfOne * count;
  if (options.reasons) {
    explain(kernel, *candidate.lifted, *candidate.shapes);
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
  chan::KernelOp kernel = candidate.kernel;
  remark::passed(placeOf(kernel), laneRemarks)
      << llvm::formatv("{0} treats {1} elements at a time{2}{3}",
                       describeInC(kernel.getSymName()), count,
                       options.processor.empty() ? "" : " on ",
                       options.processor)
             .str();
  if (candidate.narrowed)
    remark::analysis(placeOf(kernel), laneRemarks)
        << llvm::formatv("lanes of {0} compare or carry {1} values in fewer "
                         "bits than C",
                         describeInC(kernel.getSymName()), candidate.narrowed)
               .str();
  LaneEmitter(kernel, *candidate.lifted, *candidate.shapes, count, layout, math,
              candidate.varyingQueued)
      .emit();
}
