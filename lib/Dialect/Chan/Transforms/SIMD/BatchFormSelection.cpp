//===- BatchFormSelection.cpp - Which batch forms have lanes --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchFormSelection.h"
#include "LaneRemarks.h"
#include "StreamCompaction.h"

#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/NamesInC.h"

using namespace mlir;
using namespace cilk2chan;

BatchFormSelection::BatchFormSelection(LaneCandidates &candidates)
    : candidates(candidates), options(candidates.getOptions()),
      module(candidates.getModule()), elements(module) {}

//===----------------------------------------------------------------------===//
// What a kernel spawns
//===----------------------------------------------------------------------===//

/// The first kernel of a stack's batch form.
chan::KernelOp BatchFormSelection::firstPhase(chan::StackOp stack) {
  auto name = cast<FlatSymbolRefAttr>(stack.getBatch()->getValue().front());
  return module.lookupSymbol<chan::KernelOp>(name.getAttr());
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
bool BatchFormSelection::beginsTrees(chan::StackOp stack) {
  chan::KernelOp first = firstPhase(stack);
  return elements.of(first) < tuning::fewestElements &&
         allProduced(
             first,
             [&](StringRef child) { return child != stack.getSymName(); });
}

/// Whether a function without a batch form spawns, and only what `isSo`,
/// and its activations are few at a time.
bool BatchFormSelection::spawnsOnly(chan::StackOp stack, IsSo isSo) {
  bool spawns = false;
  llvm::SmallSetVector<StringRef, 4> own;
  own.insert(stack.getSymName());
  for (size_t i = 0; i < own.size(); ++i)
    for (auto kernel : module.getOps<chan::KernelOp>()) {
      if (kernel.getPhase() || kernel.getConsumes() != own[i])
        continue;
      if (elements.of(kernel) >= tuning::fewestElements)
        return false;
      for (auto [name, level] :
           llvm::zip(kernel.getProduces().getAsRange<FlatSymbolRefAttr>(),
                     kernel.getLevels().getAsValueRange<IntegerAttr>())) {
        if (level == 0)
          own.insert(name.getValue());
        else if (!isSo(name.getValue()))
          return false;
        spawns |= level != 0;
      }
    }
  return spawns;
}

/// Has such a function go without a batch form, so that what it spawns begins
/// batches, if that is in lanes.
void BatchFormSelection::leaveToChildren(chan::StackOp stack) {
  auto isInLanes = [&](StringRef child) { return this->isInLanes(child); };
  auto kernel = firstPhase(stack);
  bool all = allProduced(kernel, isInLanes);
  candidates.sayMissed(
      kernel, kernel.getLoc(),
      all ? "few calls of it run at a time, and what it spawns runs in lanes"
          : sayOfChild(kernel, isInLanes));
  // A clone would begin them one by one; what it calls in loops it does anyway.
  if (all && !stack.getCallsInLoops())
    stack.removeSerialAttr();
}

/// Whether `isSo` of the kernels of all stacks that the group's produce into.
bool BatchFormSelection::allChildren(KernelGroup &group, IsSo isSo) const {
  return llvm::all_of(group.kernels, [&](LaneCandidate &candidate) {
    if (allProduced(candidate.kernel, isSo))
      return true;
    candidates.sayMissed(candidate.kernel, candidate.kernel.getLoc(),
                         sayOfChild(candidate.kernel, isSo));
    return false;
  });
}

/// Keeps those whose children are of a group, too.
void BatchFormSelection::removeThoseWithoutChildren(Groups &groups) const {
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

//===----------------------------------------------------------------------===//
// Which functions
//===----------------------------------------------------------------------===//

/// Finds functions with a join-free reduction whose trees are few at a time.
/// Each tree fills the lanes by itself, so no kernel needs results of its
/// parts.
void BatchFormSelection::findLoneTrees() {
  if (options.lanes)
    return;
  for (auto stack : module.getOps<chan::StackOp>())
    if (stack.getJoinFree() && !beginsTrees(stack) &&
        elements.ofTrees(firstPhase(stack)) < tuning::fewestElements) {
      bool loses = false;
      auto group = considerGroup(
          candidates, stack.getBatch()->getValue().take_back(1), &loses);
      if (group)
        joinFree.insert({stack.getSymName(), std::move(group)});
      else
        refused[stack.getSymName()] = loses;
    }
  removeThoseWithoutChildren(joinFree);
}

/// Finds the functions whose phases, and kernels of join-free reductions, may
/// have lanes.
void BatchFormSelection::considerAll() {
  for (auto stack : module.getOps<chan::StackOp>()) {
    if (!stack.getBatch())
      continue;
    if (joinFree.contains(stack.getSymName())) {
      lone.push_back(stack);
      continue;
    }
    if (!options.lanes && beginsTrees(stack)) {
      first.push_back(stack);
      continue;
    }
    ArrayRef<Attribute> kernels = stack.getBatch()->getValue();
    if (stack.getJoinFree() && !refused.contains(stack.getSymName())) {
      bool loses = false;
      if (auto group = considerGroup(candidates, kernels.take_back(1), &loses))
        sums.insert({stack.getSymName(), std::move(group)});
      else
        refused[stack.getSymName()] = loses;
    }
    if (refused.lookup(stack.getSymName())) {
      auto kernel = firstPhase(stack);
      candidates.sayMissed(kernel, kernel.getLoc(),
                           options.onProcessor() +
                               "lanes are slower even without results to keep");
      continue;
    }
    if (auto group = considerGroup(
            candidates, kernels.drop_back(stack.getJoinFree() ? 1 : 0)))
      phases.insert({stack.getSymName(), std::move(group)});
  }
  removeThoseWithoutChildren(phases);
}

/// Has functions of few activations go without a batch form, or without a
/// serial clone, where what they spawn begins batches.
void BatchFormSelection::leaveToChildren() {
  for (chan::StackOp stack : first)
    leaveToChildren(stack);
  for (auto stack : module.getOps<chan::StackOp>())
    if (!stack.getBatch() && stack.getSerial() && !stack.getCallsInLoops() &&
        spawnsOnly(stack, [&](StringRef child) { return isInLanes(child); }))
      stack.removeSerialAttr();
}

/// Leaves a batch form nothing but the kernel of its join-free reduction.
static void dropPhases(chan::StackOp stack, chan::KernelOp reducing) {
  auto module = stack->getParentOfType<ModuleOp>();
  stack.setBatchAttr(ArrayAttr::get(
      stack.getContext(), {FlatSymbolRefAttr::get(reducing.getSymNameAttr())}));
  if (stack.getResultHandlers())
    stack.setResultHandlers(0);
  reducing.setPhase(0);
  if (reducing.getCompacted())
    for (auto part : reducing.getCompacted()->getAsRange<FlatSymbolRefAttr>())
      module.lookupSymbol<chan::KernelOp>(part.getAttr()).setPhase(0);
}

/// Keeps the kernels of join-free reductions whose function has lanes in its
/// phases too, and whose children are of such functions.
void BatchFormSelection::keepJoinFree() {
  for (auto &[stack, group] : sums)
    if (phases.contains(stack))
      joinFree.insert({stack, std::move(group)});
  removeThoseWithoutChildren(joinFree);
  for (auto &[stack, group] : joinFree)
    compactGroup(candidates, *group);
  for (chan::StackOp stack : lone)
    dropPhases(stack,
               joinFree.find(stack.getSymName())->second->kernels[0].kernel);
}

void BatchFormSelection::forEach(
    function_ref<void(LaneCandidate &, unsigned)> action) {
  for (Groups *groups : {&phases, &joinFree})
    for (auto &[stack, group] : *groups)
      for (LaneCandidate &candidate :
           llvm::concat<LaneCandidate>(group->kernels, group->compacted))
        action(candidate, group->lanes);
}

void BatchFormSelection::eraseOthers() {
  llvm::SmallPtrSet<Operation *, 16> used;
  forEach([&](LaneCandidate &candidate, unsigned) {
    used.insert(candidate.kernel);
  });
  for (auto stack : module.getOps<chan::StackOp>()) {
    if (!isInLanes(stack.getSymName())) {
      stack.removeBatchAttr();
      stack.removeResultHandlersAttr();
      stack.removeUniformAttr();
      stack.removeJoinFreeAttr();
    } else if (stack.getJoinFree() && !joinFree.contains(stack.getSymName())) {
      stack.removeJoinFreeAttr();
      stack.setBatchAttr(ArrayAttr::get(
          module.getContext(), stack.getBatch()->getValue().drop_back()));
    }
  }
  for (auto kernel :
       llvm::make_early_inc_range(module.getOps<chan::KernelOp>()))
    if (kernel.getPhase() && !used.contains(kernel))
      kernel.erase();
}

void BatchFormSelection::convert() {
  findLoneTrees();
  considerAll();
  leaveToChildren();
  keepJoinFree();
  eraseOthers();
  forEach([&](LaneCandidate &candidate, unsigned lanes) {
    candidates.convert(candidate, lanes);
  });
}
