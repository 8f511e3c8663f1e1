//===- Polls.cpp - Where a kernel goes on beside its children -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/ChanToHost/SerialClones/Polls.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace cilk2chan;

/// Whether a call may take long.  Intrinsics are operations of their own or
/// short, and so is what has no effect at all.
static bool mayTakeLong(Operation &op) {
  auto call = dyn_cast<LLVM::CallOp>(op);
  if (!call)
    return false;
  auto effects = call.getMemoryEffectsAttr();
  return !(effects && effects.getOther() == LLVM::ModRefInfo::NoModRef &&
           effects.getArgMem() == LLVM::ModRefInfo::NoModRef &&
           effects.getInaccessibleMem() == LLVM::ModRefInfo::NoModRef);
}

namespace {
class PollFinder {
public:
  PollFinder(Region &body, function_ref<bool(Operation &)> enqueuesChild)
      : body(body), enqueuesChild(enqueuesChild) {}

  SmallVector<Operation *> find();

private:
  void findReached();
  void addCalls(Block &block);
  void addLoops(ArrayRef<CFGLoop *> loops);

  Region &body;
  function_ref<bool(Operation &)> enqueuesChild;
  DominanceInfo dominance;
  /// Blocks that enqueue a child, and those that begin with one enqueued.
  llvm::SmallPtrSet<Block *, 8> enqueuing, reached;
  llvm::SetVector<Operation *> places;
};
} // namespace

void PollFinder::findReached() {
  SmallVector<Block *> left;
  for (Block &block : body)
    if (llvm::any_of(block, enqueuesChild)) {
      enqueuing.insert(&block);
      left.push_back(&block);
    }
  while (!left.empty())
    for (Block *next : left.pop_back_val()->getSuccessors())
      if (reached.insert(next).second)
        left.push_back(next);
}

void PollFinder::addCalls(Block &block) {
  bool enqueued = reached.contains(&block);
  for (Operation &op : block) {
    enqueued |= enqueuesChild(op);
    if (enqueued && mayTakeLong(op))
      places.insert(&op);
  }
}

void PollFinder::addLoops(ArrayRef<CFGLoop *> loops) {
  for (CFGLoop *loop : loops) {
    if (llvm::any_of(loop->getBlocks(),
                     [&](Block *block) { return enqueuing.contains(block); })) {
      addLoops(loop->getSubLoops());
      continue;
    }
    for (Block *from : loop->getHeader()->getPredecessors())
      if (!loop->contains(from) &&
          (reached.contains(from) || enqueuing.contains(from)))
        places.insert(from->getTerminator());
  }
}

SmallVector<Operation *> PollFinder::find() {
  findReached();
  for (Block &block : body)
    addCalls(block);
  if (!body.hasOneBlock() && !enqueuing.empty()) {
    CFGLoopInfo loops(dominance.getDomTree(&body));
    addLoops(loops.getTopLevelLoops());
  }
  return places.takeVector();
}

SmallVector<Operation *>
cilk2chan::findPolls(Region &body,
                     function_ref<bool(Operation &)> enqueuesChild) {
  return PollFinder(body, enqueuesChild).find();
}

SmallVector<Operation *> cilk2chan::findPolls(chan::KernelOp kernel) {
  return findPolls(kernel.getBody(), [](Operation &op) {
    auto enq = dyn_cast<chan::EnqOp>(op);
    return enq &&
           enq.getElement().getDefiningOp<chan::TallocOp>().getLevel() == 1;
  });
}
