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

#include "FrameLayout.h"
#include "KernelBuilder.h"
#include "Phases.h"

#include "cilk2chan/Conversion/Passes.h"

#include "mlir/Analysis/DataLayoutAnalysis.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CILKTOCHAN
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

static bool isSpawning(LLVM::LLVMFuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa<cilk::SpawnOp, cilk::SyncOp, cilk::CallOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// What has no meaning when control leaves a kernel and comes back in another.
static LogicalResult checkSupported(LLVM::LLVMFuncOp function) {
  if (function.getFunctionType().isVarArg())
    return function.emitError("a spawning function cannot be variadic");
  WalkResult result = function.walk([](Operation *op) {
    if (isa<LLVM::InvokeOp, LLVM::LandingpadOp, LLVM::IndirectBrOp, LLVM::VaStartOp>(
            op)) {
      op->emitError("not supported in a spawning function: ") << op->getName();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Leaves the declaration of a function whose kernels are built.
static void dropBody(LLVM::LLVMFuncOp function) {
  function.getBody().dropAllReferences();
  function.getBody().getBlocks().clear();
  function.setLinkage(LLVM::Linkage::External);
  function.setComdatAttr({});
  function->setLoc(UnknownLoc::get(function.getContext()));
}

namespace {
struct CilkToChan : public cilk2chan::impl::CilkToChanBase<CilkToChan> {
  void runOnOperation() override {
    SmallVector<LLVM::LLVMFuncOp> functions;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() && isSpawning(function)) {
        if (failed(checkSupported(function)))
          return signalPassFailure();
        functions.push_back(function);
      }

    Stacks stacks(getOperation());
    SmallVector<Phases> phases;
    for (auto function : functions) {
      normalizeSyncs(function);
      phases.emplace_back(function);
      stacks.addFunction(function, phases.back().get().size());
    }
    const DataLayout &dataLayout =
        getAnalysis<DataLayoutAnalysis>().getAtOrAbove(getOperation());
    for (auto [function, phases] : llvm::zip(functions, phases)) {
      FrameLayout layout(function, phases, dataLayout);
      KernelBuilder builder(function, phases, layout, stacks);
      for (unsigned i = 0; i < phases.get().size(); ++i)
        builder.build(i);
    }
    for (auto function : functions)
      dropBody(function);
  }
};
} // namespace
