//===- Beginning.cpp - What a function may do twice -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Support/Beginning.h"

#include "cilk2chan/Support/BaseOf.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cilk2chan;

static bool isLocal(Value address) {
  return baseOf(address).getDefiningOp<LLVM::AllocaOp>() != nullptr;
}

bool Beginning::add(Operation *op) {
  auto access = [&](bool isPlain) { return isPlain && !(loads && stores); };
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    stores |= !isLocal(store.getAddr());
    return access(!store.getVolatile_() &&
                  store.getOrdering() == LLVM::AtomicOrdering::not_atomic);
  }
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    loads |= !isLocal(load.getAddr());
    // A relaxed load orders nothing.
    return access(!load.getVolatile_() &&
                  load.getOrdering() <= LLVM::AtomicOrdering::monotonic);
  }
  if (auto set = dyn_cast<LLVM::MemsetOp>(op)) {
    stores |= !isLocal(set.getDst());
    return access(!set.getIsVolatile());
  }
  if (auto copy = dyn_cast<LLVM::MemcpyOp>(op)) {
    stores |= !isLocal(copy.getDst());
    loads |= !isLocal(copy.getSrc());
    return access(!copy.getIsVolatile());
  }
  return isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>() ||
         isa<LLVM::AllocaOp, LLVM::StackSaveOp, LLVM::StackRestoreOp,
             LLVM::DbgDeclareOp, LLVM::DbgValueOp, LLVM::DbgLabelOp>(op);
}
