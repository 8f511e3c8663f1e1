//===- ScheduleBlocks.cpp - The order in which blocks are to run ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block's position is its ID, and the machine runs the block with the
// smallest ID that has threads (MICRO'15 section 3.1). This pass puts the
// blocks of a loop together, and what follows the loop after them. So threads
// that leave the loop early wait for the others:
//
//   ^entry, ^exit, ^header, ^body   ->    ^entry, ^header, ^body, ^exit
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/Passes.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"

namespace cilk2chan {
#define GEN_PASS_DEF_VGIWSCHEDULEBLOCKS
#include "cilk2chan/Dialect/VGIW/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {
struct VGIWScheduleBlocks
    : public cilk2chan::impl::VGIWScheduleBlocksBase<VGIWScheduleBlocks> {
  void runOnOperation() override;
};
} // namespace

/// Appends the blocks of `loop` (of the whole kernel if null) in reverse
/// postorder, each loop inside as a whole where its header stands.
static void appendBlocks(ArrayRef<Block *> order, CFGLoopInfo &loops,
                         CFGLoop *loop, SmallVectorImpl<Block *> &result) {
  for (Block *block : order) {
    CFGLoop *inner = loops.getLoopFor(block);
    if (inner == loop) {
      result.push_back(block);
      continue;
    }
    // The loop directly inside this one that the block is in, if any.
    while (inner && inner->getParentLoop() != loop)
      inner = inner->getParentLoop();
    if (inner && inner->getHeader() == block)
      appendBlocks(order, loops, inner, result);
  }
}

void VGIWScheduleBlocks::runOnOperation() {
  Region &body = getOperation().getBody();
  if (body.hasOneBlock())
    return;
  DominanceInfo dominance;
  CFGLoopInfo loops(dominance.getDomTree(&body));
  llvm::ReversePostOrderTraversal<Block *> traversal(&body.front());
  SmallVector<Block *> order(traversal.begin(), traversal.end());
  SmallVector<Block *> schedule;
  appendBlocks(order, loops, nullptr, schedule);
  auto markers = llvm::make_filter_range(
      schedule, [](Block *block) { return vgiw::isMarker(*block); });
  SmallVector<Block *> last(markers.begin(), markers.end());
  llvm::erase_if(schedule, [](Block *block) { return vgiw::isMarker(*block); });
  schedule.append(last);
  for (auto [before, block] : llvm::zip(schedule, llvm::drop_begin(schedule)))
    block->moveBefore(&body, std::next(before->getIterator()));
  // What no thread reaches.
  SmallVector<Block *> unreachable;
  for (Block &block :
       llvm::make_range(std::next(schedule.back()->getIterator()), body.end()))
    unreachable.push_back(&block);
  for (Block *block : unreachable)
    block->dropAllReferences();
  for (Block *block : unreachable) {
    block->dropAllDefinedValueUses();
    block->erase();
  }
}
