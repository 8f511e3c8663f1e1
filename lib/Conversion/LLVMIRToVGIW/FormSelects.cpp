//===- FormSelects.cpp - Branches become choices of values ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If-conversion. A block that a branch may lead to is done by all threads, as a
// part of the block before it, and what differs is selected:
//
//   if without else   head -> arm -> join, head -> join
//   if with else      head -> arm -> join, head -> other arm -> join
//   && and ||         head -> test -> {join, elsewhere}, head -> join
//
// The cost of a block to a thread is what fires for it: the block's own nodes,
// its initiator and terminator, and a live value access for each value that
// comes from other blocks or goes to them. What is done in half of all cases is
// taken to be. A branch is converted if all fires no more often afterwards:
// then there are fewer configurations as well, and longer blocks fill the
// fabric better than short ones, of which it holds only so many replicas.
//
// A load of an arm is done by all threads, too, if there is an address from
// which those may load that would not have come there: one that the head has
// accessed and that is as large. Never done for all are stores, and what
// special compute units do: they are few and slow (MICRO'15 section 3.5).
//
// LLVM's SimplifyCFG has the same rewrites, but its costs are instructions of a
// processor whose branches are nearly free.
//
//===----------------------------------------------------------------------===//

#include "FormSelects.h"
#include "MemoryOrder.h"
#include "Opcodes.h"
#include "RegisterAccesses.h"
#include "cilk2chan/Conversion/Tuning.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace cilk2chan;

namespace {

/// A branch to convert: `arms` become parts of `head`.
struct Candidate {
  BasicBlock *head = nullptr;
  SmallVector<BasicBlock *, 2> arms;
  /// Where control meets again.
  BasicBlock *join = nullptr;
  /// Of && and ||: the other way out of the arm.
  BasicBlock *elsewhere = nullptr;

  BranchInst *branch() const { return cast<BranchInst>(head->getTerminator()); }
  /// Whether the join is reached from here alone, and so becomes a part too.
  bool takesJoin() const {
    return !elsewhere && all_of(predecessors(join), [&](BasicBlock *from) {
      return from == head || is_contained(arms, from);
    });
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

/// Whether the value is no token, or is made again rather than carried.
static bool isCheap(const Value *value, bool inner = false) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return true;
  return !inner && !isa<PHINode>(instruction) &&
         !instruction->mayReadOrWriteMemory() &&
         all_of(instruction->operands(),
                [](const Use &operand) { return isCheap(operand, true); });
}

/// What fires for a thread in `blocks`, were they one block. `selects` are
/// there in addition; phis of all but the first block are among them.
static unsigned countFirings(ArrayRef<BasicBlock *> blocks, unsigned selects) {
  SmallSetVector<const Value *, 16> loaded;
  unsigned firings = 2 + selects;
  auto isInside = [&](const Instruction *instruction) {
    return is_contained(blocks, instruction->getParent());
  };
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block) {
      firings += countNodes(instruction);
      bool isPhi = isa<PHINode>(instruction);
      if (isPhi && block == blocks.front()) {
        loaded.insert(&instruction);
      } else {
        for (Value *operand : instruction.operands())
          if (auto *source = dyn_cast<Instruction>(operand);
              source && !isCheap(source) && !isInside(source))
            loaded.insert(source);
      }
      // A store for each value that others use, and for each of their phis.
      firings += !isCheap(&instruction) &&
                 any_of(instruction.users(), [&](User *user) {
                   auto *by = cast<Instruction>(user);
                   return !isInside(by) && !isa<PHINode>(by);
                 });
    }
  SmallSetVector<const PHINode *, 8> fed;
  for (BasicBlock *block : blocks)
    for (BasicBlock *next : successors(block))
      if (!is_contained(blocks, next) || next == blocks.front())
        for (PHINode &phi : next->phis())
          fed.insert(&phi);
  return firings + loaded.size() + fed.size();
}

/// The load in the head that a thread has the value of at the join where it
/// does not come to `load`, if a load after the head finds the same there. Null
/// if there is none.
static LoadInst *findLoadInstead(const LoadInst &load,
                                 const Candidate &candidate) {
  const BasicBlock *arm = load.getParent();
  BasicBlock *other = candidate.head;
  if (candidate.arms.size() == 2)
    other = candidate.arms[arm == candidate.arms.front()];
  for (PHINode &phi : candidate.join->phis()) {
    if (phi.getIncomingValueForBlock(arm) != &load)
      continue;
    auto *instead = dyn_cast<LoadInst>(phi.getIncomingValueForBlock(other));
    if (instead && instead->getParent() == candidate.head &&
        instead->isSimple() && instead->getType() == load.getType() &&
        instead->getAlign() >= load.getAlign() &&
        std::none_of(std::next(instead->getIterator()), candidate.head->end(),
                     [](const Instruction &later) {
                       return isMemoryOperation(later) &&
                              (later.mayWriteToMemory() || later.isAtomic());
                     }))
      return instead;
  }
  return nullptr;
}

/// Whether the value of one way, loaded there, is the other's as well if the
/// thread goes the other way: its address then is that of the other.
static bool standsForBoth(Value *value, Value *other,
                          const Candidate &candidate) {
  auto *load = dyn_cast<LoadInst>(value);
  return load && is_contained(candidate.arms, load->getParent()) &&
         !isSafeToSpeculativelyExecute(load) &&
         findLoadInstead(*load, candidate) == other;
}

static unsigned countSelects(const Candidate &candidate) {
  unsigned selects = candidate.elsewhere != nullptr; // of conditions
  BasicBlock *first = candidate.arms.front();
  BasicBlock *second =
      candidate.arms.size() == 2 ? candidate.arms.back() : candidate.head;
  for (PHINode &phi : candidate.join->phis()) {
    Value *one = phi.getIncomingValueForBlock(first);
    Value *other = phi.getIncomingValueForBlock(second);
    selects += one != other && !standsForBoth(one, other, candidate) &&
               !standsForBoth(other, one, candidate);
  }
  for (BasicBlock *arm : candidate.arms)
    for (Instruction &instruction : *arm) // of addresses
      selects += isa<LoadInst>(instruction) &&
                 !isSafeToSpeculativelyExecute(&instruction);
  return selects;
}

static bool pays(const Candidate &candidate) {
  unsigned selects = countSelects(candidate);
  SmallVector<BasicBlock *, 4> together = {candidate.head};
  // Twice the expected number.
  unsigned before = 2 * countFirings(candidate.head, 0);
  for (BasicBlock *arm : candidate.arms) {
    before += countFirings(arm, 0);
    together.push_back(arm);
  }
  if (candidate.takesJoin()) {
    before += 2 * countFirings(candidate.join, 0);
    together.push_back(candidate.join);
  }
  unsigned nodes = selects;
  for (BasicBlock *block : together)
    for (Instruction &instruction : *block)
      nodes += countNodes(instruction);
  return nodes <= tuning::mostNodes &&
         2 * countFirings(together, selects) <= before;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// An address from which a thread may load what `load` does, whatever way it
/// goes at the end of `head`: that of the last access there that is large
/// enough, if nothing has been called since, which might free the memory.
static Value *findSafeAddress(const LoadInst &load, BasicBlock &head) {
  const DataLayout &layout = head.getDataLayout();
  TypeSize size = layout.getTypeStoreSize(load.getType());
  for (Instruction &instruction : reverse(head)) {
    if (instruction.isAtomic() ||
        (isa<CallBase>(instruction) && isMemoryOperation(instruction)))
      return nullptr;
    if (isa<LoadInst, StoreInst>(instruction) && !instruction.isVolatile() &&
        getLoadStoreAlignment(&instruction) >= load.getAlign() &&
        layout.getTypeStoreSize(getLoadStoreType(&instruction)) >= size)
      return getLoadStorePointerOperand(&instruction);
  }
  return nullptr;
}

/// Whether all threads that are done with `head` may do what is in the block.
static bool isHarmless(BasicBlock &block, BasicBlock &head) {
  return all_of(block, [&](Instruction &instruction) {
    if (instruction.isTerminator() || isa<NoAliasScopeDeclInst>(instruction))
      return true;
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->isSimple())
      return isSafeToSpeculativelyExecute(load) ||
             findSafeAddress(*load, head) != nullptr;
    if (isa<PHINode>(instruction) || instruction.mayReadOrWriteMemory() ||
        !isSafeToSpeculativelyExecute(&instruction))
      return false;
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    std::optional<vgiw::Opcode> opcode =
        call ? opcodeOf(*call) : opcodeOf(instruction);
    return !opcode || !vgiw::isSpecial(*opcode);
  });
}

static BranchInst *branchOf(BasicBlock *block) {
  return dyn_cast<BranchInst>(block->getTerminator());
}

static std::optional<Candidate> findCandidate(BasicBlock &head) {
  BranchInst *branch = branchOf(&head);
  if (!branch || !branch->isConditional() ||
      branch->getSuccessor(0) == branch->getSuccessor(1))
    return {};
  auto isArm = [&](BasicBlock *block) {
    return block != &head && block->getSinglePredecessor() == &head &&
           branchOf(block) && isHarmless(*block, head);
  };
  for (unsigned side : {0, 1}) {
    BasicBlock *arm = branch->getSuccessor(side);
    BasicBlock *other = branch->getSuccessor(1 - side);
    if (!isArm(arm) || other == &head)
      continue;
    BranchInst *out = branchOf(arm);
    Candidate candidate{&head, {arm}, other};
    if (out->isConditional()) {
      BasicBlock *first = out->getSuccessor(0), *second = out->getSuccessor(1);
      if (first == second || (first != other && second != other))
        continue;
      candidate.elsewhere = first == other ? second : first;
    } else if (out->getSuccessor(0) != other) {
      if (!isArm(other) || !branchOf(other)->isUnconditional() ||
          out->getSuccessor(0) == &head ||
          branchOf(other)->getSuccessor(0) != out->getSuccessor(0))
        continue;
      candidate.arms.push_back(other);
      candidate.join = out->getSuccessor(0);
    }
    if (pays(candidate))
      return candidate;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

static void convert(const Candidate &candidate) {
  BasicBlock *head = candidate.head, *arm = candidate.arms.front();
  BranchInst *branch = candidate.branch();
  BranchInst *out = branchOf(arm);
  Value *condition = branch->getCondition();
  bool ifTrue = branch->getSuccessor(0) == arm;
  IRBuilder<> builder(branch);
  /// One of two values: whether the thread would have come to `part`, or not.
  auto choose = [&](BasicBlock *part, Value *there, Value *elsewhere) {
    if (there == elsewhere)
      return there;
    if (ifTrue != (part == arm))
      std::swap(there, elsewhere);
    Value *chosen = builder.CreateSelect(condition, there, elsewhere);
    markAsMapping(chosen);
    return chosen;
  };
  BasicBlock *second =
      candidate.arms.size() == 2 ? candidate.arms.back() : head;
  // Before anything moves.
  DenseMap<PHINode *, Value *> forBoth;
  DenseMap<LoadInst *, Value *> safeAddresses;
  for (PHINode &phi : candidate.join->phis()) {
    Value *one = phi.getIncomingValueForBlock(arm);
    Value *other = phi.getIncomingValueForBlock(second);
    if (standsForBoth(one, other, candidate))
      forBoth[&phi] = one;
    else if (standsForBoth(other, one, candidate))
      forBoth[&phi] = other;
  }
  for (BasicBlock *part : candidate.arms)
    for (Instruction &instruction : *part)
      if (auto *load = dyn_cast<LoadInst>(&instruction)) {
        LoadInst *instead = findLoadInstead(*load, candidate);
        safeAddresses[load] = instead ? instead->getPointerOperand()
                                      : findSafeAddress(*load, *head);
      }
  for (BasicBlock *part : candidate.arms) {
    for (Instruction &instruction : *part) {
      instruction.dropUBImplyingAttrsAndMetadata();
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (!load || isSafeToSpeculativelyExecute(load))
        continue;
      builder.SetInsertPoint(load);
      load->setOperand(
          LoadInst::getPointerOperandIndex(),
          choose(part, load->getPointerOperand(), safeAddresses.lookup(load)));
    }
    head->splice(branch->getIterator(), part, part->begin(),
                 part->getTerminator()->getIterator());
  }
  builder.SetInsertPoint(branch);
  auto select = [&](Value *inArm, Value *else_) {
    return choose(arm, inArm, else_);
  };
  for (PHINode &phi : candidate.join->phis()) {
    Value *value = forBoth.lookup(&phi);
    if (!value)
      value = select(phi.getIncomingValueForBlock(arm),
                     phi.getIncomingValueForBlock(second));
    phi.setIncomingValueForBlock(second, value);
    phi.replaceIncomingBlockWith(second, head);
    phi.removeIncomingValue(arm, /*DeletePHIIfEmpty=*/false);
  }
  if (candidate.elsewhere) {
    // To the join from the head, or from the arm.
    bool joinsIfTrue = out->getSuccessor(0) == candidate.join;
    Value *chosen = select(out->getCondition(), builder.getInt1(joinsIfTrue));
    candidate.elsewhere->replacePhiUsesWith(arm, head);
    builder.CreateCondBr(chosen, out->getSuccessor(0), out->getSuccessor(1));
  } else {
    builder.CreateBr(candidate.join);
  }
  branch->eraseFromParent();
  for (BasicBlock *part : candidate.arms) {
    part->getTerminator()->eraseFromParent();
    part->eraseFromParent();
  }
  if (!candidate.elsewhere)
    MergeBlockIntoPredecessor(candidate.join);
}

void cilk2chan::formSelects(Function &kernel) {
  // Each conversion removes a block. Begin again after each: others may have
  // become worth it.
  auto convertOne = [&] {
    for (BasicBlock &block : kernel)
      if (std::optional<Candidate> candidate = findCandidate(block)) {
        convert(*candidate);
        return true;
      }
    return false;
  };
  while (convertOne())
    ;
}
