//===- InsertSplits.cpp - Copy tokens to more nodes than a unit reaches ---===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The result of a unit leaves it by a few ports (MICRO'15 section 3.5). Where
// more nodes need it, split nodes pass it on:
//
//   %t = initiate                         %t = initiate
//   five nodes use %t               ->    %s = split %t
//                                         three nodes use %t, and two use %s
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/Passes.h"

#include "mlir/IR/Builders.h"

namespace cilk2chan {
#define GEN_PASS_DEF_VGIWINSERTSPLITS
#include "cilk2chan/Dialect/VGIW/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {
struct VGIWInsertSplits
    : public cilk2chan::impl::VGIWInsertSplitsBase<VGIWInsertSplits> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

/// Builds a tree of splits whose inner nodes all reach `fanout` nodes, so that
/// there are as few as possible.
static void split(Value source, unsigned fanout) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : source.getUses()) {
    // Where an edge back leads is no token.
    auto back = dyn_cast<vgiw::BackOp>(use.getOwner());
    if (!back || &use != &back.getMergeMutable())
      uses.push_back(&use);
  }
  if (uses.size() <= fanout)
    return;
  // In program order, so that a split serves what is close together.
  llvm::sort(uses, [](OpOperand *a, OpOperand *b) {
    if (a->getOwner() != b->getOwner())
      return a->getOwner()->isBeforeInBlock(b->getOwner());
    return a->getOperandNumber() < b->getOperandNumber();
  });
  OpBuilder builder(source.getContext());
  builder.setInsertionPointAfterValue(source);
  while (uses.size() > fanout) {
    SmallVector<OpOperand *> fewer;
    unsigned surplus = uses.size() - fanout;
    for (unsigned i = 0; i < uses.size();) {
      unsigned count =
          std::min<unsigned>({fanout, surplus + 1, unsigned(uses.size()) - i});
      if (count < 2) {
        fewer.push_back(uses[i++]);
        continue;
      }
      auto copy = vgiw::SplitOp::create(builder, source.getLoc(),
                                        source.getType(), source);
      for (OpOperand *use : ArrayRef(uses).slice(i, count))
        use->set(copy);
      fewer.push_back(&copy->getOpOperand(0));
      // The copies of copies come first.
      builder.setInsertionPoint(copy);
      surplus -= count - 1;
      i += count;
    }
    uses = std::move(fewer);
  }
}

void VGIWInsertSplits::runOnOperation() {
  vgiw::KernelOp kernel = getOperation();
  if (kernel.getStage() != vgiw::Stage::Fitted || fanout < 2) {
    if (fanout < 2)
      kernel.emitError("cannot reach more nodes by splits that reach ")
          << unsigned(fanout);
    else
      kernel.emitError("is in stage '")
          << vgiw::stringifyStage(kernel.getStage()) << "', not in 'fitted'";
    return signalPassFailure();
  }
  for (Block &block : kernel.getBody()) {
    SmallVector<Value> sources;
    for (Operation &op : block)
      if (isa<vgiw::NodeOpInterface>(op) && op.getNumResults())
        sources.push_back(op.getResult(0));
    for (Value source : sources)
      split(source, fanout);
  }
}
