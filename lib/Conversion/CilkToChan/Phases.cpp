//===- Phases.cpp - Code between two suspensions --------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Leaves the syncs that have something to wait for, and finds what lies
// between:
//
//   cilk.sync             // nothing was spawned: erased
//   cilk.spawn @f(%n)     // phase 0
//   cilk.sync             // phase 1 begins behind it
//   llvm.return
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/CilkToChan/Phases.h"

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/KeptObjects.h"

#include "mlir/Analysis/Liveness.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cilk2chan;

static constexpr StringLiteral assignsOnly = "assigns_only";

/// Whether the function is split at `op`.
static bool isSuspension(Operation *op) {
  return isa<cilk::CallOp>(op) ||
         (isa<cilk::SyncOp>(op) && !op->hasAttr(assignsOnly));
}

//===----------------------------------------------------------------------===//
// Which syncs have something to do
//===----------------------------------------------------------------------===//

namespace {

/// What may be the case at a point of the program.
struct State {
  bool running = false; // a child may not have finished
  bool pending = false; // an assignment may not have been made

  bool join(State other) {
    bool changed = (other.running && !running) || (other.pending && !pending);
    running |= other.running;
    pending |= other.pending;
    return changed;
  }
  void pass(Operation &op) {
    if (auto spawn = dyn_cast<cilk::SpawnOp>(op)) {
      running = true;
      pending |= spawn.isDeferred();
    } else if (isa<cilk::CallOp>(op)) {
      // The call's continuation runs when all that is deeper has been drained,
      // earlier children included.
      running = false;
    } else if (isa<cilk::SyncOp>(op)) {
      *this = State();
    }
  }
};

} // namespace

/// The state at the beginning of each block.
static DenseMap<Block *, State> statesAtEntry(LLVM::LLVMFuncOp function) {
  DenseMap<Block *, State> states;
  llvm::SetVector<Block *> work;
  work.insert(&function.front());
  llvm::SmallPtrSet<Block *, 16> visited;
  while (!work.empty()) {
    Block *block = work.pop_back_val();
    visited.insert(block);
    State state = states[block];
    for (Operation &op : *block)
      state.pass(op);
    for (Block *successor : block->getSuccessors())
      if (states[successor].join(state) || !visited.contains(successor))
        work.insert(successor);
  }
  return states;
}

void cilk2chan::normalizeSyncs(LLVM::LLVMFuncOp function, bool hasLast) {
  auto states = statesAtEntry(function);
  OpBuilder builder(function.getContext());
  for (Block &block : function.getBody()) {
    State state = states.lookup(&block);
    for (Operation &op : llvm::make_early_inc_range(block)) {
      Operation *current = &op;
      if (isa<LLVM::ReturnOp>(op) && (state.running || state.pending)) {
        builder.setInsertionPoint(&op);
        current = cilk::SyncOp::create(builder, op.getLoc());
      }
      if (isa<cilk::SyncOp>(current)) {
        bool acts = state.pending || current->hasAttr(ReleasesAttribute);
        if (!state.running && acts)
          current->setAttr(assignsOnly, builder.getUnitAttr());
        else if (!state.running)
          current->erase();
        state = State();
        continue;
      }
      state.pass(op);
    }
  }
  if (!hasLast)
    removeTailSyncs(function);
  SmallVector<Operation *> suspensions;
  function.walk([&](Operation *op) {
    if (isSuspension(op))
      suspensions.push_back(op);
  });
  for (Operation *op : suspensions) {
    Block *rest = op->getBlock()->splitBlock(std::next(op->getIterator()));
    builder.setInsertionPointAfter(op);
    LLVM::BrOp::create(builder, op->getLoc(), rest);
  }
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

Operation *Phases::suspension(Block *block) {
  Operation *terminator = block->getTerminator();
  Operation *last = terminator->getPrevNode();
  return last && isSuspension(last) ? last : nullptr;
}

/// What control reaches from `start` without passing a suspension.
static llvm::SetVector<Block *> blocksFrom(Block *start) {
  llvm::SetVector<Block *> blocks;
  blocks.insert(start);
  for (unsigned i = 0; i < blocks.size(); ++i)
    if (!Phases::suspension(blocks[i]))
      blocks.insert(blocks[i]->succ_begin(), blocks[i]->succ_end());
  return blocks;
}

llvm::SetVector<Block *> cilk2chan::firstPhase(LLVM::LLVMFuncOp function) {
  return blocksFrom(&function.front());
}

Phases::Phases(LLVM::LLVMFuncOp function) {
  Liveness liveness(function);
  phases.push_back({&function.front(), nullptr, {}, {}, false, {}});
  for (Block &block : function.getBody())
    if (Operation *op = suspension(&block)) {
      phaseAfter[op] = phases.size();
      phases.push_back({block.getSuccessor(0), op, {}, {}, false, {}});
    }

  for (Phase &phase : phases) {
    phase.blocks = blocksFrom(phase.start);
    for (Block *block : phase.blocks)
      if (Operation *op = suspension(block))
        phase.next.push_back(after(op));
    if (phase.after) {
      // In the order of definition, not of Liveness' pointer sets.
      const auto &live = liveness.getLiveIn(phase.start);
      for (Block &block : function.getBody()) {
        for (Value argument : block.getArguments())
          if (live.contains(argument))
            phase.liveIn.insert(argument);
        for (Operation &op : block)
          for (Value result : op.getResults())
            if (live.contains(result))
              phase.liveIn.insert(result);
      }
    }
  }

  for (unsigned i = 0; i < phases.size(); ++i) {
    llvm::SetVector<unsigned> reachable(phases[i].next.begin(),
                                        phases[i].next.end());
    for (unsigned j = 0; j < reachable.size(); ++j)
      for (unsigned next : phases[reachable[j]].next)
        reachable.insert(next);
    phases[i].repeats = reachable.contains(i);
  }
}
