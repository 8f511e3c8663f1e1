//===- KernelFinishing.cpp - What a kernel gets when it is whole ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves the allocation of the frame to where it is first needed, so that base
// cases have none, and declares the edges:
//
//   %f = chan.frame 16                   llvm.cond_br %base, ^b, ^r
//   llvm.cond_br %base, ^b, ^r      => ^b: chan.deliver ...; chan.done
// ^b: chan.deliver ...; chan.done      ^r: %f = chan.frame 16 ...
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"

#include "mlir/IR/Dominance.h"

using namespace mlir;
using namespace cilk2chan;

using Special = FrameLayout::Special;

/// Moves the allocation of the frame from the entry to where it is first
/// needed, so that paths that never suspend go without.
void KernelBuilder::sinkFrame() {
  Operation *allocation = frame.getDefiningOp();
  llvm::SmallPtrSet<Operation *, 8> freeing(frees.begin(), frees.end());
  SmallVector<Operation *> users;
  for (Operation *user : frame.getUsers())
    if (!freeing.contains(user))
      users.push_back(user);

  // From the last to the first: a user goes before what it uses.
  auto eraseFrees = [&](function_ref<bool(Block *)> which) {
    for (Operation *op : llvm::reverse(frees))
      if (which(op->getBlock()))
        op->erase();
  };
  if (users.empty()) {
    eraseFrees([](Block *) { return true; });
    allocation->erase();
    frame = {};
    return;
  }

  DominanceInfo dominance(kernel);
  auto reachableFrom = [](Block *block) {
    llvm::SetVector<Block *> reached(block->succ_begin(), block->succ_end());
    for (unsigned i = 0; i < reached.size(); ++i)
      reached.insert(reached[i]->succ_begin(), reached[i]->succ_end());
    return reached;
  };
  Block *home = users.front()->getBlock();
  for (Operation *user : users)
    home = dominance.findNearestCommonDominator(home, user->getBlock());
  // The frame is allocated once, and a return knows whether it was.
  while (true) {
    auto reached = reachableFrom(home);
    bool ok =
        !reached.contains(home) && llvm::none_of(frees, [&](Operation *op) {
          return reached.contains(op->getBlock()) &&
                 !dominance.dominates(home, op->getBlock());
        });
    if (ok)
      break;
    home = dominance.getNode(home)->getIDom()->getBlock();
  }

  Operation *before = home->getTerminator();
  for (Operation *user : users)
    if (user->getBlock() == home && user->isBeforeInBlock(before))
      before = user;
  // Nothing is allocated while an element is being filled.
  if (auto set = dyn_cast<chan::SetOp>(before))
    before = set.getElement().getDefiningOp();
  allocation->moveBefore(before);
  eraseFrees([&](Block *block) { return !dominance.dominates(home, block); });

  builder.setInsertionPointAfter(allocation);
  Location loc = allocation->getLoc();
  for (Special arena : {Special::Arena, Special::Objects})
    if (layout.has(arena))
      LLVM::StoreOp::create(builder, loc, null(loc),
                            layout.address(builder, loc, frame, arena));
  if (layout.has(Special::Pending)) {
    auto words = LLVM::LLVMArrayType::get(pointer, abi::pendingWords);
    Value zero = LLVM::ZeroOp::create(builder, loc, words);
    LLVM::StoreOp::create(
        builder, loc, zero,
        layout.address(builder, loc, frame, Special::Pending));
  }
}

void KernelBuilder::declareEdges() {
  llvm::SetVector<std::pair<Attribute, Attribute>> edges;
  kernel.walk([&](chan::TallocOp op) {
    edges.insert({op.getElement().getType().getStack(), op.getLevelAttr()});
  });
  SmallVector<Attribute> stackList, levels;
  for (auto [stack, level] : edges) {
    stackList.push_back(stack);
    levels.push_back(level);
  }
  kernel.setProducesAttr(builder.getArrayAttr(stackList));
  kernel.setLevelsAttr(builder.getArrayAttr(levels));
}
