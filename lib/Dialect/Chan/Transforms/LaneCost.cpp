//===- LaneCost.cpp - How many lanes, and whether they pay ----------------===//
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

#include "LaneCost.h"
#include "LaneOps.h"
#include "TripCount.h"
#include "cilk2chan/Support/BaseOf.h"

#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/MathFunctions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/StringSet.h"

#include <cmath>

using namespace mlir;
using namespace cilk2chan;

/// Cycles, by and large those of processors of the years 2015 to 2025.
static constexpr double divisionCycles = 5, multiplyCycles = 4, rootCycles = 4,
                        callCycles = 20, mathCycles = 40, runtimeCycles = 10,
                        frameCycles = 5, enqueueCycles = 8, spawnCycles = 3,
                        laneLoopCycles = 4, branchCycles = 3,
                        gatherCycles = 3.5, updateCycles = 20, missCycles = 15,
                        mispredictionCycles = 15, maskedStoreCycles = 15;

/// What the activations of a batch have in memory for themselves, calls one
/// after the other find in the cache.
static constexpr double cacheLine = 64, lineCycles = 35;

/// Cycles and instructions per lane where an access is one for each lane.
static constexpr double accessCycles = 4.5, accessCode = 7;

/// What an element waits for the second-level cache where it has an object of
/// its own. Lanes wait at the same time.
static constexpr double waitCycles = 14;

/// Instructions of SSE2 for what is one from AVX2 on.
static constexpr double blendOps = 3, productOps = 6, shiftOps = 8,
                        orderOps = 7;

/// Cycles per lane where each is stored, and perhaps overwritten by the next.
static constexpr double packOneCycles = 2;

/// A loop with no more iterations, to a constant, is unrolled: what depends on
/// their number alone is a constant in each.
static constexpr unsigned mostUnrolled = 8;

/// The largest object whose parts a serial clone has in registers if they are
/// accessed at places that are constants there, in bytes.
static constexpr unsigned mostInRegisters = 64;

/// What is filled or copied without a call, in bytes.
static constexpr unsigned mostFilled = 256;

//===----------------------------------------------------------------------===//
// How many lanes
//===----------------------------------------------------------------------===//

/// Whether nothing but addresses is computed of `value`.
static bool isForAddresses(Value value) {
  auto isConversion = [](Operation *op) {
    return isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(op);
  };
  return !value.use_empty() && llvm::all_of(value.getUsers(), [&](auto *user) {
    return isa<LLVM::GEPOp>(user) ||
           (isConversion(user) && isForAddresses(user->getResult(0)));
  });
}

/// Whether it is asked which way lanes took, which narrowLanes has made a byte
/// of.
static bool asksForWay(Operation &op) {
  auto comparison = dyn_cast<LLVM::ICmpOp>(op);
  if (!comparison || !comparison.getLhs().getType().isInteger(8) ||
      !comparison.getRhs().getDefiningOp<LLVM::ConstantOp>())
    return false;
  Operation *from = comparison.getLhs().getDefiningOp();
  return !from || isa<scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(from);
}

/// How often what is in `op` runs.
static double timesOf(Operation &op) {
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (!loop)
    return 1;
  auto counted = countTrips(loop, mostUnrolled);
  return counted ? counted->trips : iterations;
}

void LaneWidths::add(chan::KernelOp lifted, const LaneShapes &shapes) {
  add(lifted.getBody(), shapes, 1);
}

void LaneWidths::add(Region &region, const LaneShapes &shapes, double weight) {
  for (Operation &op : region.front()) {
    for (Region &nested : op.getRegions())
      add(nested, shapes, weight * timesOf(op));
    if (op.getNumRegions() || op.getNumResults() != 1 || asksForWay(op))
      continue;
    Value result = op.getResult(0);
    // A comparison's operands decide.
    Value wide =
        isa<LLVM::ICmpOp, LLVM::FCmpOp>(op) ? op.getOperand(0) : result;
    unsigned bits = laneBits(wide.getType());
    if (bits > 1 && !isa<LLVM::LLVMPointerType>(wide.getType()) &&
        shapes.of(result).kind == LaneShape::Varying && !isForAddresses(result))
      operations[std::max<unsigned>(8, llvm::PowerOf2Ceil(bits))] += weight;
  }
}

unsigned LaneWidths::chooseLanes(unsigned vectorBits) const {
  double all = 0, narrower = 0;
  for (auto [bits, weight] : operations)
    all += weight;
  unsigned median = 64;
  for (auto [bits, weight] : operations)
    if (narrower += weight; 2 * narrower >= all) {
      median = bits;
      break;
    }
  return std::clamp(vectorBits / median, 2u, 64u);
}

//===----------------------------------------------------------------------===//
// Whether they pay
//===----------------------------------------------------------------------===//

namespace {

class Estimate {
public:
  Estimate(chan::KernelOp kernel, const LaneShapes &shapes, unsigned lanes,
           unsigned vectorBits, const VectorMath &math)
      : shapes(shapes), lanes(lanes), vectorBits(vectorBits), math(math),
        opCycles(vectorBits >= 512 ? 0.5 : 1), isBatch(kernel.getPhase()) {
    if (kernel.getPhase() == 0) {
      cost.lanes += lanes * kernel.getFrameSize() / cacheLine * lineCycles;
      cost.losses.add(LaneLoss::Elements, cost.lanes, kernel);
    }
    findPositions(kernel);
    findUnrolled(kernel);
    findRegisters(kernel);
    if (double some = childrenOf(kernel.getBody()); isBatch && some < HUGE_VAL)
      children = some;
  }

  void add(Region &region, double scalarWeight, double laneWeight);
  LaneCost cost;

private:
  void add(Operation &op);
  void addOne(Operation &op);
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
  bool isUnrolled(Value value) const;
  void addFill(Operation &op, Value length);
  void addParts(const Fill &fill);
  void findPositions(chan::KernelOp kernel);
  void findUnrolled(chan::KernelOp kernel);
  void findRegisters(chan::KernelOp kernel);
  bool isOfObjects(Value address) const;
  void addLoad(Value address, Type type);
  void addStore(Value address, Type type);
  void addByLane(Operation &op, double cycles);
  void addCalls(Operation &op);
  void addVectorCalls(Operation &op, unsigned width);
  void addBlends(ValueRange merged);
  double instructionsOf(Operation &op) const;
  void addMoves(ValueRange moved, double cycles);
  void findLeaving(Value more);
  bool leavesTogether(scf::WhileOp loop) const;
  SmallVector<double> sharesOf(Operation &choice) const;
  bool isRare(Region &arm) const;
  bool spawnLess(Operation &choice, MutableArrayRef<double> shares) const;
  double childrenOf(Region &region) const;
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
                               : packOneCycles * lanes;
  }
  /// Where nobody waits for it.
  double scatterCycles(unsigned bits) const {
    return lanes * (hasScatter(bits) ? 1.6 : accessCycles);
  }
  double scatterCode(unsigned bits) const {
    return hasScatter(bits) ? 2 * registers(64) : accessCode * lanes;
  }

  const LaneShapes &shapes;
  double lanes, vectorBits;
  const VectorMath &math;
  /// What one operation takes where an operation on a register of lanes takes
  /// one: of the widest there are fewer at a time.
  const double opCycles;
  /// Whether elements that are not in lanes run in serial clones, which call
  /// their children.
  const bool isBatch;
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
  /// Fields that are positions in arrays: children have the next.
  llvm::StringSet<> positions;
  /// Arms of choices behind which one element leaves the loop.
  llvm::SmallPtrSet<Region *, 8> leaving;
  /// What depends on which iteration it is of an unrolled loop, and on nothing
  /// else.
  llvm::SmallPtrSet<Value, 8> unrolled;
  /// Objects of an activation's own that its serial clone has in registers.
  llvm::SmallPtrSet<Value, 4> inRegisters;
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

/// Whether only lanes have it to do, since others take arrays by address.
static bool isForLanesOnly(Operation &op) {
  auto isPart = [](Operation *access) {
    return access && access->hasAttr(PartAttribute);
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

/// Finds the arms that make `more`, which a loop goes on by, a constant zero.
void Estimate::findLeaving(Value more) {
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

/// Whether lanes that leave a loop before the others leave the loop around it
/// as well, as a search does that has found what it looks for: then they wait
/// for the others behind that one, and only there.
///
///   for (i...) for (j...) if (a[i] == a[j]) return 0;
///
/// `leaving` has the arms of what is around the loop.
bool Estimate::leavesTogether(scf::WhileOp loop) const {
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

/// Whether no element of a batch takes an arm, or but the first.
static bool isPeeledOff(Region &arm) {
  return endingArm(arm.getParentOp()) == &arm;
}

bool Estimate::isRare(Region &arm) const {
  return leaving.contains(&arm) || isPeeledOff(arm);
}

static bool spawns(Region &region) {
  return region.walk([](chan::EnqOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// How often each arm is taken, of once.
SmallVector<double> Estimate::sharesOf(Operation &choice) const {
  double arms = choice.getNumRegions();
  double last = llvm::count_if(choice.getRegions(),
                               [&](Region &arm) { return isRare(arm); });
  // Nobody is to be asked when to leave what is unrolled.
  double rare = unrolled.contains(choice.getOperand(0)) ? 0 : 1 / iterations;
  SmallVector<double> shares;
  for (Region &arm : choice.getRegions())
    shares.push_back(last == 0 || last == arms ? 1 / arms
                     : isRare(arm)             ? rare / last
                                               : (1 - rare) / (arms - last));
  return shares;
}

/// Takes arms that spawn for so seldom that an element has one child: in a tree
/// all but the first one are somebody's. Whether there are such arms.
bool Estimate::spawnLess(Operation &choice,
                         MutableArrayRef<double> shares) const {
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

/// How many children an element has if no arm is taken less often than others;
/// infinitely many if a loop spawns that nobody knows the end of.
double Estimate::childrenOf(Region &region) const {
  double all = 0;
  for (Operation &op : region.getOps()) {
    all += isa<chan::EnqOp>(op);
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      auto counted = countTrips(loop, mostUnrolled);
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

/// Whether it is a constant in each iteration.
bool Estimate::isUnrolled(Value value) const {
  return unrolled.contains(value) || matchPattern(value, m_Constant());
}

/// Whether that is a loop that is unrolled.
bool Estimate::addUnrolled(scf::WhileOp loop) {
  auto counted = countTrips(loop, mostUnrolled);
  if (!counted)
    return false;
  unrolledTrips *= counted->trips;
  add(loop.getBefore(), scalarWeight * counted->trips,
      laneWeight * counted->trips);
  unrolledTrips /= counted->trips;
  return true;
}

void Estimate::addOne(Operation &op) {
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op)) {
    bool together = shapes.isUniform(op.getOperand(0));
    if (!unrolled.contains(op.getOperand(0)))
      addBoth(together ? opCycles : branchCycles,
              together ? opCycles : 2.0 * op.getNumRegions());
    if (!together)
      addBlends(op.getResults());
    SmallVector<double> shares = sharesOf(op);
    double all = children;
    Operation *outer = around;
    around = together ? around : &op;
    if (spawnLess(op, shares))
      children = 1;
    for (auto [region, share] : llvm::zip(op.getRegions(), shares))
      add(region, scalarWeight * share,
          together || isPeeledOff(region) ? laneWeight * share : laneWeight);
    children = all;
    around = outer;
    return;
  }
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    if (addUnrolled(loop))
      return;
    bool together = shapes.isUniform(loop.getConditionOp().getCondition());
    // Nobody knows when one leaves. Lanes wait for the one that stays longest:
    // if each is as likely to leave in any iteration, 1 + ln W times as long as
    // one of them.
    double waiting =
        together || leavesTogether(loop) ? 1 : 1 + 0.5 * std::log2(lanes);
    addBoth(together ? branchCycles : mispredictionCycles, branchCycles);
    if (!together)
      addBlends(loop.getBeforeArguments());
    findLeaving(loop.getConditionOp().getCondition());
    Operation *outer = around;
    around = waiting > 1 ? &op : around;
    add(loop.getBefore(), scalarWeight * iterations,
        laneWeight * iterations * waiting);
    around = outer;
    return;
  }
  if (isMadeOfNothing(&op) ||
      isa<chan::DeqOp, chan::TfreeOp, chan::DoneOp, LLVM::AllocaOp,
          UnrealizedConversionCastOp, scf::YieldOp, scf::ConditionOp>(op))
    return;
  if (op.getNumResults() == 1 && unrolled.contains(op.getResult(0)))
    return;
  auto update = chan::reductionOf(&op);
  if (!update && op.getNumResults() == 1 && shapes.isUniform(op.getResult(0)))
    return isMathFunction(&op) ? addBoth(mathCycles, mathCycles)
                               : addBoth(opCycles, opCycles);
  unsigned bits = 1;
  for (Value operand : op.getOperands())
    bits = std::max(bits, laneBits(operand.getType()));
  for (Value result : op.getResults())
    bits = std::max(bits, laneBits(result.getType()));
  if (update && shapes.isUniform(update.getPtr()))
    addBoth(updateCycles, registers(bits));
  else if (isDivision(&op) && isSafeDivisor(op.getOperand(1)) && bits <= 32)
    addBoth(multiplyCycles, 2 * multiplyCycles * registers(bits),
            8 * registers(bits));
  else if (isDivision(&op) && isSafeDivisor(op.getOperand(1)))
    // There are no vectors of the upper halves of such products.
    addBoth(multiplyCycles, lanes * (multiplyCycles + 1), 11 * lanes);
  else if (dividesInFloatingPoint(&op) && shapes.isUniform(op.getOperand(1)))
    addBoth(divisionCycles, rootCycles + 3 * registers(64), 8 * registers(64));
  else if (dividesInFloatingPoint(&op))
    addBoth(divisionCycles, 3 * rootCycles * registers(64), 8 * registers(64));
  else if (isDivision(&op))
    addBoth(divisionCycles, lanes * (divisionCycles + 2), 6 * lanes);
  else if (isa<LLVM::FDivOp, LLVM::SqrtOp>(op))
    addBoth(rootCycles, rootCycles * registers(bits), registers(bits));
  else if (isa<LLVM::FRemOp>(op))
    addBoth(callCycles, lanes * (callCycles + 2), 6 * lanes);
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
  else if (isa<chan::GetOp>(op))
    addBoth(isBatch ? 0 : 1, registers(bits),
            2 * registers(bits) + (hasMasked(bits) ? 0 : accessCode * lanes));
  else if (isa<chan::SetOp>(op))
    addBoth(1, packCycles(bits));
  else if (isa<chan::EnqOp>(op))
    addBoth(isBatch ? spawnCycles : enqueueCycles, enqueueCycles, 30);
  else if (isa<chan::TallocOp, chan::LocalOp>(op))
    return;
  else if (isa<chan::PendOp, chan::TripOp>(op))
    addBoth(1, 1);
  else if (auto requeue = dyn_cast<chan::RequeueOp>(op))
    addMoves(requeue.getValues(), 3);
  else if (auto resume = dyn_cast<chan::ResumeOp>(op))
    addMoves(resume.getValues(), 1);
  else if (isa<chan::ResultOp>(op))
    addBoth(1, registers(bits) + (vectorBits >= 512 ? 0 : maskedStoreCycles));
  else if (isa<chan::AccumulateOp>(op))
    addBoth(1, registers(bits));
  else if (isa<chan::ChildOp, chan::DestinationOp>(op))
    addBoth(isBatch ? 0 : 2, packCycles(bits));
  else if (isa<chan::DeliverOp>(op))
    addBoth(isBatch ? 1 : branchCycles, scatterCycles(bits), scatterCode(bits));
  else if (isa<chan::FrameOp, chan::FrameFreeOp>(op))
    addByLane(op, frameCycles);
  else if (isa<chan::ChanDialect>(op.getDialect()))
    addByLane(op, runtimeCycles);
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

/// The field of an element that `address` is computed from; none if it is not.
static StringRef fieldUnder(Value address) {
  auto get = baseOf(address).getDefiningOp<chan::GetOp>();
  return get ? get.getField() : StringRef();
}

void Estimate::findPositions(chan::KernelOp kernel) {
  llvm::StringSet<> others;
  kernel.walk([&](chan::SetOp set) {
    if (!isa<LLVM::LLVMPointerType>(set.getValue().getType()))
      return;
    StringRef field = set.getField();
    if (fieldUnder(set.getValue()) != field)
      others.insert(field);
    else if (set.getValue().getDefiningOp<LLVM::GEPOp>())
      positions.insert(field);
  });
  for (StringRef field : others.keys())
    positions.erase(field);
}

/// Whether each lane has an object of its own there that it has found by a
/// pointer, as nodes of trees are; of arrays, those nearby come along.
bool Estimate::isOfObjects(Value address) const {
  if (positions.contains(fieldUnder(address)))
    return false;
  // Of an array of pointers in an object, AVX2 has each lane's after another's,
  // which takes as long as waiting.
  auto isPart = [&](Value index) {
    return vectorBits >= 512 ? isUnrolled(index)
                             : matchPattern(index, m_Constant());
  };
  while (auto gep = address.getDefiningOp<LLVM::GEPOp>()) {
    if (!llvm::all_of(gep.getDynamicIndices(), isPart))
      return false;
    address = gep.getBase();
  }
  return !shapes.isUniform(address) &&
         isa_and_present<chan::GetOp, LLVM::LoadOp>(address.getDefiningOp());
}

void Estimate::findUnrolled(chan::KernelOp kernel) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto loop = dyn_cast<scf::WhileOp>(op);
    auto counted = loop ? countTrips(loop, mostUnrolled) : std::nullopt;
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

void Estimate::findRegisters(chan::KernelOp kernel) {
  llvm::SmallPtrSet<Value, 4> inMemory;
  kernel.walk([&](LLVM::GEPOp gep) {
    auto local = baseOf(gep).getDefiningOp<chan::LocalOp>();
    if (!local || !isBatch)
      return;
    bool isKnown = llvm::all_of(gep.getDynamicIndices(),
                                [&](Value index) { return isUnrolled(index); });
    bool isSmall = local.getSize() <= mostInRegisters;
    (isKnown && isSmall ? inRegisters : inMemory).insert(local);
  });
  for (Value local : inMemory)
    inRegisters.erase(local);
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
    return addBoth(inRegisters.contains(baseOf(address)) ? 0 : opCycles,
                   registers(bits));
  if (isBatch && isOfObjects(address)) // In a loop over its parts, once.
    addBoth(waitCycles / unrolledTrips, 0);
  if (vectorBits >= 512 && bits >= 32)
    addBoth(opCycles, lanes, 2 * registers(64));
  else if (vectorBits >= 256 && bits >= 32) // Also without an instruction.
    addBoth(opCycles, gatherCycles * lanes, accessCode * lanes);
  else // One lane after the other (LaneAccesses.cpp).
    addBoth(opCycles, accessCycles * lanes, accessCode * lanes);
}

void Estimate::addStore(Value address, Type type) {
  unsigned bits = laneBits(type);
  if (shapes.isContiguous(address, type))
    addBoth(inRegisters.contains(baseOf(address)) ? 0 : 1, 3 * registers(bits));
  else // What is read next cannot have it before it is in the cache.
    addBoth(1, accessCycles * lanes, scatterCode(bits));
}

void Estimate::addByLane(Operation &op, double cycles) {
  double values = op.getNumOperands() + op.getNumResults();
  // For those lanes only that are there.
  cost.scalar += scalarWeight * cycles * lanes;
  cost.lanes += scalarWeight * (cycles + laneLoopCycles) * lanes +
                laneWeight * missCycles;
  cost.instructions += 8 + values * (2 + registers(64));
  lose(scalarWeight * laneLoopCycles * lanes + laneWeight * missCycles, 0);
}

/// A function that lanes call one after the other. It chooses by arguments of
/// another element each time, where serial code calls it for neighbours: `sin`
/// takes 13 cycles longer (benchmarks/strangers/simpson.c, its `wave`, Zen 5).
void Estimate::addCalls(Operation &op) {
  addByLane(op, isMathFunction(&op) ? mathCycles : callCycles);
  double mispredicted = scalarWeight * mispredictionCycles * lanes;
  cost.lanes += mispredicted;
  lose(mispredicted, 0);
}

/// What is filled, or copied, in each lane.
void Estimate::addFill(Operation &op, Value length) {
  APInt bytes;
  bool isCalled =
      !matchPattern(length, m_ConstantInt(&bytes)) || bytes.ugt(mostFilled);
  addByLane(op, isCalled ? callCycles
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
  addBoth(mathCycles, calls * (mathCycles + laneLoopCycles),
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
    return isOfMask(select) ? 1 : blendOps;
  if (isa<LLVM::MulOp>(op))
    return productOps;
  if (isa<LLVM::ICmpOp>(op) && laneBits(op.getOperand(0).getType()) == 64)
    return orderOps;
  bool isShift = isa<LLVM::ShlOp, LLVM::LShrOp, LLVM::AShrOp>(op);
  return isShift && !shapes.isUniform(op.getOperand(1)) ? shiftOps : 1;
}

void Estimate::addBlends(ValueRange merged) {
  for (Value value : merged)
    if (unsigned bits = laneBits(value.getType()))
      addBoth(0, (vectorBits < 256 ? blendOps : 1) * registers(bits));
}

//===----------------------------------------------------------------------===//
// What they lose by
//===----------------------------------------------------------------------===//

void LaneLosses::add(LaneLoss cause, double cycles, Operation *place) {
  if (cycles <= 0)
    return;
  Sum &sum = sums[cause];
  sum.cycles += cycles;
  if (cycles > sum.most) {
    sum.most = cycles;
    sum.place = place->getLoc();
  }
}

void LaneLosses::add(const LaneLosses &others) {
  for (auto &[cause, other] : others.sums) {
    Sum &sum = sums[cause];
    sum.cycles += other.cycles;
    if (other.most > sum.most) {
      sum.most = other.most;
      sum.place = other.place;
    }
  }
}

static StringRef describe(LaneLoss cause) {
  switch (cause) {
  case LaneLoss::Accesses:
    return "accesses to memory at addresses of their own";
  case LaneLoss::Calls:
    return "what they do one after the other";
  case LaneLoss::Choices:
    return "branches, of which they run all that one of them takes";
  case LaneLoss::Loops:
    return "loops, in which they wait for the one that stays longest";
  case LaneLoss::Elements:
    return "what activations pass on and keep in memory";
  case LaneLoss::Operations:
    return "operations that have no instruction for vectors";
  }
  llvm_unreachable("no other causes");
}

std::string LaneLosses::describe() const {
  auto most = llvm::max_element(sums, [](const auto &a, const auto &b) {
    return a.second.cycles < b.second.cycles;
  });
  if (most == sums.end())
    return {};
  std::string text = "they lose most by " + ::describe(most->first).str();
  // That of activations' memory says nothing.
  LocationAttr place = most->second.place;
  auto line = place.findInstanceOf<FileLineColLoc>();
  if (line && line.getLine() && most->first != LaneLoss::Elements)
    text += ", as in line " + std::to_string(line.getLine());
  return text;
}

LaneCost cilk2chan::estimateCost(chan::KernelOp lifted,
                                 const LaneShapes &shapes, unsigned lanes,
                                 unsigned vectorBits, const VectorMath &math) {
  Estimate estimate(lifted, shapes, lanes, vectorBits, math);
  estimate.add(lifted.getBody(), 1, 1);
  return estimate.cost;
}
