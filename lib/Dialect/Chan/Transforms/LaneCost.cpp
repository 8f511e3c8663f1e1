//===- LaneCost.cpp - How many lanes, and whether they pay ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the body alone. One element at a time runs one arm of a choice, lanes
// run all arms that some of them want. How often a loop runs is not known.
//
//===----------------------------------------------------------------------===//

#include "LaneCost.h"
#include "LaneOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace cilk2chan;

unsigned cilk2chan::chooseLanes(chan::KernelOp lifted, const LaneShapes &shapes,
                                unsigned vectorBits) {
  llvm::MapVector<unsigned, unsigned> frequency;
  lifted.getBody().walk([&](Operation *op) {
    for (Value result : op->getResults()) {
      unsigned bits = laneBits(result.getType());
      if (bits > 1 && shapes.of(result).kind == LaneShape::Varying)
        ++frequency[std::max<unsigned>(8, llvm::PowerOf2Ceil(bits))];
    }
  });
  unsigned best = 64, most = 0;
  for (auto [bits, count] : frequency)
    if (count > most || (count == most && bits < best)) {
      best = bits;
      most = count;
    }
  return std::clamp(vectorBits / best, 2u, 64u);
}

namespace {

/// Cycles, by and large those of processors of the years 2015 to 2025.
constexpr double divisionCycles = 12, rootCycles = 4, callCycles = 20,
                 runtimeCycles = 10, frameCycles = 5, enqueueCycles = 8,
                 laneLoopCycles = 4, branchCycles = 3, iterations = 8;

class Estimate {
public:
  Estimate(const LaneShapes &shapes, unsigned lanes, unsigned vectorBits)
      : shapes(shapes), lanes(lanes), vectorBits(vectorBits) {}

  void add(Region &region, double scalarWeight, double laneWeight);
  LaneCost cost;

private:
  void add(Operation &op);
  void addBoth(double one, double all) {
    cost.scalar += scalarWeight * one * lanes;
    cost.lanes += laneWeight * all;
  }
  double registers(unsigned bits) const {
    return std::max(1.0, double(bits) * lanes / vectorBits);
  }
  double gather() const { return lanes * (vectorBits >= 256 ? 1.0 : 3.0); }
  double scatter() const { return lanes * (vectorBits >= 512 ? 1.1 : 3.0); }
  double compress(unsigned bits) const {
    return vectorBits >= 512 ? 3 * registers(bits) : 2.5 * lanes;
  }

  const LaneShapes &shapes;
  double lanes, vectorBits;
  double scalarWeight = 1, laneWeight = 1;
};

} // namespace

void Estimate::add(Region &region, double scalar, double all) {
  std::swap(scalar, scalarWeight);
  std::swap(all, laneWeight);
  for (Operation &op : region.front())
    add(op);
  std::swap(scalar, scalarWeight);
  std::swap(all, laneWeight);
}

void Estimate::add(Operation &op) {
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
    bool together = shapes.isUniform(op.getOperand(0));
    double arms = op.getNumRegions();
    addBoth(branchCycles, together ? branchCycles : 2 * arms);
    for (Region &region : op.getRegions())
      add(region, scalarWeight / arms,
          together ? laneWeight / arms : laneWeight);
    return;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    bool together = shapes.isUniform(loop.getConditionOp().getCondition());
    // Lanes wait for the one that stays longest.
    double waiting = together ? 1 : 1.5;
    addBoth(branchCycles, branchCycles);
    add(loop.getBefore(), scalarWeight * iterations,
        laneWeight * iterations * waiting);
    return;
  }
  if (isMadeOfNothing(&op) ||
      isa<chan::DeqOp, chan::TfreeOp, chan::DoneOp, LLVM::AllocaOp,
          UnrealizedConversionCastOp, scf::YieldOp, scf::ConditionOp>(op))
    return;
  if (op.getNumResults() == 1 && shapes.isUniform(op.getResult(0)))
    return addBoth(1, 1);
  unsigned bits = 1;
  for (Value operand : op.getOperands())
    bits = std::max(bits, laneBits(operand.getType()));
  for (Value result : op.getResults())
    bits = std::max(bits, laneBits(result.getType()));
  if (isDivision(&op))
    addBoth(divisionCycles, lanes * (divisionCycles + 2));
  else if (isa<LLVM::FDivOp, LLVM::SqrtOp>(op))
    addBoth(rootCycles, rootCycles * registers(bits));
  else if (isa<LLVM::FRemOp>(op))
    addBoth(callCycles, lanes * (callCycles + 2));
  else if (isElementwise(&op))
    addBoth(1, registers(bits));
  else if (isa<LLVM::GEPOp>(op))
    addBoth(0.5, shapes.of(op.getResult(0)).kind == LaneShape::Strided
                     ? 1
                     : registers(bits));
  else if (auto load = dyn_cast<LLVM::LoadOp>(op))
    addBoth(1, shapes.isContiguous(load.getAddr(), load.getType())
                   ? registers(laneBits(load.getType()))
                   : gather());
  else if (auto store = dyn_cast<LLVM::StoreOp>(op))
    addBoth(1, shapes.isContiguous(store.getAddr(), store.getValue().getType())
                   ? 2 * registers(laneBits(store.getValue().getType()))
                   : scatter());
  else if (isa<chan::GetOp>(op))
    addBoth(1, registers(bits));
  else if (isa<chan::SetOp>(op))
    addBoth(1, compress(bits));
  else if (isa<chan::EnqOp>(op))
    addBoth(enqueueCycles, enqueueCycles);
  else if (isa<chan::TallocOp, chan::LocalOp>(op))
    return;
  else if (isa<chan::PendOp>(op))
    addBoth(1, 1);
  else if (isa<chan::ResultOp>(op))
    addBoth(1, registers(bits));
  else if (auto child = dyn_cast<chan::ChildOp>(op))
    addBoth(2, compress(laneBits(child.getValue().getType())));
  else if (isa<chan::DeliverOp>(op))
    addBoth(branchCycles, scatter());
  else if (isa<chan::FrameOp, chan::FrameFreeOp>(op))
    addBoth(frameCycles, lanes * (frameCycles + laneLoopCycles));
  else if (isa<chan::ChanDialect>(op.getDialect()))
    addBoth(runtimeCycles, lanes * (runtimeCycles + laneLoopCycles));
  else
    addBoth(callCycles, lanes * (callCycles + laneLoopCycles));
}

LaneCost cilk2chan::estimateCost(chan::KernelOp lifted,
                                 const LaneShapes &shapes, unsigned lanes,
                                 unsigned vectorBits) {
  Estimate estimate(shapes, lanes, vectorBits);
  estimate.add(lifted.getBody(), 1, 1);
  return estimate.cost;
}
