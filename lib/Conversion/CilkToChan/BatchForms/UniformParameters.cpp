//===- UniformParameters.cpp - What a whole batch has the same of ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds parameters that a batch keeps once, not for each element:
//
//   f(depth, board, x)                    depth, board: as in all elements
//     spawn f(depth + 1, board, x * 2)  =>  (the stack's `uniform`)
//     spawn f(depth + 1, board, x * 3)  x: one for each element
//
//===----------------------------------------------------------------------===//

#include "UniformParameters.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Recomputation.h"
#include "cilk2chan/Support/BaseOf.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2chan;

/// The runtime is told of no more fields (chan/abi.h, "batches").
static constexpr unsigned mostFields = 64;

/// Whether an op stores to nothing but the activation's own objects. What
/// children store meanwhile must not be read.
static bool storesNowhereElse(Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  if (isPure(&op) || op.hasTrait<OpTrait::IsTerminator>() ||
      isa<LLVM::AllocaOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp,
          cilk::SpawnOp>(op))
    return true;
  Value to =
      llvm::TypeSwitch<Operation *, Value>(&op)
          .Case([](LLVM::StoreOp store) { return store.getAddr(); })
          .Case<LLVM::MemcpyOp, LLVM::MemcpyInlineOp, LLVM::MemmoveOp,
                LLVM::MemsetOp>([](auto store) { return store.getDst(); })
          .Default([](Operation *) { return Value(); });
  return to && baseOf(to).getDefiningOp<LLVM::AllocaOp>();
}

/// Whether the block is come to once in each activation at most: no block on
/// the way there is the head of a loop.
static bool isComeToOnce(Block *block) {
  while (Block *before = block->getSinglePredecessor())
    block = before;
  return block->isEntryBlock();
}

bool Candidate::isUniform(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner()->isEntryBlock() &&
           uniform[argument.getArgNumber()];
  // Each time it has the same value, and the same for all that have its address
  // from their parameters: a store there meanwhile would be a race.
  auto load = value.getDefiningOp<LLVM::LoadOp>();
  return load && loadsUniform && !load.getVolatile_() &&
         load.getOrdering() == LLVM::AtomicOrdering::not_atomic &&
         (storesNothing || isComeToOnce(load->getBlock())) &&
         canComputeAgain(load.getAddr(),
                         [&](Value of) { return isUniform(of); });
}

/// Whether all children have the same there if the parents have.
static bool passesOn(const Candidate &parent, unsigned number) {
  Value first = parent.sites.front().args()[number];
  auto isStable = [&](Operation *op) {
    return parent.storesNothing && isa<LLVM::LoadOp>(op) &&
           parent.isUniform(op->getResult(0));
  };
  return llvm::all_of(parent.sites, [&](const Site &site) {
    Value arg = site.args()[number];
    return areSame(first, arg, isStable) &&
           canComputeAgain(
               arg, [&](Value value) { return parent.isUniform(value); });
  });
}

namespace {
/// The candidates, each of which has one that it spawns.
class Chains {
public:
  explicit Chains(llvm::MapVector<StringRef, Candidate> &candidates)
      : candidates(candidates) {}

  Candidate &childOf(const Candidate &parent) const {
    return candidates.find(parent.sites.front().callee())->second;
  }
  void findLoads();
  void keepNeeded(Candidate &parent);
  void keepReductionVariables();

private:
  bool isRecursive(const Candidate &candidate) const;

  llvm::SmallBitVector parametersFor(const Candidate &parent,
                                     const llvm::SmallBitVector &ofChild) const;

  llvm::MapVector<StringRef, Candidate> &candidates;
  llvm::SmallPtrSet<const Candidate *, 16> known;
};
} // namespace

bool Chains::isRecursive(const Candidate &candidate) const {
  const Candidate *next = &candidate;
  for (size_t i = 0; i != candidates.size(); ++i)
    if (next = &childOf(*next); next == &candidate)
      return true;
  return false;
}

/// The parent's parameters that those of its child are computed of.
llvm::SmallBitVector
Chains::parametersFor(const Candidate &parent,
                      const llvm::SmallBitVector &ofChild) const {
  llvm::SmallBitVector needed(parent.uniform.size());
  for (unsigned number : ofChild.set_bits()) {
    SmallVector<Value> work{parent.sites.front().args()[number]};
    while (!work.empty()) {
      Value value = work.pop_back_val();
      if (auto argument = dyn_cast<BlockArgument>(value))
        needed.set(argument.getArgNumber());
      else
        llvm::append_range(work, value.getDefiningOp()->getOperands());
    }
  }
  return needed;
}

/// Keeps the addresses of shared reduction variables (SharedReductions.h), of
/// which a batch has to have one, and what they are computed of.
void Chains::keepReductionVariables() {
  llvm::MapVector<StringRef, llvm::SmallBitVector> needed;
  for (auto &[name, candidate] : candidates) {
    llvm::SmallBitVector &own = needed[name];
    own.resize(candidate.uniform.size());
    for (BlockArgument argument : candidate.function.getArguments())
      if (llvm::any_of(argument.getUsers(), chan::reductionOf))
        own.set(argument.getArgNumber());
    own &= candidate.uniform;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[name, parent] : candidates) {
      llvm::SmallBitVector more =
          parametersFor(parent, needed.lookup(parent.sites.front().callee()));
      if (!more.test(needed[name]))
        continue;
      needed[name] |= more;
      changed = true;
    }
  }
  for (auto &[name, candidate] : candidates)
    candidate.uniform &= needed[name];
}

/// Of what only begins a recursion, keeps those parameters that it needs to
/// have; so more elements are of one batch.
void Chains::keepNeeded(Candidate &parent) {
  if (!known.insert(&parent).second || isRecursive(parent))
    return;
  Candidate &child = childOf(parent);
  keepNeeded(child);
  parent.uniform &= parametersFor(parent, child.uniform);
}

/// Lets those that begin a recursion by themselves pass on what they load.
/// Where C calls one, it is a batch alone. Of one that is spawned, or is called
/// in lanes, many would be, and those small.
void Chains::findLoads() {
  if (candidates.empty())
    return;
  llvm::StringSet<> spawned;
  candidates.front().second.function->getParentOfType<ModuleOp>().walk(
      [&](cilk::SpawnOp op) {
        if (auto callee = op.getCallee())
          spawned.insert(*callee);
      });
  for (auto &[name, candidate] : candidates)
    for (const Site &site : candidate.sites)
      spawned.insert(site.callee());
  for (auto &[name, candidate] : candidates) {
    ArrayRef<Phase> phases = candidate.phases->get();
    candidate.loadsUniform =
        !spawned.contains(name) &&
        llvm::none_of(candidate.sites, [&](const Site &site) {
          return llvm::any_of(phases.drop_front(), [&](const Phase &later) {
            return later.blocks.contains(site.op->getBlock());
          });
        });
    // In all blocks that may come in front of a spawn.
    llvm::SetVector<Block *> blocks;
    for (const Site &site : candidate.sites)
      blocks.insert(site.op->getBlock());
    for (unsigned i = 0; i != blocks.size(); ++i)
      blocks.insert_range(blocks[i]->getPredecessors());
    candidate.storesNothing = llvm::all_of(blocks, [](Block *block) {
      return llvm::all_of(*block, storesNowhereElse);
    });
  }
}

void cilk2chan::findUniformParameters(
    llvm::MapVector<StringRef, Candidate> &candidates, bool onlyNeeded) {
  Chains chains(candidates);
  chains.findLoads();
  // All are, until the opposite is known.
  for (auto &[name, candidate] : candidates)
    candidate.uniform.resize(candidate.function.getNumArguments(),
                             candidate.function.getNumArguments() < mostFields);
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto &[name, parent] : candidates) {
      Candidate &child = chains.childOf(parent);
      for (unsigned number : child.uniform.set_bits())
        if (!passesOn(parent, number)) {
          child.uniform.reset(number);
          changed = true;
        }
    }
  }
  if (onlyNeeded)
    chains.keepReductionVariables();
  for (auto &[name, candidate] : candidates)
    chains.keepNeeded(candidate);
  for (auto &[name, candidate] : candidates)
    candidate.uniformOfChild = chains.childOf(candidate).uniform;
}
