//===- Iterations.cpp - What iterations of a loop end with ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Iterations.h"
#include "cilk2chan/Dialect/Cilk/Tuning.h"

#include "SmallArrays.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LongLoops.h"
#include "cilk2chan/Support/BaseOf.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan;

/// Whether `op` takes as long each time.
static bool isOfIteration(Operation &op) {
  return op.getNumRegions() == 0 &&
         !isa<LLVM::InvokeOp, LLVM::InlineAsmOp, LLVM::CallOp>(op) &&
         !isa<cilk::CilkDialect>(op.getDialect());
}

MutableOperandRange cilk2chan::passed(Block *from, BlockArgument argument,
                                      unsigned successor) {
  auto branch = cast<BranchOpInterface>(from->getTerminator());
  SuccessorOperands operands = branch.getSuccessorOperands(successor);
  return operands.getMutableForwardedOperands().slice(
      argument.getArgNumber() - operands.getProducedOperandCount(), 1);
}

void cilk2chan::removeArgument(BlockArgument argument, Operation *next) {
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

/// Whether an iteration does nothing with what lies at `address`, but to access
/// it and to pass it to `call`, as a whole.
static bool isOwn(Value address, cilk::CallOp call, bool isWhole = true) {
  return llvm::all_of(address.getUsers(), [&](Operation *user) {
    if (isa<LLVM::GEPOp>(user))
      return isOwn(user->getResult(0), call, /*isWhole=*/false);
    if (auto store = dyn_cast<LLVM::StoreOp>(user))
      return store.getValue() != address;
    return isa<LLVM::LoadOp, LLVM::MemcpyOp, LLVM::MemsetOp>(user) ||
           isDebugRecord(*user) || (isWhole && call && user == call);
  });
}

/// Finds the objects that iterations have each one of, in one place one after
/// the other; false if there are any that cannot be local variables of the
/// loop's function.
static bool findObjects(Level &level, const TypeLayout &layout) {
  auto call = dyn_cast<cilk::CallOp>(level.last);
  for (Block &block : level.body.getBody())
    for (auto object : block.getOps<LLVM::AllocaOp>()) {
      APInt count;
      bool isFixed = matchPattern(object.getArraySize(), m_ConstantInt(&count));
      if (block.isEntryBlock() != isFixed || !isOwn(object, call) ||
          (isFixed && count.getLimitedValue(tuning::mostArrayBytes) *
                              layout.allocSize(object.getElemType()) >
                          tuning::mostArrayBytes))
        return false;
      if (!isFixed ||
          (call && llvm::is_contained(call.getArgs(), object.getResult())))
        level.objects.push_back(object);
    }
  return true;
}

/// How many elements lanes are to have of their own where `base` is: an object
/// of an iteration, or what its function was passed where it passes one.
static uint64_t countOwn(Value base, const Level &level, cilk::ForOp loop) {
  auto call = dyn_cast<cilk::CallOp>(level.last);
  auto capture = dyn_cast<BlockArgument>(base);
  if (capture && call && capture.getOwner()->isEntryBlock() &&
      capture.getArgNumber() >= 2) {
    auto parameter =
        dyn_cast<BlockArgument>(loop.getCaptures()[capture.getArgNumber() - 2]);
    if (parameter && parameter.getOwner()->isEntryBlock() &&
        parameter.getArgNumber() < call.getArgs().size())
      base = call.getArgs()[parameter.getArgNumber()];
  }
  auto object = base.getDefiningOp<LLVM::AllocaOp>();
  if (!llvm::is_contained(level.objects, object))
    return 0;
  uint64_t elements = countElements(object);
  return elements ? elements : tuning::mostArrayParts;
}

/// Finds the one call of a spawning function in the level's body, or loop, if
/// nothing comes after it in its iteration but the store of its result.
/// Returns what is against that, or nothing.
static std::string findLast(Level &level, cilk::ForOp place,
                            const TypeLayout &layout) {
  for (Block &block : level.body.getBody())
    for (Operation &op : block) {
      if (isa<cilk::CallOp, cilk::ForOp>(op) && !level.last)
        level.last = &op;
      else if (isa<cilk::CallOp, cilk::ForOp, cilk::SpawnOp>(op))
        return "an iteration calls more than one function that spawns";
      else if (!isOfIteration(op) && !isa<cilk::SyncOp>(op))
        return "an iteration has a call of another function";
    }
  if (!level.last)
    return "an iteration calls no function that spawns";
  if (!findObjects(level, layout))
    return "an iteration has an object of more than 64 bytes, or does more "
           "with one than access it and pass it as a whole";

  Value result =
      level.last->getNumResults() ? level.last->getResult(0) : Value();
  if (result && isPassedOn(level.last, result))
    sinkStore(level.last->getBlock()->getSuccessor(0));

  // The loop over the range, and short ones in it.
  DominanceInfo dominance(level.body);
  CFGLoopInfo loops(dominance.getDomTree(&level.body.getBody()));
  CFGLoop *loop = loops.getLoopFor(level.last->getBlock());
  if (!loop || !loop->isOutermost() || loops.getTopLevelLoops().size() != 1)
    return "an iteration calls in a loop";
  for (const CFGLoop *inner : loop->getSubLoops()) {
    auto elements = [&](Value base) { return countOwn(base, level, place); };
    auto found = findLongLoop(*inner, loops, dominance, elements);
    if (!found)
      continue;
    auto line = found->place->getLoc()->findInstanceOf<FileLineColLoc>();
    std::string why =
        found->gathers
            ? "an iteration has a loop through memory at addresses of its own"
            : "an iteration has a loop that is not known to be "
              "short";
    return line && line.getLine()
               ? why + ", in line " + std::to_string(line.getLine())
               : why;
  }

  StringRef comesBehind = "after the call, an iteration does more than store "
                          "its result or a value computed from it";
  if (result && !usersOf(result).empty() && !findStore(level, result))
    return comesBehind.str();
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
           isa<cilk::SyncOp, LLVM::StackRestoreOp>(op) || isDebugRecord(op) ||
           &op == level.store;
  };
  for (Operation *op = level.last->getNextNode(); op; op = op->getNextNode())
    if (!isNothing(*op))
      return comesBehind.str();
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
      return "without a call or after it, an iteration does more than store "
             "something";
  }
  return {};
}

/// Whether an address in the body of `loop` is one of a local of known size in
/// the function that has the loop.  Elsewhere, activations that get no lanes
/// after all take twice as long as where the iterations are divided.
static bool isOwnArray(Value address, cilk::ForOp loop) {
  auto parameter = dyn_cast<BlockArgument>(baseOf(address));
  if (!parameter || !parameter.getOwner()->isEntryBlock() ||
      parameter.getArgNumber() < 2)
    return false;
  auto local = loop.getCaptures()[parameter.getArgNumber() - 2]
                   .getDefiningOp<LLVM::AllocaOp>();
  return local && matchPattern(local.getArraySize(), m_Constant());
}

std::string cilk2chan::findNest(cilk::ForOp loop, const SymbolTable &symbols,
                                const TypeLayout &layout, Nest &nest) {
  for (Operation *last = loop; auto inner = dyn_cast<cilk::ForOp>(last);) {
    Level level;
    level.body = symbols.lookup<LLVM::LLVMFuncOp>(inner.getBody());
    // A program that names a grain wants ranges of it, but a few spawns are as
    // cheap.
    APInt count, grain;
    if (inner.getGrain() &&
        !(matchPattern(inner.getCount(), m_ConstantInt(&count)) &&
          matchPattern(inner.getGrain(), m_ConstantInt(&grain)) &&
          count.ule(tuning::mostSpawnedWithGrain) && grain.ult(count)))
      return "the loop has a grain";
    if (inner.getLeast() || !cilk::isSpawning(level.body))
      return "an iteration calls no function that spawns";
    if (std::string why = findLast(level, inner, layout); !why.empty())
      return why;
    if (!level.computed.empty() && !nest.empty())
      return "the results of a nested loop are used in a computation";
    if (!level.computed.empty() && !isOwnArray(level.store.getAddr(), loop))
      return "the results are used in a computation, but are not stored in a "
             "local array of known length";
    nest.push_back(level);
    last = level.last;
  }
  return {};
}
