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
// Combines results as they come, if an array keeps them only until a loop after
// the sync combines them. Programs without reducers are written in this way. In
// a batch, the array is memory of each activation, and the loop is a phase that
// waits. The right side may be a join-free reduction (Reductions.cpp). The
// same holds if results are counted (`count[found++] = cilk_spawn ...`), if
// each is changed first (`sum += 2 * ...`), and for maxima.
//
//===----------------------------------------------------------------------===//

#include "CombineResults.h"

#include "cilk2chan/Dialect/Cilk/Analysis/BlockArguments.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Combination.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Dialect/Cilk/Passes.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/WorkingOn.h"

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
#include "cilk2chan/Dialect/Cilk/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

/// `for (index = 0; index < end; ++index)`, with one way in and one way back.
struct Counting {
  BlockArgument index;
  LLVM::ICmpPredicate less;
  Value end;
};

/// What is done with each element: it is changed, by operations whose other
/// operands are constants, and combined with `sum`, which the loop carries.
struct Use {
  SmallVector<Operation *> changes;
  chan::Combination by;
  Operation *combine = nullptr;
  BlockArgument sum;
};

/// An array that has each child's result once, or what it leaves at an address,
/// and each of whose elements is combined with all others once.  What is read
/// of it and has not been written is nothing that a program may use.
class ResultArray {
public:
  ResultArray(LLVM::AllocaOp array, std::optional<unsigned> parameter,
              const CFGLoopInfo &loops, DominanceInfo &dominance)
      : array(array), parameter(parameter), loops(loops), dominance(dominance) {
  }

  /// Whether this is such an array, and the function can do without.
  bool find();
  /// Combines results as they come.
  void replace(SymbolTable *symbols);

private:
  /// Where a child leaves what the array is of.
  Value placeOf(cilk::SpawnOp child) const {
    return parameter ? child.getArgs()[*parameter] : child.getDestination();
  }
  bool findUses();
  bool findCombination();
  bool comesBefore(Operation *clear, const CFGLoop &loop);
  Value indexOf(LLVM::GEPOp address);
  const CFGLoop *loopThrough(LLVM::GEPOp address);
  bool countsSpawns(Value index, const CFGLoop &loop);
  bool findPlaces();
  bool endsInSum() const;
  LLVM::LLVMFuncOp createApply(SymbolTable &symbols);

  LLVM::AllocaOp array;
  const std::optional<unsigned> parameter;
  const CFGLoopInfo &loops;
  DominanceInfo &dominance;

  /// Set it to zero: a memset, or a store.
  SmallVector<Operation *> clears;
  cilk::SpawnOp spawn;
  LLVM::LoadOp load;
  /// The number of the child, if its place is that, and not the count of a loop
  /// which may leave out some.
  Value number;
  /// The loop that spawns, and the one that combines what is loaded.
  const CFGLoop *first = nullptr, *last = nullptr;
  Use use;
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

/// Whether both are one value, or one constant.
static bool isSame(Value one, Value other) {
  IntegerAttr first, second;
  return one == other ||
         (matchPattern(one, m_Constant(&first)) &&
          matchPattern(other, m_Constant(&second)) && first == second);
}

/// Which element of the array `address` is; null if it is only a part of one.
Value ResultArray::indexOf(LLVM::GEPOp address) {
  Type type = address.getElemType();
  Value index;
  auto indices = address.getIndices();
  for (size_t i = 0; i < indices.size(); ++i) {
    if (i) {
      auto whole = dyn_cast<LLVM::LLVMArrayType>(type);
      if (!whole)
        return {};
      type = whole.getElementType();
    }
    auto constant = dyn_cast<IntegerAttr>(indices[i]);
    index = constant ? Value() : cast<Value>(indices[i]);
    bool isZero =
        constant ? constant.getInt() == 0 : matchPattern(index, m_Zero());
    if (!isZero && i + 1 < indices.size())
      return {};
  }
  if (type != load.getType() || !index)
    return {};
  while (isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp>(index.getDefiningOp()))
    index = index.getDefiningOp()->getOperand(0);
  return index;
}

/// The loop that counts the elements of the array that `address` is one of.
const CFGLoop *ResultArray::loopThrough(LLVM::GEPOp address) {
  Value index = indexOf(address);
  const CFGLoop *loop =
      index ? loops.getLoopFor(index.getParentBlock()) : nullptr;
  auto counting = loop ? countingOf(*loop) : std::nullopt;
  return counting && counting->index == index ? loop : nullptr;
}

/// What control reaches from `first` before the loop begins once more.
static llvm::SetVector<Block *> reachedInIteration(Block *first,
                                                   const CFGLoop &loop) {
  llvm::SetVector<Block *> reached;
  reached.insert(first);
  for (size_t i = 0; i < reached.size(); ++i)
    for (Block *next : reached[i]->getSuccessors())
      if (loop.contains(next) && next != loop.getHeader())
        reached.insert(next);
  return reached;
}

/// Whether control leaves a loop at its beginning only.
static bool isLeftByTest(const CFGLoop &loop) {
  return llvm::all_of(loop.blocks(), [&](Block *block) {
    return block == loop.getHeader() ||
           llvm::all_of(block->getSuccessors(),
                        [&](Block *next) { return loop.contains(next); });
  });
}

/// Whether `index` is how many times control has come to the spawn before, also
/// when it leaves the loop.
bool ResultArray::countsSpawns(Value index, const CFGLoop &loop) {
  auto count = dyn_cast<BlockArgument>(index);
  Block *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
  if (!count || count.getOwner() != loop.getHeader() || !before || !latch)
    return false;
  if (!isLeftByTest(loop))
    return false;
  Value first = passedFrom(before, count), next = passedFrom(latch, count);
  if (!first || !matchPattern(first, m_Zero()) || !next)
    return false;
  auto isOneMore = [&](Value value) {
    auto step = value.getDefiningOp<LLVM::AddOp>();
    return step && step.getLhs() == count &&
           matchPattern(step.getRhs(), m_One());
  };
  Block *site = spawn->getBlock();
  if (isOneMore(next))
    return dominance.dominates(site, latch);
  // One more on the ways from the spawn, and as many on others.
  auto merged = dyn_cast<BlockArgument>(next);
  Block *merge = merged ? merged.getOwner() : nullptr;
  if (!merge || loops.getLoopFor(merge) != &loop || merge == loop.getHeader())
    return false;
  auto reached = reachedInIteration(site, loop);
  return llvm::all_of(merge->getPredecessors(), [&](Block *from) {
    Value value = passedFrom(from, merged);
    if (!value)
      return false;
    return dominance.dominates(site, from)
               ? isOneMore(value)
               : value == count && !reached.contains(from);
  });
}

/// Whether nothing is done with the array but what is expected.
bool ResultArray::findUses() {
  for (Operation *user : usersOf(array)) {
    if (auto set = dyn_cast<LLVM::MemsetOp>(user)) {
      if (set.getIsVolatile() || !matchPattern(set.getVal(), m_Zero()))
        return false;
      clears.push_back(set);
      continue;
    }
    auto address = dyn_cast<LLVM::GEPOp>(user);
    if (!address)
      return false;
    for (Operation *access : usersOf(address)) {
      if (auto child = dyn_cast<cilk::SpawnOp>(access)) {
        if (spawn || (!parameter && child.isDeferred()) ||
            placeOf(child) != address ||
            llvm::count(child->getOperands(), address.getResult()) != 1)
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
         (parameter || load.getType() == spawn.getSignature().getReturnType());
}

/// Whether all that is done with what is loaded is to combine it with what the
/// loop carries.
bool ResultArray::findCombination() {
  for (Value value = load;; value = use.changes.back()->getResult(0)) {
    for (Operation *user : usersOf(value)) {
      auto combined = combinedBy(user);
      if (!combined || isa<LLVM::SubOp>(user) ||
          (combined->first != value && combined->second != value))
        continue;
      Value other =
          combined->first == value ? combined->second : combined->first;
      auto carried = dyn_cast<BlockArgument>(other);
      if (carried && other != value &&
          carried.getOwner() == last->getHeader() &&
          llvm::hasSingleElement(usersOf(user->getResult(0))) &&
          passedFrom(last->getLoopLatch(), carried) == user->getResult(0)) {
        use.by = combined->by;
        use.combine = user;
        use.sum = carried;
      }
    }
    // A comparison may be a part of a maximum.
    auto isOfMaximum = [&](Operation *user) {
      auto compare = dyn_cast<LLVM::ICmpOp>(user);
      return user == use.combine ||
             (compare && llvm::all_of(usersOf(compare), [&](Operation *op) {
                return op == use.combine;
              }));
    };
    if (use.combine)
      return llvm::all_of(usersOf(value), isOfMaximum) &&
             llvm::all_of(usersOf(use.sum), [&](Operation *user) {
               return isOfMaximum(user) || !last->contains(user->getBlock()) ||
                      user->hasTrait<OpTrait::IsTerminator>();
             });
    if (!llvm::hasSingleElement(usersOf(value)))
      return false;
    Operation *change = *usersOf(value).begin();
    bool isChange =
        isPure(change) && change->getNumResults() == 1 &&
        change->getNumRegions() == 0 &&
        llvm::all_of(change->getOperands(), [&](Value operand) {
          return operand == value || matchPattern(operand, m_Constant());
        });
    if (!isChange || parameter)
      return false;
    use.changes.push_back(change);
  }
}

/// Whether the last loop leaves nothing but its sum.
bool ResultArray::endsInSum() const {
  auto isUsedOutside = [&](Value value) {
    return llvm::any_of(usersOf(value), [&](Operation *user) {
      return !last->contains(user->getBlock());
    });
  };
  for (Block *block : last->blocks()) {
    for (BlockArgument argument : block->getArguments())
      if (argument != use.sum && isUsedOutside(argument))
        return false;
    for (Operation &op : *block) {
      bool isHarmless = &op == load || isPure(&op) || isDebugRecord(op) ||
                        op.hasTrait<OpTrait::IsTerminator>();
      if (!isHarmless || llvm::any_of(op.getResults(), isUsedOutside))
        return false;
      // It is left where it has counted all, and with what it carries.
      if (block != last->getHeader())
        for (Block *next : op.getSuccessors())
          if (!last->contains(next))
            return false;
    }
  }
  auto test = cast<LLVM::CondBrOp>(last->getHeader()->getTerminator());
  return llvm::all_of(test.getFalseDestOperands(), [&](Value value) {
    return value == use.sum || !last->contains(value.getParentBlock());
  });
}

/// Whether what an element is set to is gone when it has a result: `loop`
/// spawns.
bool ResultArray::comesBefore(Operation *clear, const CFGLoop &loop) {
  if (!spawn->getBlock()->isReachable(clear->getBlock()))
    return true;
  auto store = dyn_cast<LLVM::StoreOp>(clear);
  if (!store || loops.getLoopFor(store->getBlock()) != &loop ||
      loopThrough(store.getAddr().getDefiningOp<LLVM::GEPOp>()) != &loop)
    return false;
  // In front of the spawn, or in an iteration that has none.
  Block *block = store->getBlock(), *site = spawn->getBlock();
  return block == site ? store->isBeforeInBlock(spawn)
                       : !reachedInIteration(site, loop).contains(block);
}

/// Whether the spawn has another element each time, and the last loop goes
/// through all of them.
bool ResultArray::findPlaces() {
  auto place = placeOf(spawn).getDefiningOp<LLVM::GEPOp>();
  first = loopThrough(place);
  if (!first) {
    first = loops.getLoopFor(spawn->getBlock());
    number = indexOf(place);
    if (!first || !number || !countsSpawns(number, *first))
      return false;
  }
  if (first->getParentLoop() || loops.getLoopFor(spawn->getBlock()) != first ||
      !llvm::all_of(
          clears, [&](Operation *clear) { return comesBefore(clear, *first); }))
    return false;
  last = loopThrough(load.getAddr().getDefiningOp<LLVM::GEPOp>());
  if (!last || last == first || loops.getLoopFor(load->getBlock()) != last ||
      !dominance.dominates(load->getBlock(), last->getLoopLatch()))
    return false;
  auto other = countingOf(*last);
  if (number)
    return other->end == number;
  auto one = countingOf(*first);
  return isSame(one->end, other->end) && one->less == other->less;
}

bool ResultArray::find() {
  if (!findUses() || !findPlaces() || !findCombination() || !endsInSum())
    return false;
  // Elements that no child was spawned for are zero, and count as that.
  bool haveAllChildren =
      number || (isLeftByTest(*first) &&
                 dominance.dominates(spawn->getBlock(), first->getLoopLatch()));
  return clears.empty() || haveAllChildren ||
         (use.changes.empty() && (use.by == chan::Combination::Sum ||
                                  use.by == chan::Combination::Or ||
                                  use.by == chan::Combination::ExclusiveOr));
}

/// Makes the function that combines a result with what has come so far.
LLVM::LLVMFuncOp ResultArray::createApply(SymbolTable &symbols) {
  OpBuilder builder(array);
  Location loc = use.combine->getLoc();
  LLVM::LLVMFuncOp apply =
      createApplyFunction(array->getParentOfType<LLVM::LLVMFuncOp>(),
                          ".combine", loc, symbols, builder);
  Value before = LLVM::LoadOp::create(builder, loc, use.sum.getType(),
                                      apply.getArgument(0));
  IRMapping mapping;
  Value result =
      LLVM::LoadOp::create(builder, loc, load.getType(), apply.getArgument(1));
  mapping.map(load.getResult(), result);
  for (Operation *change : use.changes) {
    for (Value operand : change->getOperands())
      if (!mapping.contains(operand))
        mapping.map(operand,
                    builder.clone(*operand.getDefiningOp())->getResult(0));
    result = builder.clone(*change, mapping)->getResult(0);
  }
  LLVM::StoreOp::create(builder, loc,
                        createCombined(builder, loc, use.by, before, result),
                        apply.getArgument(0));
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return apply;
}

static void remarkOn(cilk::SpawnOp spawn) {
  if (!spawn.getContext()->getRemarkEngine())
    return;
  // Without a function the remark stands at the spawn.
  remark::passed(spawn.getLoc(),
                 remark::RemarkOpts::name("results").category("chan-arrays"))
      << "results that are only combined after the sync are combined as they "
         "come";
}

void ResultArray::replace(SymbolTable *symbols) {
  Block &entry = *array->getParentOfType<LLVM::LLVMFuncOp>().begin();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  Location loc = array.getLoc();
  auto type = cast<IntegerType>(use.sum.getType());
  Value one = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                       builder.getI64IntegerAttr(1));
  Value nothing = LLVM::ConstantOp::create(
      builder, loc, type,
      builder.getIntegerAttr(type, chan::identityOf(use.by, type.getWidth())));
  Value all = LLVM::AllocaOp::create(builder, loc, array.getType(), type, one);
  LLVM::StoreOp::create(builder, loc, nothing, all);

  if (parameter) {
    spawn.getArgsMutable()[*parameter].set(all);
    all.getDefiningOp()->setAttr(ReductionAttribute, builder.getUnitAttr());
  } else {
    remarkOn(spawn);
    LLVM::LLVMFuncOp apply = createApply(*symbols);
    builder.setInsertionPoint(spawn);
    cilk::SpawnOp::create(builder, spawn.getLoc(), spawn.getCalleeAttr(),
                          spawn.getTarget(), spawn.getArgs(), all,
                          FlatSymbolRefAttr::get(apply),
                          spawn.getSignatureAttr(), spawn.getArgAttrsAttr());
    spawn.erase();
  }
  for (Operation *clear : clears)
    clear->erase();

  // Instead of the last loop.
  Block *before = last->getLoopPredecessor(), *header = last->getHeader();
  Operation *branch = before->getTerminator();
  builder.setInsertionPoint(branch);
  Value result = createCombined(
      builder, use.combine->getLoc(), use.by, passedFrom(before, use.sum),
      LLVM::LoadOp::create(builder, load.getLoc(), type, all));
  auto test = cast<LLVM::CondBrOp>(header->getTerminator());
  SmallVector<Value> passed;
  for (Value value : test.getFalseDestOperands())
    passed.push_back(value == use.sum ? result : value);
  for (auto [number, successor] : llvm::enumerate(branch->getSuccessors())) {
    if (successor != header)
      continue;
    branch->setSuccessor(test.getFalseDest(), number);
    cast<BranchOpInterface>(branch)
        .getSuccessorOperands(number)
        .getMutableForwardedOperands()
        .assign(passed);
  }
  for (Block *block : last->blocks()) {
    for (BlockArgument argument : block->getArguments())
      forgetInDebugger(argument);
    for (Operation &op : *block)
      for (Value value : op.getResults())
        forgetInDebugger(value);
  }
  use.sum.replaceUsesWithIf(result, [&](OpOperand &use) {
    return !last->contains(use.getOwner()->getBlock());
  });
}

/// Does it to one array; false if there is none.
static bool combineOnce(LLVM::LLVMFuncOp function,
                        std::optional<unsigned> parameter,
                        SymbolTable *symbols) {
  if (function.getBody().hasOneBlock())
    return false;
  DominanceInfo dominance(function);
  CFGLoopInfo loops(dominance.getDomTree(&function.getBody()));
  SmallVector<LLVM::AllocaOp> arrays;
  function.walk([&](LLVM::AllocaOp array) { arrays.push_back(array); });
  for (LLVM::AllocaOp array : arrays) {
    ResultArray results(array, parameter, loops, dominance);
    if (!results.find())
      continue;
    results.replace(symbols);
    IRRewriter rewriter(function.getContext());
    (void)eraseUnreachableBlocks(rewriter, function->getRegions());
    for (Operation *user : llvm::make_early_inc_range(array->getUsers())) {
      for (Value address : user->getResults())
        forgetInDebugger(address);
      user->erase();
    }
    array.erase();
    return true;
  }
  return false;
}

void cilk2chan::combineWhatIsLeft(LLVM::LLVMFuncOp function,
                                  unsigned parameter) {
  while (combineOnce(function, parameter, /*symbols=*/nullptr))
    ;
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
    for (LLVM::LLVMFuncOp function : functions) {
      WorkingOn working(function.getName());
      while (combineOnce(function, /*parameter=*/{}, &symbols))
        ;
    }
  }
};
} // namespace
