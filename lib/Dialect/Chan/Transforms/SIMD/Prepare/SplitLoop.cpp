//===- SplitLoop.cpp - A kernel's loop as a kernel of its own -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As kernels are split at syncs, so is this one at an edge that each iteration
// comes along: what control reaches from the beginning without it is the first
// kernel, what it reaches from there on the second.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Prepare/SplitLoop.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"

#include "cilk2chan/Support/PromoteObjects.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cilk2chan;

namespace {

/// Where iterations begin: `target`, along edges from `sources`.
struct Cut {
  Block *target = nullptr;
  SmallVector<Block *> sources;
};

class Splitter {
public:
  Splitter(chan::KernelOp kernel, const TypeLayout &layout)
      : kernel(kernel), layout(layout) {}
  SplitLoop split();

private:
  std::string findCut();
  std::string findValues();
  OwningOpRef<chan::KernelOp> copy(StringRef suffix, IRMapping &mapping);
  Block *redirect(const IRMapping &mapping, Location loc);
  void finish(chan::KernelOp part);
  OwningOpRef<chan::KernelOp> makeEnter();
  OwningOpRef<chan::KernelOp> makeIterate();

  chan::KernelOp kernel;
  const TypeLayout &layout;
  Cut cut;
  /// What an iteration needs from before, besides the arguments of the target:
  /// what it has to be given, and what is the same in all kernels.
  SmallVector<Value> live, common;
};

} // namespace

static bool spawns(const CFGLoop &loop) {
  return llvm::any_of(loop.getBlocks(), [](Block *block) {
    return !block->getOps<chan::TallocOp>().empty();
  });
}

/// If a loop begins with asking whether there is another iteration, the edge is
/// that behind the question: who has none is not requeued. No target is found
/// where nothing spawns in a loop.
std::string Splitter::findCut() {
  Region &body = kernel.getBody();
  if (body.hasOneBlock())
    return {};
  DominanceInfo dominance(kernel);
  CFGLoopInfo loops(dominance.getDomTree(&body));
  CFGLoop *found = nullptr;
  for (CFGLoop *loop : loops.getTopLevelLoops()) {
    if (!spawns(*loop))
      continue;
    if (found)
      return "it has several loops that spawn";
    found = loop;
  }
  if (!found)
    return {};
  if (llvm::any_of(found->getSubLoops(),
                   [](CFGLoop *loop) { return spawns(*loop); }))
    return "a loop in its loop spawns";
  Block *header = found->getHeader();
  SmallVector<Block *> inside;
  bool exits = false;
  for (Block *next : header->getSuccessors())
    if (found->contains(next))
      inside.push_back(next);
    else
      exits = true;
  if (exits && inside.size() == 1 && inside[0] != header) {
    cut = {inside[0], {header}};
  } else {
    cut.target = header;
    llvm::append_range(cut.sources, header->getPredecessors());
  }
  return {};
}

/// What lives in memory of the activation's own would have to move.
std::string Splitter::findValues() {
  Block &entry = kernel.getBody().front();
  std::string obstacle;
  kernel.getBody().walk([&](Operation *op) {
    if (isa<LLVM::AllocaOp, chan::LocalOp>(op))
      obstacle = "it has objects in memory";
    if (isa<chan::GetOp, chan::TfreeOp>(op) && op->getBlock() != &entry)
      obstacle = "it reads its element late";
  });
  if (!obstacle.empty())
    return obstacle;
  Liveness liveness(kernel);
  auto isCarried = [](Type type) {
    return type.isInteger(1) || hasVectorsInMemory(type);
  };
  auto stack = SymbolTable::lookupNearestSymbolFrom<chan::StackOp>(
      kernel, kernel.getConsumesAttr());
  auto isThere = [&](Value value) {
    Operation *op = value.getDefiningOp();
    auto get = dyn_cast_or_null<chan::GetOp>(op);
    return op &&
           (isMadeOfNothing(op) || (get && stack.isUniform(get.getField())));
  };
  // In the order of the code: that of sets of values is another in each run.
  auto consider = [&](Value value) {
    if (!liveness.getLiveIn(cut.target).contains(value))
      return;
    if (!isThere(value) && !isCarried(value.getType()))
      obstacle = "its loop needs what does not fit a lane";
    (isThere(value) ? common : live).push_back(value);
  };
  for (Block &block : kernel.getBody()) {
    for (Value argument : block.getArguments())
      consider(argument);
    for (Operation &op : block)
      for (Value result : op.getResults())
        consider(result);
  }
  for (Value argument : cut.target->getArguments())
    if (!isCarried(argument.getType()))
      obstacle = "its loop needs what does not fit a lane";
  return obstacle;
}

OwningOpRef<chan::KernelOp> Splitter::copy(StringRef suffix,
                                           IRMapping &mapping) {
  auto part = cast<chan::KernelOp>(kernel->clone(mapping));
  part.setSymName((kernel.getSymName() + suffix).str());
  return part;
}

/// Has the cut edges of a copy lead to a new block, with the target's
/// arguments.
Block *Splitter::redirect(const IRMapping &mapping, Location loc) {
  Block *target = mapping.lookup(cut.target);
  auto *requeue = new Block;
  requeue->insertAfter(&target->getParent()->back());
  for (Value argument : target->getArguments())
    requeue->addArgument(argument.getType(), loc);
  for (Block *source : cut.sources) {
    Operation *branch = mapping.lookup(source)->getTerminator();
    for (auto [i, next] : llvm::enumerate(branch->getSuccessors()))
      if (next == target)
        branch->setSuccessor(requeue, i);
  }
  return requeue;
}

/// Removes what is not reached, and declares the edges that are left.
void Splitter::finish(chan::KernelOp part) {
  IRRewriter rewriter(part.getContext());
  (void)eraseUnreachableBlocks(rewriter, part.getBody());
  bool still = false;
  part.getBody().walk([&](chan::TallocOp) { still = true; });
  if (!still) {
    part.setProducesAttr(rewriter.getArrayAttr({}));
    part.setLevelsAttr(rewriter.getArrayAttr({}));
  }
}

OwningOpRef<chan::KernelOp> Splitter::makeEnter() {
  Location loc = kernel.getLoc();
  IRMapping mapping;
  auto part = copy(".enter", mapping);
  Block *requeue = redirect(mapping, loc);
  auto builder = OpBuilder::atBlockEnd(requeue);
  SmallVector<Value> values(requeue->getArguments());
  for (Value value : live)
    values.push_back(mapping.lookup(value));
  chan::RequeueOp::create(builder, loc, values, /*mask=*/Value());
  chan::DoneOp::create(builder, loc);
  finish(*part);
  return part;
}

/// What is live was there before, and may be there anew when an iteration has
/// come to the end of it: such values are kept in variables, which then become
/// values again.
OwningOpRef<chan::KernelOp> Splitter::makeIterate() {
  Location loc = kernel.getLoc();
  IRMapping mapping;
  auto part = copy(".iterate", mapping);
  Block *target = mapping.lookup(cut.target);
  Block *requeue = redirect(mapping, loc);
  Region &body = part->getBody();
  auto deq = cast<chan::DeqOp>(body.front().front());

  OpBuilder builder(part->getContext());
  Block *entry = builder.createBlock(&body, body.begin());
  deq->moveBefore(entry, entry->begin());
  builder.setInsertionPointToEnd(entry);
  SmallVector<Type> types(requeue->getArgumentTypes());
  for (Value value : live)
    types.push_back(value.getType());
  auto resume = chan::ResumeOp::create(builder, loc, types);
  ValueRange resumed = resume.getValues();
  size_t passed = requeue->getNumArguments();

  for (Value value : common) {
    Operation *there = builder.clone(*value.getDefiningOp());
    if (isa<chan::GetOp>(there))
      there->setOperand(0, deq.getElement());
    mapping.lookup(value).replaceAllUsesWith(there->getResult(0));
  }

  // Variables for all: no one value stands for what comes around.
  Value one = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                       builder.getI64IntegerAttr(1));
  Type pointer = LLVM::LLVMPointerType::get(part->getContext());
  SmallVector<LLVM::AllocaOp> variables;
  SmallVector<Value> values(requeue->getArguments());
  for (auto [value, first] : llvm::zip(live, resumed.drop_front(passed))) {
    Value known = mapping.lookup(value);
    auto variable =
        LLVM::AllocaOp::create(builder, loc, pointer, known.getType(), one);
    variables.push_back(variable);
    for (OpOperand &use : llvm::make_early_inc_range(known.getUses())) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(use.getOwner());
      use.set(LLVM::LoadOp::create(builder, loc, known.getType(), variable));
    }
    LLVM::StoreOp::create(builder, loc, first, variable);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(known);
    LLVM::StoreOp::create(builder, loc, known, variable);
    builder.setInsertionPointToEnd(requeue);
    values.push_back(
        LLVM::LoadOp::create(builder, loc, known.getType(), variable));
  }
  chan::TfreeOp::create(builder, loc, deq.getElement());
  LLVM::BrOp::create(builder, loc, resumed.take_front(passed), target);
  builder.setInsertionPointToEnd(requeue);
  chan::RequeueOp::create(builder, loc, values, /*mask=*/Value());
  chan::DoneOp::create(builder, loc);
  finish(*part);
  (void)promoteObjects(variables, *part, builder, layout);
  return part;
}

SplitLoop Splitter::split() {
  SplitLoop result;
  result.obstacle = findCut();
  if (!cut.target)
    return result;
  result.obstacle = findValues();
  if (!result.obstacle.empty())
    return result;
  result.enter = makeEnter();
  result.iterate = makeIterate();
  auto builder = OpBuilder::atBlockBegin(cut.target);
  chan::TripOp::create(builder, kernel.getLoc(), /*mask=*/Value());
  return result;
}

SplitLoop cilk2chan::splitLoop(chan::KernelOp kernel,
                               const TypeLayout &layout) {
  return Splitter(kernel, layout).split();
}
