//===- SingleGraph.cpp - Make one graph of all blocks of a kernel ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For machines of kind `sgmf` (docs/architecture/SGMF.md).
//
//   ^a:  %x = ...                         %x = ...
//        cond_branch %c, ^b, ^d(%x)       %y = steer %x if %c'
//   ^b:  %z = add %x, 1             ->    %z = add %y, 1
//        branch ^d(%z)                    %n = steer %x unless %c'
//   ^d(%v):                               %v = merge %z, %n
//
// Terms of this file:
//
//   equivalent    Two blocks of one loop to which a thread comes exactly as
//                 often in an iteration.  Values go from one to the other
//                 directly.
//   control of a block    A token of the block that depends on all that the
//                 thread has done before it came there.
//   ends of a block    Values that no node of the block needs.
//
// What must hold, so that no two tokens meet in one operand (Dataflow.h, S3): the
// control of a block depends on all ends of the blocks before it.  So the condition
// %c' of a block is %c when all ends of the block have come.  Without a condition,
// the first value that is merged in the next block waits for the ends.
//
//===----------------------------------------------------------------------===//

#include "GraphPreparation.h"
#include "cilk2chan/Dialect/VGIW/Passes.h"
#include "cilk2chan/Dialect/VGIW/VGIW.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2chan {
#define GEN_PASS_DEF_VGIWSINGLEGRAPH
#include "cilk2chan/Dialect/VGIW/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;
using vgiw::isMemory, vgiw::mayChange;

namespace {
struct VGIWSingleGraph
    : public cilk2chan::impl::VGIWSingleGraphBase<VGIWSingleGraph> {
  void runOnOperation() override;
};
} // namespace

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

namespace {

class GraphBuilder {
public:
  GraphBuilder(vgiw::KernelOp kernel, Block *last)
      : kernel(kernel), entry(&kernel.getBody().front()), last(last),
        loops(dominance.getDomTree(&kernel.getBody())),
        builder(kernel.getContext()) {
    llvm::ReversePostOrderTraversal<Block *> traversal(entry);
    for (Block *block : traversal)
      if (!isOutside(block))
        order.push_back(block);
  }

  void build();

private:
  /// A way by which a thread comes from one block to the next.
  struct Way {
    Block *from, *to;
    vgiw::CondBranchOp branch; ///< null if there is no choice
    bool ifTrue;
    SmallVector<Value> operands;
    bool isBack;
  };
  using Pass = llvm::function_ref<Value(const Way &)>;

  /// Whether it only says what becomes of a thread.
  bool isOutside(Block *block) const {
    return block != last && vgiw::isMarker(*block);
  }
  void findWays();
  bool comesAsOften(Block *first, Block *second);
  Value get(Value value, Block *at);
  Value makeIncoming(Value value, Block *at);
  void fill(Value merged, Block *at, Pass pass);
  Value carry(Value value, const Way &way, Value merged);
  Value steer(Value value, const Way &way);
  Value condition(Block *block);
  Value control(Block *block);
  void rewire();
  bool conflictsBefore(Operation &op, Block *block);
  bool isOrdered(Operation *op, Block *block);
  void orderMemory();
  void trigger();
  void cover(Value value, Block *block, llvm::SetVector<Value> &covered);
  SmallVector<Value> endsOf(Block *block);
  void waitForEnds();
  void gather();

  vgiw::KernelOp kernel;
  Block *entry, *last;
  DominanceInfo dominance;
  CFGLoopInfo loops;
  OpBuilder builder;
  SmallVector<Block *> order;
  llvm::DenseMap<Block *, SmallVector<Way>> waysTo;
  /// The block in which a node fires; steers and edges have none.
  llvm::DenseMap<Operation *, Block *> homes;
  /// Values in the blocks where they are needed.
  llvm::DenseMap<std::pair<Value, Block *>, Value> known;
  /// By block: what comes from the blocks before it, steered or merged; the
  /// condition that waits for all; the control; what steers pass on.
  llvm::DenseMap<Block *, SmallVector<Value>> incoming;
  llvm::DenseMap<Block *, vgiw::JoinOp> conditions;
  llvm::DenseMap<Block *, Value> controls;
  llvm::DenseMap<Block *, llvm::SetVector<Value>> steered;
  /// What comes to a merge from a block without a choice.
  struct Carrier {
    Value merged;
    Block *from, *to;
    vgiw::JoinOp join;
  };
  SmallVector<Carrier> carriers;
  SmallVector<vgiw::BackOp> backs;
};

} // namespace

void GraphBuilder::findWays() {
  // All of them, so that lookups move nothing.
  for (Block *block : order)
    waysTo[block] = {};
  for (Block *block : order) {
    Operation *end = block->getTerminator();
    auto add = [&](Block *to, vgiw::CondBranchOp branch, bool ifTrue,
                   OperandRange operands) {
      if (!isOutside(to))
        waysTo[to].push_back({block, to, branch, ifTrue,
                              SmallVector<Value>(operands),
                              dominance.dominates(to, block)});
    };
    if (auto branch = dyn_cast<vgiw::BranchOp>(end)) {
      add(branch.getDest(), {}, true, branch.getDestOperands());
    } else if (auto branch = dyn_cast<vgiw::CondBranchOp>(end)) {
      add(branch.getTrueDest(), branch, true, branch.getTrueOperands());
      add(branch.getFalseDest(), branch, false, branch.getFalseOperands());
    }
  }
}

/// Whether a thread comes to `second` exactly once after each time that it comes
/// to `first`, within an iteration of the loop that both are in.
bool GraphBuilder::comesAsOften(Block *first, Block *second) {
  CFGLoop *loop = loops.getLoopFor(first);
  if (first == second || loops.getLoopFor(second) != loop ||
      !dominance.dominates(first, second))
    return false;
  // Looks for a way to the end of the iteration without `second`.
  llvm::SetVector<Block *> reached;
  reached.insert(first);
  for (unsigned i = 0; i != reached.size(); ++i) {
    Block *from = reached[i];
    if (from == last)
      return false;
    for (Block *to : from->getSuccessors()) {
      if (to == second)
        continue;
      if (loop && (to == loop->getHeader() || !loop->contains(to)))
        return false;
      if (!dominance.dominates(to, from)) // no edge back
        reached.insert(to);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Values on their ways
//===----------------------------------------------------------------------===//

/// The condition of a block's branch, when all of the block is done.
Value GraphBuilder::condition(Block *block) {
  if (vgiw::JoinOp known = conditions.lookup(block))
    return known;
  auto branch = cast<vgiw::CondBranchOp>(block->getTerminator());
  Value chosen = get(branch.getCondition(), block);
  auto join = vgiw::JoinOp::create(builder, branch.getLoc(), chosen.getType(),
                                   chosen, ValueRange());
  homes[join] = block;
  conditions[block] = join;
  return join;
}

Value GraphBuilder::steer(Value value, const Way &way) {
  Value chosen = condition(way.from);
  if (!vgiw::isConfigured(value) && value != chosen)
    steered[way.from].insert(value);
  vgiw::CondBranchOp branch = way.branch;
  return vgiw::SteerOp::create(builder, branch.getLoc(), value.getType(), value,
                               chosen, !way.ifTrue);
}

/// The value on its way to a merge.
Value GraphBuilder::carry(Value value, const Way &way, Value merged) {
  if (way.branch)
    return steer(value, way);
  auto join = vgiw::JoinOp::create(builder, way.from->getTerminator()->getLoc(),
                                   value.getType(), value, ValueRange());
  carriers.push_back({merged, way.from, way.to, join});
  return join;
}

/// Gives a merge its sources: what `pass` gives for each way to the block.
void GraphBuilder::fill(Value merged, Block *at, Pass pass) {
  Location loc = merged.getLoc();
  SmallVector<Value> sources;
  unsigned room = vgiw::MaxTokens;
  for (const Way &way : waysTo[at]) {
    Value value = carry(pass(way), way, merged);
    if (way.isBack) {
      backs.push_back(vgiw::BackOp::create(builder, loc, value, merged));
      --room;
    } else {
      sources.push_back(value);
    }
  }
  while (sources.size() > room) {
    size_t count = std::min<size_t>(vgiw::MaxTokens, sources.size() - room + 1);
    auto some = vgiw::MergeOp::create(builder, loc, merged.getType(),
                                      ArrayRef(sources).take_front(count));
    homes[some] = at;
    sources.erase(sources.begin(), sources.begin() + count);
    sources.push_back(some);
  }
  merged.getDefiningOp<vgiw::MergeOp>().getValuesMutable().assign(sources);
}

/// The value in a block in which it is needed.
Value GraphBuilder::get(Value value, Block *at) {
  if (vgiw::isConfigured(value))
    return value;
  if (Value there = known.lookup({value, at}))
    return there;
  Operation *op = value.getDefiningOp();
  Block *home = op ? homes.lookup(op) : value.getParentBlock();
  Value result;
  if (home == at && op) {
    result = value;
  } else if (home != at && comesAsOften(home, at)) {
    result = get(value, home);
  } else if (home != at) {
    // Where it is as often, as early as possible.
    for (Block *block : order)
      if (block != home && dominance.dominates(home, block) &&
          comesAsOften(block, at)) {
        result = get(value, block);
        break;
      }
  }
  if (!result)
    return makeIncoming(value, at);
  return known[{value, at}] = result;
}

Value GraphBuilder::makeIncoming(Value value, Block *at) {
  auto argument = dyn_cast<BlockArgument>(value);
  bool isOwn = argument && argument.getOwner() == at;
  auto pass = [&](const Way &way) {
    return get(isOwn ? way.operands[argument.getArgNumber()] : value, way.from);
  };
  ArrayRef<Way> ways = waysTo[at];
  if (ways.size() == 1) {
    // There is a choice before it: chains are one block (joinChains).
    Way way = ways.front();
    Value result = steer(pass(way), way);
    incoming[at].push_back(result);
    return known[{value, at}] = result;
  }
  // First, as it may be passed back to itself.
  auto merged = vgiw::MergeOp::create(builder, value.getLoc(), value.getType(),
                                      ValueRange());
  homes[merged] = at;
  incoming[at].push_back(merged);
  known[{value, at}] = merged;
  fill(merged, at, pass);
  return merged;
}

/// A token that comes when all is done that the thread has done before.
Value GraphBuilder::control(Block *block) {
  if (Value known = controls.lookup(block))
    return known;
  if (block == entry)
    return controls[block] = *entry->getOps<vgiw::InitiateOp>().begin();
  if (!incoming[block].empty())
    return controls[block] = incoming[block].front();
  ArrayRef<Way> ways = waysTo[block];
  if (ways.size() == 1) {
    Way way = ways.front();
    Value token = steer(condition(way.from), way);
    incoming[block].push_back(token);
    return controls[block] = token;
  }
  auto merged = vgiw::MergeOp::create(builder, block->getTerminator()->getLoc(),
                                      builder.getI1Type(), ValueRange());
  homes[merged] = block;
  incoming[block].push_back(merged);
  controls[block] = merged;
  Value yes;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    yes = vgiw::ConstantOp::create(builder, merged.getLoc(),
                                   builder.getBoolAttr(true));
  }
  fill(merged, block,
       [&](const Way &way) { return way.branch ? condition(way.from) : yes; });
  return merged;
}

/// Lets all nodes use what comes to their blocks.
void GraphBuilder::rewire() {
  for (Block *block : order)
    for (Operation &op : block->without_terminator())
      if (homes.lookup(&op) == block)
        for (OpOperand &operand : op.getOpOperands())
          if (!vgiw::isConfigured(operand.get()))
            operand.set(get(operand.get(), block));
  for (OpOperand &operand : last->getTerminator()->getOpOperands())
    operand.set(get(operand.get(), last));
  // Ways on which nothing but a choice goes.
  for (Block *block : order)
    control(block);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Whether an operation of a block from which a thread comes to this one, or of
/// an iteration before, must be done before `op`.
bool GraphBuilder::conflictsBefore(Operation &op, Block *block) {
  llvm::SetVector<Block *> before;
  for (const Way &way : waysTo[block])
    before.insert(way.from);
  for (unsigned i = 0; i != before.size(); ++i)
    for (const Way &way : waysTo[before[i]])
      before.insert(way.from);
  return llvm::any_of(before, [&](Block *each) {
    return llvm::any_of(*each, [&](Operation &other) {
      return isMemory(other) && (mayChange(op) || mayChange(other));
    });
  });
}

/// Whether the operation needs the control of its block in any case, for one of
/// its operands.
bool GraphBuilder::isOrdered(Operation *op, Block *block) {
  llvm::SetVector<Operation *> sources;
  sources.insert(op);
  bool isSteered = waysTo[block].size() == 1;
  for (unsigned i = 0; i != sources.size(); ++i)
    for (Value operand : sources[i]->getOperands()) {
      if (operand == controls.lookup(block) ||
          (isSteered && llvm::is_contained(incoming[block], operand)))
        return true;
      if (Operation *source = operand.getDefiningOp();
          source && homes.lookup(source) == block)
        sources.insert(source);
    }
  return false;
}

void GraphBuilder::orderMemory() {
  for (Block *block : order)
    for (Operation &op : llvm::make_early_inc_range(*block))
      if (isMemory(op) && homes.lookup(&op) == block && block != entry &&
          conflictsBefore(op, block) && !isOrdered(&op, block))
        vgiw::addAfter(&op, controls[block]);
}

/// A node that would wait for nothing waits for the control of its block.
void GraphBuilder::trigger() {
  for (Block *block : order)
    for (Operation &op :
         llvm::make_early_inc_range(block->without_terminator())) {
      if (homes.lookup(&op) != block || isa<vgiw::InitiateOp>(op) ||
          !vgiw::tokenOperands(&op).empty())
        continue;
      Value control = controls[block];
      if (isa<vgiw::OrderedOpInterface>(op)) {
        vgiw::addAfter(&op, control);
        continue;
      }
      Value first = op.getOperand(0);
      auto join = vgiw::JoinOp::create(builder, op.getLoc(), first.getType(),
                                       first, control);
      homes[join] = block;
      op.setOperand(0, join);
    }
}

/// Marks a value, and what its node needs of the block: all that has come when
/// the value has.
void GraphBuilder::cover(Value value, Block *block,
                         llvm::SetVector<Value> &covered) {
  SmallVector<Value> work = {value};
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (vgiw::isConfigured(next) || !covered.insert(next))
      continue;
    Operation *op = next.getDefiningOp();
    if (op && homes.lookup(op) == block && !isa<vgiw::MergeOp>(op))
      llvm::append_range(work, op->getOperands());
  }
}

/// What has to come before a thread leaves the block, beside what its condition
/// and the values on its way need.
SmallVector<Value> GraphBuilder::endsOf(Block *block) {
  llvm::SetVector<Value> covered;
  if (vgiw::JoinOp join = conditions.lookup(block))
    cover(join.getValue(), block, covered);
  if (block == last)
    for (Value operand : block->getTerminator()->getOperands())
      cover(operand, block, covered);
  // What goes to the control of the next block, and what goes to others of its
  // merges: these must fire in that block, but nothing of it is ordered by them.
  for (Carrier &carrier : carriers)
    if (carrier.from == block && carrier.merged == controls[carrier.to])
      cover(carrier.join.getValue(), block, covered);
  llvm::SetVector<Value> coveredLater;
  for (Carrier &carrier : carriers)
    if (carrier.from == block)
      cover(carrier.join.getValue(), block, coveredLater);
  SmallVector<Value> ends;
  auto add = [&](Value value) {
    if (covered.contains(value) || vgiw::isConfigured(value))
      return;
    ends.push_back(value);
    cover(value, block, covered);
  };
  // Other values are needed where a thread comes as often: there nodes wait.
  for (Operation &op : llvm::reverse(block->without_terminator()))
    if (homes.lookup(&op) == block && op.getNumResults() &&
        isa<vgiw::NodeOpInterface>(op) && (op.use_empty() || isMemory(op)))
      add(op.getResult(0));
  for (Value value : steered[block])
    add(value);
  for (Value value : incoming[block])
    if (!coveredLater.contains(value))
      add(value);
  add(controls[block]);
  return ends;
}

void GraphBuilder::waitForEnds() {
  for (Block *block : order) {
    SmallVector<Value> ends = endsOf(block);
    if (vgiw::JoinOp join = conditions.lookup(block)) {
      if (ends.empty() && vgiw::isConfigured(join.getValue()))
        ends.push_back(controls[block]);
      vgiw::addAfter(join, ends);
      continue;
    }
    if (block == last) {
      vgiw::addAfter(block->getTerminator(), ends);
      continue;
    }
    // The control of the next block waits for them.
    for (Carrier &carrier : carriers)
      if (carrier.from == block && carrier.merged == controls[carrier.to])
        vgiw::addAfter(carrier.join, ends);
  }
  for (Carrier &carrier : carriers)
    if (vgiw::isConfigured(carrier.join.getValue()) &&
        carrier.join.getAfter().empty())
      vgiw::addAfter(carrier.join, controls[carrier.from]);
}

//===----------------------------------------------------------------------===//
// One block
//===----------------------------------------------------------------------===//

/// Moves all nodes to the entry, each behind its operands.
void GraphBuilder::gather() {
  Operation *end = last->getTerminator();
  for (Block *block : order)
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      if (op.hasTrait<OpTrait::IsTerminator>() && &op != end)
        op.erase();
      else if (block != entry)
        op.moveBefore(entry, entry->end());
    }
  end->moveBefore(entry, entry->end());
  for (Block *block : order)
    if (block != entry) {
      block->dropAllDefinedValueUses();
      block->dropAllReferences();
      block->erase();
    }
  // Joins of one token.
  for (Operation &op : llvm::make_early_inc_range(*entry))
    if (auto join = dyn_cast<vgiw::JoinOp>(op);
        join && join.getAfter().empty() &&
        !vgiw::isConfigured(join.getValue())) {
      join.getPassed().replaceAllUsesWith(join.getValue());
      join.erase();
    }
  for (vgiw::BackOp back : backs)
    back->moveBefore(end);
  sortTopologically(entry, entry->without_terminator());
}

void GraphBuilder::build() {
  findWays();
  if (entry->getOps<vgiw::InitiateOp>().empty()) {
    builder.setInsertionPointToStart(entry);
    vgiw::InitiateOp::create(builder, kernel.getLoc());
  }
  for (Block *block : order)
    for (Operation &op : block->without_terminator())
      if (isa<vgiw::NodeOpInterface>(op))
        homes[&op] = block;
  // All that is made goes where it has no block's terminator before it.
  builder.setInsertionPoint(entry->getTerminator());
  rewire();
  orderMemory();
  trigger();
  waitForEnds();
  gather();
}

void VGIWSingleGraph::runOnOperation() {
  vgiw::KernelOp kernel = getOperation();
  if (kernel.getStage() != vgiw::Stage::Graph) {
    kernel.emitError("is in stage '")
        << vgiw::stringifyStage(kernel.getStage()) << "', not in 'graph'";
    return signalPassFailure();
  }
  Block *last = vgiw::prepareForGraph(kernel);
  if (!last)
    return signalPassFailure();
  kernel.setStage(vgiw::Stage::Live);
  if (last != &kernel.getBody().front())
    GraphBuilder(kernel, last).build();
}
