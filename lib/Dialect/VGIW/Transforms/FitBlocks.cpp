//===- FitBlocks.cpp - Divide blocks that are too large -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts blocks where few values cross, if they have more nodes of a kind than
// the machine has units, or if they cannot be routed:
//
//   ^b: 200 nodes; branch ^c        ->    ^b: 100 nodes; branch ^b.1
//                                         ^b.1: 100 nodes; branch ^c
//
// After each cut the passes from vgiw-allocate-live-values on run again, since
// the values that cross become live values.
//
//===----------------------------------------------------------------------===//

#include "BlockCuts.h"
#include "cilk2chan/Dialect/VGIW/Netlists.h"
#include "cilk2chan/Dialect/VGIW/Passes.h"
#include "cilk2chan/PlaceAndRoute/Mapping.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <set>

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
  LogicalResult fitWhole(vgiw::KernelOp kernel);
  LogicalResult fitAllWhole(ArrayRef<vgiw::KernelOp> kernels);
  LogicalResult cutUnfit(vgiw::KernelOp attempt,
                         const DenseMap<Block *, Block *> &originals,
                         SmallVectorImpl<Operation *> &cuts, bool &fewerMoves);
  std::optional<std::string> findMisfit(Block &block, bool &isHopeless);
  LogicalResult verifyCount(vgiw::KernelOp kernel);

  chansim::Machine description;
  std::optional<pnr::Resources> fabric;
  /// How many live values a block of moves may load and store.
  unsigned moveUnits = 0;
  /// Netlists that have been placed and routed.
  std::set<std::vector<unsigned>> routable;
};

} // namespace

/// Why the fabric cannot hold one replica of a block, and whether a smaller
/// block would not help.
std::optional<std::string> VGIWFitBlocks::findMisfit(Block &block,
                                                     bool &isHopeless) {
  pnr::Netlist netlist = vgiw::makeNetlist(vgiw::nodesOf(block), description);
  std::array<uint32_t, chansim::kUnitKinds> available =
      description.fabric.countUnits();
  for (auto [kind, needed] : llvm::enumerate(netlist.demand()))
    if (needed > available[kind]) {
      isHopeless = available[kind] == 0;
      auto unit = chansim::UnitKind(kind);
      return ("needs " + Twine(needed) + " " + chansim::unitName(unit) +
              " units (" + vgiw::describe(unit) + "), and machine '" +
              description.name + "' has " + Twine(available[kind]))
          .str();
    }
  std::vector<unsigned> key = netlist.key();
  if (routable.contains(key))
    return {};
  pnr::MapOptions options;
  options.seed = seed;
  pnr::MapResult result = pnr::map(netlist, *fabric, options);
  if (auto *failure = std::get_if<pnr::MapFailure>(&result)) {
    isHopeless = failure->reason == pnr::MapFailure::malformed;
    return ("has " + Twine(netlist.nodes.size()) +
            " operations, and the wires of machine '" + description.name +
            "' cannot connect them: " + failure->message)
        .str();
  }
  routable.insert(std::move(key));
  return {};
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

/// Collects where to cut the blocks of a kernel that do not fit, as the attempt
/// to fit it shows. `originals` has the block that each of the attempt is made
/// of, but for those that only move live values: fewer of these a block, then.
LogicalResult
VGIWFitBlocks::cutUnfit(vgiw::KernelOp attempt,
                        const DenseMap<Block *, Block *> &originals,
                        SmallVectorImpl<Operation *> &cuts, bool &fewerMoves) {
  for (auto [id, fitted] : llvm::enumerate(attempt.getBody())) {
    if (vgiw::isMarker(fitted))
      continue;
    bool isHopeless = false;
    std::optional<std::string> misfit = findMisfit(fitted, isHopeless);
    if (!misfit)
      continue;
    Block *original = originals.lookup(&fitted);
    if (!original && !isHopeless && moveUnits > 3) {
      fewerMoves = true;
      continue;
    }
    Operation *cut = isHopeless || !original
                         ? nullptr
                         : vgiw::findCut(*original, description);
    if (!cut) {
      InFlightDiagnostic error =
          vgiw::refuse(attempt, vgiw::locationOf(original ? *original : fitted),
                       "block " + Twine(id) + " of it " + *misfit);
      error.attachNote() << "it cannot be divided further; a machine whose "
                            "fabric has more units or links may hold it";
      return error;
    }
    cuts.push_back(cut);
  }
  return success();
}

LogicalResult VGIWFitBlocks::fit(vgiw::KernelOp kernel) {
  OpPassManager schedule(vgiw::KernelOp::getOperationName());
  schedule.addPass(createVGIWScheduleBlocks());
  OpPassManager allocate(vgiw::KernelOp::getOperationName());
  allocate.addPass(createVGIWAllocateLiveValues());
  moveUnits =
      description.fabric.countUnits()[size_t(chansim::UnitKind::liveValue)];
  // Each round but the last makes a block smaller.
  while (true) {
    if (failed(runPipeline(schedule, kernel)))
      return failure();
    OpBuilder builder(kernel);
    auto attempt = cast<vgiw::KernelOp>(builder.clone(*kernel));
    if (failed(runPipeline(allocate, attempt)))
      return failure();
    DenseMap<Block *, Block *> originals;
    for (auto [original, fitted] :
         llvm::zip_equal(kernel.getBody(), attempt.getBody()))
      originals[&fitted] = &original;
    OpPassManager passes(vgiw::KernelOp::getOperationName());
    passes.addPass(createVGIWSplitMoves({moveUnits}));
    passes.addPass(createVGIWInsertJoins());
    passes.addPass(createVGIWInsertSplits({description.fabric.maxFanout}));
    SmallVector<Operation *> cuts;
    bool fewerMoves = false;
    if (failed(runPipeline(passes, attempt)) ||
        failed(cutUnfit(attempt, originals, cuts, fewerMoves)))
      return failure();
    if (cuts.empty() && !fewerMoves) {
      kernel.erase();
      return verifyCount(attempt);
    }
    attempt.erase();
    if (fewerMoves)
      moveUnits = std::max(3u, moveUnits / 2);
    for (Operation *cut : cuts)
      cutBefore(cut);
  }
}

/// As one graph, which cannot be divided.
LogicalResult VGIWFitBlocks::fitWhole(vgiw::KernelOp kernel) {
  OpPassManager passes(vgiw::KernelOp::getOperationName());
  passes.addPass(createVGIWSingleGraph());
  passes.addPass(createVGIWInsertJoins());
  passes.addPass(createVGIWInsertSplits({description.fabric.maxFanout}));
  if (failed(runPipeline(passes, kernel)))
    return failure();
  bool isHopeless = false;
  std::optional<std::string> misfit =
      findMisfit(kernel.getBody().front(), isHopeless);
  if (!misfit)
    return success();
  InFlightDiagnostic error =
      vgiw::refuse(kernel, kernel.getLoc(), "it " + *misfit);
  error.attachNote()
      << "a machine of kind 'sgmf' holds all of it at once; make "
         "it shorter, or take a machine of kind 'vgiw', which "
         "divides it: '--machine=micro15-vgiw'";
  return error;
}

/// Reports all kernels that do not fit. Those for several ranges may be left
/// out: without them, each range has a tile of its own.
LogicalResult VGIWFitBlocks::fitAllWhole(ArrayRef<vgiw::KernelOp> kernels) {
  bool allFit = true;
  for (vgiw::KernelOp kernel : kernels) {
    if (kernel.getLaunch() != vgiw::Launch::Ranges) {
      allFit &= succeeded(fitWhole(kernel));
      continue;
    }
    ScopedDiagnosticHandler silence(&getContext(),
                                    [](Diagnostic &) { return success(); });
    if (failed(fitWhole(kernel)))
      kernel.erase();
  }
  return success(allFit);
}

/// Whether the control vector table has a word for each block, and for each
/// that follows a barrier another, of threads that wait.
LogicalResult VGIWFitBlocks::verifyCount(vgiw::KernelOp kernel) {
  size_t blocks = llvm::count_if(
      kernel.getBody(), [](Block &block) { return !vgiw::isMarker(block); });
  SmallPtrSet<Block *, 8> behindBarriers;
  for (auto barrier : kernel.getBody().getOps<vgiw::BarrierOp>())
    behindBarriers.insert(barrier.getDest());
  blocks += behindBarriers.size();
  size_t most = description.control.cvtBits / 64;
  if (blocks <= most)
    return success();
  InFlightDiagnostic error = vgiw::refuse(
      kernel, kernel.getLoc(),
      "it has " + Twine(blocks) +
          " blocks, counting those behind barriers twice, and machine '" +
          description.name + "' has control vectors for " + Twine(most) +
          " (control.cvt_bits is " + Twine(description.control.cvtBits) + ")");
  error.attachNote() << "move a part of it to a function that it spawns, or "
                        "raise 'control.cvt_bits' to at least "
                     << 64 * blocks << " in the machine file";
  return error;
}

void VGIWFitBlocks::runOnOperation() {
  std::optional<chansim::Machine> loaded =
      vgiw::loadMachine(getOperation(), machine);
  if (!loaded)
    return signalPassFailure();
  description = *loaded;
  fabric.emplace(description.fabric);
  routable.clear();
  SmallVector<vgiw::KernelOp> kernels(getOperation().getOps<vgiw::KernelOp>());
  if (description.kind == chansim::MachineKind::sgmf) {
    if (failed(fitAllWhole(kernels)))
      signalPassFailure();
    return;
  }
  for (vgiw::KernelOp kernel : kernels)
    if (failed(fit(kernel)))
      return signalPassFailure();
}
