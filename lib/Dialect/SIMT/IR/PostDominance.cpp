//===- PostDominance.cpp - Where ways meet before the end -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's post-dominators count every end of a way. A call of abort() in one arm of
// a branch would then keep the threads of all branches around it apart.
//
// The algorithm is that of Cooper, Harvey and Kennedy, "A simple, fast dominance
// algorithm" (2001), on the reversed graph of the blocks from which an exit can be
// reached. A virtual block stands behind all exits.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/SIMT/SIMT.h"

using namespace mlir;
using namespace cilk2chan::simt;

static bool isEnd(Block &block) {
  auto exit = dyn_cast<ExitOp>(block.getTerminator());
  return exit && !exit.getUnreachable();
}

PostDominance::PostDominance(KernelOp kernel) {
  // The blocks from which an end can be reached, each behind all that it is
  // reached from only through blocks further ahead: a postorder from the ends.
  SmallVector<Block *> order;
  DenseMap<Block *, unsigned> number;
  DenseSet<Block *> seen;
  for (Block &end : kernel.getBody()) {
    if (!isEnd(end))
      continue;
    SmallVector<std::pair<Block *, Block::pred_iterator>> stack;
    auto push = [&](Block *block) {
      if (seen.insert(block).second)
        stack.push_back({block, block->pred_begin()});
    };
    push(&end);
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next == block->pred_end()) {
        number[block] = order.size();
        order.push_back(block);
        stack.pop_back();
        continue;
      }
      push(*next++);
    }
  }

  const unsigned none = order.size() + 1, end = order.size();
  std::vector<unsigned> above(order.size() + 1, none);
  above[end] = end;
  auto meet = [&](unsigned a, unsigned b) {
    while (a != b) {
      while (a < b)
        a = above[a];
      while (b < a)
        b = above[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned index = order.size(); index-- > 0;) {
      Block *block = order[index];
      unsigned found = isEnd(*block) ? end : none;
      for (Block *next : block->getSuccessors()) {
        auto known = number.find(next);
        if (known == number.end() || above[known->second] == none)
          continue;
        found = found == none ? known->second : meet(found, known->second);
      }
      changed |= above[index] != found;
      above[index] = found;
    }
  }
  for (auto [index, block] : llvm::enumerate(order))
    if (above[index] != end && above[index] != none)
      immediates[block] = order[above[index]];
}
