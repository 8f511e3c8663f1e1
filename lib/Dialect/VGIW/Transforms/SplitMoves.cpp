//===- SplitMoves.cpp - Live values that are only passed on ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What flows into the arguments of a loop is moved from one live value ID to
// another. All moves of a block happen at once, and a vector's elements may
// need more units for that than there are; no cut between the block's nodes
// helps. So moves are put into an order in which nothing is overwritten that is
// still to be read (a cycle goes through one more ID), and done in as many
// blocks as it takes, one after another.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/VGIW/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

#include <deque>

namespace cilk2chan {
#define GEN_PASS_DEF_VGIWSPLITMOVES
#include "cilk2chan/Dialect/VGIW/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

struct VGIWSplitMoves
    : public cilk2chan::impl::VGIWSplitMovesBase<VGIWSplitMoves> {
  using Base::Base;
  void runOnOperation() override;
};

/// `to` = `from`, or = `constant` if that is set.
struct Move {
  uint64_t from = 0;
  Operation *constant = nullptr;
  uint64_t to = 0;
  Type type;

  bool reads(uint64_t id) const { return !constant && from == id; }
};

class Splitter {
public:
  Splitter(vgiw::KernelOp kernel, Block &block, unsigned units)
      : block(&block), units(units), nextID(kernel.getLiveValues()) {}

  void run();
  unsigned liveValues() const { return nextID; }

private:
  bool isRead(uint64_t id) const {
    return llvm::any_of(moves, [&](const Move &m) { return m.reads(id); });
  }
  void takeMoves();
  void divertStores();
  std::optional<Move> passCondition();
  void order();
  void startBlock();
  void perform(const Move &move);
  Value load(uint64_t id, Type type);

  /// The block that moves are being added to.
  Block *block;
  unsigned units;
  uint64_t nextID;
  std::deque<Move> moves;
  // Of `block`.
  unsigned used = 0;
  llvm::MapVector<uint64_t, Value> loaded;
  DenseSet<uint64_t> written;
};

} // namespace

static unsigned countLiveValueUnits(Block &block) {
  return llvm::count_if(block, [](Operation &op) {
    return isa<vgiw::LiveLoadOp, vgiw::LiveStoreOp>(op);
  });
}

static bool isMove(vgiw::LiveStoreOp store) {
  return vgiw::isConfigured(store.getValue()) ||
         store.getValue().getDefiningOp<vgiw::LiveLoadOp>();
}

/// Removes the moves of the block, and the loads that nothing else needs.
void Splitter::takeMoves() {
  for (auto store :
       llvm::make_early_inc_range(block->getOps<vgiw::LiveStoreOp>())) {
    if (!isMove(store))
      continue;
    Move move{0, nullptr, store.getId(), store.getValue().getType()};
    if (auto load = store.getValue().getDefiningOp<vgiw::LiveLoadOp>())
      move.from = load.getId();
    else
      move.constant = store.getValue().getDefiningOp();
    moves.push_back(move);
    store.erase();
  }
}

/// What is computed here and belongs where a move reads waits in another ID.
void Splitter::divertStores() {
  unsigned count = moves.size();
  for (auto store : block->getOps<vgiw::LiveStoreOp>()) {
    bool isNeeded = llvm::any_of(
        llvm::make_range(moves.begin(), moves.begin() + count),
        [&](const Move &move) { return move.reads(store.getId()); });
    if (!isNeeded)
      continue;
    moves.push_back(
        {nextID, nullptr, store.getId(), store.getValue().getType()});
    store.setId(nextID++);
    store.getAfterMutable().clear();
  }
}

/// The branch goes to the last block, and so must its condition. Returns the
/// move that it is to be loaded by there, of which only the source counts.
std::optional<Move> Splitter::passCondition() {
  auto branch = dyn_cast<vgiw::CondBranchOp>(block->getTerminator());
  if (!branch)
    return {};
  Value condition = branch.getCondition();
  if (vgiw::isConfigured(condition))
    return Move{0, condition.getDefiningOp(), 0, condition.getType()};
  auto load = condition.getDefiningOp<vgiw::LiveLoadOp>();
  bool isKept = load && llvm::none_of(block->getOps<vgiw::LiveStoreOp>(),
                                      [&](vgiw::LiveStoreOp store) {
                                        return store.getId() == load.getId();
                                      });
  uint64_t id = isKept ? load.getId() : nextID++;
  if (load && !isKept) {
    moves.push_back({load.getId(), nullptr, id, condition.getType()});
  } else if (!load) {
    OpBuilder builder(branch);
    vgiw::LiveStoreOp::create(builder, branch.getLoc(), condition, id,
                              ValueRange());
  }
  return Move{id, nullptr, 0, condition.getType()};
}

/// Into an order in which no move overwrites what a later one reads.
void Splitter::order() {
  std::deque<Move> ordered;
  while (!moves.empty()) {
    auto ready = llvm::find_if(
        moves, [&](const Move &move) { return !isRead(move.to); });
    if (ready != moves.end()) {
      ordered.push_back(*ready);
      moves.erase(ready);
      continue;
    }
    // Only cycles are left: one of them goes through another ID.
    uint64_t id = moves.front().to;
    for (Move &move : moves)
      if (move.reads(id)) {
        ordered.push_back({id, nullptr, nextID, move.type});
        move.from = nextID;
      }
    ++nextID;
  }
  moves = std::move(ordered);
}

void Splitter::startBlock() {
  Operation *terminator = block->getTerminator();
  auto ordered = cast<vgiw::OrderedOpInterface>(terminator);
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  Block *next =
      builder.createBlock(block->getParent(), std::next(block->getIterator()));
  SmallVector<Value> after;
  for (OpOperand &operand : ordered.getAfterMutable())
    after.push_back(operand.get());
  ordered.getAfterMutable().clear();
  terminator->moveBefore(next, next->end());
  builder.setInsertionPointToEnd(block);
  vgiw::BranchOp::create(builder, terminator->getLoc(), ValueRange(), after,
                         next);
  block = next;
  used = 0;
  loaded.clear();
  written.clear();
}

Value Splitter::load(uint64_t id, Type type) {
  Value &value = loaded[id];
  if (!value) {
    OpBuilder builder = OpBuilder::atBlockBegin(block);
    value = vgiw::LiveLoadOp::create(builder, block->getTerminator()->getLoc(),
                                     type, id, Value());
    ++used;
  }
  return value;
}

void Splitter::perform(const Move &move) {
  unsigned needed = move.constant || loaded.contains(move.from) ? 1 : 2;
  // One unit is for the condition.
  if (used + needed + 1 > units ||
      (!move.constant && written.contains(move.from)))
    startBlock();
  OpBuilder builder(block->getTerminator());
  Value value;
  if (move.constant)
    value = builder.clone(*move.constant)->getResult(0);
  else
    value = load(move.from, move.type);
  // The ID's own load comes before it is overwritten.
  SmallVector<Value, 1> after;
  if (Value old = loaded.lookup(move.to); old && old != value)
    after.push_back(old);
  vgiw::LiveStoreOp::create(builder, block->getTerminator()->getLoc(), value,
                            move.to, after);
  written.insert(move.to);
  ++used;
}

void Splitter::run() {
  std::optional<Move> condition = passCondition();
  takeMoves();
  divertStores();
  order();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (isa<vgiw::LiveLoadOp>(op) && op.use_empty())
      op.erase();
  used = countLiveValueUnits(*block);
  for (auto load : block->getOps<vgiw::LiveLoadOp>())
    loaded[load.getId()] = load;
  for (auto store : block->getOps<vgiw::LiveStoreOp>())
    written.insert(store.getId());
  Block *first = block;
  for (const Move &move : moves)
    perform(move);
  if (!condition)
    return;
  if (block == first || written.contains(condition->from))
    startBlock();
  auto branch = cast<vgiw::CondBranchOp>(block->getTerminator());
  OpBuilder builder(branch);
  Operation *old = branch.getCondition().getDefiningOp();
  branch.getConditionMutable().assign(
      condition->constant ? builder.clone(*condition->constant)->getResult(0)
                          : load(condition->from, condition->type));
  if (isa<vgiw::LiveLoadOp>(old) && old->use_empty())
    old->erase();
}

void VGIWSplitMoves::runOnOperation() {
  vgiw::KernelOp kernel = getOperation();
  if (kernel.getStage() != vgiw::Stage::Live) {
    kernel.emitError("is in stage '")
        << vgiw::stringifyStage(kernel.getStage()) << "', not in 'live'";
    return signalPassFailure();
  }
  if (units < 3) // a load, a store, and the branch's condition
    return;
  SmallVector<Block *> large;
  for (Block &block : kernel.getBody())
    if (countLiveValueUnits(block) > units &&
        llvm::any_of(block.getOps<vgiw::LiveStoreOp>(), isMove))
      large.push_back(&block);
  // A thread is between two blocks of one division at most: all have the same
  // further IDs.
  unsigned most = kernel.getLiveValues();
  for (Block *block : large) {
    Splitter splitter(kernel, *block, units);
    splitter.run();
    most = std::max(most, splitter.liveValues());
  }
  kernel.setLiveValues(most);
}
