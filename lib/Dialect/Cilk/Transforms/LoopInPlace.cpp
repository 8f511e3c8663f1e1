//===- LoopInPlace.cpp - A parallel loop's body in its place --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopInPlace.h"

#include "cilk2chan/Dialect/Cilk/Analysis/Combination.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"

#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/PromoteObjects.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2chan;

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

/// Puts the loop of a body where `loop` is, as serial code.
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
  Block *first = &before->getParent()->front();
  for (auto object :
       llvm::make_early_inc_range(entry->getOps<LLVM::AllocaOp>())) {
    Operation *size = object.getArraySize().getDefiningOp();
    object->moveBefore(first, first->begin());
    builder.setInsertionPoint(object);
    object.setOperand(builder.clone(*size)->getResult(0));
  }
  entry->eraseArguments(0, entry->getNumArguments());
  builder.setInsertionPointToEnd(before);
  LLVM::BrOp::create(builder, loc, entry);
  for (Block &block : body) {
    for (Operation &op : llvm::make_early_inc_range(*mapping.lookup(&block)))
      if (isa<cilk::SyncOp, LLVM::StackRestoreOp>(op))
        op.erase();
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

void cilk2chan::runHere(cilk::ForOp loop, ArrayRef<Level> nest,
                        Operation *after, SymbolTable &symbols) {
  Level level = nest.front();
  auto finish = [&](cilk::ForOp place, auto &&finishCall) {
    IRMapping mapping = copyHere(place, level);
    SmallVector<Operation *> computed;
    for (Operation *op : level.computed)
      computed.push_back(mapping.lookup(op));
    for (LLVM::AllocaOp object : level.objects)
      mapping.lookup(object.getOperation())
          ->setAttr(OfIterationAttribute, UnitAttr::get(object.getContext()));
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

void cilk2chan::promoteLocals(LLVM::LLVMFuncOp function,
                              const TypeLayout &layout) {
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
  auto locals = [&] {
    return SmallVector<LLVM::AllocaOp>(
        function.front().getOps<LLVM::AllocaOp>());
  };
  divideObjects(locals(), builder, layout);
  (void)promoteObjects(locals(), function, builder, layout);
}
