//===- CilkToChan.cpp - Split spawning functions into kernels -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ISCA'14 section 5.2: "a sub-kernel is created whenever sync is encountered".
//
//===----------------------------------------------------------------------===//

#include "ArraysByAddress.h"
#include "BatchForms.h"
#include "FrameLayout.h"
#include "KeptObjects.h"
#include "KernelBuilder.h"
#include "Phases.h"
#include "SerialClones.h"
#include "cilk2chan/Dialect/Cilk/Analysis/RemarkPlaces.h"

#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Support/StorableType.h"
#include "cilk2chan/Support/TypeLayout.h"
#include "cilk2chan/Support/TypesInC.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CILKTOCHAN
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

/// What has no meaning when control leaves a kernel and comes back in another.
static LogicalResult checkSupported(LLVM::LLVMFuncOp function) {
  if (function.getFunctionType().isVarArg())
    return function.emitError("a spawning function cannot be variadic");
  WalkResult result = function.walk([&](Operation *op) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    if (call &&
        call.getTailCallKind() == LLVM::tailcallkind::TailCallKind::MustTail) {
      op->emitError("a spawning function cannot end in a musttail call");
      return WalkResult::interrupt();
    }
    if (isa<cilk::ForOp>(op)) {
      op->emitError("a loop is to be divided first, by cilk-for-to-spawn");
      return WalkResult::interrupt();
    }
    if (isa<LLVM::InvokeOp, LLVM::LandingpadOp, LLVM::IndirectBrOp,
            LLVM::BlockAddressOp, LLVM::BlockTagOp, LLVM::VaStartOp>(op)) {
      op->emitError("not supported in a spawning function: ") << op->getName();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// What lies in elements and frames must have a size.
static LogicalResult checkSizes(LLVM::LLVMFuncOp function,
                                const Phases &phases) {
  auto check = [](Location loc, StringRef what, Type type) -> LogicalResult {
    if (isStorable(type))
      return success();
    return emitError(loc, "not supported in a spawning function: ")
           << what << " without a known size, " << describeInC(type);
  };
  Type result = function.getFunctionType().getReturnType();
  if (!isa<LLVM::LLVMVoidType>(result) &&
      failed(check(function.getLoc(), "a result", result)))
    return failure();
  for (BlockArgument argument : function.getArguments()) {
    Type pointee = byValueType(function, argument.getArgNumber());
    if (failed(check(argument.getLoc(), "a parameter",
                     pointee ? pointee : argument.getType())))
      return failure();
  }
  for (auto alloca : function.getBody().getOps<LLVM::AllocaOp>())
    if (failed(check(alloca.getLoc(), "an alloca", alloca.getElemType())))
      return failure();
  for (const Phase &phase : phases.get())
    for (Value value : phase.liveIn)
      if (!isRematerialized(value) &&
          failed(check(value.getLoc(), "a value across a sync or call",
                       value.getType())))
        return failure();
  return success();
}

/// Turns the calls of functions that are not split here back into calls of
/// their C symbols.
static void lowerOtherCalls(LLVM::LLVMFuncOp function, SymbolTable &symbols,
                            const llvm::SmallDenseSet<StringRef> &split) {
  function.walk([&](cilk::CallOp call) {
    if (split.contains(call.getCallee()))
      return;
    OpBuilder builder(call);
    auto plain =
        LLVM::CallOp::create(builder, call.getLoc(), call.getSignature(),
                             call.getCalleeAttr(), call.getArgs());
    plain.setArgAttrsAttr(call.getArgAttrsAttr());
    plain.setCConv(
        symbols.lookup<LLVM::LLVMFuncOp>(call.getCallee()).getCConv());
    call->replaceAllUsesWith(plain);
    call->erase();
  });
}

/// Says of each plain call of a spawning function what it costs.
static void remarkOnCalls(LLVM::LLVMFuncOp function, SymbolTable &symbols,
                          const llvm::SmallDenseSet<StringRef> &split) {
  if (!function.getContext()->getRemarkEngine() ||
      sourceOf(function).getValue() != function.getName())
    return;
  auto named = remark::RemarkOpts::name("call").category("chan-call");
  function.walk([&](cilk::CallOp call) {
    auto callee = symbols.lookup<LLVM::LLVMFuncOp>(call.getCallee());
    // A cilk_for is no call in C.
    if (!callee || sourceOf(callee).getValue() != callee.getName())
      return;
    std::string name = describe(callee);
    auto [loc, options] = placeRemark(call, named);
    remark::missed(loc, options)
        << (split.contains(call.getCallee())
                ? "the caller waits here for " + name
                : name + ", which another definition may replace, runs nested "
                         "before any other task") +
               "; with cilk_spawn, and a cilk_sync where its result is "
               "needed, other tasks run beside it";
  });
}

/// Takes the only way of branches that are there for serial clones.
static void removeCertainBranches(LLVM::LLVMFuncOp function) {
  for (Block &block : function) {
    auto branch = dyn_cast<LLVM::CondBrOp>(block.getTerminator());
    if (!branch || !branch->hasAttr(SizeGuardAttribute) ||
        !matchPattern(branch.getCondition(), m_One()))
      continue;
    OpBuilder builder(branch);
    LLVM::BrOp::create(builder, branch.getLoc(), branch.getTrueDest());
    branch->erase();
  }
}

/// In a kernel, what C frees at the end of a scope lives as long as the
/// activation.
static void removeStackMarkers(LLVM::LLVMFuncOp function) {
  function.walk([](LLVM::StackRestoreOp op) { op.erase(); });
  function.walk([](LLVM::StackSaveOp op) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(
        LLVM::PoisonOp::create(builder, op.getLoc(), op.getType()).getResult());
    op.erase();
  });
}

/// Lowers SYNCHED in kernels, which know of an activation only whether it has
/// spawned since its last sync.
static void useFlags(LLVM::LLVMFuncOp function) {
  function.walk([](cilk::SynchedOp op) {
    op.replaceAllUsesWith(op.getFlag());
    op.erase();
  });
}

/// Leaves the declaration of a function whose kernels are built.
static void dropBody(LLVM::LLVMFuncOp function) {
  function.getBody().dropAllReferences();
  function.getBody().getBlocks().clear();
  if (!isUnnamed(function))
    function.setLinkage(LLVM::Linkage::External);
  function.setComdatAttr({});
  function->setLoc(UnknownLoc::get(function.getContext()));
}

static bool spawnsItself(LLVM::LLVMFuncOp function) {
  return function
      .walk([&](cilk::SpawnOp spawn) {
        return spawn.getCallee() == function.getName() ? WalkResult::interrupt()
                                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a function that takes arrays by address spawns nothing and calls
/// nothing that does, but the function that then does its work. It may come to
/// its spawns also where it has none of its arrays.
static bool leavesAllToWhole(LLVM::LLVMFuncOp function) {
  llvm::SetVector<Block *> reached;
  reached.insert(&function.front());
  for (unsigned i = 0; i < reached.size(); ++i) {
    Block *block = reached[i];
    for (Operation &op : *block)
      if (isa<cilk::SpawnOp, cilk::CallOp>(op))
        return false;
    Operation *last = block->getTerminator();
    if (!last->hasAttr(SizeGuardAttribute))
      reached.insert(block->succ_begin(), block->succ_end());
  }
  return true;
}

/// Of a function that calls another, once, to do its work.
static constexpr unsigned phasesByAddress = 2;

namespace {
struct CilkToChan : public cilk2chan::impl::CilkToChanBase<CilkToChan> {
  using CilkToChanBase::CilkToChanBase;

  void runOnOperation() override {
    const TypeLayout &dataLayout = getAnalysis<TypeLayout>();
    SmallVector<LLVM::LLVMFuncOp> functions;
    llvm::SmallDenseSet<StringRef> callable;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() && cilk::isSpawning(function)) {
        if (failed(checkSupported(function)))
          return signalPassFailure();
        functions.push_back(function);
        if (!isInterposable(function))
          callable.insert(function.getName());
      } else {
        useFlags(function);
      }

    SymbolTable symbols(getOperation());
    for (auto function : functions) {
      remarkOnCalls(function, symbols, callable);
      makeKeptObjects(function);
    }
    Stacks stacks(symbols, dataLayout, width);
    SerialClones clones(stacks, symbols, dataLayout, countClones);
    if (serialClones)
      for (auto function : functions) {
        WorkingOn working(function.getName());
        clones.add(function);
      }
    SmallVector<DebugVariables> debug;
    SmallVector<Phases> phases;
    auto prepare = [&](LLVM::LLVMFuncOp function, bool isByAddress) {
      IRRewriter rewriter(&getContext());
      removeCertainBranches(function);
      (void)eraseUnreachableBlocks(rewriter, function->getRegions());
      removeStackMarkers(function);
      useFlags(function);
      lowerOtherCalls(function, symbols, callable);
      normalizeSyncs(function, isByAddress);
    };
    SmallVector<OwningOpRef<LLVM::LLVMFuncOp>> byAddress;
    for (auto function : functions) {
      WorkingOn working(function.getName());
      byAddress.emplace_back();
      // The first activation of a tree hands on values to the lanes that come
      // after it.
      if (hasArraysByValue(function) && spawnsItself(function) &&
          leavesAllToWhole(function))
        byAddress.back() = function.clone();
      prepare(function, /*isByAddress=*/false);
      debug.emplace_back(function);
      phases.emplace_back(function);
      if (failed(checkSizes(function, phases.back())))
        return signalPassFailure();
      stacks.addFunction(function, byAddress.back()
                                       ? phasesByAddress
                                       : phases.back().get().size());
    }
    clones.lower();
    if (batchForms)
      BatchForms(stacks, symbols, dataLayout,
                 {longLoops, peel, accumulate, prefetch, uniform, order})
          .build(functions, phases);
    for (auto [function, copy, debug, phases] :
         llvm::zip(functions, byAddress, debug, phases)) {
      if (!copy)
        continue;
      function.getBody().takeBody(copy->getBody());
      takeArraysByAddress(function, symbols);
      prepare(function, /*isByAddress=*/true);
      debug = DebugVariables(function);
      phases = Phases(function);
      assert(phases.get().size() == phasesByAddress);
    }
    for (auto [function, debug, phases] : llvm::zip(functions, debug, phases)) {
      WorkingOn working(function.getName());
      FrameLayout layout(function, phases, dataLayout, keepLocals);
      KernelBuilder builder(function, phases, layout, debug, stacks);
      for (unsigned i = 0; i < phases.get().size(); ++i)
        builder.build(i);
    }
    for (auto function : functions)
      dropBody(function);
    // Their module has them.
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function.getName().starts_with(ApplyPrefix) && !function.isExternal())
        dropBody(function);
    for (auto function : functions)
      if (isUnnamed(function))
        symbols.erase(function);
  }
};
} // namespace
