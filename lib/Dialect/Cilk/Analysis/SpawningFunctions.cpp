//===- SpawningFunctions.cpp - What is known of a spawning function -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/SpawningFunctions.h"

#include "cilk2chan/Dialect/Cilk/Cilk.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan;

bool cilk2chan::isInterposable(LLVM::LLVMFuncOp function) {
  switch (function.getLinkage()) {
  case LLVM::Linkage::Weak:
  case LLVM::Linkage::Linkonce:
  case LLVM::Linkage::ExternWeak:
    return true;
  default:
    return false;
  }
}

/// The operations of a function that compute with the result of `call`, also
/// by way of block arguments.
static llvm::SetVector<Operation *> findDependent(cilk::CallOp call) {
  llvm::SetVector<Operation *> dependent;
  llvm::SetVector<Value> values;
  values.insert(call->result_begin(), call->result_end());
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      dependent.insert(user);
      values.insert(user->result_begin(), user->result_end());
      if (auto branch = dyn_cast<BranchOpInterface>(user))
        if (auto argument =
                branch.getSuccessorBlockArgument(use.getOperandNumber()))
          values.insert(*argument);
    }
  return dependent;
}

bool cilk2chan::gainsBySpawn(cilk::CallOp call) {
  llvm::SetVector<Operation *> dependent = findDependent(call);
  llvm::SetVector<Block *> blocks;
  // Whether that is found between `op` and the next sync in its block.
  auto isFound = [&](Operation *op) {
    for (; op; op = op->getNextNode()) {
      if (isa<cilk::SyncOp>(op))
        return false;
      if (isa<cilk::SpawnOp, cilk::CallOp>(op) && !dependent.contains(op))
        return true;
      if (op->hasTrait<OpTrait::IsTerminator>())
        blocks.insert(op->successor_begin(), op->successor_end());
    }
    return false;
  };
  if (isFound(call->getNextNode()))
    return true;
  for (size_t i = 0; i < blocks.size(); ++i)
    if (isFound(&blocks[i]->front()))
      return true;
  return false;
}
