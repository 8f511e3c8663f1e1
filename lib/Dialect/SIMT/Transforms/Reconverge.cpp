//===- Reconverge.cpp - Where the threads of a branch meet again ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/SIMT/Passes.h"

namespace cilk2chan {
#define GEN_PASS_DEF_SIMTRECONVERGE
#include "cilk2chan/Dialect/SIMT/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {
struct SIMTReconverge
    : public cilk2chan::impl::SIMTReconvergeBase<SIMTReconverge> {
  void runOnOperation() override;
};
} // namespace

/// Whether the block needs what other lanes have computed before it.
static bool readsLanes(Block &block) {
  return llvm::any_of(block.getOps<simt::InstOp>(), [](simt::InstOp inst) {
    return inst.getOpcode().starts_with("read_lane.");
  });
}

void SIMTReconverge::runOnOperation() {
  simt::KernelOp kernel = getOperation();
  simt::PostDominance postDominance(kernel);
  DenseMap<Block *, unsigned> position;
  for (auto [index, block] : llvm::enumerate(kernel.getBody()))
    position[&block] = index;
  for (Block &block : kernel.getBody()) {
    auto branch = dyn_cast<simt::CondBraOp>(block.getTerminator());
    if (!branch)
      continue;
    Block *meeting = postDominance.immediate(&block);
    if (branch.getUniform() || !meeting)
      branch.removeReconvergeAttr();
    else
      branch.setReconverge(position[meeting]);
    branch.setWait(branch.getReconverge() && readsLanes(*meeting));
  }
}
