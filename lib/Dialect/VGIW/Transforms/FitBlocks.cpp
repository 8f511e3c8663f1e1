//===- FitBlocks.cpp - Blocks that the fabric can hold --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/Passes.h"

#include "Machine.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace cilk2chan {
#define GEN_PASS_DEF_VGIWFITBLOCKS
#include "cilk2chan/Dialect/VGIW/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

struct VGIWFitBlocks
    : public cilk2chan::impl::VGIWFitBlocksBase<VGIWFitBlocks> {
  using Base::Base;
  void runOnOperation() override;

private:
  LogicalResult fit(vgiw::KernelOp kernel);

  chansim::Machine description;
  std::array<uint32_t, chansim::kUnitKinds> available;
};

/// Nodes of a kind that a block has too many of.
struct Excess {
  vgiw::Unit unit;
  unsigned needed;
};

} // namespace

static bool isNode(Operation &op) { return isa<vgiw::NodeOpInterface>(op); }

static std::optional<Excess> findExcess(Block &block,
                                        ArrayRef<uint32_t> available) {
  std::array<unsigned, chansim::kUnitKinds> needed = {};
  for (Operation &op : block)
    if (auto node = dyn_cast<vgiw::NodeOpInterface>(op))
      ++needed[unsigned(node.getUnit())];
  for (auto [kind, count] : llvm::enumerate(needed))
    if (count > available[kind])
      return Excess{vgiw::Unit(kind), count};
  return {};
}

/// Where to cut a block: near its middle, where the fewest values cross.
static Operation *findCut(Block &block) {
  SmallVector<Operation *> nodes;
  for (Operation &op : block.without_terminator())
    if (isNode(op) && !isa<vgiw::InitiateOp>(op))
      nodes.push_back(&op);
  if (nodes.size() < 2)
    return nullptr;
  unsigned first = std::max<unsigned>(1, nodes.size() * 3 / 8);
  unsigned last = std::max<unsigned>(first, nodes.size() * 5 / 8);
  Operation *best = nullptr;
  unsigned fewest = ~0u;
  for (unsigned i = first; i <= last; ++i) {
    unsigned crossing = 0;
    for (Operation &op : block) {
      if (&op == nodes[i])
        break;
      if (!isNode(op) || isa<vgiw::InitiateOp>(op))
        continue;
      crossing += llvm::any_of(op.getUsers(), [&](Operation *user) {
        return user->getBlock() != &block || !user->isBeforeInBlock(nodes[i]);
      });
    }
    if (crossing < fewest) {
      fewest = crossing;
      best = nodes[i];
    }
  }
  return best;
}

/// Moves `op` and what follows to a block of their own. A block ends when all
/// of its memory operations are done: the second need not wait for those of the
/// first.
static void cutBefore(Operation *op) {
  Block *block = op->getBlock();
  Block *rest = block->splitBlock(op);
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  vgiw::BranchOp::create(builder, op->getLoc(), ValueRange(), ValueRange(),
                         rest);
  for (Operation &later : *rest)
    if (auto ordered = dyn_cast<vgiw::OrderedOpInterface>(later)) {
      MutableOperandRange after = ordered.getAfterMutable();
      for (unsigned i = after.size(); i-- > 0;)
        if (after[i].get().getParentBlock() == block)
          after.erase(i);
    }
}

LogicalResult VGIWFitBlocks::fit(vgiw::KernelOp kernel) {
  OpPassManager schedule(vgiw::KernelOp::getOperationName());
  schedule.addPass(createVGIWScheduleBlocks());
  OpPassManager passes(vgiw::KernelOp::getOperationName());
  passes.addPass(createVGIWAllocateLiveValues());
  passes.addPass(createVGIWInsertJoins());
  passes.addPass(createVGIWInsertSplits({description.fabric.maxFanout}));
  while (true) {
    if (failed(runPipeline(schedule, kernel)))
      return failure();
    OpBuilder builder(kernel);
    auto attempt = cast<vgiw::KernelOp>(builder.clone(*kernel));
    if (failed(runPipeline(passes, attempt)))
      return failure();
    SmallVector<Operation *> cuts;
    for (auto [id, original, fitted] :
         llvm::enumerate(kernel.getBody(), attempt.getBody())) {
      std::optional<Excess> excess = findExcess(fitted, available);
      if (!excess)
        continue;
      Operation *cut = findCut(original);
      if (!cut)
        return original.front().emitError("kernel '")
               << kernel.getSymName() << "' cannot be mapped: block " << id
               << " needs " << excess->needed << " "
               << chansim::unitName(chansim::UnitKind(excess->unit))
               << " units, and the machine '" << description.name << "' has "
               << available[unsigned(excess->unit)];
      cuts.push_back(cut);
    }
    if (cuts.empty()) {
      kernel.erase();
      return success();
    }
    attempt.erase();
    for (Operation *cut : cuts)
      cutBefore(cut);
  }
}

void VGIWFitBlocks::runOnOperation() {
  std::string problem;
  std::optional<chansim::Machine> loaded =
      chansim::Machine::load(machine, problem);
  if (!loaded) {
    getOperation().emitError(problem);
    return signalPassFailure();
  }
  description = *loaded;
  available = description.fabric.countUnits();
  SmallVector<vgiw::KernelOp> kernels(getOperation().getOps<vgiw::KernelOp>());
  for (vgiw::KernelOp kernel : kernels)
    if (failed(fit(kernel)))
      return signalPassFailure();
}
