//===- InsertJoins.cpp - Join tokens of nodes that wait for many ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A node's token buffer has room for three tokens (MICRO'15 section 3.5). Where
// a node waits for more, this pass joins some of them first. It also lets every
// node lead to the terminator, and nodes that wait for nothing wait for the
// thread:
//
//   %a = store ...                        %a = store ...
//   %b, %c, %d, %e: as %a                 %b, %c, %d, %e: as %a
//   exit after %a, %b, %c, %d, %e   ->    %j = join %a after %b, %c
//                                         exit after %j, %d, %e
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/Passes.h"

#include "mlir/IR/Builders.h"

namespace cilk2chan {
#define GEN_PASS_DEF_VGIWINSERTJOINS
#include "cilk2chan/Dialect/VGIW/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {
struct VGIWInsertJoins
    : public cilk2chan::impl::VGIWInsertJoinsBase<VGIWInsertJoins> {
  void runOnOperation() override;
};
} // namespace

static vgiw::InitiateOp getThread(Block &block) {
  auto found = block.getOps<vgiw::InitiateOp>();
  if (!found.empty()) {
    (*found.begin())->moveBefore(&block.front());
    return *found.begin();
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  return vgiw::InitiateOp::create(builder, block.front().getLoc());
}

/// A node that would wait for nothing waits for the thread.
static void addTriggers(Block &block, Value thread) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isa<vgiw::NodeOpInterface>(op) || isa<vgiw::InitiateOp>(op) ||
        !vgiw::tokenOperands(&op).empty())
      continue;
    if (auto load = dyn_cast<vgiw::LiveLoadOp>(op)) {
      load.getThreadMutable().assign(thread);
    } else if (auto compute = dyn_cast<vgiw::ComputeOp>(op)) {
      OpBuilder builder(compute);
      Value first = compute.getOperands()[0];
      compute->setOperand(0,
                          vgiw::JoinOp::create(builder, op.getLoc(),
                                               first.getType(), first, thread));
    } else {
      vgiw::addAfter(&op, thread);
    }
  }
}

/// Reduces tokens to at most `limit`, by joins of three.
static SmallVector<Value> joinTokens(OpBuilder &builder, Location loc,
                                     SmallVector<Value> tokens,
                                     unsigned limit) {
  while (tokens.size() > limit) {
    SmallVector<Value> fewer;
    unsigned surplus = tokens.size() - limit;
    unsigned i = 0;
    while (i < tokens.size()) {
      unsigned count = std::min<unsigned>(
          {vgiw::MaxTokens, surplus + 1, unsigned(tokens.size()) - i});
      if (count < 2) {
        fewer.push_back(tokens[i++]);
        continue;
      }
      // Never the value of a load that is far away where a token will do.
      auto group = ArrayRef(tokens).slice(i, count);
      fewer.push_back(vgiw::JoinOp::create(builder, loc, group[0].getType(),
                                           group[0], group.drop_front()));
      surplus -= count - 1;
      i += count;
    }
    tokens = std::move(fewer);
  }
  return tokens;
}

/// Brings a node's tokens down to what an entry of a token buffer holds.
static void joinOperands(Operation *node) {
  SmallVector<OpOperand *> tokens = vgiw::tokenOperands(node);
  if (tokens.size() <= vgiw::MaxTokens)
    return;
  MutableOperandRange after =
      cast<vgiw::OrderedOpInterface>(node).getAfterMutable();
  unsigned own = tokens.size() - after.size();
  OpBuilder builder(node);
  SmallVector<Value> waits;
  for (OpOperand &operand : after)
    waits.push_back(operand.get());
  if (own < vgiw::MaxTokens) {
    after.assign(
        joinTokens(builder, node->getLoc(), waits, vgiw::MaxTokens - own));
    return;
  }
  // All places are taken by words: one of them comes through a join.
  SmallVector<Value> few =
      joinTokens(builder, node->getLoc(), waits, vgiw::MaxTokens - 1);
  after.assign(ValueRange());
  OpOperand *first = vgiw::tokenOperands(node).front();
  first->set(vgiw::JoinOp::create(builder, node->getLoc(),
                                  first->get().getType(), first->get(), few));
}

void VGIWInsertJoins::runOnOperation() {
  vgiw::KernelOp kernel = getOperation();
  if (kernel.getStage() != vgiw::Stage::Live) {
    kernel.emitError("is in stage '")
        << vgiw::stringifyStage(kernel.getStage()) << "', not in 'live'";
    return signalPassFailure();
  }
  for (Block &block : kernel.getBody()) {
    if (vgiw::isMarker(block))
      continue;
    Value thread = getThread(block);
    SmallVector<Value> ends;
    for (Operation &op : block)
      if (isa<vgiw::NodeOpInterface>(op) && op.getNumResults() &&
          op.use_empty() && op.getResult(0) != thread)
        ends.push_back(op.getResult(0));
    vgiw::addAfter(block.getTerminator(), ends);
    addTriggers(block, thread);
    for (Operation &op : llvm::make_early_inc_range(block))
      if (isa<vgiw::NodeOpInterface>(op))
        joinOperands(&op);
  }
  kernel.setStage(vgiw::Stage::Fitted);
}
