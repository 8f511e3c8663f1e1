//===- Totals.cpp - What tasks leave to be added up -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Totals.h"
#include "SmallArrays.h"

#include "CombineResults.h"
#include "cilk2chan/Dialect/Cilk/Analysis/BlockArguments.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Recomputation.h"
#include "cilk2chan/Dialect/Cilk/Analysis/ResultFlow.h"

#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/PromoteObjects.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cilk2chan;

//===----------------------------------------------------------------------===//
// Which parameters
//===----------------------------------------------------------------------===//

/// The one type that all accesses through a parameter are of, if there is
/// nothing but these, and a store among them.
static IntegerType accessedThrough(BlockArgument parameter) {
  Type type;
  bool isStored = false;
  for (Operation *user : parameter.getUsers()) {
    if (isDebugRecord(*user))
      continue;
    auto load = dyn_cast<LLVM::LoadOp>(user);
    auto store = dyn_cast<LLVM::StoreOp>(user);
    bool isSimple =
        (load && !load.getVolatile_() &&
         load.getOrdering() == LLVM::AtomicOrdering::not_atomic) ||
        (store && store.getValue() != parameter && !store.getVolatile_() &&
         store.getOrdering() == LLVM::AtomicOrdering::not_atomic);
    Type accessed = load    ? load.getType()
                    : store ? store.getValue().getType()
                            : Type();
    if (!isSimple || (type && accessed != type))
      return {};
    type = accessed;
    isStored |= bool(store);
  }
  auto integer = dyn_cast_or_null<IntegerType>(type);
  bool hasUpdates = isStored && integer && integer.getWidth() >= 8 &&
                    integer.getWidth() <= 64 &&
                    llvm::isPowerOf2_32(integer.getWidth());
  return hasUpdates ? integer : IntegerType();
}

/// Whether all that is done with an address, and with those within its object,
/// is to access memory there and to give it to children as `parameter`.
static bool isGivenOnly(Value address, unsigned parameter) {
  return llvm::all_of(address.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<LLVM::GEPOp>(user))
      return isGivenOnly(user->getResult(0), parameter);
    if (auto store = dyn_cast<LLVM::StoreOp>(user))
      return store.getValue() != address && !store.getVolatile_();
    if (auto load = dyn_cast<LLVM::LoadOp>(user))
      return !load.getVolatile_();
    if (auto spawn = dyn_cast<cilk::SpawnOp>(user))
      return spawn.getArgs()[parameter] == address &&
             llvm::count(spawn->getOperands(), address) == 1;
    return isDebugRecord(*user) ||
           isa<LLVM::MemsetOp, LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(
               user);
  });
}

/// Whether each child has an object, or an element of an array, of its parent's
/// for this parameter, and is the only one that is told of it. Of memory of a
/// size known at run time the type of the elements is not known yet.
static bool hasPlaces(ArrayRef<cilk::SpawnOp> spawns, unsigned parameter,
                      IntegerType type) {
  return llvm::all_of(spawns, [&](cilk::SpawnOp spawn) {
    auto object =
        baseOf(spawn.getArgs()[parameter]).getDefiningOp<LLVM::AllocaOp>();
    if (!object)
      return false;
    Type element = object.getElemType();
    while (auto array = dyn_cast<LLVM::LLVMArrayType>(element))
      element = array.getElementType();
    // Atomic updates want whole places.
    unsigned bytes = type.getWidth() / 8;
    return (element == type || !cilk2chan::isFixed(object)) &&
           object.getAlignment().value_or(bytes) >= bytes &&
           isGivenOnly(object, parameter);
  });
}

//===----------------------------------------------------------------------===//
// Memory that nobody writes
//===----------------------------------------------------------------------===//

/// Whether a function writes to nothing but its own objects, and the places
/// that its parent has for it.
bool Totals::writesOnlyOwn(LLVM::LLVMFuncOp copy) const {
  auto isOwn = [&](Value address) {
    Value base = baseOf(address);
    auto argument = dyn_cast<BlockArgument>(base);
    return base.getDefiningOp<LLVM::AllocaOp>() ||
           (argument && argument.getOwner() == &copy.front() &&
            places.contains(argument.getArgNumber()));
  };
  return !copy.walk([&](Operation *op) {
                bool isHarmless =
                    isa<cilk::SyncOp, LLVM::AllocaOp, LLVM::LoadOp,
                        LLVM::StackSaveOp, LLVM::StackRestoreOp,
                        LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(op) ||
                    op == copy || isDebugRecord(*op) ||
                    op->hasTrait<OpTrait::IsTerminator>() ||
                    op->hasAttr(ReductionAttribute) || isMemoryEffectFree(op);
                if (auto spawn = dyn_cast<cilk::SpawnOp>(op))
                  isHarmless =
                      !spawn.getDestination() || isOwn(spawn.getDestination());
                else if (auto store = dyn_cast<LLVM::StoreOp>(op))
                  isHarmless = isOwn(store.getAddr());
                else if (auto copy = dyn_cast<LLVM::MemcpyOp>(op))
                  isHarmless = isOwn(copy.getDst());
                else if (auto set = dyn_cast<LLVM::MemsetOp>(op))
                  isHarmless = isOwn(set.getDst());
                return isHarmless ? WalkResult::advance()
                                  : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Whether a load is from where a parameter or a global points to, at an offset
/// that is known, and not from a place that the parent has for this.
bool Totals::isFixed(LLVM::LoadOp load) const {
  if (load.getVolatile_() ||
      load.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return false;
  Value address = load.getAddr();
  while (auto gep = address.getDefiningOp<LLVM::GEPOp>()) {
    if (!llvm::all_of(gep.getDynamicIndices(), [](Value index) {
          return matchPattern(index, m_Constant());
        }))
      return false;
    address = gep.getBase();
  }
  auto argument = dyn_cast<BlockArgument>(address);
  return (argument && argument.getOwner()->isEntryBlock() &&
          !places.contains(argument.getArgNumber())) ||
         address.getDefiningOp<LLVM::AddressOfOp>();
}

/// Moves an operation, and what it is computed of, in front of a loop.
static void moveBefore(Operation *op, const CFGLoop &loop, Operation *place) {
  if (!loop.contains(op->getBlock()))
    return;
  for (Value operand : op->getOperands())
    if (Operation *definition = operand.getDefiningOp())
      moveBefore(definition, loop, place);
  op->moveBefore(place);
}

/// The block in front of a loop, from which control goes nowhere else.
static Block *createPreheader(const CFGLoop &loop) {
  Block *before = loop.getLoopPredecessor(), *header = loop.getHeader();
  if (!before || before->getNumSuccessors() == 1)
    return before;
  // What is passed along one of two edges is not known behind both.
  if (llvm::count(before->getSuccessors(), header) != 1)
    return nullptr;
  auto *preheader = new Block();
  preheader->insertBefore(header);
  auto builder = OpBuilder::atBlockEnd(preheader);
  auto branch = cast<BranchOpInterface>(before->getTerminator());
  for (unsigned i = 0; i < branch->getNumSuccessors(); ++i) {
    if (branch->getSuccessor(i) != header)
      continue;
    SuccessorOperands passed = branch.getSuccessorOperands(i);
    if (preheader->empty())
      LLVM::BrOp::create(builder, branch->getLoc(),
                         passed.getForwardedOperands(), header);
    passed.getMutableForwardedOperands().clear();
    branch->setSuccessor(preheader, i);
  }
  return preheader;
}

/// Loads once what stays as it is.  The bound of a loop may be behind a
/// pointer.
void Totals::loadOnce(LLVM::LLVMFuncOp copy) const {
  if (copy.getBody().hasOneBlock() || !writesOnlyOwn(copy))
    return;
  {
    DominanceInfo dominance(copy);
    CFGLoopInfo loops(dominance.getDomTree(&copy.getBody()));
    for (CFGLoop *loop : loops) {
      // Control comes to what is in a loop's first block.
      SmallVector<LLVM::LoadOp> loads;
      for (auto load : loop->getHeader()->getOps<LLVM::LoadOp>())
        if (isFixed(load))
          loads.push_back(load);
      Block *preheader = loads.empty() ? nullptr : createPreheader(*loop);
      if (!preheader)
        continue;
      for (LLVM::LoadOp load : loads)
        moveBefore(load, *loop, preheader->getTerminator());
    }
  }
  DominanceInfo dominance(copy);
  SmallVector<LLVM::LoadOp> loads;
  copy.walk([&](LLVM::LoadOp load) {
    if (isFixed(load))
      loads.push_back(load);
  });
  for (LLVM::LoadOp &load : loads)
    for (LLVM::LoadOp earlier : loads)
      if (earlier && earlier != load && earlier.getType() == load.getType() &&
          areSame(earlier.getAddr(), load.getAddr()) &&
          dominance.properlyDominates(earlier.getOperation(),
                                      load.getOperation())) {
        load.replaceAllUsesWith(earlier.getResult());
        load.erase();
        load = {};
        break;
      }
}

//===----------------------------------------------------------------------===//
// Copies that combine in place
//===----------------------------------------------------------------------===//

void Total::createUpdate(OpBuilder &builder, Location loc, Value address,
                         Value value) const {
  chan::createReduction(builder, loc, *chan::updateBy(by), address, value);
}

void Total::createIdentity(OpBuilder &builder, Location loc,
                           Value address) const {
  APInt value = chan::identityOf(by, type.getWidth());
  Value nothing = LLVM::ConstantOp::create(builder, loc, type,
                                           builder.getIntegerAttr(type, value));
  LLVM::StoreOp::create(builder, loc, nothing, address);
}

/// Has a variable of its own for what is at the address, and combines that in
/// the end; false if it is not certain to be anything.
static bool keepOwn(LLVM::LLVMFuncOp copy, const Total &total,
                    const TypeLayout &layout) {
  OpBuilder builder(copy.getContext());
  Location loc = copy.getLoc();
  BlockArgument address = copy.getArgument(total.parameter);
  builder.setInsertionPointToStart(&copy.front());
  Value one = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                       builder.getI64IntegerAttr(1));
  auto own =
      LLVM::AllocaOp::create(builder, loc, address.getType(), total.type, one);
  for (Operation *user : llvm::make_early_inc_range(address.getUsers()))
    if (isDebugRecord(*user))
      user->erase();
  address.replaceAllUsesWith(own);
  copy.walk([&](LLVM::ReturnOp end) {
    builder.setInsertionPoint(end);
    total.createUpdate(
        builder, end.getLoc(), address,
        LLVM::LoadOp::create(builder, end.getLoc(), total.type, own));
  });
  llvm::SmallPtrSet<Operation *, 4> known;
  copy.walk([&](LLVM::UndefOp op) { known.insert(op); });
  if (failed(promoteObjects(own, copy, builder, layout)))
    return false;
  // What is read before it is stored.
  return !copy.walk([&](LLVM::UndefOp op) {
                return known.contains(op) ? WalkResult::advance()
                                          : WalkResult::interrupt();
              })
              .wasInterrupted();
}

static SmallVector<LLVM::AtomicRMWOp> updatesOf(LLVM::LLVMFuncOp copy,
                                                const Total &total) {
  SmallVector<LLVM::AtomicRMWOp> updates;
  copy.walk([&](LLVM::AtomicRMWOp update) {
    if (chan::reductionOf(update) &&
        update.getPtr() == copy.getArgument(total.parameter))
      updates.push_back(update);
  });
  return updates;
}

static bool isNothing(const Total &total, Value value) {
  APInt constant;
  return matchPattern(value, m_ConstantInt(&constant)) &&
         constant == chan::identityOf(total.by, constant.getBitWidth());
}

/// Combines what predecessors pass on in these, where that is something.
static void updateBefore(LLVM::AtomicRMWOp update, const Total &total) {
  Block *block = update->getBlock();
  auto passed = dyn_cast<BlockArgument>(update.getVal());
  bool isMerged = passed && passed.getOwner() == block &&
                  !block->isEntryBlock() &&
                  llvm::all_of(block->getPredecessors(), [&](Block *before) {
                    return isa<LLVM::BrOp>(before->getTerminator());
                  });
  if (!isMerged)
    return;
  OpBuilder builder(update);
  for (Block *before : block->getPredecessors()) {
    Value value = passedFrom(before, passed);
    if (isNothing(total, value))
      continue;
    builder.setInsertionPoint(before->getTerminator());
    total.createUpdate(builder, update.getLoc(), update.getPtr(), value);
  }
  update.erase();
}

/// Combines as soon as it is certain to.
static void updateEarly(LLVM::AtomicRMWOp update, DominanceInfo &dominance,
                        PostDominanceInfo &postDominance) {
  Block *last = update->getBlock(), *block = last, *place = nullptr;
  Value value = update.getVal();
  if (!dominance.isReachableFromEntry(last))
    return;
  while (block != value.getParentBlock()) {
    block = dominance.getNode(block)->getIDom()->getBlock();
    if (!postDominance.postDominates(last, block))
      break;
    // It is to come as often as it does.
    if (!block->isReachable(block))
      place = block;
  }
  if (Operation *definition = value.getDefiningOp();
      definition && place == definition->getBlock())
    update->moveAfter(definition);
  else if (place)
    update->moveBefore(place, place->begin());
}

/// Removes what came of children before, which now is what makes no difference:
/// objects, combinations with it, and updates.
static void removeNothing(LLVM::LLVMFuncOp copy, const Total &total,
                          ArrayRef<LLVM::AllocaOp> objects,
                          ArrayRef<Operation *> combining,
                          const TypeLayout &layout) {
  OpBuilder builder(copy.getContext());
  (void)promoteObjects(objects, copy, builder, layout);
  llvm::SetVector<Operation *> left(combining.begin(), combining.end());
  auto reduceOne = [&](Operation *op) {
    auto combined = combinedBy(op);
    if (!combined || combined->by != total.by)
      return false;
    bool isDifference = isa<LLVM::SubOp>(op);
    Value other = isNothing(total, combined->second) ? combined->first
                  : !isDifference && isNothing(total, combined->first)
                      ? combined->second
                      : Value();
    if (!other)
      return false;
    op->replaceAllUsesWith(ValueRange(other));
    op->erase();
    return true;
  };
  while (left.remove_if(reduceOne))
    ;
  for (LLVM::AtomicRMWOp update : updatesOf(copy, total))
    if (isNothing(total, update.getVal()))
      update.erase();
    else
      updateBefore(update, total);
}

/// Has `copy` combine in place, if it combines what children leave at all, and
/// says how. Else the copy is of no use any more.
bool Totals::combine(LLVM::LLVMFuncOp copy, Total &total) const {
  if (!keepOwn(copy, total, layout))
    return false;
  loadOnce(copy);
  combineWhatIsLeft(copy, total.parameter);
  SmallVector<cilk::SpawnOp> children;
  copy.walk([&](cilk::SpawnOp spawn) { children.push_back(spawn); });
  if (llvm::any_of(children, [&](cilk::SpawnOp spawn) {
        auto object = baseOf(spawn.getArgs()[total.parameter])
                          .getDefiningOp<LLVM::AllocaOp>();
        return !object || !cilk2chan::isFixed(object);
      }))
    return false;
  std::optional<ResultFlow> flow;
  for (unsigned i = 1; i <= chan::getMaxEnumValForCombination(); ++i) {
    total.by = *chan::symbolizeCombination(i);
    if (!chan::updateBy(total.by))
      continue;
    flow.emplace(copy, total.by, symbols, total.type, total.parameter);
    if (flow->isConserved())
      break;
    flow.reset();
  }
  if (!flow)
    return false;
  for (Operation *op : flow->getCombining())
    forgetOrder(op);
  for (LLVM::AtomicRMWOp update : updatesOf(copy, total))
    update.setBinOp(*chan::updateBy(total.by));
  OpBuilder builder(copy.getContext());
  llvm::SmallSetVector<LLVM::AllocaOp, 4> objects;
  copy.walk([&](cilk::SpawnOp spawn) {
    OpOperand &place = spawn.getArgsMutable()[total.parameter];
    auto object = place.get().getDefiningOp<LLVM::AllocaOp>();
    objects.insert(object);
    // An array's replacement is nothing from the beginning.
    builder.setInsertionPoint(spawn);
    if (!object->hasAttr(ReductionAttribute))
      total.createIdentity(builder, spawn.getLoc(), object);
    place.set(copy.getArgument(total.parameter));
  });
  copy.walk(
      [](LLVM::AllocaOp object) { object->removeAttr(ReductionAttribute); });
  removeNothing(copy, total, objects.getArrayRef(), flow->getCombining(),
                layout);
  return true;
}

bool Totals::doWithout(ArrayRef<cilk::SpawnOp> spawns,
                       LLVM::AllocaOp array) const {
  return llvm::any_of(totals, [&](const Total &total) {
    return llvm::any_of(spawns, [&](cilk::SpawnOp spawn) {
      return baseOf(spawn.getArgs()[total.parameter]) == array.getResult();
    });
  });
}

void Totals::combineInPlace(LLVM::LLVMFuncOp copy) const {
  for (Total total : totals) {
    [[maybe_unused]] bool isCombined = combine(copy, total);
    assert(isCombined && "it is another function");
  }
}

void cilk2chan::updateEarly(LLVM::LLVMFuncOp copy) {
  if (copy.getBody().hasOneBlock())
    return;
  DominanceInfo dominance(copy);
  PostDominanceInfo postDominance(copy);
  SmallVector<LLVM::AtomicRMWOp> updates;
  copy.walk([&](LLVM::AtomicRMWOp update) {
    if (chan::reductionOf(update))
      updates.push_back(update);
  });
  for (LLVM::AtomicRMWOp update : updates)
    ::updateEarly(update, dominance, postDominance);
}

Totals::Totals(LLVM::LLVMFuncOp function, ArrayRef<cilk::SpawnOp> spawns,
               const SymbolTable &symbols, const TypeLayout &layout)
    : symbols(symbols), layout(layout) {
  SmallVector<Total> candidates;
  for (BlockArgument parameter : function.getArguments()) {
    if (!isa<LLVM::LLVMPointerType>(parameter.getType()))
      continue;
    unsigned number = parameter.getArgNumber();
    IntegerType type = accessedThrough(parameter);
    if (!type || !hasPlaces(spawns, number, type))
      continue;
    candidates.push_back({number, type, chan::Combination::Sum});
    places.insert(number);
  }
  // Each in a copy that has those before it combined.
  OwningOpRef<LLVM::LLVMFuncOp> copy;
  for (Total &total : candidates) {
    OwningOpRef<LLVM::LLVMFuncOp> next = (copy ? *copy : function).clone();
    if (!combine(*next, total))
      continue;
    copy = std::move(next);
    totals.push_back(total);
  }
}
