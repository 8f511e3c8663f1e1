//===- ArraysByAddress.cpp - What lanes have by value, as C has it --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Undoes for single elements what cilk-arrays-by-value does for lanes:
//
//   cond_br %fits, ^parts, ^whole                     br ^whole
// ^parts: ... spawns @f with an array's parts    => ^whole: cilk.call
// @f.fallback ^whole: call @f.fallback with its address
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/CilkToChan/ArraysByAddress.h"

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/Markers.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cilk2chan;

bool cilk2chan::hasArraysByValue(LLVM::LLVMFuncOp function) {
  return llvm::any_of(function.getBody(), [](Block &block) {
    return block.getTerminator()->hasAttr(SizeGuardAttribute);
  });
}

/// Puts what calls a function by way of `callee` where `call` is; returns that
/// function's call.
static LLVM::CallOp inlineWhole(LLVM::CallOp call, LLVM::LLVMFuncOp callee) {
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getArgOperands());
  auto caller = call->getParentOfType<LLVM::LLVMFuncOp>();
  auto objects = OpBuilder::atBlockBegin(&caller.front());
  OpBuilder others(call);
  LLVM::CallOp inner;
  for (Operation &op : callee.front().without_terminator()) {
    bool isObject = isa<LLVM::AllocaOp, LLVM::ConstantOp>(op);
    Operation *copy = (isObject ? objects : others).clone(op, mapping);
    copy->setLoc(call.getLoc());
    if (isa<LLVM::CallOp>(copy))
      inner = cast<LLVM::CallOp>(copy);
  }
  call->replaceAllUsesWith(inner);
  call->erase();
  return inner;
}

void cilk2chan::takeArraysByAddress(LLVM::LLVMFuncOp function,
                                    const SymbolTable &symbols) {
  SmallVector<LLVM::CondBrOp> branches;
  for (Block &block : function)
    if (auto branch = dyn_cast<LLVM::CondBrOp>(block.getTerminator());
        branch && branch->hasAttr(SizeGuardAttribute))
      branches.push_back(branch);
  for (LLVM::CondBrOp branch : branches) {
    Block *whole = branch.getFalseDest();
    auto call = *whole->getOps<LLVM::CallOp>().begin();
    auto callee = symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee());
    if (!cilk::isSpawning(callee))
      call = inlineWhole(call, callee);
    OpBuilder builder(call);
    auto split = cilk::CallOp::create(
        builder, call.getLoc(), call.getResultTypes(), call.getCalleeAttr(),
        call.getArgOperands(), TypeAttr::get(call.getCalleeFunctionType()),
        call.getArgAttrsAttr());
    call->replaceAllUsesWith(split);
    call->erase();
    builder.setInsertionPoint(branch);
    LLVM::BrOp::create(builder, branch.getLoc(), whole);
    branch->erase();
  }
  if (branches.empty())
    return;
  IRRewriter rewriter(function.getContext());
  (void)eraseUnreachableBlocks(rewriter, function->getRegions());
}
