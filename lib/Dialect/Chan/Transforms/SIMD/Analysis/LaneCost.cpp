//===- LaneCost.cpp - What lanes cost -------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the body alone. One element at a time runs one arm of a choice, lanes
// run all arms that some of them want. How often a loop runs is not known, but
// for the few that LLVM unrolls.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneCost.h"
#include "Frequencies.h"
#include "ObjectPlaces.h"
#include "TripCount.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"

#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/MathFunctions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace cilk2chan;

/// Bytes.
static constexpr double cacheLine = 64;

namespace {

class Estimate {
public:
  Estimate(chan::KernelOp kernel, const LaneShapes &shapes, unsigned lanes,
           unsigned vectorBits, const VectorMath &math)
      : shapes(shapes), lanes(lanes), vectorBits(vectorBits), math(math),
        opCycles(vectorBits >= 512 ? double(tuning::scalarCyclesOf512) : 1),
        frequencies(kernel, shapes),
        places(kernel, shapes, frequencies, vectorBits) {
    if (kernel.getPhase() == 0) {
      cost.lanes +=
          lanes * kernel.getFrameSize() / cacheLine * tuning::lineCycles;
      cost.losses.add(LaneLoss::Elements, cost.lanes, kernel);
    }
    if (double some = frequencies.childrenOf(kernel.getBody()); some < HUGE_VAL)
      children = some;
  }

  void add(Region &region, double scalarWeight, double laneWeight);
  LaneCost cost;

private:
  void add(Operation &op);
  void addOne(Operation &op);
  void addChoice(Operation &op);
  void addLoop(scf::WhileOp loop);
  bool addDivision(Operation &op, unsigned bits);
  void addChannelOp(Operation &op, unsigned bits);
  /// Cycles of `lanes` elements one by one and together, and the instructions
  /// for the latter.
  void addBoth(double one, double all, double instructions) {
    cost.scalar += scalarWeight * one * lanes;
    cost.lanes += laneWeight * all;
    cost.instructions += instructions;
    lose(scalarWeight * (all - one * lanes), (laneWeight - scalarWeight) * all);
  }
  /// Where it takes longer by itself, and where lanes come to it more often.
  void lose(double own, double more) {
    cost.losses.add(causeOf(*current), own, current);
    if (around)
      cost.losses.add(causeOf(*around), more, around);
  }
  static LaneLoss causeOf(Operation &op);
  void addBoth(double one, double all) { addBoth(one, all, all); }
  bool addUnrolled(scf::WhileOp loop);
  void addFill(Operation &op, Value length);
  void addParts(const Fill &fill);
  void addLoad(Value address, Type type);
  void addStore(Value address, Type type);
  void addByLane(Operation &op, double cycles);
  void addCalls(Operation &op);
  void addVectorCalls(Operation &op, unsigned width);
  void addBlends(ValueRange merged);
  double instructionsOf(Operation &op) const;
  void addMoves(ValueRange moved, double cycles);
  double registers(unsigned bits) const {
    return std::max(1.0, double(bits) * lanes / vectorBits);
  }
  bool hasMasked(unsigned bits) const {
    return vectorBits >= (bits < 32 ? 512 : 256);
  }
  bool hasScatter(unsigned bits) const {
    return vectorBits >= 512 && bits >= 32;
  }
  /// To store some lanes side by side.
  double packCycles(unsigned bits) const {
    return vectorBits >= 512   ? 3 * registers(bits)
           : vectorBits >= 256 ? 3 * std::max(1.0, lanes / (bits > 32 ? 4 : 8))
                               : tuning::packOneCycles * lanes;
  }
  /// Where no result depends on it.
  double scatterCycles(unsigned bits) const {
    return lanes *
           (hasScatter(bits) ? tuning::scatterCycles : tuning::accessCycles);
  }
  double scatterCode(unsigned bits) const {
    return hasScatter(bits) ? 2 * registers(64) : tuning::accessCode * lanes;
  }

  const LaneShapes &shapes;
  double lanes, vectorBits;
  const VectorMath &math;
  /// What one operation takes where an operation on a register of lanes takes
  /// one: of the widest there are fewer at a time.
  const double opCycles;
  /// Whether elements that are not in lanes run in serial clones, which call
  /// their children.
  Frequencies frequencies;
  const ObjectPlaces places;
  double scalarWeight = 1, laneWeight = 1;
  /// What is looked at, and the choice or loop around it that lanes run more
  /// of than one element does.
  Operation *current = nullptr, *around = nullptr;
  /// How many children an element would have if arms that spawn were taken as
  /// often as others; one inside those that are taken less often therefore.
  double children = 1;
  /// How often what is looked at runs for each time that unrolled loops around
  /// it begin.
  double unrolledTrips = 1;
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

/// Whether only lanes have it to do, since serial clones take arrays by
/// address.
static bool isForLanesOnly(Operation &op) {
  auto isPart = [](Operation *access) {
    return access && access->hasAttr(ArrayPartAttribute);
  };
  if (auto set = dyn_cast<chan::SetOp>(op))
    return isPart(set.getValue().getDefiningOp());
  return isPart(&op) || (isa<chan::GetOp, LLVM::GEPOp>(op) && !op.use_empty() &&
                         llvm::all_of(op.getUsers(), isPart));
}

/// Whether it is about ways only that lanes take, where one element jumps, or
/// a conversion that comes with a load or an operation.
static bool isFreeForOne(Operation &op) {
  if (isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(op))
    return true;
  auto comparison = dyn_cast<LLVM::ICmpOp>(op);
  if (!comparison || !matchPattern(comparison.getRhs(), m_Constant()))
    return false;
  Operation *from = comparison.getLhs().getDefiningOp();
  return isa_and_present<scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(from);
}

LaneLoss Estimate::causeOf(Operation &op) {
  if (isa<scf::WhileOp>(op))
    return LaneLoss::Loops;
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return LaneLoss::Choices;
  if (isa<LLVM::LoadOp, LLVM::StoreOp>(op))
    return LaneLoss::Accesses;
  if (isa<chan::ChanDialect>(op.getDialect()))
    return LaneLoss::Elements;
  return isElementwise(&op) ? LaneLoss::Operations : LaneLoss::Calls;
}

void Estimate::add(Operation &op) {
  double scalar = scalarWeight;
  Operation *outer = current;
  current = &op;
  if (isForLanesOnly(op) || isFreeForOne(op))
    scalarWeight = 0;
  addOne(op);
  scalarWeight = scalar;
  current = outer;
}

/// Whether that is a loop that is unrolled.
bool Estimate::addUnrolled(scf::WhileOp loop) {
  auto counted = countTrips(loop, tuning::mostUnrolled);
  if (!counted)
    return false;
  unrolledTrips *= counted->trips;
  add(loop.getBefore(), scalarWeight * counted->trips,
      laneWeight * counted->trips);
  unrolledTrips /= counted->trips;
  return true;
}

void Estimate::addChoice(Operation &op) {
  bool together = shapes.isUniform(op.getOperand(0));
  if (!frequencies.isOfIteration(op.getOperand(0)))
    addBoth(together ? opCycles : tuning::branchCycles,
            together ? opCycles : 2.0 * op.getNumRegions());
  if (!together)
    addBlends(op.getResults());
  SmallVector<double> shares = frequencies.sharesOf(op);
  double all = children;
  Operation *outer = around;
  around = together ? around : &op;
  if (frequencies.spawnLess(op, shares, children))
    children = 1;
  for (auto [region, share] : llvm::zip(op.getRegions(), shares))
    add(region, scalarWeight * share,
        together || isHoistedToParents(region) ? laneWeight * share
                                               : laneWeight);
  children = all;
  around = outer;
}

void Estimate::addLoop(scf::WhileOp loop) {
  if (addUnrolled(loop))
    return;
  bool together = shapes.isUniform(loop.getConditionOp().getCondition());
  // When one leaves is not known. Lanes wait for the one that stays longest:
  // if each is as likely to leave in any iteration, 1 + ln W times as long as
  // one of them.
  double waiting = together || frequencies.leavesTogether(loop)
                       ? 1
                       : 1 + 0.5 * std::log2(lanes);
  addBoth(together ? tuning::branchCycles : tuning::mispredictionCycles,
          tuning::branchCycles);
  if (!together)
    addBlends(loop.getBeforeArguments());
  frequencies.enter(loop);
  Operation *outer = around;
  around = waiting > 1 ? loop.getOperation() : around;
  add(loop.getBefore(), scalarWeight * tuning::iterations,
      laneWeight * tuning::iterations * waiting);
  around = outer;
}

void Estimate::addOne(Operation &op) {
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return addChoice(op);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return addLoop(loop);
  if (isMadeOfNothing(&op) ||
      isa<chan::DeqOp, chan::TfreeOp, chan::DoneOp, LLVM::AllocaOp,
          UnrealizedConversionCastOp, scf::YieldOp, scf::ConditionOp>(op))
    return;
  if (op.getNumResults() == 1 && frequencies.isOfIteration(op.getResult(0)))
    return;
  auto update = chan::reductionOf(&op);
  if (!update && op.getNumResults() == 1 && shapes.isUniform(op.getResult(0)))
    return isMathFunction(&op) ? addBoth(tuning::mathCycles, tuning::mathCycles)
                               : addBoth(opCycles, opCycles);
  unsigned bits = 1;
  for (Value operand : op.getOperands())
    bits = std::max(bits, laneBits(operand.getType()));
  for (Value result : op.getResults())
    bits = std::max(bits, laneBits(result.getType()));
  if (update && shapes.isUniform(update.getPtr()))
    addBoth(tuning::updateCycles, registers(bits));
  else if (addDivision(op, bits))
    return;
  else if (isa<LLVM::FDivOp, LLVM::SqrtOp>(op))
    addBoth(tuning::rootCycles, tuning::rootCycles * registers(bits),
            registers(bits));
  else if (isa<LLVM::FRemOp>(op))
    addBoth(tuning::callCycles, lanes * (tuning::callCycles + 2), 6 * lanes);
  else if (isElementwise(&op))
    addBoth(opCycles, instructionsOf(op) * registers(bits));
  else if (auto *function = math.find(&op, lanes))
    addVectorCalls(op, function->getVectorizationFactor().getFixedValue());
  else if (isa<LLVM::GEPOp>(op))
    addBoth(opCycles / 2, shapes.of(op.getResult(0)).kind == LaneShape::Strided
                              ? opCycles
                              : registers(bits));
  else if (auto load = dyn_cast<LLVM::LoadOp>(op); load && isRelaxed(load))
    addByLane(op, opCycles);
  else if (auto load = dyn_cast<LLVM::LoadOp>(op))
    addLoad(load.getAddr(), load.getType());
  else if (auto store = dyn_cast<LLVM::StoreOp>(op))
    addStore(store.getAddr(), store.getValue().getType());
  else if (isa<chan::ChanDialect>(op.getDialect()))
    addChannelOp(op, bits);
  else if (auto fill = fillOf(&op);
           fill && shapes.getInterleaving().partSize(fill->address))
    addParts(*fill);
  else if (auto set = dyn_cast<LLVM::MemsetOp>(op))
    addFill(op, set.getLen());
  else if (auto copy = dyn_cast<LLVM::MemcpyOp>(op))
    addFill(op, copy.getLen());
  else
    addCalls(op);
}

/// Whether it is a division of integers.
bool Estimate::addDivision(Operation &op, unsigned bits) {
  if (isDivision(&op) && isSafeDivisor(op.getOperand(1)) && bits <= 32)
    addBoth(tuning::multiplyCycles,
            2 * tuning::multiplyCycles * registers(bits), 8 * registers(bits));
  else if (isDivision(&op) && isSafeDivisor(op.getOperand(1)))
    // There are no vectors of the upper halves of such products.
    addBoth(tuning::multiplyCycles, lanes * (tuning::multiplyCycles + 1),
            11 * lanes);
  else if (dividesInFloatingPoint(&op) && shapes.isUniform(op.getOperand(1)))
    addBoth(tuning::divisionCycles, tuning::rootCycles + 3 * registers(64),
            8 * registers(64));
  else if (dividesInFloatingPoint(&op))
    addBoth(tuning::divisionCycles, 3 * tuning::rootCycles * registers(64),
            8 * registers(64));
  else if (isDivision(&op))
    addBoth(tuning::divisionCycles, lanes * (tuning::divisionCycles + 2),
            6 * lanes);
  else
    return false;
  return true;
}

/// What is done to elements.
void Estimate::addChannelOp(Operation &op, unsigned bits) {
  if (isa<chan::GetOp>(op))
    addBoth(0, registers(bits),
            2 * registers(bits) +
                (hasMasked(bits) ? 0 : tuning::accessCode * lanes));
  else if (isa<chan::SetOp>(op))
    addBoth(1, packCycles(bits));
  else if (isa<chan::EnqOp>(op))
    addBoth(tuning::spawnCycles, tuning::enqueueCycles, 30);
  else if (isa<chan::TallocOp, chan::LocalOp>(op))
    return;
  else if (isa<chan::PendOp, chan::IterationOp>(op))
    addBoth(1, 1);
  else if (auto enqueued = dyn_cast<chan::IterationEnqOp>(op))
    addMoves(enqueued.getValues(), 3);
  else if (auto dequeued = dyn_cast<chan::IterationDeqOp>(op))
    addMoves(dequeued.getValues(), 1);
  else if (isa<chan::ResultOp>(op))
    addBoth(1, registers(bits) +
                   (vectorBits >= 512 ? 0 : tuning::maskedStoreCycles));
  else if (isa<chan::ReduceResultOp>(op))
    addBoth(1, registers(bits));
  else if (isa<chan::ChildOp, chan::DestinationOp>(op))
    addBoth(0, packCycles(bits));
  else
    llvm_unreachable("no such operation in a phase kernel");
}

/// What goes into memory or comes from there, a register in so many cycles.
void Estimate::addMoves(ValueRange moved, double cycles) {
  for (Value value : moved)
    addBoth(1,
            shapes.isUniform(value)
                ? 1
                : cycles * registers(std::max(8u, laneBits(value.getType()))));
}

void Estimate::addLoad(Value address, Type type) {
  unsigned bits = laneBits(type);
  if (shapes.isContiguous(address, type))
    return addBoth(places.isInRegisters(address) ? 0 : opCycles,
                   registers(bits));
  if (places.isOfObjects(address)) // In a loop over its parts, once.
    addBoth(tuning::waitCycles / unrolledTrips, 0);
  if (vectorBits >= 512 && bits >= 32)
    addBoth(opCycles, lanes, 2 * registers(64));
  else if (vectorBits >= 256 && bits >= 32) // Also without an instruction.
    addBoth(opCycles, tuning::gatherCycles * lanes, tuning::accessCode * lanes);
  else // One lane after the other (LaneAccesses.cpp).
    addBoth(opCycles, tuning::accessCycles * lanes, tuning::accessCode * lanes);
}

void Estimate::addStore(Value address, Type type) {
  unsigned bits = laneBits(type);
  if (shapes.isContiguous(address, type))
    addBoth(places.isInRegisters(address) ? 0 : 1, 3 * registers(bits));
  else // What is read next cannot have it before it is in the cache.
    addBoth(1, tuning::accessCycles * lanes, scatterCode(bits));
}

void Estimate::addByLane(Operation &op, double cycles) {
  double values = op.getNumOperands() + op.getNumResults();
  // For those lanes only that are there.
  cost.scalar += scalarWeight * cycles * lanes;
  cost.lanes += scalarWeight * (cycles + tuning::laneLoopCycles) * lanes +
                laneWeight * tuning::missCycles;
  cost.instructions += 8 + values * (2 + registers(64));
  lose(scalarWeight * tuning::laneLoopCycles * lanes +
           laneWeight * tuning::missCycles,
       0);
}

/// A function that lanes call one after the other. It chooses by arguments of
/// another element each time, where serial code calls it for neighbours: `sin`
/// takes 13 cycles longer (benchmarks/strangers/simpson.c, its `wave`, Zen 5).
void Estimate::addCalls(Operation &op) {
  addByLane(op, isMathFunction(&op) ? tuning::mathCycles : tuning::callCycles);
  double mispredicted = scalarWeight * tuning::mispredictionCycles * lanes;
  cost.lanes += mispredicted;
  lose(mispredicted, 0);
}

/// What is filled, or copied, in each lane.
void Estimate::addFill(Operation &op, Value length) {
  APInt bytes;
  bool isCalled = !matchPattern(length, m_ConstantInt(&bytes)) ||
                  bytes.ugt(tuning::mostFilled);
  addByLane(op, isCalled ? tuning::callCycles
                         : std::ceil(bytes.getZExtValue() * 8 / vectorBits));
}

/// What is filled in all lanes, part by part.
void Estimate::addParts(const Fill &fill) {
  unsigned part = shapes.getInterleaving().partSize(fill.address);
  double parts = fill.bytes / part, bits = part * 8;
  addBoth(std::ceil(parts * bits / vectorBits), 3 * parts * registers(bits));
}

/// A function for `width` lanes at a time.
void Estimate::addVectorCalls(Operation &op, unsigned width) {
  double calls = std::ceil(lanes / width);
  addBoth(tuning::mathCycles,
          calls * (tuning::mathCycles + tuning::laneLoopCycles),
          calls * (2 + 2 * op.getNumOperands()));
}

/// Whether what is selected is made of the mask by one instruction.
static bool isOfMask(LLVM::SelectOp select) {
  auto isSo = [](Value arm) {
    return arm.getType().isInteger(1) || matchPattern(arm, m_Constant());
  };
  return isSo(select.getTrueValue()) && isSo(select.getFalseValue());
}

/// SSE2 has no blend, no product of words, no order of long words, and no
/// shifts of one lane each.
double Estimate::instructionsOf(Operation &op) const {
  if (vectorBits >= 256)
    return 1;
  if (auto select = dyn_cast<LLVM::SelectOp>(op))
    return isOfMask(select) ? 1 : tuning::blendOps;
  if (isa<LLVM::MulOp>(op))
    return tuning::productOps;
  if (isa<LLVM::ICmpOp>(op) && laneBits(op.getOperand(0).getType()) == 64)
    return tuning::orderOps;
  bool isShift = isa<LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp>(op);
  return isShift && !shapes.isUniform(op.getOperand(1)) ? tuning::shiftOps : 1;
}

void Estimate::addBlends(ValueRange merged) {
  for (Value value : merged)
    if (unsigned bits = laneBits(value.getType()))
      addBoth(0, (vectorBits < 256 ? tuning::blendOps : 1) * registers(bits));
}

LaneCost cilk2chan::estimateCost(chan::KernelOp lifted,
                                 const LaneShapes &shapes, unsigned lanes,
                                 unsigned vectorBits, const VectorMath &math) {
  Estimate estimate(lifted, shapes, lanes, vectorBits, math);
  estimate.add(lifted.getBody(), 1, 1);
  return estimate.cost;
}
