//===- SpawnIterations.cpp - Parallel loops in recursion ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop's function that divides its range makes three functions of a recursion
// that has one, and none of them has a batch form.  The recursion has
// parallelism without it: so where an iteration does nothing but find out what
// to call, its function spawns that itself.
//
//===----------------------------------------------------------------------===//

#include "../CilkToChan/Combination.h"
#include "../CilkToChan/DebugVariables.h"

#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/Markers.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/MemorySlotInterfaces.h"
#include "mlir/Transforms/Mem2Reg.h"
#include "mlir/Transforms/SROA.h"

#include "llvm/ADT/SetVector.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CILKSPAWNITERATIONS
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

/// What the iterations of a loop end with: a call, and where its result is
/// stored, if it is; or another loop.
struct Level {
  LLVM::LLVMFuncOp body;
  Operation *last = nullptr;
  LLVM::StoreOp store;
  /// What is computed of the result and stored in its place, in order.
  SmallVector<Operation *> computed;
  /// Whether that is done as the result comes, and not by a second loop.
  bool applies = false;
};

/// A loop, and those that its iterations end with, down to the call.
using Nest = SmallVector<Level, 2>;

} // namespace

/// The functions that `function` names, as callees or bodies of loops.
static void addCallees(LLVM::LLVMFuncOp function, const SymbolTable &symbols,
                       llvm::SetVector<Operation *> &callees) {
  auto add = [&](FlatSymbolRefAttr name) {
    if (Operation *callee = name ? symbols.lookup(name.getValue()) : nullptr)
      callees.insert(callee);
  };
  function.walk([&](Operation *op) {
    if (auto call = dyn_cast<LLVM::CallOp>(op))
      add(call.getCalleeAttr());
    else if (auto call = dyn_cast<cilk::CallOp>(op))
      add(call.getCalleeAttr());
    else if (auto spawn = dyn_cast<cilk::SpawnOp>(op))
      add(spawn.getCalleeAttr());
    else if (auto loop = dyn_cast<cilk::ForOp>(op))
      add(loop.getBodyAttr());
  });
}

/// Whether `from` may come to call `to`.
static bool calls(LLVM::LLVMFuncOp from, LLVM::LLVMFuncOp to,
                  const SymbolTable &symbols) {
  llvm::SetVector<Operation *> reached;
  reached.insert(from);
  for (size_t i = 0; i < reached.size(); ++i) {
    if (reached[i] == to)
      return true;
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(reached[i]))
      addCallees(function, symbols, reached);
  }
  return false;
}

/// Iterations that are spawned although the loop has a grain.
static constexpr uint64_t mostWithGrain = 64;

/// Whether `op` takes as long each time, and leaves nothing on the stack that
/// another iteration would find there.
static bool isOfIteration(Operation &op) {
  return op.getNumRegions() == 0 &&
         !isa<LLVM::AllocaOp, LLVM::StackSaveOp, LLVM::StackRestoreOp,
              LLVM::InvokeOp, LLVM::InlineAsmOp, LLVM::CallOp>(op) &&
         !isa<cilk::CilkDialect>(op.getDialect());
}

/// What the branch at the end of `from` passes to `argument`.
static MutableOperandRange passed(Block *from, BlockArgument argument,
                                  unsigned successor) {
  auto branch = cast<BranchOpInterface>(from->getTerminator());
  SuccessorOperands operands = branch.getSuccessorOperands(successor);
  return operands.getMutableForwardedOperands().slice(
      argument.getArgNumber() - operands.getProducedOperandCount(), 1);
}

/// Removes an argument of a block that nobody uses, but perhaps `next`, which
/// is passed for it only.
static void removeArgument(BlockArgument argument, Operation *next = nullptr) {
  Block *block = argument.getOwner();
  for (auto from = block->pred_begin(); from != block->pred_end(); ++from)
    passed(*from, argument, from.getSuccessorIndex()).clear();
  if (next)
    next->erase();
  block->eraseArgument(argument.getArgNumber());
}

/// Where all that `block` does up to a store is to compute what depends on how
/// control comes there, as behind `v[i] = condition ? call : 0`, has each way
/// there store that itself.
static void sinkStore(Block *block) {
  auto store = block->getOps<LLVM::StoreOp>().begin();
  if (store == block->getOps<LLVM::StoreOp>().end() ||
      block->getSinglePredecessor())
    return;
  llvm::SetVector<Operation *> slice;
  for (Operation &op : *block) {
    if (&op == *store)
      break;
    if (!isPure(&op) && !isDebugRecord(op))
      return;
  }
  slice.insert(*store);
  for (size_t i = 0; i < slice.size(); ++i)
    for (Value operand : slice[i]->getOperands())
      if (Operation *op = operand.getDefiningOp();
          op && op->getBlock() == block)
        slice.insert(op);
  SmallVector<Operation *> order(slice.takeVector());
  llvm::sort(order,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });

  SmallVector<std::pair<BranchOpInterface, unsigned>> ways;
  for (auto from = block->pred_begin(); from != block->pred_end(); ++from)
    ways.push_back({cast<BranchOpInterface>((*from)->getTerminator()),
                    from.getSuccessorIndex()});
  OpBuilder builder(block->getParentOp());
  for (auto [branch, successor] : ways) {
    IRMapping mapping;
    for (BlockArgument argument : block->getArguments())
      mapping.map(argument,
                  passed(branch->getBlock(), argument, successor)[0].get());
    if (branch->getNumSuccessors() > 1) {
      SuccessorOperands operands = branch.getSuccessorOperands(successor);
      SmallVector<Value> all(operands.getForwardedOperands());
      builder.createBlock(block);
      auto edge = LLVM::BrOp::create(builder, branch.getLoc(), all, block);
      operands.erase(0, all.size());
      branch->setSuccessor(edge->getBlock(), successor);
      builder.setInsertionPoint(edge);
    } else {
      builder.setInsertionPoint(branch);
    }
    for (Operation *op : order)
      builder.clone(*op, mapping);
  }
  for (Operation *op : llvm::reverse(order))
    if (isa<LLVM::StoreOp>(op) ||
        (isOpTriviallyDead(op) && usersOf(op->getResult(0)).empty()))
      op->erase();
  for (BlockArgument argument : llvm::to_vector(block->getArguments()))
    if (usersOf(argument).empty()) {
      forgetInDebugger(argument);
      removeArgument(argument);
    }
}

/// Whether a branch passes `result`, or what the same block computes of it.
static bool isPassedOn(Operation *call, Value result) {
  auto branch = dyn_cast<LLVM::BrOp>(call->getBlock()->getTerminator());
  return branch && llvm::any_of(branch.getDestOperands(), [&](Value value) {
           Operation *op = value.getDefiningOp();
           return value == result ||
                  (op && op->getBlock() == call->getBlock() &&
                   call->isBeforeInBlock(op));
         });
}

/// Finds where the result of the level's call is stored, or what is computed of
/// it; false if it is used otherwise.
static bool findStore(Level &level, Value result) {
  llvm::SmallPtrSet<Operation *, 8> users;
  auto add = [&](Value value) { users.insert_range(usersOf(value)); };
  add(result);
  for (Operation *op = level.last->getNextNode(); op && !users.empty();
       op = op->getNextNode()) {
    if (!users.erase(op))
      continue;
    if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
      bool isLast = users.empty() && store.getValue() != store.getAddr() &&
                    !store.getVolatile_() &&
                    store.getOrdering() == LLVM::AtomicOrdering::not_atomic;
      Operation *last =
          level.computed.empty() ? level.last : level.computed.back();
      level.store = store;
      return isLast && store.getValue() == last->getResult(0);
    }
    if (!isPure(op) || op->getNumResults() != 1)
      return false;
    level.computed.push_back(op);
    add(op->getResult(0));
  }
  return false;
}

/// Whether the same iterations find the same places after the sync: all that
/// says so is computed, and not loaded where children may have stored.
static bool isFoundAgain(Level &level) {
  llvm::SetVector<Operation *> needed(level.computed.begin(),
                                      level.computed.end());
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp(); op && op != level.last)
      needed.insert(op);
  };
  add(level.store.getAddr());
  for (Block &block : level.body.getBody())
    llvm::for_each(block.getTerminator()->getOperands(), add);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (!isPure(needed[i]))
      return false;
    llvm::for_each(needed[i]->getOperands(), add);
  }
  return true;
}

/// Whether nothing but the result and constants says what is stored.
static bool isOfResultAlone(const Level &level) {
  return llvm::all_of(level.computed, [&](Operation *op) {
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *source = operand.getDefiningOp();
      return source &&
             (source == level.last || matchPattern(operand, m_Constant()) ||
              llvm::is_contained(level.computed, source));
    });
  });
}

/// Finds the one call of a spawning function in the level's body, or loop, if
/// nothing comes after it in its iteration but the store of its result.
/// Returns what is against that, or nothing.
static StringRef findLast(Level &level) {
  for (Block &block : level.body.getBody())
    for (Operation &op : block) {
      if (isa<cilk::CallOp, cilk::ForOp>(op) && !level.last)
        level.last = &op;
      else if (isa<cilk::CallOp, cilk::ForOp, cilk::SpawnOp>(op))
        return "an iteration calls more than one function that spawns";
      else if (!isOfIteration(op) && !isa<cilk::SyncOp>(op))
        return "an iteration has a call of another function, or an object of "
               "its own";
    }
  if (!level.last)
    return "an iteration calls none that spawns";

  Value result =
      level.last->getNumResults() ? level.last->getResult(0) : Value();
  if (result && isPassedOn(level.last, result))
    sinkStore(level.last->getBlock()->getSuccessor(0));

  // The loop over the range, and no other.
  DominanceInfo dominance(level.body);
  CFGLoopInfo loops(dominance.getDomTree(&level.body.getBody()));
  CFGLoop *loop = loops.getLoopFor(level.last->getBlock());
  if (!loop || !loop->isInnermost() || !loop->isOutermost() ||
      loops.getTopLevelLoops().size() != 1)
    return "an iteration has a loop";

  StringRef comesBehind = "more comes behind the call than the store of its "
                          "result, or of what is computed of it";
  if (result && !usersOf(result).empty() && !findStore(level, result))
    return comesBehind;
  // What comes before it in an iteration.  Iterations without it are to have
  // nothing to do: one activation goes through all of them.
  llvm::SetVector<Block *> ahead;
  ahead.insert(level.last->getBlock());
  for (size_t i = 0; i < ahead.size(); ++i)
    for (Block *before : ahead[i]->getPredecessors())
      if (ahead[i] != loop->getHeader() || !loop->contains(before))
        ahead.insert(before);
  auto isNothing = [&](Operation &op) {
    return isPure(&op) || op.hasTrait<OpTrait::IsTerminator>() ||
           isa<cilk::SyncOp>(op) || isDebugRecord(op) || &op == level.store;
  };
  for (Operation *op = level.last->getNextNode(); op; op = op->getNextNode())
    if (!isNothing(*op))
      return comesBehind;
  level.applies = !level.computed.empty() &&
                  (level.store.getValue().getType() != result.getType() ||
                   !isFoundAgain(level));
  if (level.applies && !isOfResultAlone(level))
    return "what is computed of the results and of the iteration has another "
           "type than these, or which iterations have one is in memory";
  llvm::SetVector<Block *> behind;
  auto addSuccessors = [&](Block *block) {
    for (Block *next : block->getSuccessors())
      if (next != loop->getHeader())
        behind.insert(next);
  };
  addSuccessors(level.last->getBlock());
  for (size_t i = 0; i < behind.size(); ++i)
    addSuccessors(behind[i]);
  for (Block &block : level.body.getBody()) {
    if (ahead.contains(&block))
      continue;
    auto something = llvm::make_filter_range(
        block, [&](Operation &op) { return !isNothing(op); });
    if (!something.empty() &&
        (behind.contains(&block) || !llvm::hasSingleElement(something) ||
         !isa<LLVM::StoreOp>(*something.begin())))
      return "iterations without a call, or behind it, do more than store "
             "something";
  }
  return {};
}

/// Whether an address in the body of `loop` is one of a local of known size in
/// the function that has the loop.  Elsewhere, activations that get no lanes
/// after all take twice as long as where the iterations are divided.
static bool isOwnArray(Value address, cilk::ForOp loop) {
  while (auto gep = address.getDefiningOp<LLVM::GEPOp>())
    address = gep.getBase();
  auto parameter = dyn_cast<BlockArgument>(address);
  if (!parameter || !parameter.getOwner()->isEntryBlock() ||
      parameter.getArgNumber() < 2)
    return false;
  auto local = loop.getCaptures()[parameter.getArgNumber() - 2]
                   .getDefiningOp<LLVM::AllocaOp>();
  return local && matchPattern(local.getArraySize(), m_Constant());
}

/// Finds what is nested in `loop`.  Returns what is against that, or nothing.
static StringRef findNest(cilk::ForOp loop, const SymbolTable &symbols,
                          Nest &nest) {
  for (Operation *last = loop; auto inner = dyn_cast<cilk::ForOp>(last);) {
    Level level;
    level.body = symbols.lookup<LLVM::LLVMFuncOp>(inner.getBody());
    // Who names a grain wants ranges of it, but a few spawns are as cheap.
    APInt count, grain;
    if (inner.getGrain() &&
        !(matchPattern(inner.getCount(), m_ConstantInt(&count)) &&
          matchPattern(inner.getGrain(), m_ConstantInt(&grain)) &&
          count.ule(mostWithGrain) && grain.ult(count)))
      return "the loop has a grain";
    if (inner.getLeast() || !cilk::isSpawning(level.body))
      return "an iteration calls none that spawns";
    if (StringRef why = findLast(level); !why.empty())
      return why;
    if (!level.computed.empty() && !nest.empty())
      return "something is computed of the results of a nested loop";
    if (!level.computed.empty() && !isOwnArray(level.store.getAddr(), loop))
      return "something is computed of the results, and they go elsewhere than "
             "to an array of known length that is the function's own";
    nest.push_back(level);
    last = level.last;
  }
  return {};
}

//===----------------------------------------------------------------------===//
// The loop as C has it
//===----------------------------------------------------------------------===//

namespace {
/// `count` iterations are those of `for (i = 0; i < end; i++)`.
struct Bound {
  Value end;
  LLVM::ICmpPredicate less;
};
} // namespace

static Bound boundOf(Value count) {
  bool isSigned = false;
  if (auto select = count.getDefiningOp<LLVM::SelectOp>()) {
    auto compare = select.getCondition().getDefiningOp<LLVM::ICmpOp>();
    if (compare && compare.getPredicate() == LLVM::ICmpPredicate::slt &&
        matchPattern(compare.getLhs(), m_Zero()) &&
        compare.getRhs() == select.getTrueValue() &&
        matchPattern(select.getFalseValue(), m_Zero())) {
      isSigned = true;
      count = select.getTrueValue();
    }
  }
  if (auto extended = count.getDefiningOp<LLVM::SExtOp>())
    return {extended.getArg(), LLVM::ICmpPredicate::slt};
  if (auto extended = count.getDefiningOp<LLVM::ZExtOp>())
    return {extended.getArg(), LLVM::ICmpPredicate::ult};
  return {count,
          isSigned ? LLVM::ICmpPredicate::slt : LLVM::ICmpPredicate::ult};
}

/// Whether `argument` of a loop's header is the number of its iteration.
static bool counts(BlockArgument argument, const CFGLoop &loop) {
  Block *header = loop.getHeader();
  for (auto from = header->pred_begin(); from != header->pred_end(); ++from) {
    Value value = passed(*from, argument, from.getSuccessorIndex())[0].get();
    auto step = value.getDefiningOp<LLVM::AddOp>();
    bool isNext = step && step.getLhs() == argument &&
                  matchPattern(step.getRhs(), m_One());
    if (loop.contains(*from) ? !isNext : !matchPattern(value, m_Zero()))
      return false;
  }
  return true;
}

/// Removes the number of the iteration if only the next one is computed of it.
static void removeNumber(BlockArgument number) {
  if (number.hasOneUse() && (*number.user_begin())->hasOneUse())
    removeArgument(number, *number.user_begin());
}

/// The loop of a body that is in its place compares the number of the iteration
/// with the count.  If C's own variable is the same number, that is compared
/// with the end that C names instead, as in a loop that is not parallel.
static void compareAsInC(LLVM::ICmpOp compare) {
  auto number = dyn_cast<BlockArgument>(compare.getLhs());
  if (!number || compare.getPredicate() != LLVM::ICmpPredicate::ne)
    return;
  DominanceInfo dominance;
  CFGLoopInfo loops(dominance.getDomTree(compare->getParentRegion()));
  CFGLoop *loop = loops.getLoopFor(compare->getBlock());
  if (!loop || number.getOwner() != loop->getHeader() ||
      compare->getBlock() != loop->getHeader() || !counts(number, *loop))
    return;
  Bound bound = boundOf(compare.getRhs());
  IntegerAttr constant;
  bool isConstant = matchPattern(bound.end, m_Constant(&constant)) &&
                    constant.getValue().isSignedIntN(31);
  BlockArgument own = number;
  for (BlockArgument argument : loop->getHeader()->getArguments())
    if (argument != number && counts(argument, *loop) &&
        (isConstant || argument.getType() == bound.end.getType()))
      own = argument;
  if (own.getType() != bound.end.getType() && !isConstant)
    bound = {compare.getRhs(), LLVM::ICmpPredicate::ult};
  OpBuilder builder(compare);
  if (own.getType() != bound.end.getType()) {
    if (own.getType().getIntOrFloatBitWidth() < 32)
      return;
    builder.setInsertionPointToStart(&compare->getParentRegion()->front());
    bound.end = LLVM::ConstantOp::create(
        builder, compare.getLoc(), own.getType(),
        builder.getIntegerAttr(own.getType(), constant.getInt()));
    bound.less = LLVM::ICmpPredicate::slt;
    builder.setInsertionPoint(compare);
  }
  compare.replaceAllUsesWith(LLVM::ICmpOp::create(builder, compare.getLoc(),
                                                  bound.less, own, bound.end)
                                 .getResult());
  compare.erase();
  if (own != number)
    removeNumber(number);
}

//===----------------------------------------------------------------------===//
// In place of the parallel loop
//===----------------------------------------------------------------------===//

/// Makes the function that stores what is `computed` of a result.
static LLVM::LLVMFuncOp createApply(cilk::CallOp call, LLVM::StoreOp store,
                                    ArrayRef<Operation *> computed,
                                    SymbolTable &symbols) {
  OpBuilder builder(call);
  Location loc = store.getLoc();
  LLVM::LLVMFuncOp apply =
      createApplyFunction(call->getParentOfType<LLVM::LLVMFuncOp>(), ".assign",
                          loc, symbols, builder);
  IRMapping mapping;
  mapping.map(call.getResult(),
              LLVM::LoadOp::create(builder, loc, call.getResult().getType(),
                                   apply.getArgument(1))
                  .getResult());
  for (Operation *op : computed) {
    for (Value operand : op->getOperands())
      if (!mapping.contains(operand))
        builder.clone(*operand.getDefiningOp(), mapping);
    builder.clone(*op, mapping);
  }
  LLVM::StoreOp::create(builder, loc, mapping.lookup(store.getValue()),
                        apply.getArgument(0), /*alignment=*/1);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return apply;
}

/// Spawns what the call calls, in its place.  With `symbols`, a function stores
/// what is computed of the result.
static void spawnInPlace(cilk::CallOp call, LLVM::StoreOp store,
                         ArrayRef<Operation *> computed, SymbolTable *symbols) {
  FlatSymbolRefAttr apply;
  if (symbols)
    apply =
        FlatSymbolRefAttr::get(createApply(call, store, computed, *symbols));
  // What is in between finds the address.
  if (store)
    call->moveBefore(store);
  OpBuilder builder(call);
  cilk::SpawnOp::create(builder, call.getLoc(), call.getCalleeAttr(), Value(),
                        call.getArgs(), store ? store.getAddr() : Value(),
                        apply, call.getSignatureAttr(), call.getArgAttrsAttr());
  if (store)
    store.erase();
  for (Operation *op : llvm::reverse(computed)) {
    forgetInDebugger(op->getResult(0));
    op->erase();
  }
  if (call.getResult())
    forgetInDebugger(call.getResult());
  call.erase();
}

/// Has an iteration behind the sync compute what is stored of the result that
/// is there instead, and do nothing else.
static void computeInPlace(cilk::CallOp call, LLVM::StoreOp store,
                           ArrayRef<Operation *> computed,
                           ArrayRef<Block *> body) {
  OpBuilder builder(store);
  auto result =
      LLVM::LoadOp::create(builder, store.getLoc(), call.getResult().getType(),
                           store.getAddr(), store.getAlignment().value_or(0));
  for (Operation *op : computed)
    op->moveBefore(store);
  call.getResult().replaceAllUsesWith(result);
  call.erase();
  // What finds the place has no effects, and all else has been done.
  for (bool changes = true; changes;) {
    changes = false;
    for (Block *block : body)
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
        if (&op != store && op.use_empty() &&
            !op.hasTrait<OpTrait::IsTerminator>()) {
          op.erase();
          changes = true;
        }
  }
}

/// Puts the loop of a body where `loop` is, with nobody to wait for.
static IRMapping copyHere(cilk::ForOp loop, Level level) {
  Region &body = level.body.getBody();
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                        builder.getI64IntegerAttr(0));
  SmallVector<Value> args = {zero, loop.getCount()};
  llvm::append_range(args, loop.getCaptures());
  IRMapping mapping;
  mapping.map(level.body.getArguments(), args);
  Block *before = loop->getBlock(), *after = before->splitBlock(loop);
  body.cloneInto(before->getParent(), after->getIterator(), mapping);
  for (auto narrow : llvm::make_early_inc_range(zero.getUsers()))
    if (isa<LLVM::TruncOp>(narrow)) {
      builder.setInsertionPoint(narrow);
      Type type = narrow->getResult(0).getType();
      narrow->replaceAllUsesWith(LLVM::ConstantOp::create(
          builder, loc, type, builder.getIntegerAttr(type, 0)));
      narrow->erase();
    }
  Location ofParent = loop->getParentOfType<LLVM::LLVMFuncOp>().getLoc();
  for (Block &block : body)
    moveToSubprogram(*mapping.lookup(&block), level.body.getLoc(), ofParent);
  // Nothing branches to the entry.
  Block *entry = mapping.lookup(&body.front());
  entry->eraseArguments(0, entry->getNumArguments());
  builder.setInsertionPointToEnd(before);
  LLVM::BrOp::create(builder, loc, entry);
  for (Block &block : body) {
    for (auto sync : llvm::make_early_inc_range(
             mapping.lookup(&block)->getOps<cilk::SyncOp>()))
      sync.erase();
    Operation *end = mapping.lookup(&block)->getTerminator();
    if (!isa<LLVM::ReturnOp>(end))
      continue;
    builder.setInsertionPoint(end);
    LLVM::BrOp::create(builder, loc, after);
    end->erase();
  }
  for (Operation *user : llvm::make_early_inc_range(loop.getCount().getUsers()))
    if (auto compare = dyn_cast<LLVM::ICmpOp>(user);
        compare && compare.getRhs() == loop.getCount() &&
        llvm::any_of(body, [&](Block &block) {
          return mapping.lookup(&block) == compare->getBlock();
        }))
      compareAsInC(compare);
  return mapping;
}

/// Puts a nest where `loop` is, with a spawn for the call.  What is computed of
/// the results is computed by a second loop, in front of `after`.
static void runHere(cilk::ForOp loop, ArrayRef<Level> nest, Operation *after,
                    SymbolTable &symbols) {
  Level level = nest.front();
  auto finish = [&](cilk::ForOp place, auto &&finishCall) {
    IRMapping mapping = copyHere(place, level);
    SmallVector<Operation *> computed;
    for (Operation *op : level.computed)
      computed.push_back(mapping.lookup(op));
    LLVM::StoreOp store;
    if (level.store)
      store = cast<LLVM::StoreOp>(
          mapping.lookup(static_cast<Operation *>(level.store)));
    finishCall(mapping.lookup(level.last), store, computed, mapping);
    place.erase();
  };
  if (!level.computed.empty() && !level.applies) {
    auto again = cast<cilk::ForOp>(loop->clone());
    after->getBlock()->getOperations().insert(after->getIterator(), again);
    finish(again, [&](Operation *last, LLVM::StoreOp store,
                      ArrayRef<Operation *> computed, IRMapping &mapping) {
      SmallVector<Block *> blocks;
      for (Block &block : level.body.getBody())
        blocks.push_back(mapping.lookup(&block));
      computeInPlace(cast<cilk::CallOp>(last), store, computed, blocks);
    });
  }
  finish(loop, [&](Operation *last, LLVM::StoreOp store,
                   ArrayRef<Operation *> computed, IRMapping &) {
    if (auto inner = dyn_cast<cilk::ForOp>(last))
      runHere(inner, nest.drop_front(), after, symbols);
    else
      spawnInPlace(cast<cilk::CallOp>(last), store, computed,
                   level.applies ? &symbols : nullptr);
  });
}

/// Makes values of the locals whose address only a body of `function` had.
static void promoteLocals(LLVM::LLVMFuncOp function) {
  OpBuilder builder(function);
  // Those of one struct speak of it by one type.
  for (auto local : function.front().getOps<LLVM::AllocaOp>())
    for (Operation *user : local->getUsers()) {
      auto gep = dyn_cast<LLVM::GEPOp>(user);
      auto own = dyn_cast<LLVM::LLVMStructType>(local.getElemType());
      auto other = gep ? dyn_cast<LLVM::LLVMStructType>(gep.getElemType())
                       : LLVM::LLVMStructType();
      if (own && other && own.getBody() == other.getBody() &&
          own.isPacked() == other.isPacked())
        gep.setElemType(own);
      // Its constant operands become a part of it.
      SmallVector<OpFoldResult> folded;
      if (gep)
        (void)gep->fold(folded);
    }
  DataLayout layout = DataLayout::closest(function);
  auto locals = [&](auto &&result) {
    llvm::append_range(result, function.front().getOps<LLVM::AllocaOp>());
    return std::move(result);
  };
  (void)tryToDestructureMemorySlots(
      locals(SmallVector<DestructurableAllocationOpInterface>()), builder,
      layout);
  DominanceInfo dominance(function);
  (void)tryToPromoteMemorySlots(
      locals(SmallVector<PromotableAllocationOpInterface>()), builder, layout,
      dominance);
}

namespace {
struct CilkSpawnIterations
    : public cilk2chan::impl::CilkSpawnIterationsBase<CilkSpawnIterations> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<cilk::ForOp> loops;
    getOperation().walk([&](LLVM::LLVMFuncOp function) {
      // Those of a body belong to the loop that has it.
      if (!function.getName().starts_with(BodyPrefix))
        function.walk([&](cilk::ForOp loop) { loops.push_back(loop); });
    });
    llvm::SetVector<LLVM::LLVMFuncOp> changed;
    for (cilk::ForOp loop : loops) {
      auto function = loop->getParentOfType<LLVM::LLVMFuncOp>();
      if (consider(loop, function, changed.contains(function), symbols))
        changed.insert(function);
    }
    for (LLVM::LLVMFuncOp function : changed)
      promoteLocals(function);
  }

private:
  /// Whether `loop` is in place now, as others of `function` are or are not.
  bool consider(cilk::ForOp loop, LLVM::LLVMFuncOp function, bool hasOthers,
                SymbolTable &symbols) {
    auto body = symbols.lookup<LLVM::LLVMFuncOp>(loop.getBody());
    if (!calls(body, function, symbols))
      return false;
    auto options =
        remark::RemarkOpts::name("spawned").category("chan-iterations");
    // The loop waits for its own iterations only.
    bool spawns =
        !hasOthers &&
        function.walk([](cilk::SpawnOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    Nest nest;
    StringRef why = spawns ? "its function spawns something else"
                           : findNest(loop, symbols, nest);
    if (!why.empty()) {
      remark::missed(loop.getLoc(), options)
          << "the cilk_for divides its iterations, so that the recursion that "
             "it is part of has no batches: " +
                 why.str();
      return false;
    }
    remark::passed(loop.getLoc(), options)
        << "iterations of the cilk_for are spawned one by one: what they call "
           "comes here again";
    OpBuilder builder(loop);
    builder.setInsertionPointAfter(loop);
    auto sync = cilk::SyncOp::create(builder, loop.getLoc());
    runHere(loop, nest, sync->getNextNode(), symbols);
    for (const Level &level : nest)
      forget(level.body, symbols);
    return true;
  }

  /// Erases a body that nothing runs any more.
  void forget(LLVM::LLVMFuncOp body, SymbolTable &symbols) {
    auto uses = SymbolTable::getSymbolUses(body, getOperation());
    SmallVector<Operation *> dead;
    for (SymbolTable::SymbolUse use : *uses) {
      if (!isa<LLVM::AddressOfOp>(use.getUser()) || !use.getUser()->use_empty())
        return;
      dead.push_back(use.getUser());
    }
    for (Operation *op : dead)
      op->erase();
    symbols.erase(body);
  }
};
} // namespace
