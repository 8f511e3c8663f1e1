//===- Captures.cpp - Which locals a region shares ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace cilk2chan;

static bool isIn(const Region &region, const llvm::User *user) {
  return region.blocks.contains(
      llvm::cast<llvm::Instruction>(user)->getParent());
}

/// The blocks at whose beginning the value of a promotable local matters.
static llvm::SmallPtrSet<llvm::BasicBlock *, 16>
blocksNeeding(llvm::AllocaInst *local) {
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> users, stores, needing;
  for (llvm::User *user : local->users()) {
    auto *instruction = llvm::cast<llvm::Instruction>(user);
    users.insert(instruction->getParent());
    if (llvm::isa<llvm::StoreInst>(instruction))
      stores.insert(instruction->getParent());
  }
  llvm::SmallVector<llvm::BasicBlock *> work;
  for (llvm::BasicBlock *block : users)
    for (llvm::Instruction &instruction : *block) {
      if (!llvm::is_contained(instruction.operands(), local))
        continue;
      if (llvm::isa<llvm::LoadInst>(instruction) &&
          needing.insert(block).second)
        work.push_back(block);
      break;
    }
  while (!work.empty())
    for (llvm::BasicBlock *before : llvm::predecessors(work.pop_back_val()))
      if (!stores.contains(before) && needing.insert(before).second)
        work.push_back(before);
  return needing;
}

/// Tells a debugger that `copied` is to the region what `local` is to the
/// function.
static void describe(const Region &region, llvm::AllocaInst *local,
                     llvm::Value *copied) {
  for (llvm::DbgVariableRecord *record : llvm::findDVRDeclares(local)) {
    const llvm::DILocation *where = record->getDebugLoc();
    llvm::DILocalVariable *variable = record->getVariable();
    llvm::DIExpression *expression = record->getExpression();
    auto *described = llvm::isa<llvm::AllocaInst>(copied)
                          ? llvm::DbgVariableRecord::createDVRDeclare(
                                copied, variable, expression, where)
                          : llvm::DbgVariableRecord::createDbgVariableRecord(
                                copied, variable, expression, where);
    region.entry->insertDbgRecordBefore(
        described, region.entry->getTerminator()->getIterator());
  }
}

llvm::SmallVector<llvm::AllocaInst *>
cilk2chan::separateLocals(const Region &region, llvm::AllocaInst *control,
                          llvm::Instruction *before) {
  llvm::BasicBlock &allocations = region.entry->getParent()->getEntryBlock();
  llvm::SmallVector<llvm::AllocaInst *> locals, owned;
  for (llvm::Instruction &instruction : allocations)
    if (auto *local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        local && local->isStaticAlloca())
      locals.push_back(local);

  auto inRegion = [&](llvm::Use &use) { return isIn(region, use.getUser()); };
  auto copy = [&](llvm::AllocaInst *local) {
    auto *copied = llvm::cast<llvm::AllocaInst>(local->clone());
    copied->insertBefore(region.entry->getFirstInsertionPt());
    describe(region, local, copied);
    local->replaceUsesWithIf(copied, inRegion);
    owned.push_back(copied);
  };
  for (llvm::AllocaInst *local : locals) {
    llvm::SmallVector<llvm::Instruction *> inside;
    for (llvm::User *user : local->users())
      if (isIn(region, user))
        inside.push_back(llvm::cast<llvm::Instruction>(user));
    if (inside.empty())
      continue;
    if (local == control) {
      copy(local);
    } else if (inside.size() == local->getNumUses()) {
      local->moveBefore(region.entry->getFirstInsertionPt());
      owned.push_back(local);
    } else if (llvm::isAllocaPromotable(local)) {
      bool changed = llvm::any_of(inside, [](llvm::Instruction *user) {
        return llvm::isa<llvm::StoreInst>(user);
      });
      if (!changed) {
        auto *value =
            new llvm::LoadInst(local->getAllocatedType(), local,
                               local->getName(), before->getIterator());
        for (llvm::Instruction *load : inside) {
          load->replaceAllUsesWith(value);
          load->eraseFromParent();
        }
        describe(region, local, value);
        continue;
      }
      auto needing = blocksNeeding(local);
      if (!needing.contains(region.entry) && !needing.contains(region.exit))
        copy(local);
    }
  }
  return owned;
}
