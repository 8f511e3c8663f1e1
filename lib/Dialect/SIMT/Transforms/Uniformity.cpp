//===- Uniformity.cpp - What all threads of a warp have in common ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divergence spreads from operands to results, and from a branch to what is
// decided between it and the place where its threads meet again:
//
//     cond_bra %divergent        the region: ^a, ^b
//      ^a          ^b
//       \          /
//      ^join(%x)                 %x depends on the way here
//
// If the region has the branch itself, threads leave a loop at different times.
// Then what the region computes has another value for each of them behind it.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/SIMT/Passes.h"

namespace cilk2chan {
#define GEN_PASS_DEF_SIMTUNIFORMITY
#include "cilk2chan/Dialect/SIMT/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

class Divergence {
public:
  explicit Divergence(simt::KernelOp kernel)
      : kernel(kernel), postDominance(kernel) {}

  void run();
  bool isDivergent(Value value) const { return divergent.contains(value); }

private:
  void add(Value value) {
    if (divergent.insert(value).second)
      work.push_back(value);
  }
  void addSources();
  void addBranch(Operation *branch);
  void addUser(OpOperand &use);

  simt::KernelOp kernel;
  simt::PostDominance postDominance;
  DenseSet<Value> divergent;
  DenseSet<Operation *> branches;
  SmallVector<Value> work;
};

struct SIMTUniformity
    : public cilk2chan::impl::SIMTUniformityBase<SIMTUniformity> {
  void runOnOperation() override;
};

} // namespace

/// What depends on the lanes that execute it together.
static bool isOfLanes(simt::InstOp inst) {
  StringRef opcode = inst.getOpcode();
  return opcode.starts_with("ballot.") || opcode.starts_with("lane.") ||
         opcode.starts_with("read_lane.");
}

void Divergence::addSources() {
  kernel.getBody().walk([&](Operation *op) {
    auto inst = dyn_cast<simt::InstOp>(op);
    if (isa<simt::IdOp, simt::LocalOp>(op) ||
        (inst && inst.getResult() &&
         (inst.accessesMemory() || isOfLanes(inst))))
      add(op->getResult(0));
    if (isa<simt::YieldOp>(op))
      addBranch(op);
  });
}

/// The threads of the branch go to different blocks, or at different times.
void Divergence::addBranch(Operation *branch) {
  if (!branches.insert(branch).second)
    return;
  Block *block = branch->getBlock();
  Block *meeting =
      isa<simt::YieldOp>(branch) ? nullptr : postDominance.immediate(block);
  SetVector<Block *> region;
  for (Block *next : block->getSuccessors())
    if (next != meeting)
      region.insert(next);
  for (unsigned i = 0; i < region.size(); ++i)
    for (Block *next : region[i]->getSuccessors())
      if (next != meeting)
        region.insert(next);

  for (Block *inside : region)
    for (BlockArgument argument : inside->getArguments())
      add(argument);
  if (meeting)
    for (BlockArgument argument : meeting->getArguments())
      add(argument);
  if (!region.contains(block))
    return;
  for (Block *inside : region)
    for (Operation &op : *inside)
      for (Value result : op.getResults())
        if (!simt::isImmediate(result) &&
            llvm::any_of(result.getUsers(), [&](Operation *user) {
              return !region.contains(user->getBlock());
            }))
          add(result);
}

void Divergence::addUser(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<simt::InstOp>(user)) {
    for (Value result : user->getResults())
      add(result);
    return;
  }
  if (auto branch = dyn_cast<simt::CondBraOp>(user);
      branch && use.get() == branch.getCondition())
    addBranch(branch);
  auto branch = cast<BranchOpInterface>(user);
  if (std::optional<BlockArgument> argument =
          branch.getSuccessorBlockArgument(use.getOperandNumber()))
    add(*argument);
}

void Divergence::run() {
  addSources();
  while (!work.empty())
    for (OpOperand &use : work.pop_back_val().getUses())
      addUser(use);
}

void SIMTUniformity::runOnOperation() {
  Divergence divergence(getOperation());
  divergence.run();
  getOperation().getBody().walk([&](Operation *op) {
    if (auto inst = dyn_cast<simt::InstOp>(op))
      inst.setUniform(inst.getResult() &&
                      !divergence.isDivergent(inst.getResult()));
    if (auto branch = dyn_cast<simt::CondBraOp>(op))
      branch.setUniform(!divergence.isDivergent(branch.getCondition()));
  });
}
