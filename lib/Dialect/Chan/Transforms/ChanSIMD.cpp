//===- ChanSIMD.cpp - Kernels that treat W elements at a time -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps are files of their own: ElementCounts (what gains by lanes),
// SplitLoop, SplitStructs, LaneOps (what can have them),
// LiftControlFlow, LaneShapes (what differs between lanes), LaneCost, and
// LaneEmitter with LaneControl; LaneRemarks says what came of them.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Passes.h"
#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/MathFunctions.h"
#include "cilk2chan/Support/NamesInC.h"
#include "cilk2chan/Support/TypeLayout.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "ElementCounts.h"
#include "LaneCost.h"
#include "LaneEmitter.h"
#include "LaneOps.h"
#include "LaneRemarks.h"
#include "LevelFields.h"
#include "LiftControlFlow.h"
#include "NarrowLanes.h"
#include "SplitLoop.h"
#include "SplitStructs.h"
#include "VectorMath.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CHANSIMD
#include "cilk2chan/Dialect/Chan/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

/// Lifting takes more than linear time.
static constexpr unsigned mostBlocks = 400;

/// How many times as fast lanes have to be by the estimate: from there on they
/// were faster than serial clones.
static constexpr double leastGain = 1.07;

/// The same where there may be few elements: of activations that have one child
/// at a time, no more than were begun with.
static constexpr double leastGainOfFew = 1.25;

/// To find the lanes that share fields.
static constexpr double groupCycles = 10;

/// To write a register of what lanes are requeued with, compressed, and to read
/// it.
static constexpr double requeueCycles = 4;

/// Copies of the parts of a kernel that is refilled (BatchRefill.cpp).
static constexpr unsigned wavefronts = 2;

/// LLVM's optimiser and code generator take more than linear time as well.
static constexpr unsigned mostInstructions = 6000;

/// Elements at a time that are not few.
static constexpr double fewest = 8;

static constexpr remark::RemarkOpts compaction =
    remark::RemarkOpts::name("compact").category("chan-simd");

namespace {

/// A kernel that may have lanes.
struct Candidate {
  chan::KernelOp kernel;
  OwningOpRef<chan::KernelOp> lifted;
  /// For lanes of all elements, and if it is better that those go together that
  /// share fields.
  std::optional<LaneShapes> apart = {}, grouped = {};
  /// Whether lanes gain that do not share them.
  bool paysApart = false;
  /// Values that lanes have in fewer bits than C does, and the cycles of one
  /// element by itself, which has them as they are.
  unsigned narrowed = 0;
  double cyclesOfOne = 0;
  /// Of what it is requeued or resumes with, what lanes have each.
  llvm::BitVector varyingQueued = {};
};

struct ChanSIMD : public cilk2chan::impl::ChanSIMDBase<ChanSIMD> {
  using Base::Base;
  void runOnOperation() override;

private:
  /// In front of a reason that others may not have.
  std::string onProcessor() const;
  std::nullopt_t sayMissed(chan::KernelOp kernel, Location at,
                           const Twine &reason) const;
  std::optional<Candidate> consider(chan::KernelOp kernel, double elements);
  void analyze(MutableArrayRef<Candidate> candidates);
  void findShapes(MutableArrayRef<Candidate> candidates);
  bool findStride(Candidate &receiver, MutableArrayRef<Candidate> candidates);
  /// With narrower values come more lanes. Only where elements are compressed
  /// in registers is that no more code: with SSE2 each lane's fields are stored
  /// one by one.
  bool mayNarrow() const { return narrow && (lanes || vectorBits >= 256); }
  bool pays(chan::KernelOp kernel, const LaneCost &cost, unsigned count,
            double least) const;
  bool fits(chan::KernelOp kernel, const LaneCost &cost, unsigned count) const;
  SmallVector<StringRef> uniformFields(chan::KernelOp phase);
  LaneCost estimate(Candidate &candidate, unsigned count) const;
  void convert(Candidate &candidate, unsigned count);

  /// The phases of a function, or the kernel that accumulates and those that it
  /// is compacted into, of which `split` has the operations.
  struct Group {
    std::vector<Candidate> kernels, compacted;
    SplitLoop split;
    bool refills = false;
    unsigned lanes = 0;
  };
  std::unique_ptr<Group> considerGroup(ArrayRef<Attribute> kernels,
                                       bool *loses = nullptr);
  chan::KernelOp firstPhase(chan::StackOp stack);
  bool beginsTrees(chan::StackOp stack);
  bool spawnsOnly(chan::StackOp stack,
                  llvm::function_ref<bool(llvm::StringRef)> isInLanes);
  void leaveToChildren(chan::StackOp stack,
                       function_ref<bool(StringRef)> isInLanes);
  SmallVector<Type> findVaryingQueued(Candidate &enter, Candidate &iterate,
                                      bool &counts);
  std::string compactInto(Group &group, double &cycles);
  double considerCompaction(Group &group);
  void compactGroup(Group &group);
  bool allChildren(Group &group, function_ref<bool(StringRef)> isSo) const;
  using Groups = llvm::MapVector<StringRef, std::unique_ptr<Group>>;
  void removeThoseWithoutChildren(Groups &groups) const;
  Groups findLoneTrees(llvm::StringMap<bool> &refused);
  void convertBatches();

  const TypeLayout *layout = nullptr;
  std::optional<ElementCounts> elements;
  std::optional<VectorMath> math;
};

} // namespace

//===----------------------------------------------------------------------===//
// One kernel
//===----------------------------------------------------------------------===//

std::string ChanSIMD::onProcessor() const {
  return processor.empty() ? "" : "on " + processor + ", ";
}

std::nullopt_t ChanSIMD::sayMissed(chan::KernelOp kernel, Location at,
                                   const Twine &reason) const {
  if (reasons)
    remark::missed(at == kernel.getLoc() ? placeOf(kernel) : at, laneRemarks)
        << (describeInC(kernel.getSymName()) +
            (kernel.getPhase() ? " is not used for batches: "
                               : " treats one element at a time: ") +
            reason)
               .str();
  return std::nullopt;
}

std::optional<Candidate> ChanSIMD::consider(chan::KernelOp kernel,
                                            double elements) {
  WorkingOn working(kernel.getSymName());
  if (kernel->hasAttr(WithoutLanesAttribute))
    return sayMissed(kernel, kernel.getLoc(),
                     "its function may not use all of the processor's vector "
                     "instructions");
  // As few as lanes can be of the widest values.
  if (!lanes && elements < std::max(vectorBits / 64, 2u))
    return sayMissed(kernel, kernel.getLoc(),
                     llvm::formatv("it finds no more than {0:f0} at a time; "
                                   "what spawns it is neither a loop nor "
                                   "recursive",
                                   elements)
                         .str());
  if (llvm::hasNItemsOrMore(kernel.getBody(), mostBlocks))
    return sayMissed(kernel, kernel.getLoc(), "it has too many branches");
  OwningOpRef<chan::KernelOp> split(kernel.clone());
  splitStructs(*split, *layout);
  if (auto obstacle = findLaneObstacle(*split))
    return sayMissed(kernel, obstacle->op->getLoc(), obstacle->what);
  OwningOpRef<chan::KernelOp> lifted = liftControlFlow(*split);
  if (!lifted)
    return sayMissed(kernel, kernel.getLoc(), "it has a loop without an end");
  if (auto call = findWaitingCall(*lifted, getOperation()))
    return sayMissed(kernel, call.getLoc(),
                     "it calls several functions, or one in a "
                     "loop, that may take locks");
  if (auto load = findWaitingLoad(*lifted))
    return sayMissed(kernel, load.getLoc(),
                     "a loop goes on for what an atomic load finds, which "
                     "another lane may have to store");
  return Candidate{kernel, std::move(lifted)};
}

/// What a phase kernel has the same of in all elements of a batch.
SmallVector<StringRef> ChanSIMD::uniformFields(chan::KernelOp phase) {
  auto stack =
      getOperation().lookupSymbol<chan::StackOp>(phase.getConsumesAttr());
  if (!stack.getUniform())
    return {};
  return llvm::to_vector(stack.getUniform()->getAsValueRange<StringAttr>());
}

/// Finds how values differ in kernels that have the same locals: the phases of
/// a function, or one kernel.
void ChanSIMD::analyze(MutableArrayRef<Candidate> candidates) {
  findShapes(candidates);
  for (Candidate &candidate : candidates)
    candidate.cyclesOfOne =
        estimateCost(*candidate.lifted, *candidate.apart, 2, vectorBits, *math)
            .scalar /
        2;
  if (!mayNarrow())
    return;
  bool changed = false;
  for (Candidate &candidate : candidates) {
    candidate.narrowed =
        narrowLanes(*candidate.lifted, *candidate.apart, *layout);
    changed |= candidate.narrowed > 0;
  }
  if (changed)
    findShapes(candidates);
}

void ChanSIMD::findShapes(MutableArrayRef<Candidate> candidates) {
  SmallVector<chan::KernelOp> kernels;
  for (Candidate &candidate : candidates)
    kernels.push_back(*candidate.lifted);
  if (!interleave)
    kernels.clear();
  Interleaving interleaving(kernels, *layout);
  for (Candidate &candidate : candidates) {
    chan::KernelOp kernel = candidate.kernel, lifted = *candidate.lifted;
    // The elements of a batch stay in their order.
    if (kernel.getPhase()) {
      candidate.apart.emplace(lifted, *layout, interleaving,
                              uniformFields(kernel));
      continue;
    }
    candidate.apart.emplace(lifted, *layout, interleaving);
    auto fields = findLevelFields(kernel, getOperation());
    if (!fields.empty())
      candidate.grouped.emplace(lifted, *layout, interleaving, fields);
  }
  for (Candidate &candidate : candidates)
    if (findStride(candidate, candidates))
      candidate.apart.emplace(*candidate.lifted, *layout, interleaving,
                              uniformFields(candidate.kernel));
}

/// Finds whether lanes of `receiver` have their destinations side by side,
/// whichever spawn of the site they come from.
bool ChanSIMD::findStride(Candidate &receiver,
                          MutableArrayRef<Candidate> candidates) {
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
  for (Candidate &candidate : candidates)
    candidate.lifted->getBody().walk([&](chan::EnqOp enq) {
      if (enq.getSite() != child.getSite())
        return;
      adjoins =
          adjoins && candidate.apart->isContiguous(enq.getDestination(), type);
      marked.push_back(enq);
    });
  auto stride = Builder(&getContext())
                    .getI64IntegerAttr(adjoins ? layout->storeSize(type) : 0);
  for (Operation *op : marked)
    if (adjoins)
      op->setAttr(StrideAttribute, stride);
    else
      op->removeAttr(StrideAttribute);
  return adjoins;
}

/// What lanes cost, in groups if that is cheaper; else there are none any more.
LaneCost ChanSIMD::estimate(Candidate &candidate, unsigned count) const {
  auto &[kernel, lifted, apart, grouped, paysApart, narrowed, one, queued] =
      candidate;
  LaneCost cost = estimateCost(*lifted, *apart, count, vectorBits, *math);
  cost.scalar = one * count;
  paysApart = cost.lanes <= cost.scalar;
  if (grouped) {
    LaneCost other = estimateCost(*lifted, *grouped, count, vectorBits, *math);
    if (other.lanes + groupCycles < cost.lanes) {
      other.instructions += paysApart ? cost.instructions : 0;
      other.scalar = cost.scalar;
      cost = other;
    } else {
      grouped.reset();
    }
  }
  if (reasons) {
    explain(kernel, *lifted, grouped ? *grouped : *apart);
    remark::analysis(placeOf(kernel), laneRemarks)
        << llvm::formatv("{0}{1} takes about {2:f0} cycles for {3} elements, "
                         "in lanes {4:f0}",
                         onProcessor(), describeInC(kernel.getSymName()),
                         cost.scalar, count, cost.lanes)
               .str();
  }
  return cost;
}

bool ChanSIMD::pays(chan::KernelOp kernel, const LaneCost &cost, unsigned count,
                    double least) const {
  if (lanes || least * cost.lanes <= cost.scalar)
    return true;
  std::string losses = cost.losses.describe();
  StringRef gain = cost.lanes < cost.scalar ? ", which is too little gain" : "";
  sayMissed(kernel, kernel.getLoc(),
            llvm::formatv("{0}that takes about {1:f0} cycles for {2} "
                          "elements, in lanes {3:f0}{4}{5}{6}",
                          onProcessor(), cost.scalar, count, cost.lanes, gain,
                          losses.empty() ? "" : "; ", losses)
                .str());
  return false;
}

static bool isSmall(const LaneCost &cost) {
  return cost.instructions <= mostInstructions;
}

bool ChanSIMD::fits(chan::KernelOp kernel, const LaneCost &cost,
                    unsigned count) const {
  if (isSmall(cost))
    return true;
  sayMissed(kernel, kernel.getLoc(),
            llvm::formatv("{0}with {1} lanes it would have about {2:f0} "
                          "instructions, and {3} are the most",
                          onProcessor(), count, cost.instructions,
                          mostInstructions)
                .str());
  return false;
}

void ChanSIMD::convert(Candidate &candidate, unsigned count) {
  WorkingOn working(candidate.kernel.getSymName());
  auto &[kernel, lifted, apart, grouped, paysApart, narrowed, one, queued] =
      candidate;
  remark::passed(placeOf(kernel), laneRemarks)
      << llvm::formatv("{0} treats {1} elements at a time{2}{3}",
                       describeInC(kernel.getSymName()), count,
                       processor.empty() ? "" : " on ", processor.getValue())
             .str();
  if (narrowed)
    remark::analysis(placeOf(kernel), laneRemarks)
        << llvm::formatv("lanes of {0} compare or carry {1} values in fewer "
                         "bits than C",
                         describeInC(kernel.getSymName()), narrowed)
               .str();
  LaneEmitter(kernel, *lifted, grouped ? *grouped : *apart, count, *layout,
              *math, grouped && paysApart ? &*apart : nullptr, queued)
      .emit();
}

//===----------------------------------------------------------------------===//
// Kernels that run together
//===----------------------------------------------------------------------===//

/// Removes the mark of a kernel that is not compacted after all.
static void removeTrips(chan::KernelOp kernel) {
  kernel.getBody().walk([](chan::TripOp trip) { trip.erase(); });
}

/// Which share of the elements of these phases is likely to come to the later
/// ones.  Where parents do not find out which children end before they spawn,
/// these are elements: all but one of as many as an activation spawns.
static double shareThatGoesOn(MutableArrayRef<Candidate> phases) {
  Candidate &first = phases.front();
  if (first.kernel->hasAttr(PeeledAttribute))
    return 1;
  bool mayEnd = false;
  first.lifted->getBody().walk([&](chan::PendOp pend) {
    mayEnd |= !isa<chan::KernelOp>(pend->getParentOp());
  });
  unsigned spawns = 0;
  for (Candidate &phase : phases)
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

/// Kernels that run together, if all can have lanes and together gain by them.
/// Else it `loses` if they could have lanes.
std::unique_ptr<ChanSIMD::Group>
ChanSIMD::considerGroup(ArrayRef<Attribute> kernels, bool *loses) {
  auto group = std::make_unique<Group>();
  LaneWidths widths;
  for (Attribute symbol : kernels) {
    auto kernel = getOperation().lookupSymbol<chan::KernelOp>(
        cast<FlatSymbolRefAttr>(symbol).getAttr());
    for (auto call : kernel.getBody().getOps<LLVM::CallOp>()) {
      if (auto callee = calleeOf(call, getOperation());
          callee &&
          (isCold(callee) || hasFunctionAttribute(callee, QuickAttribute) ||
           (callee.isExternal() && isMathFunction(call))))
        continue;
      sayMissed(kernel, call.getLoc(), describe(call, getOperation()));
      return {};
    }
    // Its tree may have been considered by itself before.
    removeTrips(kernel);
    auto candidate = consider(kernel, ElementCounts::many);
    if (!candidate)
      return {};
    group->kernels.push_back(std::move(*candidate));
  }
  analyze(group->kernels);
  for (Candidate &candidate : group->kernels)
    widths.add(*candidate.lifted, *candidate.apart);
  group->lanes = lanes ? lanes : widths.chooseLanes(vectorBits);
  // Of many fields half as many lanes are half as much code.
  auto areSmall = [&] {
    return llvm::all_of(group->kernels, [&](Candidate &candidate) {
      return isSmall(estimateCost(*candidate.lifted, *candidate.apart,
                                  group->lanes, vectorBits, *math));
    });
  };
  while (!lanes && group->lanes > vectorBits / 32 && !areSmall())
    group->lanes /= 2;
  LaneCost all;
  double goesOn = shareThatGoesOn(group->kernels), share = 1;
  for (Candidate &candidate : group->kernels) {
    LaneCost cost = estimate(candidate, group->lanes);
    if (!fits(candidate.kernel, cost, group->lanes))
      return {};
    // Groups of lanes go on if one of them does.
    all.scalar += share * cost.scalar;
    all.lanes += cost.lanes;
    all.losses.add(cost.losses);
    share = goesOn;
  }
  all.lanes = std::min(all.lanes, considerCompaction(*group));
  bool forks = llvm::any_of(group->kernels, [](Candidate &phase) {
    return mostChildren(phase.lifted->getBody()) > 1;
  });
  if (!pays(group->kernels.front().kernel, all, group->lanes,
            forks ? leastGain : leastGainOfFew)) {
    if (loses)
      *loses = true;
    return {};
  }
  return group;
}

/// The first kernel of a stack's batch form.
chan::KernelOp ChanSIMD::firstPhase(chan::StackOp stack) {
  auto name = cast<FlatSymbolRefAttr>(stack.getBatch()->getValue().front());
  return getOperation().lookupSymbol<chan::KernelOp>(name.getAttr());
}

/// Whether `isSo` of all stacks that a kernel produces into.
static bool allProduced(chan::KernelOp kernel,
                        function_ref<bool(StringRef)> isSo) {
  return llvm::all_of(
      kernel.getProduces().getAsRange<FlatSymbolRefAttr>(),
      [&](FlatSymbolRefAttr child) { return isSo(child.getValue()); });
}

/// Names what the kernel produces into that is not so.
static std::string sayOfChild(chan::KernelOp kernel,
                              function_ref<bool(StringRef)> isSo) {
  std::string name;
  allProduced(kernel, [&](StringRef child) {
    if (name.empty() && !isSo(child))
      name = describeInC(child.substr(0, child.rfind(".entry")));
    return true;
  });
  return name + ", which it spawns, is not either";
}

/// Whether elements of the stack begin trees of other functions' activations,
/// and are few at a time. What they spawn is as many lanes without theirs.
bool ChanSIMD::beginsTrees(chan::StackOp stack) {
  chan::KernelOp first = firstPhase(stack);
  return elements->of(first) < fewest &&
         allProduced(
             first,
             [&](StringRef child) { return child != stack.getSymName(); });
}

/// Whether a function without a batch form spawns, and only what `isInLanes`,
/// and its activations are few at a time.
bool ChanSIMD::spawnsOnly(chan::StackOp stack,
                          function_ref<bool(StringRef)> isInLanes) {
  bool spawns = false;
  llvm::SmallSetVector<StringRef, 4> own;
  own.insert(stack.getSymName());
  for (size_t i = 0; i < own.size(); ++i)
    for (auto kernel : getOperation().getOps<chan::KernelOp>()) {
      if (kernel.getPhase() || kernel.getConsumes() != own[i])
        continue;
      if (elements->of(kernel) >= fewest)
        return false;
      for (auto [name, level] :
           llvm::zip(kernel.getProduces().getAsRange<FlatSymbolRefAttr>(),
                     kernel.getLevels().getAsValueRange<IntegerAttr>())) {
        if (level == 0)
          own.insert(name.getValue());
        else if (!isInLanes(name.getValue()))
          return false;
        spawns |= level != 0;
      }
    }
  return spawns;
}

/// Has such a function go without a batch form, so that what it spawns begins
/// batches, if that is in lanes.
void ChanSIMD::leaveToChildren(chan::StackOp stack,
                               function_ref<bool(StringRef)> isInLanes) {
  auto kernel = firstPhase(stack);
  bool all = allProduced(kernel, isInLanes);
  sayMissed(
      kernel, kernel.getLoc(),
      all ? "few calls of it run at a time, and what it spawns runs in lanes"
          : sayOfChild(kernel, isInLanes));
  // A clone would begin them one by one; what it calls in loops it does anyway.
  if (all && !stack->hasAttr(CallsInLoopsAttribute))
    stack.removeSerialAttr();
}

//===----------------------------------------------------------------------===//
// Iterations that fill lanes
//===----------------------------------------------------------------------===//

/// Finds what lanes have each of what the two kernels pass on: none of it,
/// until one of them says otherwise. Returns its types. `counts` is whether
/// other values change from one iteration to the next: these are the same of
/// those only that have done as many.
SmallVector<Type> ChanSIMD::findVaryingQueued(Candidate &enter,
                                              Candidate &iterate,
                                              bool &counts) {
  chan::ResumeOp resume;
  iterate.lifted->getBody().walk([&](chan::ResumeOp op) { resume = op; });
  llvm::BitVector varying(resume.getNumResults());
  SmallVector<chan::KernelOp> kernels;
  if (interleave)
    kernels = {*enter.lifted, *iterate.lifted};
  Interleaving interleaving(kernels, *layout);
  auto analyze = [&](Candidate &part, bool ofAll) {
    part.apart.emplace(*part.lifted, *layout, interleaving,
                       uniformFields(part.kernel), varying, ofAll);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Candidate *part : {&enter, &iterate}) {
      analyze(*part, /*ofAll=*/true);
      part->lifted->getBody().walk([&](chan::RequeueOp op) {
        for (auto [i, value] : llvm::enumerate(op.getValues()))
          if (!varying[i] && !part->apart->isUniform(value))
            varying[i] = changed = true;
      });
    }
  }
  for (Candidate *part : {&enter, &iterate}) {
    analyze(*part, /*ofAll=*/false);
    if (mayNarrow())
      part->narrowed = narrowLanes(*part->lifted, *part->apart, *layout);
    if (part->narrowed)
      analyze(*part, /*ofAll=*/false);
    part->varyingQueued = varying;
  }
  counts = false;
  iterate.lifted->getBody().walk([&](chan::RequeueOp op) {
    for (auto [i, value] : llvm::enumerate(op.getValues()))
      counts |= !varying[i] && value != resume.getResult(i);
  });
  SmallVector<Type> types;
  for (unsigned i : varying.set_bits())
    types.push_back(resume.getValues()[i].getType());
  return types;
}

/// Whether lanes leave the loop that has iterations counted at different times.
static bool leavesOneByOne(const Candidate &candidate) {
  chan::KernelOp lifted = *candidate.lifted;
  return lifted.getBody()
      .walk([&](chan::TripOp trip) {
        auto loop = trip->getParentOfType<scf::WhileOp>();
        Value more = loop.getConditionOp().getCondition();
        return candidate.apart->isUniform(more) ? WalkResult::advance()
                                                : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Makes the parts members of the group and finds the `cycles` that they take
/// for as many activations as there are lanes, if that may gain; else returns
/// why it does not.
std::string ChanSIMD::compactInto(Group &group, double &cycles) {
  auto marked = consider(group.kernels.front().kernel, ElementCounts::many);
  auto enter = consider(*group.split.enter, ElementCounts::many);
  auto iterate = consider(*group.split.iterate, ElementCounts::many);
  if (!marked || !enter || !iterate)
    return "its parts cannot have lanes";
  analyze(*marked);
  if (!leavesOneByOne(*marked))
    return "all leave its loop together";
  double requeueing = 0;
  bool counts;
  for (Type type : findVaryingQueued(*enter, *iterate, counts))
    requeueing += requeueCycles * std::max(1.0, double(laneBits(type)) *
                                                    group.lanes / vectorBits);
  auto costOf = [&](Candidate &part) {
    return estimateCost(*part.lifted, *part.apart, group.lanes, vectorBits,
                        *math);
  };
  LaneCost once = costOf(*enter), often = costOf(*iterate);
  // Without such registers, to fill lanes takes as long as to pass on.
  group.refills = vectorBits >= 512 && !counts && once.lanes <= often.lanes;
  double instructions = costOf(*marked).instructions +
                        (group.refills ? wavefronts : 1) *
                            (once.instructions + often.instructions);
  if (instructions > mostInstructions)
    return llvm::formatv("with its parts it would have about {0:f0} "
                         "instructions, and {1} are the most",
                         instructions, mostInstructions);
  if (!lanes && !group.refills && 2 * requeueing > often.lanes)
    return llvm::formatv("{0:f0} of about {1:f0} cycles of an iteration would "
                         "be for passing it on",
                         requeueing, often.lanes);
  cycles = once.lanes + iterations * often.lanes;
  group.kernels.clear();
  group.kernels.push_back(std::move(*marked));
  group.compacted.push_back(std::move(*enter));
  group.compacted.push_back(std::move(*iterate));
  return {};
}

/// Of the kernel of a group that accumulates: where lanes leave its loop one
/// after another, there are kernels in which iterations of many activations
/// fill them. Returns the cycles that these take, if they are.
double ChanSIMD::considerCompaction(Group &group) {
  double cycles = std::numeric_limits<double>::infinity();
  chan::KernelOp kernel = group.kernels.front().kernel;
  auto stack =
      getOperation().lookupSymbol<chan::StackOp>(kernel.getConsumesAttr());
  // The queue is where there would be records for receivers.
  if (!compact || !stack.getAccumulates() || !stack.getReceivers() ||
      stack.getBatch()->getValue().back() !=
          FlatSymbolRefAttr::get(kernel.getSymNameAttr()))
    return cycles;
  group.split = splitLoop(kernel, *layout);
  if (group.split.enter)
    group.split.obstacle = compactInto(group, cycles);
  if (!group.split.obstacle.empty())
    removeTrips(kernel);
  return cycles;
}

/// Has the kernel of the group go with its parts, or says why there are none.
void ChanSIMD::compactGroup(Group &group) {
  chan::KernelOp kernel = group.kernels.front().kernel;
  // It is about the loop's spawn.
  Location place = placeOf(kernel);
  kernel.getBody().walk([&](chan::EnqOp enq) {
    place = enq.getLoc();
    return WalkResult::interrupt();
  });
  auto &[enter, iterate, obstacle] = group.split;
  if (!obstacle.empty() && reasons)
    remark::missed(place, compaction)
        << "lanes of " + describeInC(kernel.getSymName()) +
               " wait for each other: " + obstacle;
  if (group.compacted.empty())
    return;
  SmallVector<Attribute> names;
  SymbolTable symbols(getOperation());
  for (chan::KernelOp part : {enter.release(), iterate.release()}) {
    symbols.insert(part, std::next(kernel->getIterator()));
    names.push_back(FlatSymbolRefAttr::get(part.getSymNameAttr()));
  }
  kernel.setCompactedAttr(ArrayAttr::get(&getContext(), names));
  kernel.setRefilled(group.refills);
  remark::passed(place, compaction)
      << "iterations of " + describeInC(kernel.getSymName()) +
             " are compacted where lanes leave its loop one after another" +
             (group.refills ? ", and these take the next elements" : "");
}

//===----------------------------------------------------------------------===//
// All trees
//===----------------------------------------------------------------------===//

/// Whether `isSo` of the kernels of all stacks that the group's produce into.
bool ChanSIMD::allChildren(Group &group,
                           function_ref<bool(StringRef)> isSo) const {
  return llvm::all_of(group.kernels, [&](Candidate &candidate) {
    if (allProduced(candidate.kernel, isSo))
      return true;
    sayMissed(candidate.kernel, candidate.kernel.getLoc(),
              sayOfChild(candidate.kernel, isSo));
    return false;
  });
}

/// Keeps those whose children are of a group, too.
void ChanSIMD::removeThoseWithoutChildren(Groups &groups) const {
  size_t before;
  do {
    before = groups.size();
    groups.remove_if([&](auto &entry) {
      return !allChildren(*entry.second, [&](StringRef child) {
        return groups.contains(child);
      });
    });
  } while (groups.size() != before);
}

/// The kernels that accumulate of functions whose trees are few at a time: each
/// fills the lanes by itself, and so nothing asks for results of its parts.
/// Adds to `refused` those that cannot have lanes, and whether they lose by
/// them.
ChanSIMD::Groups ChanSIMD::findLoneTrees(llvm::StringMap<bool> &refused) {
  Groups found;
  if (lanes)
    return found;
  for (auto stack : getOperation().getOps<chan::StackOp>())
    if (stack.getAccumulates() && !beginsTrees(stack) &&
        elements->ofTrees(firstPhase(stack)) < fewest) {
      bool loses = false;
      auto group =
          considerGroup(stack.getBatch()->getValue().take_back(1), &loses);
      if (group)
        found.insert({stack.getSymName(), std::move(group)});
      else
        refused[stack.getSymName()] = loses;
    }
  removeThoseWithoutChildren(found);
  return found;
}

/// Leaves a batch form nothing but what accumulates.
static void dropPhases(chan::StackOp stack, chan::KernelOp accumulating) {
  auto module = stack->getParentOfType<ModuleOp>();
  stack.setBatchAttr(
      ArrayAttr::get(stack.getContext(),
                     {FlatSymbolRefAttr::get(accumulating.getSymNameAttr())}));
  if (stack.getReceivers())
    stack.setReceivers(0);
  accumulating.setPhase(0);
  if (accumulating.getCompacted())
    for (auto part :
         accumulating.getCompacted()->getAsRange<FlatSymbolRefAttr>())
      module.lookupSymbol<chan::KernelOp>(part.getAttr()).setPhase(0);
}

/// Phases have lanes or are not there, and go with those of what they spawn; so
/// do kernels that accumulate.
void ChanSIMD::convertBatches() {
  ModuleOp module = getOperation();
  llvm::StringMap<bool> refused;
  Groups phases, sums, accumulating = findLoneTrees(refused);
  SmallVector<chan::StackOp> first, lone;
  for (auto stack : module.getOps<chan::StackOp>()) {
    if (!stack.getBatch())
      continue;
    if (accumulating.contains(stack.getSymName())) {
      lone.push_back(stack);
      continue;
    }
    if (!lanes && beginsTrees(stack)) {
      first.push_back(stack);
      continue;
    }
    ArrayRef<Attribute> kernels = stack.getBatch()->getValue();
    if (stack.getAccumulates() && !refused.contains(stack.getSymName())) {
      bool loses = false;
      if (auto group = considerGroup(kernels.take_back(1), &loses))
        sums.insert({stack.getSymName(), std::move(group)});
      else
        refused[stack.getSymName()] = loses;
    }
    if (refused.lookup(stack.getSymName())) {
      auto kernel = firstPhase(stack);
      sayMissed(kernel, kernel.getLoc(),
                onProcessor() +
                    "lanes are slower even without results to keep");
      continue;
    }
    if (auto group =
            considerGroup(kernels.drop_back(stack.getAccumulates() ? 1 : 0)))
      phases.insert({stack.getSymName(), std::move(group)});
  }
  removeThoseWithoutChildren(phases);
  auto isInLanes = [&](StringRef child) {
    return phases.contains(child) || accumulating.contains(child);
  };
  for (chan::StackOp stack : first)
    leaveToChildren(stack, isInLanes);
  for (auto stack : module.getOps<chan::StackOp>())
    if (!stack.getBatch() && stack.getSerial() &&
        !stack->hasAttr(CallsInLoopsAttribute) && spawnsOnly(stack, isInLanes))
      stack.removeSerialAttr();
  for (auto &[stack, group] : sums)
    if (phases.contains(stack))
      accumulating.insert({stack, std::move(group)});
  removeThoseWithoutChildren(accumulating);
  for (auto &[stack, group] : accumulating)
    compactGroup(*group);
  for (chan::StackOp stack : lone)
    dropPhases(
        stack,
        accumulating.find(stack.getSymName())->second->kernels[0].kernel);

  llvm::SmallPtrSet<Operation *, 16> used;
  auto forEach = [&](function_ref<void(Candidate &, unsigned)> action) {
    for (Groups *groups : {&phases, &accumulating})
      for (auto &[stack, group] : *groups)
        for (Candidate &candidate :
             llvm::concat<Candidate>(group->kernels, group->compacted))
          action(candidate, group->lanes);
  };
  forEach(
      [&](Candidate &candidate, unsigned) { used.insert(candidate.kernel); });
  for (auto stack : module.getOps<chan::StackOp>()) {
    if (!isInLanes(stack.getSymName())) {
      stack.removeBatchAttr();
      stack.removeReceiversAttr();
      stack.removeUniformAttr();
      stack.removeAccumulatesAttr();
    } else if (stack.getAccumulates() &&
               !accumulating.contains(stack.getSymName())) {
      stack.removeAccumulatesAttr();
      stack.setBatchAttr(ArrayAttr::get(
          &getContext(), stack.getBatch()->getValue().drop_back()));
    }
  }
  for (auto kernel :
       llvm::make_early_inc_range(module.getOps<chan::KernelOp>()))
    if (kernel.getPhase() && !used.contains(kernel))
      kernel.erase();
  forEach(
      [&](Candidate &candidate, unsigned lanes) { convert(candidate, lanes); });
}

void ChanSIMD::runOnOperation() {
  ModuleOp module = getOperation();
  if (lanes && (!llvm::isPowerOf2_32(lanes) || lanes < 2 || lanes > 64)) {
    module.emitError("the number of lanes must be a power of two from 2 to "
                     "64, not ")
        << lanes.getValue();
    return signalPassFailure();
  }
  layout = &getAnalysis<TypeLayout>();
  elements.emplace(module);
  math.emplace(module, vectorLibrary, vectorBits);
  convertBatches();
  if (phasesOnly)
    return;
  elements.emplace(module);
  llvm::MapVector<StringRef, std::vector<Candidate>> functions;
  for (auto kernel : module.getOps<chan::KernelOp>())
    if (!kernel.getPhase())
      if (auto candidate = consider(kernel, elements->of(kernel))) {
        analyze(*candidate);
        functions[kernel.getSource().value_or(kernel.getSymName())].push_back(
            std::move(*candidate));
      }
  for (auto &[name, kernels] : functions) {
    LaneWidths widths;
    for (Candidate &candidate : kernels)
      widths.add(*candidate.lifted, *candidate.apart);
    unsigned count = lanes ? lanes : widths.chooseLanes(vectorBits);
    for (Candidate &candidate : kernels) {
      LaneCost cost = estimate(candidate, count);
      if (pays(candidate.kernel, cost, count, leastGainOfFew) &&
          fits(candidate.kernel, cost, count))
        convert(candidate, count);
    }
  }
}
