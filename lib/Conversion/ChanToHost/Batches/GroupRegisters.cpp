//===- GroupRegisters.cpp - Local objects in registers --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupRegisters.h"

using namespace mlir;
using namespace cilk2chan;

/// The vector that `user` accesses at `address`; null if it does anything else.
static VectorType accessedBy(Operation *user, Value address) {
  if (auto load = dyn_cast<LLVM::LoadOp>(user); load && !load.getVolatile_())
    return dyn_cast<VectorType>(load.getType());
  if (auto store = dyn_cast<LLVM::MaskedStoreOp>(user))
    return cast<VectorType>(store.getValue().getType());
  return {};
}

void GroupRegisters::find(LLVM::LLVMFuncOp function, unsigned lanes) {
  registers.clear();
  SmallVector<chan::LocalOp> locals;
  llvm::SmallDenseSet<int64_t> others;
  function.walk([&](chan::LocalOp local) {
    int64_t offset = local.getOffset() * lanes;
    locals.push_back(local);
    for (Operation *user : local.getAddress().getUsers()) {
      VectorType type = accessedBy(user, local.getAddress());
      Register &known = registers[offset];
      if (local.getExposed() || !type || type.getNumElements() != lanes ||
          (known.type && known.type != type)) {
        others.insert(offset);
        continue;
      }
      known.type = type;
      if (auto store = dyn_cast<LLVM::MaskedStoreOp>(user)) {
        known.isWritten = true;
        known.alignment = store.getAlignment();
      } else {
        known.alignment = cast<LLVM::LoadOp>(user).getAlignment().value_or(1);
      }
    }
  });
  registers.remove_if(
      [&](const auto &entry) { return others.contains(entry.first); });

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.front());
  for (auto &[offset, known] : registers)
    known.variable = LLVM::AllocaOp::create(
        builder, function.getLoc(), builder.pointer, known.type,
        builder.constant(function.getLoc(), builder.i64, 1));
  for (chan::LocalOp local : locals) {
    auto *found = registers.find(local.getOffset() * lanes);
    if (found == registers.end())
      continue;
    Value variable = found->second.variable;
    for (Operation *user :
         llvm::make_early_inc_range(local.getAddress().getUsers())) {
      builder.setInsertionPoint(user);
      Value whole = LLVM::LoadOp::create(builder, user->getLoc(),
                                         found->second.type, variable);
      if (auto store = dyn_cast<LLVM::MaskedStoreOp>(user))
        LLVM::StoreOp::create(builder, user->getLoc(),
                              LLVM::SelectOp::create(builder, user->getLoc(),
                                                     store.getMask(),
                                                     store.getValue(), whole),
                              variable);
      else
        user->getResult(0).replaceAllUsesWith(whole);
      user->erase();
    }
  }
}

void GroupRegisters::forget(Location loc) {
  for (auto &[offset, known] : registers)
    LLVM::StoreOp::create(builder, loc,
                          LLVM::PoisonOp::create(builder, loc, known.type),
                          known.variable);
}

void GroupRegisters::load(Location loc, Value locals) {
  for (auto &[offset, known] : registers)
    LLVM::StoreOp::create(
        builder, loc,
        LLVM::LoadOp::create(builder, loc, known.type,
                             builder.offset(loc, locals, offset),
                             known.alignment),
        known.variable);
}

void GroupRegisters::store(Location loc, Value locals) {
  for (auto &[offset, known] : registers)
    if (known.isWritten)
      LLVM::StoreOp::create(
          builder, loc,
          LLVM::LoadOp::create(builder, loc, known.type, known.variable),
          builder.offset(loc, locals, offset), known.alignment);
}
