//===- TailSync.cpp - Syncs that need no continuation ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Removes waits behind which a function that returns nothing has nothing to do:
//
//   cilk.spawn @f(%a)          cilk.spawn @f(%a)
//   cilk.call @f(%b)      =>   cilk.spawn @f(%b)
//   cilk.sync                  llvm.return
//   llvm.return
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/CilkToChan/Phases.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"

#include "cilk2chan/Dialect/Cilk/Cilk.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cilk2chan;

/// Whether nothing of the activation is used once it has returned, by children
/// that are still to run.
static bool leavesNothingBehind(LLVM::LLVMFuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (byValueType(function, argument.getArgNumber()) && escapes(argument))
      return false;
  WalkResult result = function.walk([&](Operation *op) {
    if (auto alloca = dyn_cast<LLVM::AllocaOp>(op)) {
      bool fixed = alloca->getBlock()->isEntryBlock() &&
                   matchPattern(alloca.getArraySize(), m_Constant());
      if (!fixed || escapes(alloca))
        return WalkResult::interrupt();
    }
    if (auto spawn = dyn_cast<cilk::SpawnOp>(op))
      if (spawn.isDeferred())
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// Whether control returns after `op`, with nothing but waits before.
static bool onlyReturnsAfter(Operation *op) {
  llvm::SmallPtrSet<Block *, 4> seen;
  for (Operation *next = op->getNextNode();;) {
    if (isa<LLVM::ReturnOp>(next))
      return true;
    if (auto branch = dyn_cast<LLVM::BrOp>(next)) {
      if (!seen.insert(branch.getDest()).second)
        return false;
      next = &branch.getDest()->front();
      continue;
    }
    // What has no effect computes nothing that a void function returns.
    if (next->hasTrait<OpTrait::IsTerminator>() ||
        (!isa<cilk::SyncOp>(next) && !isDebugRecord(*next) &&
         !isMemoryEffectFree(next)))
      return false;
    next = next->getNextNode();
  }
}

void cilk2chan::removeTailSyncs(LLVM::LLVMFuncOp function) {
  if (!isa<LLVM::LLVMVoidType>(function.getFunctionType().getReturnType()) ||
      !leavesNothingBehind(function))
    return;
  SmallVector<Operation *> last;
  function.walk([&](Operation *op) {
    if (isa<cilk::SyncOp, cilk::CallOp>(op) && op->use_empty() &&
        onlyReturnsAfter(op))
      last.push_back(op);
  });
  for (Operation *op : last) {
    if (auto call = dyn_cast<cilk::CallOp>(op)) {
      OpBuilder builder(call);
      cilk::SpawnOp::create(builder, call.getLoc(), call.getCalleeAttr(),
                            /*target=*/Value(), call.getArgs(),
                            /*destination=*/Value(), /*apply=*/nullptr,
                            call.getSignatureAttr(), call.getArgAttrsAttr());
    }
    op->erase();
  }
}
