//===- EntryStacks.cpp - Declare the stacks of spawning functions ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes that split functions refer to each other's work by way of the
// entry stack of each function.  So this pass makes these first, and refuses
// what cannot be split, so that the passes behind it need not:
//
//   llvm.func @fib(%n: i32) -> i32 { ... cilk.spawn @fib ... }
//
// becomes
//
//   llvm.func @fib(%n: i32) -> i32 attributes {chan.entry = @fib.entry} { ... }
//   chan.stack entry @fib.entry(a0: i32, ret: !llvm.ptr) function @fib : ...
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/CilkToChan/Phases.h"
#include "cilk2chan/Conversion/CilkToChan/Preparation.h"
#include "cilk2chan/Conversion/CilkToChan/Stacks.h"
#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"
#include "cilk2chan/Dialect/Cilk/Analysis/RemarkPlaces.h"
#include "cilk2chan/Support/StorableType.h"
#include "cilk2chan/Support/TypesInC.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/IR/Remarks.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CHANENTRYSTACKS
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

static LogicalResult checkSize(Location loc, StringRef what, Type type) {
  if (isStorable(type))
    return success();
  return emitError(loc, "not supported in a spawning function: ")
         << what << " without a known size, " << describeInC(type);
}

/// What lies in elements and frames must have a size.
static LogicalResult checkSizes(LLVM::LLVMFuncOp function) {
  Type result = function.getFunctionType().getReturnType();
  if (!isa<LLVM::LLVMVoidType>(result) &&
      failed(checkSize(function.getLoc(), "a result", result)))
    return failure();
  for (BlockArgument argument : function.getArguments()) {
    Type pointee = byValueType(function, argument.getArgNumber());
    if (failed(checkSize(argument.getLoc(), "a parameter",
                         pointee ? pointee : argument.getType())))
      return failure();
  }
  for (auto alloca : function.getBody().getOps<LLVM::AllocaOp>())
    if (failed(checkSize(alloca.getLoc(), "an alloca", alloca.getElemType())))
      return failure();
  return success();
}

/// Whether a value in the function has no known size.
static bool hasUnsizedValue(LLVM::LLVMFuncOp function) {
  auto isUnsized = [](Type type) { return !isStorable(type); };
  for (Block &block : function) {
    if (llvm::any_of(block.getArgumentTypes(), isUnsized))
      return true;
    for (Operation &op : block)
      if (llvm::any_of(op.getResultTypes(), isUnsized))
        return true;
  }
  return false;
}

/// What lies in frames must have a size, too.
static LogicalResult checkLiveValues(LLVM::LLVMFuncOp function,
                                     const SymbolTable &symbols,
                                     const Stacks &stacks) {
  if (!hasUnsizedValue(function))
    return success();
  PreparedBody prepared(function, symbols, stacks);
  Phases phases(function);
  for (const Phase &phase : phases.get())
    for (Value value : phase.liveIn)
      if (!isRematerialized(value) &&
          failed(checkSize(value.getLoc(), "a value across a sync or call",
                           value.getType())))
        return failure();
  return success();
}

/// Says of each plain call of a spawning function what it costs, where a spawn
/// would gain something.
static void remarkOnCalls(LLVM::LLVMFuncOp function, const SymbolTable &symbols,
                          const Stacks &stacks) {
  if (!function.getContext()->getRemarkEngine() ||
      sourceOf(function).getValue() != function.getName())
    return;
  auto named = remark::RemarkOpts::name("call").category("chan-call");
  function.walk([&](cilk::CallOp call) {
    auto callee = symbols.lookup<LLVM::LLVMFuncOp>(call.getCallee());
    // A cilk_for is no call in C.
    if (!callee || sourceOf(callee).getValue() != callee.getName() ||
        !gainsBySpawn(call))
      return;
    std::string name = describe(callee);
    auto [loc, options] = placeRemark(call, named);
    remark::missed(loc, options)
        << (stacks.entry(call.getCallee())
                ? "the caller waits here for " + name
                : name + ", which another definition may replace, runs nested "
                         "before any other task") +
               "; with cilk_spawn, and a cilk_sync where its result is "
               "needed, other tasks run beside it";
  });
}

namespace {
struct ChanEntryStacks
    : public cilk2chan::impl::ChanEntryStacksBase<ChanEntryStacks> {
  using ChanEntryStacksBase::ChanEntryStacksBase;

  void runOnOperation() override {
    const TypeLayout &layout = getAnalysis<TypeLayout>();
    SmallVector<LLVM::LLVMFuncOp> functions;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (function.isExternal() ||
          !(cilk::isSpawning(function) || function->hasAttr(RangeAttribute)))
        continue;
      WorkingOn working(function.getName());
      if (failed(checkSupported(function)))
        return signalPassFailure();
      functions.push_back(function);
    }
    for (auto function : functions)
      if (failed(checkSizes(function)))
        return signalPassFailure();

    SymbolTable symbols(getOperation());
    if (width)
      getOperation()->setAttr(WidthAttribute,
                              Builder(&getContext()).getI32IntegerAttr(width));
    Stacks stacks(symbols, layout);
    for (auto function : functions)
      stacks.addEntry(function);
    for (auto function : functions) {
      WorkingOn working(function.getName());
      if (failed(checkLiveValues(function, symbols, stacks)))
        return signalPassFailure();
      remarkOnCalls(function, symbols, stacks);
    }
  }
};
} // namespace
