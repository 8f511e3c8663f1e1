//===- GraphPreparation.cpp - Control flow that is fit for one graph --------- ===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings the control flow of a kernel into a form of which one graph can be made:
//
//   ^a: ...; exit                 ^a: ...; branch ^end
//   ^b: ...; exit          ->     ^b: ...; branch ^end
//                                 ^end: exit
//
// Each loop has one edge back, and no block follows another without a choice or
// a join.
//
//===----------------------------------------------------------------------===//

#include "GraphPreparation.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan;
using vgiw::isMemory, vgiw::mayChange;

static LogicalResult refuseWhole(vgiw::KernelOp kernel, Location where,
                                 const Twine &reason) {
  InFlightDiagnostic error = vgiw::refuse(kernel, where, reason);
  error.attachNote() << "machines of kind 'sgmf' have this limit; take one of "
                        "kind 'vgiw': '--machine=micro15-vgiw'";
  return error;
}

/// Branches whose way is known, or leads to one block.
static void foldBranches(Region &body) {
  for (Block &block : body) {
    auto branch = dyn_cast<vgiw::CondBranchOp>(block.getTerminator());
    if (!branch)
      continue;
    OpBuilder builder(branch);
    auto constant = branch.getCondition().getDefiningOp<vgiw::ConstantOp>();
    SmallVector<Value> operands;
    Block *dest = branch.getTrueDest();
    if (constant) {
      bool isTrue = cast<IntegerAttr>(constant.getValue()).getValue().isOne();
      operands = isTrue ? branch.getTrueOperands() : branch.getFalseOperands();
      dest = isTrue ? dest : branch.getFalseDest();
    } else if (dest == branch.getFalseDest()) {
      for (auto [one, other] :
           llvm::zip(branch.getTrueOperands(), branch.getFalseOperands()))
        operands.push_back(
            one == other ? one
                         : Value(vgiw::ComputeOp::create(
                               builder, branch.getLoc(), one.getType(),
                               vgiw::Opcode::Select,
                               ValueRange{branch.getCondition(), one, other})));
    } else {
      continue;
    }
    vgiw::BranchOp::create(builder, branch.getLoc(), operands,
                           branch.getAfter(), dest);
    branch.erase();
  }
}

static void eraseUnreachable(Region &body) {
  llvm::SetVector<Block *> reached;
  for (Block *block : llvm::depth_first(&body.front()))
    reached.insert(block);
  SmallVector<Block *> rest;
  for (Block &block : body)
    if (!reached.contains(&block))
      rest.push_back(&block);
  for (Block *block : rest)
    block->dropAllReferences();
  for (Block *block : rest) {
    block->dropAllDefinedValueUses();
    block->erase();
  }
}

/// What the address is computed from: results of operations other than
/// arithmetic, and parameters.
static SmallVector<Operation *> findBases(Value address) {
  llvm::SetVector<Operation *> found;
  if (Operation *op = address.getDefiningOp())
    found.insert(op);
  for (unsigned i = 0; i != found.size(); ++i)
    if (isa<vgiw::ComputeOp>(found[i]))
      for (Value operand : found[i]->getOperands())
        if (Operation *op = operand.getDefiningOp())
          found.insert(op);
  return found.takeVector();
}

/// What an operation does that a thread must not do twice, in words of C.
static StringRef describeChange(vgiw::KernelOp kernel, Operation &op) {
  constexpr StringRef spawns = "spawns a task or starts a loop",
                      saves = "saves variables for the code behind a sync or "
                              "loop";
  if (isa<vgiw::SyscallOp, vgiw::HeapCallOp>(op))
    return "has the host call a function";
  if (isa<vgiw::ReserveOp>(op))
    return spawns;
  if (isa<vgiw::PopOp, vgiw::PushOp>(op))
    return saves;
  for (Operation *base : findBases(op.getOperand(0))) {
    if (isa<vgiw::PopOp>(base))
      return saves;
    auto parameter = dyn_cast<vgiw::ParameterOp>(base);
    if (!parameter)
      continue;
    auto binding =
        cast<vgiw::BindingAttr>(kernel.getParameters()[parameter.getIndex()]);
    if (binding.getKind() == vgiw::BindingKind::Control ||
        binding.getKind() == vgiw::BindingKind::Column)
      return spawns;
  }
  return "writes memory";
}

/// What a thread does before it yields, it does again.
static LogicalResult checkYields(vgiw::KernelOp kernel) {
  for (Block &block : kernel.getBody()) {
    if (isa<vgiw::BarrierOp>(block.getTerminator()))
      return refuseWhole(kernel, kernel.getLoc(),
                         "its iterations are work-groups, whose threads wait "
                         "for one another at barriers");
    if (!isa<vgiw::YieldOp>(block.getTerminator()))
      continue;
    llvm::SetVector<Block *> before;
    before.insert(&block);
    for (unsigned i = 0; i != before.size(); ++i)
      before.insert(before[i]->pred_begin(), before[i]->pred_end());
    // It has failed, and so has changed nothing.
    Block *trying = block.getSinglePredecessor();
    for (Block *each : before)
      for (Operation &op : *each)
        if (mayChange(op) &&
            !(each == trying && isa<vgiw::ReserveOp, vgiw::PopOp>(op)))
          return refuseWhole(
              kernel, op.getLoc(),
              "it " + describeChange(kernel, op) +
                  ", and later may spawn a task or start a loop; if there is "
                  "no room for that task, the thread starts over, and would "
                  "do the former twice");
  }
  return success();
}

/// Lets all threads end in one block; with yields, its argument says whether the
/// thread has come to an exit.
static Block *uniteExits(Region &body) {
  bool yields = llvm::any_of(body, [](Block &block) {
    return isa<vgiw::YieldOp>(block.getTerminator());
  });
  OpBuilder builder(body.getContext());
  Location loc = body.getLoc();
  SmallVector<Operation *> ends;
  for (Block &block : body)
    if (isa<vgiw::ExitOp, vgiw::YieldOp>(block.getTerminator()))
      ends.push_back(block.getTerminator());
  if (ends.empty())
    return nullptr;
  Block *last = builder.createBlock(&body, body.end());
  if (yields)
    last->addArgument(builder.getI1Type(), loc);
  for (Operation *end : ends) {
    builder.setInsertionPoint(end);
    SmallVector<Value> operands;
    if (yields)
      operands.push_back(vgiw::ConstantOp::create(
          builder, end->getLoc(), builder.getBoolAttr(isa<vgiw::ExitOp>(end))));
    vgiw::BranchOp::create(builder, end->getLoc(), operands,
                           cast<vgiw::OrderedOpInterface>(end)
                               .getAfterMutable()
                               .getAsOperandRange(),
                           last);
    end->erase();
  }
  builder.setInsertionPointToEnd(last);
  if (!yields) {
    vgiw::ExitOp::create(builder, loc, ValueRange());
    return last;
  }
  Block *exit = builder.createBlock(&body, body.end());
  vgiw::ExitOp::create(builder, loc, ValueRange());
  Block *restart = builder.createBlock(&body, body.end());
  vgiw::RestartOp::create(builder, loc, ValueRange());
  builder.setInsertionPointToEnd(last);
  vgiw::CondBranchOp::create(builder, loc, last->getArgument(0), ValueRange(),
                             ValueRange(), ValueRange(), exit, restart);
  return last;
}

/// Appends blocks to those from which alone a thread comes, without a choice.
/// The memory operations of the second wait for those of the first.
static void joinChains(Region &body) {
  for (Block &block : body)
    while (auto branch = dyn_cast<vgiw::BranchOp>(block.getTerminator())) {
      Block *next = branch.getDest();
      if (next == &block || next->getSinglePredecessor() != &block)
        break;
      SmallVector<Value> done;
      for (Operation &op : block)
        if (isMemory(op))
          done.push_back(op.getResult(0));
      llvm::erase_if(done, [&](Value value) {
        return llvm::any_of(value.getUsers(), [&](Operation *user) {
          return user->getBlock() == &block && isMemory(*user);
        });
      });
      for (Operation &op : *next)
        if (isMemory(op))
          vgiw::addAfter(&op, done);
      for (auto [argument, value] :
           llvm::zip(next->getArguments(), branch.getDestOperands()))
        argument.replaceAllUsesWith(value);
      branch.erase();
      block.getOperations().splice(block.end(), next->getOperations());
      next->erase();
    }
}

/// Leaves each loop one edge back. False if a loop has several entries.
static bool uniteLatches(Region &body) {
  if (body.hasOneBlock())
    return true;
  DominanceInfo dominance;
  llvm::ReversePostOrderTraversal<Block *> traversal(&body.front());
  SmallVector<Block *> order(traversal.begin(), traversal.end());
  llvm::DenseMap<Block *, unsigned> place;
  for (Block *block : order)
    place.try_emplace(block, place.size());
  for (Block *header : order) {
    SmallVector<Block *> latches;
    for (Block *from : header->getPredecessors())
      if (place.lookup(from) >= place.lookup(header)) {
        if (!dominance.dominates(header, from))
          return false;
        if (!llvm::is_contained(latches, from))
          latches.push_back(from);
      }
    if (latches.size() < 2)
      continue;
    OpBuilder builder(body.getContext());
    Block *latch = builder.createBlock(&body, body.end());
    for (BlockArgument argument : header->getArguments())
      latch->addArgument(argument.getType(), argument.getLoc());
    vgiw::BranchOp::create(builder, header->front().getLoc(),
                           latch->getArguments(), ValueRange(), header);
    for (Block *from : latches)
      for (unsigned i = 0; i != from->getNumSuccessors(); ++i)
        if (from->getSuccessor(i) == header)
          from->getTerminator()->setSuccessor(latch, i);
  }
  return true;
}

Block *vgiw::prepareForGraph(KernelOp kernel) {
  Region &body = kernel.getBody();
  foldBranches(body);
  eraseUnreachable(body);
  if (failed(checkYields(kernel)))
    return nullptr;
  Block *last = uniteExits(body);
  if (!last || !uniteLatches(body)) {
    (void)refuseWhole(kernel, kernel.getLoc(),
                      last ? "it has a loop that 'goto' enters at several "
                             "places"
                           : "it never ends");
    return nullptr;
  }
  joinChains(body);
  // The last block may have become a part of another.
  bool hasYields = llvm::any_of(body, [](Block &block) {
    return isa<vgiw::RestartOp>(block.getTerminator());
  });
  for (Block &block : body) {
    if (isa<vgiw::ExitOp>(block.getTerminator()) && !hasYields)
      last = &block;
    if (isa<vgiw::RestartOp>(block.getTerminator()))
      last = block.getSinglePredecessor();
  }
  return last;
}
