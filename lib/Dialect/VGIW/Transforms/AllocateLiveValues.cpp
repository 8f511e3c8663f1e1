//===- AllocateLiveValues.cpp - Live value IDs ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a live value ID holds matters at the ends of blocks only: inside a block
// all loads come before all stores. So two variables interfere if both are to
// be held at the end of one block, unless they then hold the same value.
//
// One ID cannot hold two values there: where one way out of a block passes a
// block argument its next value, and another still needs the old one, the
// latter is copied (the "lost copy" of SSA destruction; P. Briggs et al.,
// Software: Practice and Experience 28(8), 1998).
//
//===----------------------------------------------------------------------===//

#include "BlockCuts.h"
#include "cilk2chan/Dialect/VGIW/Passes.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

namespace cilk2chan {
#define GEN_PASS_DEF_VGIWALLOCATELIVEVALUES
#include "cilk2chan/Dialect/VGIW/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

struct VGIWAllocateLiveValues
    : public cilk2chan::impl::VGIWAllocateLiveValuesBase<
          VGIWAllocateLiveValues> {
  void runOnOperation() override;

private:
  void removeUnusedArguments();
  void selectAmongSameSuccessors();
  void rematerialize();
  void copyOverwritten();
  void collect();
  void colour();
  void rewrite();

  Region &body() { return getOperation().getBody(); }

  /// A value that is to be held at the end of a block, and what it is there:
  /// the variable's own value, or what flows into a block argument.
  struct Held {
    unsigned variable;
    Value content;
  };

  /// Values that cross blocks, in schedule order.
  llvm::SetVector<Value> variables;
  llvm::MapVector<Block *, SmallVector<Held>> heldAtEnd;
  SmallVector<unsigned> ids;
};

} // namespace

/// The operands of a terminator for the arguments of its successors.
template <typename Function>
static void forEachPassed(Block &block, Function function) {
  auto branch = dyn_cast<BranchOpInterface>(block.getTerminator());
  if (!branch)
    return;
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
    for (auto [argument, operand] :
         llvm::zip(branch->getSuccessor(i)->getArguments(),
                   branch.getSuccessorOperands(i).getForwardedOperands()))
      function(argument, operand);
}

/// Arguments that nothing but other such arguments need.
void VGIWAllocateLiveValues::removeUnusedArguments() {
  llvm::SetVector<Value> needed;
  SmallVector<Value> work;
  auto need = [&](Value value) {
    if (isa<BlockArgument>(value) && needed.insert(value))
      work.push_back(value);
  };
  llvm::DenseSet<OpOperand *> passing;
  for (Block &block : body()) {
    auto branch = dyn_cast<BranchOpInterface>(block.getTerminator());
    if (branch)
      for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
        SuccessorOperands operands = branch.getSuccessorOperands(i);
        for (unsigned j = 0; j < operands.size(); ++j)
          passing.insert(&branch->getOpOperand(operands.getOperandIndex(j)));
      }
    for (Operation &op : block)
      for (OpOperand &operand : op.getOpOperands())
        if (!passing.contains(&operand))
          need(operand.get());
  }
  while (!work.empty()) {
    auto argument = cast<BlockArgument>(work.pop_back_val());
    for (Block *from : argument.getOwner()->getPredecessors())
      forEachPassed(*from, [&](BlockArgument target, Value operand) {
        if (target == argument)
          need(operand);
      });
  }
  for (Block &block : body())
    for (unsigned i = block.getNumArguments(); i-- > 0;) {
      if (needed.contains(block.getArgument(i)))
        continue;
      for (Block *from : llvm::SmallSetVector<Block *, 4>(block.pred_begin(),
                                                          block.pred_end())) {
        auto branch = cast<BranchOpInterface>(from->getTerminator());
        for (unsigned s = 0; s < branch->getNumSuccessors(); ++s)
          if (branch->getSuccessor(s) == &block)
            branch.getSuccessorOperands(s).erase(i);
      }
    }
  for (Block &block : body())
    block.eraseArguments(
        [&](BlockArgument argument) { return !needed.contains(argument); });
}

/// A branch both ways to one block chooses values, not control.
void VGIWAllocateLiveValues::selectAmongSameSuccessors() {
  for (Block &block : body()) {
    auto branch = dyn_cast<vgiw::CondBranchOp>(block.getTerminator());
    if (!branch || branch.getTrueDest() != branch.getFalseDest())
      continue;
    OpBuilder builder(branch);
    SmallVector<Value> chosen;
    for (auto [one, other] :
         llvm::zip(branch.getTrueOperands(), branch.getFalseOperands()))
      chosen.push_back(one == other ? one
                                    : vgiw::ComputeOp::create(
                                          builder, branch.getLoc(),
                                          one.getType(), vgiw::Opcode::Select,
                                          {branch.getCondition(), one, other}));
    auto only = vgiw::BranchOp::create(builder, branch.getLoc(), chosen,
                                       branch.getAfter(), branch.getTrueDest());
    only->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
    branch.erase();
  }
}

/// Whether a branch only passes on what the block before has computed for it:
/// that stores it, so that a block can be cut if it stores too much.
static bool isPassedOn(OpOperand &operand) {
  auto branch = dyn_cast<BranchOpInterface>(operand.getOwner());
  auto compute = operand.get().getDefiningOp<vgiw::ComputeOp>();
  if (!branch || !compute ||
      !branch.getSuccessorBlockArgument(operand.getOperandNumber()))
    return false;
  Block *before = compute->getBlock();
  return before->getNumSuccessors() == 1 &&
         branch->getBlock()->getSinglePredecessor() == before;
}

void VGIWAllocateLiveValues::rematerialize() {
  for (Block &block : body()) {
    OpBuilder builder = OpBuilder::atBlockBegin(&block);
    DenseMap<Value, Value> made;
    // A block has one initiator, whichever block's thread ID it stands for.
    auto own = block.getOps<vgiw::InitiateOp>();
    Value thread = own.empty() ? Value() : Value(*own.begin());
    auto remake = [&](auto &self, Value value) -> Value {
      if (value.getParentBlock() == &block)
        return value;
      bool isThread = isa<vgiw::InitiateOp>(value.getDefiningOp());
      Value &mine = isThread ? thread : made[value];
      if (mine)
        return mine;
      IRMapping mapping;
      for (Value operand : value.getDefiningOp()->getOperands())
        mapping.map(operand, self(self, operand));
      Value clone =
          builder.clone(*value.getDefiningOp(), mapping)->getResult(0);
      return (isThread ? thread : made[value]) = clone;
    };
    for (Operation &op : llvm::make_early_inc_range(block))
      for (OpOperand &operand : op.getOpOperands())
        if (operand.get().getParentBlock() != &block &&
            vgiw::isRematerialized(operand.get()) && !isPassedOn(operand))
          operand.set(remake(remake, operand.get()));
  }
  // Only what is still needed where it was.
  for (Block &block : body())
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
}

/// Arguments that are passed another value where their own lives on: what other
/// blocks use becomes a copy, a variable of its own.
void VGIWAllocateLiveValues::copyOverwritten() {
  Liveness liveness(getOperation());
  llvm::SetVector<BlockArgument> overwritten;
  for (Block &block : body())
    forEachPassed(block, [&](BlockArgument argument, Value operand) {
      if (operand != argument && liveness.getLiveOut(&block).contains(argument))
        overwritten.insert(argument);
    });
  for (BlockArgument argument : overwritten) {
    Block *owner = argument.getOwner();
    OpBuilder builder = OpBuilder::atBlockBegin(owner);
    auto copy = UnrealizedConversionCastOp::create(
        builder, argument.getLoc(), argument.getType(), argument);
    argument.replaceUsesWithIf(copy.getResult(0), [&](OpOperand &use) {
      return use.getOwner()->getBlock() != owner;
    });
  }
}

/// What a value of the block is that copyOverwritten() may have made.
static Value lookThroughCopy(Value value, Block &block) {
  auto copy = value.getDefiningOp<UnrealizedConversionCastOp>();
  return copy && copy->getBlock() == &block ? copy.getOperand(0) : value;
}

void VGIWAllocateLiveValues::collect() {
  Liveness liveness(getOperation());
  for (Block &block : body()) {
    for (BlockArgument argument : block.getArguments())
      variables.insert(argument);
    const auto &out = liveness.getLiveOut(&block);
    for (Operation &op : block)
      for (Value result : op.getResults())
        if (out.contains(result))
          variables.insert(result);
  }
  DenseMap<Value, unsigned> index;
  for (auto [i, variable] : llvm::enumerate(variables))
    index[variable] = i;
  for (Block &block : body()) {
    SmallVector<Held> &held = heldAtEnd[&block];
    for (Value value : liveness.getLiveOut(&block))
      held.push_back({index[value], lookThroughCopy(value, block)});
    forEachPassed(block, [&](BlockArgument argument, Value operand) {
      held.push_back({index[argument], operand});
    });
    llvm::sort(held, [](const Held &a, const Held &b) {
      return a.variable < b.variable;
    });
  }
}

void VGIWAllocateLiveValues::colour() {
  SmallVector<llvm::BitVector> interferes(variables.size(),
                                          llvm::BitVector(variables.size()));
  // What flows into what, and what the same flows into: one ID saves a load and
  // a store. Those of inner loops come first.
  struct Affinity {
    unsigned a, b, depth;
  };
  SmallVector<Affinity> affinities;
  DenseMap<Value, unsigned> index;
  for (auto [i, variable] : llvm::enumerate(variables))
    index[variable] = i;
  DominanceInfo dominance;
  std::optional<CFGLoopInfo> loops;
  if (!body().hasOneBlock())
    loops.emplace(dominance.getDomTree(&body()));
  for (auto &[block, held] : heldAtEnd) {
    unsigned depth = loops ? loops->getLoopDepth(block) : 0;
    for (const Held &a : held) {
      for (const Held &b : held)
        if (a.content != b.content) {
          assert(a.variable != b.variable && "copyOverwritten() leaves none");
          interferes[a.variable].set(b.variable);
        } else if (a.variable < b.variable)
          affinities.push_back({a.variable, b.variable, depth});
      auto source = index.find(a.content);
      if (source != index.end() && source->second != a.variable)
        affinities.push_back({source->second, a.variable, depth});
    }
  }

  // Variables that share an ID, by the first of them.
  SmallVector<unsigned> leader(variables.size());
  std::iota(leader.begin(), leader.end(), 0);
  SmallVector<llvm::BitVector> members(interferes.size(),
                                       llvm::BitVector(variables.size()));
  for (unsigned i = 0; i < members.size(); ++i)
    members[i].set(i);
  llvm::stable_sort(affinities, [](const Affinity &a, const Affinity &b) {
    return a.depth > b.depth;
  });
  for (const Affinity &affinity : affinities) {
    unsigned a = std::min(leader[affinity.a], leader[affinity.b]);
    unsigned b = std::max(leader[affinity.a], leader[affinity.b]);
    if (a == b || interferes[a].anyCommon(members[b]) ||
        interferes[b].anyCommon(members[a]))
      continue;
    for (unsigned member : members[b].set_bits())
      leader[member] = a;
    members[a] |= members[b];
    interferes[a] |= interferes[b];
  }

  constexpr unsigned none = ~0u;
  ids.assign(variables.size(), none);
  unsigned count = 0;
  for (unsigned variable = 0; variable < variables.size(); ++variable) {
    if (leader[variable] != variable) {
      ids[variable] = ids[leader[variable]];
      continue;
    }
    llvm::BitVector taken(count + 1);
    for (unsigned other : interferes[variable].set_bits())
      if (ids[leader[other]] != none)
        taken.set(ids[leader[other]]);
    ids[variable] = taken.find_first_unset();
    count = std::max(count, ids[variable] + 1);
  }
  getOperation().setLiveValues(count);
}

/// Whether `value` is, or is computed in its block from, `source`.
static bool comesFrom(Value value, Value source) {
  SmallVector<Value> work = {value};
  llvm::DenseSet<Value> seen;
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (next == source)
      return true;
    Operation *op = next.getDefiningOp();
    if (op && op->getBlock() == source.getParentBlock() &&
        seen.insert(next).second)
      llvm::append_range(work, op->getOperands());
  }
  return false;
}

void VGIWAllocateLiveValues::rewrite() {
  DenseMap<Value, unsigned> idOf;
  for (auto [variable, id] : llvm::zip(variables, ids))
    idOf[variable] = id;

  // Loads, where a variable of another block (or of the block's arguments) is
  // used.
  for (Block &block : body()) {
    OpBuilder builder = OpBuilder::atBlockBegin(&block);
    llvm::MapVector<Value, Value> loaded;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      for (OpOperand &operand : op.getOpOperands()) {
        Value value = operand.get();
        bool crosses =
            value.getParentBlock() != &block || isa<BlockArgument>(value);
        if (!crosses)
          continue;
        Value &load = loaded[value];
        if (!load)
          load = vgiw::LiveLoadOp::create(builder, op.getLoc(), value.getType(),
                                          idOf[value], Value());
        operand.set(load);
      }
    }
    // Stores, unless the ID holds the value already.
    builder.setInsertionPoint(block.getTerminator());
    DenseMap<unsigned, Value> loadOf;
    DenseMap<Value, Value> contents;
    for (auto [value, load] : loaded) {
      loadOf[idOf[value]] = load;
      contents[value] = load;
    }
    llvm::SmallSetVector<unsigned, 8> stored;
    for (const Held &held : heldAtEnd[&block]) {
      unsigned id = ids[held.variable];
      Value content = held.content;
      bool isHere =
          content.getParentBlock() != &block || isa<BlockArgument>(content);
      if ((isHere && idOf.count(content) && idOf[content] == id) ||
          !stored.insert(id))
        continue;
      if (isHere)
        content = contents.lookup(content);
      // Loads of the ID come before it is overwritten.
      SmallVector<Value, 1> after;
      Value load = loadOf.lookup(id);
      if (load && !comesFrom(content, load))
        after.push_back(load);
      vgiw::LiveStoreOp::create(builder, block.getTerminator()->getLoc(),
                                content, id, after);
    }
  }
  for (Block &block : body())
    if (auto branch = dyn_cast<BranchOpInterface>(block.getTerminator()))
      for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
        SuccessorOperands operands = branch.getSuccessorOperands(i);
        for (unsigned j = operands.size(); j-- > 0;)
          operands.erase(j);
      }
  for (Block &block : body()) {
    block.eraseArguments([](BlockArgument) { return true; });
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op) ||
          (isa<vgiw::LiveLoadOp>(op) && op.use_empty()))
        op.erase();
  }
}

void VGIWAllocateLiveValues::runOnOperation() {
  vgiw::KernelOp kernel = getOperation();
  if (kernel.getStage() != vgiw::Stage::Graph) {
    kernel.emitError("has its live values already");
    return signalPassFailure();
  }
  variables.clear();
  heldAtEnd.clear();
  removeUnusedArguments();
  selectAmongSameSuccessors();
  rematerialize();
  copyOverwritten();
  collect();
  colour();
  rewrite();
  kernel.setStage(vgiw::Stage::Live);
}
