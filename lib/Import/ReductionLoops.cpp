//===- ReductionLoops.cpp - Updates of reducers behind loops --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for (; i != end; ++i)               long own = 0;
//     atomicrmw add @sum, a[i]    =>    for (; i != end; ++i) own += a[i];
//                                       atomicrmw add @sum, own
//
// LLVM's vectoriser can treat the loop then.
//
//===----------------------------------------------------------------------===//

#include "DirectReducers.h"
#include "cilk2chan/Support/Markers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace cilk2chan;

using Reduction = llvm::AtomicRMWInst;

static Reduction *asReduction(llvm::Instruction &instruction) {
  auto *update = llvm::dyn_cast<Reduction>(&instruction);
  return update && update->getSyncScopeID() ==
                       instruction.getContext().getOrInsertSyncScopeID(
                           ReductionScope)
             ? update
             : nullptr;
}

static llvm::Constant *identityOf(Reduction &update) {
  llvm::Type *type = update.getType();
  switch (update.getOperation()) {
  case Reduction::And:
    return llvm::Constant::getAllOnesValue(type);
  case Reduction::FAdd:
    return llvm::ConstantFP::getNegativeZero(type);
  default:
    return llvm::Constant::getNullValue(type);
  }
}

static llvm::Value *combine(llvm::IRBuilder<> &builder, Reduction &update,
                            llvm::Value *left) {
  llvm::Value *right = update.getValOperand();
  switch (update.getOperation()) {
  case Reduction::Add:
    return builder.CreateAdd(left, right);
  case Reduction::And:
    return builder.CreateAnd(left, right);
  case Reduction::Or:
    return builder.CreateOr(left, right);
  case Reduction::Xor:
    return builder.CreateXor(left, right);
  case Reduction::FAdd: {
    llvm::FastMathFlags flags;
    flags.setAllowReassoc();
    return builder.CreateFAddFMF(left, right, flags);
  }
  default:
    llvm_unreachable("no update of a reducer");
  }
}

/// Whether an instruction may see what is in a variable: nothing but updates may
/// be given its address, so only calls can that access globals.
static bool maySee(llvm::Instruction &instruction,
                   const llvm::Value *variable) {
  if (asReduction(instruction))
    return false;
  if (const llvm::Value *address =
          llvm::getLoadStorePointerOperand(&instruction))
    return llvm::getUnderlyingObject(address, /*MaxLookup=*/0) == variable;
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && llvm::isa<llvm::GlobalValue>(variable) &&
         !call->doesNotAccessMemory() &&
         !call->getMemoryEffects().onlyAccessesInaccessibleMem() &&
         !llvm::isa<llvm::LifetimeIntrinsic>(call);
}

/// The updates in a loop that may be done behind it, by address and operation.
static std::vector<llvm::SmallVector<Reduction *, 2>>
updatesIn(const llvm::Loop &loop) {
  llvm::MapVector<std::pair<llvm::Value *, unsigned>,
                  llvm::SmallVector<Reduction *, 2>>
      updates;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      if (Reduction *update = asReduction(instruction);
          update && loop.isLoopInvariant(update->getPointerOperand()))
        updates[{update->getPointerOperand(), update->getOperation()}]
            .push_back(update);
  std::vector<llvm::SmallVector<Reduction *, 2>> result;
  for (auto &[key, found] : updates) {
    const llvm::Value *variable =
        llvm::getUnderlyingObject(key.first, /*MaxLookup=*/0);
    bool isSeen = llvm::any_of(loop.blocks(), [&](llvm::BasicBlock *block) {
      return llvm::any_of(*block, [&](llvm::Instruction &instruction) {
        return maySee(instruction, variable);
      });
    });
    if (!isSeen)
      result.push_back(found);
  }
  return result;
}

/// Does `updates`, of one variable, behind the loop. Returns what they combine
/// with in the loop.
static llvm::AllocaInst *moveBehind(const llvm::Loop &loop,
                                    llvm::ArrayRef<Reduction *> updates) {
  Reduction &first = *updates.front();
  llvm::Function &function = *first.getFunction();
  llvm::IRBuilder<> builder(&function.front(), function.front().begin());
  llvm::AllocaInst *own = builder.CreateAlloca(first.getType());
  builder.SetInsertPoint(loop.getLoopPreheader()->getTerminator());
  builder.CreateStore(identityOf(first), own);
  llvm::SmallVector<llvm::BasicBlock *> exits;
  loop.getUniqueExitBlocks(exits);
  for (llvm::BasicBlock *exit : exits) {
    builder.SetInsertPoint(exit, exit->getFirstInsertionPt());
    builder.SetCurrentDebugLocation(first.getDebugLoc());
    builder.CreateAtomicRMW(first.getOperation(), first.getPointerOperand(),
                            builder.CreateLoad(first.getType(), own),
                            first.getAlign(), first.getOrdering(),
                            first.getSyncScopeID());
  }
  for (Reduction *update : updates) {
    builder.SetInsertPoint(update);
    builder.CreateStore(
        combine(builder, *update, builder.CreateLoad(update->getType(), own)),
        own);
    update->eraseFromParent();
  }
  return own;
}

void cilk2chan::updateBehindLoops(llvm::Function &function) {
  if (function.isDeclaration())
    return;
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::SmallVector<llvm::AllocaInst *> owns;
  // Inner loops first: what follows them is in the outer ones.
  llvm::SmallVector<llvm::Loop *> order = loops.getLoopsInPreorder();
  for (llvm::Loop *loop : llvm::reverse(order)) {
    if (updatesIn(*loop).empty())
      continue;
    if (!loop->getLoopPreheader() &&
        !llvm::InsertPreheaderForLoop(loop, &dominators, &loops, nullptr,
                                      /*PreserveLCSSA=*/false))
      continue;
    llvm::formDedicatedExitBlocks(loop, &dominators, &loops, nullptr,
                                  /*PreserveLCSSA=*/false);
    if (!loop->hasDedicatedExits())
      continue;
    for (llvm::ArrayRef<Reduction *> updates : updatesIn(*loop))
      owns.push_back(moveBehind(*loop, updates));
  }
  if (!owns.empty())
    llvm::PromoteMemToReg(owns, dominators);
}
