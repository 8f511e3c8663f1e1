//===- Preparation.cpp - Bodies that can be split -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes bodies that can be split, in place or as a copy that a pass reads:
//
//   %s = llvm.intr.stacksave        // the activation keeps its objects: erased
//   %q = cilk.synched %flag         // %flag
//   %r = cilk.call @weak(%n)        // another definition may take its place:
//                                   //   %r = llvm.call @weak(%n)
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/CilkToChan/Preparation.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cilk2chan;

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

/// Turns the calls of functions that are not split here back into calls of
/// their C symbols.
static void lowerOtherCalls(LLVM::LLVMFuncOp function,
                            const SymbolTable &symbols, const Stacks &stacks) {
  function.walk([&](cilk::CallOp call) {
    if (stacks.entry(call.getCallee()))
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

void cilk2chan::useSynchedFlags(LLVM::LLVMFuncOp function) {
  function.walk([](cilk::SynchedOp op) {
    op.replaceAllUsesWith(op.getFlag());
    op.erase();
  });
}

void cilk2chan::prepareToSplit(LLVM::LLVMFuncOp function,
                               const SymbolTable &symbols, const Stacks &stacks,
                               bool hasLast) {
  IRRewriter rewriter(function.getContext());
  removeCertainBranches(function);
  (void)eraseUnreachableBlocks(rewriter, function->getRegions());
  removeStackMarkers(function);
  useSynchedFlags(function);
  lowerOtherCalls(function, symbols, stacks);
  normalizeSyncs(function, hasLast);
}

PreparedBody::PreparedBody(LLVM::LLVMFuncOp function,
                           const SymbolTable &symbols, const Stacks &stacks)
    : function(function) {
  original.takeBody(function.getBody());
  IRMapping mapping;
  original.cloneInto(&function.getBody(), mapping);
  prepareToSplit(function, symbols, stacks);
  // They have no say in what is made of the copy.
  DebugVariables records(function);
}

PreparedBody::~PreparedBody() {
  Region &prepared = function.getBody();
  prepared.dropAllReferences();
  prepared.getBlocks().clear();
  prepared.takeBody(original);
}
