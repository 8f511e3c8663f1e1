//===- MemoryOrder.cpp - What must follow what in memory ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only operations of one thread in one block are ordered: a block ends when all
// its operations are done, and threads are independent (MICRO'15 section 3.5).
//
//===----------------------------------------------------------------------===//

#include "MemoryOrder.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2chan;

bool cilk2chan::isMemoryOperation(const Instruction &instruction) {
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    if (call->isAssumeLikeIntrinsic())
      return false;
  return instruction.mayReadOrWriteMemory();
}

/// Fences, and accesses that others must see in order.
static bool isOrdered(const Instruction &instruction) {
  return isa<FenceInst>(instruction) || instruction.isVolatile() ||
         (instruction.isAtomic() && !isa<CallBase>(instruction) && [&] {
           if (auto *load = dyn_cast<LoadInst>(&instruction))
             return isStrongerThanMonotonic(load->getOrdering());
           if (auto *store = dyn_cast<StoreInst>(&instruction))
             return isStrongerThanMonotonic(store->getOrdering());
           if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
             return isStrongerThanMonotonic(update->getOrdering());
           return true;
         }());
}

static bool mustFollow(Instruction &later, Instruction &earlier,
                       BatchAAResults &aliases) {
  if (isOrdered(later) || isOrdered(earlier))
    return true;
  if (!later.mayWriteToMemory() && !earlier.mayWriteToMemory())
    return false;
  if (auto *call = dyn_cast<CallBase>(&later))
    return isModOrRefSet(aliases.getModRefInfo(&earlier, call));
  if (auto *call = dyn_cast<CallBase>(&earlier))
    return isModOrRefSet(aliases.getModRefInfo(&later, call));
  return aliases.alias(MemoryLocation::get(&later),
                       MemoryLocation::get(&earlier)) != AliasResult::NoAlias;
}

MemoryOrder cilk2chan::findMemoryOrder(BasicBlock &block,
                                       BatchAAResults &aliases) {
  SmallVector<Instruction *> operations;
  // What each instruction of the block follows, by operands or by order.
  DenseMap<const Instruction *, BitVector> follows;
  MemoryOrder order;
  for (Instruction &instruction : block) {
    BitVector known(operations.size() + 1);
    auto include = [&](const BitVector &bits) {
      if (bits.size() > known.size())
        known.resize(bits.size());
      known |= bits;
    };
    if (!isa<PHINode>(instruction))
      for (Value *operand : instruction.operands())
        if (auto *definition = dyn_cast<Instruction>(operand))
          if (auto found = follows.find(definition); found != follows.end())
            include(found->second);
    if (isMemoryOperation(instruction)) {
      SmallVector<const Instruction *, 4> earlier;
      for (unsigned i = operations.size(); i-- > 0;) {
        if (known.test(i) || !mustFollow(instruction, *operations[i], aliases))
          continue;
        earlier.push_back(operations[i]);
        include(follows[operations[i]]);
      }
      std::reverse(earlier.begin(), earlier.end());
      known.resize(operations.size() + 1);
      known.set(operations.size());
      operations.push_back(&instruction);
      order[&instruction] = std::move(earlier);
    }
    follows[&instruction] = std::move(known);
  }
  return order;
}
