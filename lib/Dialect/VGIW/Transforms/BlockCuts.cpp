//===- BlockCuts.cpp - Where to divide a block ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockCuts.h"

#include "llvm/ADT/MapVector.h"
#include <array>
#include <climits>
#include <tuple>

using namespace mlir;
using namespace cilk2chan;

static bool isRematerialized(Value value, bool inner) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (vgiw::isConfigured(value) || isa<vgiw::InitiateOp>(op))
    return true;
  auto compute = dyn_cast<vgiw::ComputeOp>(op);
  return !inner && compute && compute.getUnit() == chansim::UnitKind::compute &&
         llvm::all_of(compute.getOperands(), [](Value operand) {
           return ::isRematerialized(operand, true);
         });
}

bool vgiw::isRematerialized(Value value) {
  return ::isRematerialized(value, /*inner=*/false);
}

namespace {

/// A value that the nodes of a block use or make, by their numbers.
struct Use {
  /// -1 if it comes from elsewhere.
  int made = -1;
  int first = INT_MAX, last = -1;
  bool leaves = false;
};

using Counts = std::array<unsigned, chansim::kUnitKinds>;

} // namespace

static llvm::MapVector<Value, Use> findUses(Block &block,
                                            ArrayRef<Operation *> nodes) {
  DenseMap<Operation *, int> number;
  for (auto [i, node] : llvm::enumerate(nodes))
    number[node] = i;
  number[block.getTerminator()] = nodes.size();
  llvm::MapVector<Value, Use> uses;
  for (Operation *node : nodes)
    for (Value result : node->getResults())
      if (!isa<vgiw::TokenType>(result.getType()) &&
          !vgiw::isRematerialized(result)) {
        uses[result].made = number[node];
        uses[result].leaves =
            llvm::any_of(result.getUsers(), [&](Operation *user) {
              return user->getBlock() != &block;
            });
      }
  for (Operation &op : block) {
    auto at = number.find(&op);
    if (at == number.end())
      continue;
    for (Value operand : op.getOperands()) {
      if (isa<vgiw::TokenType>(operand.getType()) ||
          vgiw::isRematerialized(operand))
        continue;
      Use &use = uses[operand];
      use.first = std::min(use.first, at->second);
      use.last = std::max(use.last, at->second);
      auto branch = dyn_cast<BranchOpInterface>(op);
      if (!branch)
        continue;
      for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
        use.leaves |= llvm::is_contained(
            branch.getSuccessorOperands(i).getForwardedOperands(), operand);
    }
  }
  return uses;
}

/// How many replicas of `used` units the fabric holds, if links suffice; 0 if it
/// holds none.
static unsigned countReplicas(const Counts &used,
                              const chansim::Machine &machine) {
  Counts available = machine.fabric.countUnits();
  unsigned replicas = machine.fabric.replicas;
  for (auto [kind, needed] : llvm::enumerate(used))
    if (needed)
      replicas = std::min(replicas, available[kind] / needed);
  return replicas;
}

Operation *vgiw::findCut(Block &block, const chansim::Machine &machine) {
  SmallVector<Operation *> nodes;
  for (Operation &op : block.without_terminator())
    if (isa<vgiw::NodeOpInterface>(op) && !isa<vgiw::InitiateOp>(op))
      nodes.push_back(&op);
  int count = nodes.size();
  if (count < 2)
    return nullptr;
  llvm::MapVector<Value, Use> uses = findUses(block, nodes);
  Counts before{}, after{};
  for (Operation *node : nodes)
    ++after[size_t(cast<vgiw::NodeOpInterface>(node).getUnit())];

  // What a place costs: whether a part would have to be cut again, accesses to
  // live values, and cycles a thread, which are fewer the more replicas a part
  // has. Parts of less than a quarter are worth little.
  Operation *best = nullptr;
  std::tuple<bool, unsigned, double, int> least;
  for (int i = 1; i < count; ++i) {
    auto kind = size_t(cast<vgiw::NodeOpInterface>(nodes[i - 1]).getUnit());
    ++before[kind];
    --after[kind];
    if (i < count / 4 || i > count - count / 4)
      continue;
    unsigned added = 0, here = 0, there = 0;
    for (auto &[value, use] : uses) {
      bool early = use.made < 0 ? use.first < i : use.made < i;
      bool late = use.last >= i;
      bool crosses = early && late;
      if (use.made < 0) {
        here += early;
        there += late;
        added += crosses;
        continue;
      }
      here += early && (crosses || use.leaves);
      there += crosses || (!early && use.leaves);
      added += crosses ? 2 - use.leaves : 0;
    }
    Counts first = before, second = after;
    first[size_t(chansim::UnitKind::liveValue)] += here;
    second[size_t(chansim::UnitKind::liveValue)] += there;
    unsigned replicas = countReplicas(first, machine);
    unsigned others = countReplicas(second, machine);
    bool fits = replicas && others;
    double cycles = fits ? 1.0 / replicas + 1.0 / others : 0;
    std::tuple cost(!fits, added, cycles, std::abs(count - 2 * i));
    if (!best || cost < least) {
      best = nodes[i];
      least = cost;
    }
  }
  return best;
}
