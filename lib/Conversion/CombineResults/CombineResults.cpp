//===- CombineResults.cpp - Results that are kept only to be combined -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   int count[n];                             int all = 0;
//   memset(count, 0, n * sizeof *count);      for (int i = 0; i < n; ++i)
//   for (int i = 0; i < n; ++i)                 if (...)
//     if (...)                                    all += cilk_spawn f(i);
//       count[i] = cilk_spawn f(i);      ->   cilk_sync;
//   cilk_sync;                                int sum = all;
//   int sum = 0;
//   for (int i = 0; i < n; ++i)
//     sum += count[i];
//
// The left side is how it was written before there were reducers, and what it
// takes where children may run at the same time and `sum += f()` was not to be
// had.  In a batch the array is memory of each activation, and the loop a
// phase that waits; the right side may accumulate (Accumulation.cpp).
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"

#include "../CilkToChan/LongLoops.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CILKCOMBINERESULTS
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

/// In another order there are other intermediate results.
static void dropFlags(Operation *op) {
  if (auto overflow = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(op))
    overflow.setOverflowFlags(LLVM::IntegerOverflowFlags::none);
}

namespace {

/// `for (index = 0; index < end; ++index)`, with one way in and one way back.
struct Counting {
  BlockArgument index;
  LLVM::ICmpPredicate less;
  Value end;
};

/// An array that has each child's result once, and each of whose elements is
/// combined with all others once.  What is read of it and has not been written
/// is nothing that a program may use.
class ResultArray {
public:
  ResultArray(LLVM::AllocaOp array, const CFGLoopInfo &loops,
              DominanceInfo &dominance)
      : array(array), loops(loops), dominance(dominance) {}

  /// Whether this is such an array, and the function can do without.
  bool find();
  /// Combines results as they come.
  void replace(SymbolTable &symbols);

private:
  bool findUses();
  bool findCombination();
  bool comesBefore(Operation *clear, const CFGLoop &loop);
  const CFGLoop *loopThrough(LLVM::GEPOp address);
  bool endsInSum() const;
  LLVM::LLVMFuncOp createApply(SymbolTable &symbols);

  LLVM::AllocaOp array;
  const CFGLoopInfo &loops;
  DominanceInfo &dominance;

  /// Set it to zero: a memset, or a store.
  SmallVector<Operation *> clears;
  cilk::SpawnOp spawn;
  LLVM::LoadOp load;
  /// The loop that combines what is loaded with `sum`, which it carries.
  const CFGLoop *last = nullptr;
  Operation *combine = nullptr;
  BlockArgument sum;
};

} // namespace

static std::optional<Counting> countingOf(const CFGLoop &loop) {
  Block *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
  auto test = dyn_cast<LLVM::CondBrOp>(loop.getHeader()->getTerminator());
  auto compare =
      test ? test.getCondition().getDefiningOp<LLVM::ICmpOp>() : nullptr;
  if (!before || !latch || !compare || !loop.contains(test.getTrueDest()) ||
      loop.contains(test.getFalseDest()) ||
      (compare.getPredicate() != LLVM::ICmpPredicate::slt &&
       compare.getPredicate() != LLVM::ICmpPredicate::ult))
    return {};
  auto index = dyn_cast<BlockArgument>(compare.getLhs());
  if (!index || index.getOwner() != loop.getHeader() ||
      loop.contains(compare.getRhs().getParentBlock()))
    return {};
  Value first = passedFrom(before, index), next = passedFrom(latch, index);
  auto step = next ? next.getDefiningOp<LLVM::AddOp>() : nullptr;
  if (!first || !matchPattern(first, m_Zero()) || !step ||
      step.getLhs() != index || !matchPattern(step.getRhs(), m_One()))
    return {};
  return Counting{index, compare.getPredicate(), compare.getRhs()};
}

/// The loop that counts the elements of the array that `address` is one of.
const CFGLoop *ResultArray::loopThrough(LLVM::GEPOp address) {
  Type type = address.getElemType();
  Value index;
  auto indices = address.getIndices();
  for (size_t i = 0; i < indices.size(); ++i) {
    if (i) {
      auto whole = dyn_cast<LLVM::LLVMArrayType>(type);
      if (!whole)
        return nullptr;
      type = whole.getElementType();
    }
    auto constant = dyn_cast<IntegerAttr>(indices[i]);
    index = constant ? Value() : cast<Value>(indices[i]);
    bool isZero =
        constant ? constant.getInt() == 0 : matchPattern(index, m_Zero());
    if (!isZero && i + 1 < indices.size())
      return nullptr;
  }
  if (type != load.getType() || !index)
    return nullptr;
  while (isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp>(index.getDefiningOp()))
    index = index.getDefiningOp()->getOperand(0);
  const CFGLoop *loop = loops.getLoopFor(index.getParentBlock());
  auto counting = loop ? countingOf(*loop) : std::nullopt;
  return counting && counting->index == index ? loop : nullptr;
}

/// Whether nothing is done with the array but what is expected.
bool ResultArray::findUses() {
  for (Operation *user : array->getUsers()) {
    if (auto set = dyn_cast<LLVM::MemsetOp>(user)) {
      if (set.getIsVolatile() || !matchPattern(set.getVal(), m_Zero()))
        return false;
      clears.push_back(set);
      continue;
    }
    auto address = dyn_cast<LLVM::GEPOp>(user);
    if (!address)
      return false;
    for (Operation *access : address->getUsers()) {
      if (auto child = dyn_cast<cilk::SpawnOp>(access)) {
        if (spawn || child.isDeferred() ||
            llvm::is_contained(child.getArgs(), address.getResult()))
          return false;
        spawn = child;
      } else if (auto store = dyn_cast<LLVM::StoreOp>(access)) {
        if (store.getVolatile_() || !matchPattern(store.getValue(), m_Zero()))
          return false;
        clears.push_back(store);
      } else if (auto found = dyn_cast<LLVM::LoadOp>(access)) {
        if (load || found.getVolatile_())
          return false;
        load = found;
      } else {
        return false;
      }
    }
  }
  return spawn && load && isa<IntegerType>(load.getType()) &&
         load.getType() == spawn.getSignature().getReturnType();
}

/// Whether all that is done with what is loaded is to combine it with what the
/// loop carries.
bool ResultArray::findCombination() {
  if (!load->hasOneUse())
    return false;
  combine = *load->user_begin();
  if (!isa<LLVM::AddOp, LLVM::OrOp, LLVM::XOrOp>(combine) ||
      !combine->hasOneUse())
    return false;
  Value other = combine->getOperand(combine->getOperand(0) == load ? 1 : 0);
  sum = dyn_cast<BlockArgument>(other);
  return sum && sum.getOwner() == last->getHeader() &&
         passedFrom(last->getLoopLatch(), sum) == combine->getResult(0);
}

/// Whether the last loop leaves nothing but its sum.
bool ResultArray::endsInSum() const {
  auto isUsedOutside = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return !last->contains(user->getBlock());
    });
  };
  for (Block *block : last->blocks()) {
    for (BlockArgument argument : block->getArguments())
      if (argument != sum && isUsedOutside(argument))
        return false;
    for (Operation &op : *block) {
      bool isHarmless =
          &op == load || isPure(&op) || op.hasTrait<OpTrait::IsTerminator>();
      if (!isHarmless || llvm::any_of(op.getResults(), isUsedOutside))
        return false;
      // It is left where it has counted all, and with what it carries.
      if (block != last->getHeader())
        for (Block *next : op.getSuccessors())
          if (!last->contains(next))
            return false;
      if (&op != combine && llvm::is_contained(op.getOperands(), sum) &&
          !op.hasTrait<OpTrait::IsTerminator>())
        return false;
    }
  }
  auto test = cast<LLVM::CondBrOp>(last->getHeader()->getTerminator());
  return llvm::all_of(test.getFalseDestOperands(), [&](Value value) {
    return value == sum || !last->contains(value.getParentBlock());
  });
}

/// Whether what an element is set to is gone when it has a result: `loop`
/// spawns.
bool ResultArray::comesBefore(Operation *clear, const CFGLoop &loop) {
  if (!spawn->getBlock()->isReachable(clear->getBlock()))
    return true;
  auto store = dyn_cast<LLVM::StoreOp>(clear);
  return store && loops.getLoopFor(store->getBlock()) == &loop &&
         loopThrough(store.getAddr().getDefiningOp<LLVM::GEPOp>()) == &loop &&
         dominance.properlyDominates(clear, spawn);
}

bool ResultArray::find() {
  if (!findUses())
    return false;
  // One element for each time that it comes to the spawn, at most once.
  const CFGLoop *first =
      loopThrough(spawn.getDestination().getDefiningOp<LLVM::GEPOp>());
  if (!first || first->getParentLoop() ||
      loops.getLoopFor(spawn->getBlock()) != first ||
      !llvm::all_of(
          clears, [&](Operation *clear) { return comesBefore(clear, *first); }))
    return false;
  // All elements, each once.
  last = loopThrough(load.getAddr().getDefiningOp<LLVM::GEPOp>());
  if (!last || last == first || loops.getLoopFor(load->getBlock()) != last ||
      !dominance.dominates(load->getBlock(), last->getLoopLatch()))
    return false;
  auto one = countingOf(*first), other = countingOf(*last);
  return one->end == other->end && one->less == other->less &&
         findCombination() && endsInSum();
}

/// Makes the function that combines a result with what has come so far.
LLVM::LLVMFuncOp ResultArray::createApply(SymbolTable &symbols) {
  auto parent = array->getParentOfType<LLVM::LLVMFuncOp>();
  OpBuilder builder(parent);
  Location loc = combine->getLoc();
  Type pointer = array.getType();
  auto apply = LLVM::LLVMFuncOp::create(
      builder, loc, (parent.getName() + ".combine").str(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                  {pointer, pointer}),
      LLVM::Linkage::Internal);
  apply.setDsoLocal(true);
  apply.setTargetCpuAttr(parent.getTargetCpuAttr());
  apply.setTargetFeaturesAttr(parent.getTargetFeaturesAttr());
  symbols.insert(apply, parent->getIterator());
  builder.setInsertionPointToStart(apply.addEntryBlock(builder));
  IRMapping mapping;
  std::array<Value, 2> operands = {sum, load};
  for (auto [operand, place] : llvm::zip(operands, apply.getArguments()))
    mapping.map(
        operand,
        LLVM::LoadOp::create(builder, loc, load.getType(), place).getResult());
  Operation *copy = builder.clone(*combine, mapping);
  dropFlags(copy);
  LLVM::StoreOp::create(builder, loc, copy->getResult(0), apply.getArgument(0));
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return apply;
}

static void remarkOn(cilk::SpawnOp spawn) {
  if (!spawn.getContext()->getRemarkEngine())
    return;
  auto function = spawn->getParentOfType<LLVM::LLVMFuncOp>();
  auto options = remark::RemarkOpts::name("results").category("chan-arrays");
  remark::passed(spawn.getLoc(), options.function(function.getName()))
      << "results that are only combined after the sync are combined as they "
         "come";
}

void ResultArray::replace(SymbolTable &symbols) {
  remarkOn(spawn);
  LLVM::LLVMFuncOp apply = createApply(symbols);
  Block &entry = *array->getParentOfType<LLVM::LLVMFuncOp>().begin();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  Location loc = array.getLoc();
  Type type = load.getType();
  Value one = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                       builder.getI64IntegerAttr(1));
  Value zero = LLVM::ConstantOp::create(builder, loc, type,
                                        builder.getIntegerAttr(type, 0));
  Value all = LLVM::AllocaOp::create(builder, loc, array.getType(), type, one);
  LLVM::StoreOp::create(builder, loc, zero, all);

  builder.setInsertionPoint(spawn);
  cilk::SpawnOp::create(builder, spawn.getLoc(), spawn.getCalleeAttr(),
                        spawn.getTarget(), spawn.getArgs(), all,
                        FlatSymbolRefAttr::get(apply), spawn.getSignatureAttr(),
                        spawn.getArgAttrsAttr());
  spawn.erase();
  for (Operation *clear : clears)
    clear->erase();

  // Instead of the last loop.
  Block *before = last->getLoopPredecessor(), *header = last->getHeader();
  Operation *branch = before->getTerminator();
  builder.setInsertionPoint(branch);
  IRMapping mapping;
  mapping.map(sum, passedFrom(before, sum));
  mapping.map(
      load.getResult(),
      LLVM::LoadOp::create(builder, load.getLoc(), type, all).getResult());
  Operation *copy = builder.clone(*combine, mapping);
  dropFlags(copy);
  Value result = copy->getResult(0);
  auto test = cast<LLVM::CondBrOp>(header->getTerminator());
  SmallVector<Value> passed;
  for (Value value : test.getFalseDestOperands())
    passed.push_back(value == sum ? result : value);
  for (auto [number, successor] : llvm::enumerate(branch->getSuccessors())) {
    if (successor != header)
      continue;
    branch->setSuccessor(test.getFalseDest(), number);
    cast<BranchOpInterface>(branch)
        .getSuccessorOperands(number)
        .getMutableForwardedOperands()
        .assign(passed);
  }
  sum.replaceUsesWithIf(result, [&](OpOperand &use) {
    return !last->contains(use.getOwner()->getBlock());
  });
}

/// Does it to one array; false if there is none.
static bool combineOnce(LLVM::LLVMFuncOp function, SymbolTable &symbols) {
  if (function.getBody().hasOneBlock())
    return false;
  DominanceInfo dominance(function);
  CFGLoopInfo loops(dominance.getDomTree(&function.getBody()));
  SmallVector<LLVM::AllocaOp> arrays;
  function.walk([&](LLVM::AllocaOp array) { arrays.push_back(array); });
  for (LLVM::AllocaOp array : arrays) {
    ResultArray results(array, loops, dominance);
    if (!results.find())
      continue;
    results.replace(symbols);
    IRRewriter rewriter(function.getContext());
    (void)eraseUnreachableBlocks(rewriter, function->getRegions());
    for (Operation *user : llvm::make_early_inc_range(array->getUsers()))
      user->erase();
    array.erase();
    return true;
  }
  return false;
}

namespace {
struct CilkCombineResults
    : public cilk2chan::impl::CilkCombineResultsBase<CilkCombineResults> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<LLVM::LLVMFuncOp> functions;
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() && cilk::isSpawning(function))
        functions.push_back(function);
    for (LLVM::LLVMFuncOp function : functions)
      while (combineOnce(function, symbols))
        ;
  }
};
} // namespace
