//===- LeavingPlaces.cpp - Where serial clones may stop being serial ------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeavingPlaces.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cilk2chan;

bool cilk2chan::isAnyInLoop(ArrayRef<Operation *> spawns) {
  return llvm::any_of(spawns, [](Operation *spawn) {
    return spawn->getBlock()->isReachable(spawn->getBlock());
  });
}

/// Whether it changes nothing that executing `op` once more does.
static bool isRepeatable(Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return !load.getVolatile_() &&
           load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  return isa<LLVM::AllocaOp, LLVM::StackSaveOp>(op) || isMemoryEffectFree(&op);
}

Operation *cilk2chan::lastBefore(Region &body, ArrayRef<Operation *> sites) {
  DominanceInfo dominance;
  auto isBeforeAll = [&](Block *block) {
    return llvm::all_of(sites, [&](Operation *site) {
      return dominance.dominates(block, site->getBlock());
    });
  };
  Block *block = &body.front();
  for (;;) {
    for (Operation &op : block->without_terminator())
      if (!isRepeatable(op))
        return &op;
    Block *next = nullptr;
    for (Block *successor : block->getSuccessors())
      if (successor->getSinglePredecessor() && isBeforeAll(successor))
        next = successor;
    if (!next)
      return block->getTerminator();
    block = next;
  }
}

SmallVector<Operation *>
cilk2chan::notAfterOthers(ArrayRef<Operation *> calls,
                          ArrayRef<Operation *> spawns) {
  DominanceInfo dominance;
  auto isAfterOne = [&](Operation *call, ArrayRef<Operation *> others) {
    return llvm::any_of(others, [&](Operation *other) {
      return dominance.properlyDominates(other, call);
    });
  };
  SmallVector<Operation *> first;
  for (Operation *call : calls)
    if (!isAfterOne(call, calls) && !isAfterOne(call, spawns))
      first.push_back(call);
  return first;
}
