//===- ChanSIMD.cpp - Kernels that treat W elements at a time -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps are files of their own: LaneOps (what can have lanes),
// LiftControlFlow, LaneShapes (what differs between lanes), LaneCost, and
// LaneEmitter with LaneControl.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Passes.h"

#include "LaneCost.h"
#include "LaneEmitter.h"
#include "LaneOps.h"
#include "LiftControlFlow.h"

#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CHANSIMD
#include "cilk2chan/Dialect/Chan/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

/// Lifting takes more than linear time.
static constexpr unsigned mostBlocks = 400;

static constexpr remark::RemarkOpts remarks =
    remark::RemarkOpts::name("lanes").category("chan-simd");

/// Whether a call is sure not to take a lock, or to wait for anything else.
static bool cannotWait(LLVM::CallOp call, ModuleOp module) {
  auto writesNothing = [](LLVM::MemoryEffectsAttr effects) {
    auto reads = [](LLVM::ModRefInfo info) {
      return info == LLVM::ModRefInfo::NoModRef ||
             info == LLVM::ModRefInfo::Ref;
    };
    return effects && reads(effects.getOther()) && reads(effects.getArgMem()) &&
           reads(effects.getInaccessibleMem());
  };
  if (writesNothing(call.getMemoryEffectsAttr()))
    return true;
  auto callee = call.getCallee();
  auto function = callee ? module.lookupSymbol<LLVM::LLVMFuncOp>(*callee)
                         : LLVM::LLVMFuncOp();
  return function && writesNothing(function.getMemoryEffectsAttr());
}

/// A call that lanes must not come to together, because one may hold a lock
/// there that another wants.
static LLVM::CallOp findWaitingCall(chan::KernelOp lifted, ModuleOp module) {
  LLVM::CallOp first, found;
  lifted.getBody().walk([&](LLVM::CallOp call) {
    if (cannotWait(call, module))
      return WalkResult::advance();
    if (first || call->getParentOfType<scf::WhileOp>()) {
      found = call;
      return WalkResult::interrupt();
    }
    first = call;
    return WalkResult::advance();
  });
  return found;
}

/// Says how lanes go through the kernel, and how they access memory.
static void explain(chan::KernelOp lifted, const LaneShapes &shapes) {
  auto say = [](Operation *op, StringRef what) {
    remark::analysis(op->getLoc(), remarks) << what;
  };
  auto sayOfChoice = [&](Operation *op, Value selector) {
    say(op, shapes.isUniform(selector) ? "all lanes choose the same"
                                       : "lanes choose differently");
  };
  auto sayOfAccess = [&](Operation *op, Value address, Type type) {
    say(op, shapes.isUniform(address) ? "all lanes access the same address"
            : shapes.isContiguous(address, type)
                ? "lanes access neighbouring addresses"
                : "lanes access addresses anywhere");
  };
  lifted.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      sayOfChoice(op, branch.getCondition());
    else if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
      sayOfChoice(op, choice.getArg());
    else if (auto loop = dyn_cast<scf::WhileOp>(op))
      say(op, shapes.isUniform(loop.getConditionOp().getCondition())
                  ? "all lanes leave the loop together"
                  : "lanes leave the loop one after another");
    else if (auto load = dyn_cast<LLVM::LoadOp>(op))
      sayOfAccess(op, load.getAddr(), load.getType());
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      sayOfAccess(op, store.getAddr(), store.getValue().getType());
  });
}

namespace {
struct ChanSIMD : public cilk2chan::impl::ChanSIMDBase<ChanSIMD> {
  using Base::Base;
  void runOnOperation() override;

private:
  /// A kernel that can have lanes.
  struct Lifted {
    chan::KernelOp kernel;
    OwningOpRef<chan::KernelOp> body;
    std::unique_ptr<LaneShapes> shapes;
  };
  std::optional<Lifted> lift(chan::KernelOp kernel);
  void missed(chan::KernelOp kernel, Location at, const Twine &reason) const;
  unsigned lanesFor(const Lifted &lifted) const;
  bool pays(chan::KernelOp kernel, LaneCost cost, unsigned count) const;
  void emit(const Lifted &lifted, unsigned count);
  void convert(chan::KernelOp kernel);
  void convertBatches();

  const DataLayout *layout = nullptr;
};
} // namespace

void ChanSIMD::missed(chan::KernelOp kernel, Location at,
                      const Twine &reason) const {
  remark::missed(at, remarks)
      << ("'" + kernel.getSymName() +
          (kernel.getPhase() ? "' is not used for batches: "
                             : "' treats one element at a time: ") +
          reason)
             .str();
}

/// The kernel in structured form; nothing, after a remark, if it cannot have
/// lanes.
std::optional<ChanSIMD::Lifted> ChanSIMD::lift(chan::KernelOp kernel) {
  if (llvm::hasNItemsOrMore(kernel.getBody(), mostBlocks)) {
    missed(kernel, kernel.getLoc(), "it has too many branches");
    return {};
  }
  if (auto obstacle = findLaneObstacle(kernel)) {
    missed(kernel, obstacle->op->getLoc(), obstacle->what);
    return {};
  }
  Lifted lifted{kernel, liftControlFlow(kernel), nullptr};
  if (!lifted.body) {
    missed(kernel, kernel.getLoc(), "it has a loop without an end");
    return {};
  }
  if (auto call = findWaitingCall(*lifted.body, getOperation())) {
    missed(kernel, call.getLoc(),
           "it calls several functions, or one in a loop, that may take locks");
    return {};
  }
  lifted.shapes = std::make_unique<LaneShapes>(*lifted.body, *layout);
  explain(*lifted.body, *lifted.shapes);
  return lifted;
}

unsigned ChanSIMD::lanesFor(const Lifted &lifted) const {
  return lanes ? lanes : chooseLanes(*lifted.body, *lifted.shapes, vectorBits);
}

bool ChanSIMD::pays(chan::KernelOp kernel, LaneCost cost,
                    unsigned count) const {
  if (lanes || cost.lanes <= cost.scalar)
    return true;
  missed(kernel, kernel.getLoc(),
         llvm::formatv("that takes about {0:f0} cycles for {1} elements, in "
                       "lanes {2:f0}",
                       cost.scalar, count, cost.lanes)
             .str());
  return false;
}

void ChanSIMD::emit(const Lifted &lifted, unsigned count) {
  chan::KernelOp kernel = lifted.kernel;
  remark::passed(kernel.getLoc(), remarks)
      << llvm::formatv("'{0}' treats {1} elements at a time",
                       kernel.getSymName(), count)
             .str();
  LaneEmitter(kernel, *lifted.body, *lifted.shapes, count, *layout).emit();
}

void ChanSIMD::convert(chan::KernelOp kernel) {
  auto lifted = lift(kernel);
  if (!lifted)
    return;
  unsigned count = lanesFor(*lifted);
  if (pays(kernel,
           estimateCost(*lifted->body, *lifted->shapes, count, vectorBits),
           count))
    emit(*lifted, count);
}

/// Phases have lanes or are not there: those of a function all alike.
void ChanSIMD::convertBatches() {
  struct Batch {
    SmallVector<Lifted> phases;
    unsigned lanes = 0;
  };
  ModuleOp module = getOperation();
  llvm::MapVector<StringRef, Batch> batches;
  auto examine = [&](chan::StackOp stack) -> std::optional<Batch> {
    Batch batch;
    LaneCost cost;
    for (auto symbol : stack.getBatch()->getAsRange<FlatSymbolRefAttr>()) {
      auto kernel = module.lookupSymbol<chan::KernelOp>(symbol.getAttr());
      for (auto call : kernel.getBody().getOps<LLVM::CallOp>()) {
        missed(kernel, call.getLoc(), "it calls a function");
        return {};
      }
      auto lifted = lift(kernel);
      if (!lifted)
        return {};
      if (!batch.lanes)
        batch.lanes = lanesFor(*lifted);
      LaneCost own = estimateCost(*lifted->body, *lifted->shapes, batch.lanes,
                                  vectorBits);
      cost.scalar += own.scalar;
      cost.lanes += own.lanes;
      batch.phases.push_back(std::move(*lifted));
    }
    if (!pays(batch.phases.front().kernel, cost, batch.lanes))
      return {};
    return batch;
  };
  for (auto stack : module.getOps<chan::StackOp>())
    if (stack.getBatch())
      if (auto batch = examine(stack))
        batches.insert({stack.getSymName(), std::move(*batch)});
  size_t before;
  do {
    before = batches.size();
    batches.remove_if([&](auto &entry) {
      chan::KernelOp first = entry.second.phases.front().kernel;
      for (auto child : first.getProduces().getAsRange<FlatSymbolRefAttr>())
        if (!batches.contains(child.getValue())) {
          missed(first, first.getLoc(), "what it spawns is not either");
          return true;
        }
      return false;
    });
  } while (batches.size() != before);
  for (auto stack : module.getOps<chan::StackOp>())
    if (!batches.contains(stack.getSymName()))
      stack.removeBatchAttr();
  for (auto kernel :
       llvm::make_early_inc_range(module.getOps<chan::KernelOp>()))
    if (kernel.getPhase() && !batches.contains(kernel.getConsumes()))
      kernel.erase();
  for (auto &[stack, batch] : batches)
    for (const Lifted &phase : batch.phases)
      emit(phase, batch.lanes);
}

void ChanSIMD::runOnOperation() {
  ModuleOp module = getOperation();
  if (lanes && (!llvm::isPowerOf2_32(lanes) || lanes < 2 || lanes > 64)) {
    module.emitError("the number of lanes must be a power of two from 2 to "
                     "64, not ")
        << lanes.getValue();
    return signalPassFailure();
  }
  layout = &getAnalysis<DataLayoutAnalysis>().getAtOrAbove(module);
  convertBatches();
  if (!phasesOnly)
    for (auto kernel : module.getOps<chan::KernelOp>())
      if (!kernel.getPhase())
        convert(kernel);
}
