//===- PhaseBuilder.cpp - One phase of activations in place ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clones a phase of a function into a kernel for the elements of a batch, which
// stay where they are until they return:
//
//   %r = load %x; return %r + 1     chan.kernel @f.batch.1 consumes @f.entry
//     behind cilk.spawn @f(%n)   =>   chan.deq; %r = chan.child 0
//     to %x; cilk.sync                chan.result %r + 1; chan.done
//
//===----------------------------------------------------------------------===//

#include "PhaseBuilder.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Combination.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Recomputation.h"

#include "cilk2chan/Support/PromoteObjects.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2chan;

//===----------------------------------------------------------------------===//
// Local objects
//===----------------------------------------------------------------------===//

LLVM::AllocaOp cilk2chan::destinationObject(Value destination) {
  while (auto gep = destination.getDefiningOp<LLVM::GEPOp>()) {
    if (!gep.getDynamicIndices().empty())
      return {};
    destination = gep.getBase();
  }
  return destination.getDefiningOp<LLVM::AllocaOp>();
}

/// Whether any use of the object, or of an address within it, is so.
static bool anyUse(Value address, function_ref<bool(OpOperand &)> isSo) {
  return llvm::any_of(address.getUses(), [&](OpOperand &use) {
    return isa<LLVM::GEPOp>(use.getOwner())
               ? anyUse(use.getOwner()->getResult(0), isSo)
               : isSo(use);
  });
}

/// Whether a spawn has its result delivered there.
static bool isDelivery(OpOperand &use) {
  auto spawn = dyn_cast<cilk::SpawnOp>(use.getOwner());
  return spawn && !llvm::is_contained(spawn.getArgs(), use.get());
}

bool cilk2chan::isUsedIn(Value address,
                         const llvm::SetVector<Block *> &blocks) {
  return anyUse(address, [&](OpOperand &use) {
    return !isDelivery(use) && blocks.contains(use.getOwner()->getBlock());
  });
}

/// Whether a call forgets the address.
static bool isForgotten(OpOperand &use) {
  auto call = dyn_cast<LLVM::CallOp>(use.getOwner());
  ArrayAttr attributes = call ? call.getArgAttrsAttr() : ArrayAttr();
  unsigned number = use.getOperandNumber();
  return attributes && call.getCallee() && number < attributes.size() &&
         cast<DictionaryAttr>(attributes[number])
             .contains(LLVM::LLVMDialect::getNoCaptureAttrName());
}

bool cilk2chan::isKnownElsewhere(Value address) {
  return anyUse(address, [](OpOperand &use) {
    auto store = dyn_cast<LLVM::StoreOp>(use.getOwner());
    return !isa<LLVM::LoadOp>(use.getOwner()) && !isDelivery(use) &&
           !isForgotten(use) && !(store && store.getValue() != use.get());
  });
}

/// Whether a phase reads `value` where an earlier one, or a child, left it.
static bool isReadBack(Value value, bool isPositional) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return !argument.getOwner()->isEntryBlock();
  if (isa<cilk::CallOp>(value.getDefiningOp()))
    return !isPositional;
  return !isRematerialized(value) &&
         !isa<LLVM::AllocaOp>(value.getDefiningOp());
}

Locals::Locals(const Candidate &candidate, const TypeLayout &layout) {
  auto add = [&](Value key, Type type, uint64_t count, uint64_t alignment) {
    alignment = std::max(alignment, layout.abiAlignment(type));
    fields[key] = {0, layout.allocSize(type) * count, alignment};
  };
  for (const Phase &phase : candidate.phases->get())
    for (Value value : phase.liveIn)
      if (isReadBack(value, candidate.isPositional))
        add(value, value.getType(), 1, 1);
  for (auto [address, isLocal] : candidate.objects) {
    if (!isLocal)
      continue;
    auto alloca = address.getDefiningOp<LLVM::AllocaOp>();
    APInt count;
    matchPattern(alloca.getArraySize(), m_ConstantInt(&count));
    add(address, alloca.getElemType(), count.getZExtValue(),
        alloca.getAlignment().value_or(1));
  }
  SmallVector<Field *> order;
  for (auto &[value, field] : fields)
    order.push_back(&field);
  // The fields lie one behind the other, so addresses are in their order.
  llvm::sort(order, [](const Field *a, const Field *b) {
    return a->alignment != b->alignment ? a->alignment > b->alignment : a < b;
  });
  uint64_t most = 1;
  for (Field *field : order) {
    // An activation's are as far from the next one's as they are large.
    field->size = llvm::alignTo(field->size, field->alignment);
    field->offset = size = llvm::alignTo(size, field->alignment);
    size += field->size;
    most = std::max(most, field->alignment);
  }
  size = llvm::alignTo(size, most);
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

bool PhaseBuilder::isKept(Value value) const {
  return isReadBack(value, candidate.isPositional);
}

/// Has `body` build what is done only where `condition` is `outcome`.
void PhaseBuilder::buildIf(Location loc, Value condition, bool outcome,
                           function_ref<void()> body) {
  Block *before = builder.getInsertionBlock();
  Block *arm = builder.createBlock(&kernel.getBody(), kernel.getBody().end());
  Block *after = builder.createBlock(&kernel.getBody(), kernel.getBody().end());
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, condition, outcome ? arm : after,
                         outcome ? after : arm);
  builder.setInsertionPointToEnd(arm);
  body();
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(after);
}

void PhaseBuilder::createKernel(const Twine &name, unsigned number,
                                bool spawns) {
  mapping.clear();
  builder.setInsertionPoint(function);
  SmallVector<Attribute> produces, levels;
  if (spawns) {
    produces.push_back(
        FlatSymbolRefAttr::get(stacks.entry(candidate.sites.front().callee())));
    levels.push_back(builder.getI32IntegerAttr(1));
  }
  kernel = chan::KernelOp::create(
      builder, function.getLoc(), builder.getStringAttr(name),
      FlatSymbolRefAttr::get(stacks.entry(function.getName())),
      builder.getArrayAttr(produces), builder.getArrayAttr(levels),
      builder.getI64IntegerAttr(reduces ? 0 : locals.getSize()),
      /*lanes=*/IntegerAttr(), sourceOf(function),
      builder.getI32IntegerAttr(number), /*compacted=*/ArrayAttr(),
      /*laneRefill=*/UnitAttr(), UnitAttr(), UnitAttr(), UnitAttr());
  if ((number == 0 || reduces) && isHoistedItself())
    kernel.setBaseCasesHoisted(true);
  if (spawns && areAllHoisted())
    kernel.setHoistsBaseCases(true);
  stacks.name(kernel);
  builder.createBlock(&kernel.getBody());
}

/// Whether children that spawn nothing are no elements.
bool PhaseBuilder::areAllHoisted() {
  return candidate.childBaseCase &&
         llvm::all_of(candidate.sites,
                      [&](auto &site) { return reduces || site.hoisted; });
}

/// The same of the function's own activations, the first of a tree apart.
bool PhaseBuilder::isHoistedItself() {
  return areAllHoisted() && llvm::all_of(candidate.sites, [&](auto &site) {
           return site.callee() == function.getName();
         });
}

/// Marks a branch one way of which only activations take that are no elements.
void PhaseBuilder::markEnding(Operation *op, Operation *copy) {
  if (!kernel.getBaseCasesHoisted())
    return;
  SmallVector<unsigned, 2> ways;
  for (auto [branch, way] : candidate.childBaseCase->getEndings())
    if (branch == op)
      ways.push_back(way);
  if (ways.size() == 1)
    copy->setAttr(BaseCaseArmAttribute,
                  builder.getI32IntegerAttr(ways.front()));
}

void PhaseBuilder::finish() {
  giveOwnSubprogram(kernel, function.getLoc());
  // Else what lanes do with a variable of their own is memory to LLVM.
  SmallVector<LLVM::AllocaOp> variables(
      kernel.getBody().front().getOps<LLVM::AllocaOp>());
  (void)promoteObjects(variables, kernel, builder, layout);
  // What a variable is before it is set went in front.
  Block &entry = kernel.getBody().front();
  (*entry.getOps<chan::DeqOp>().begin())->moveBefore(&entry, entry.begin());
}

chan::KernelOp PhaseBuilder::build(unsigned index) {
  phase = &candidate.phases->get()[index];
  bool spawns = llvm::any_of(candidate.sites, [&](const Site &site) {
    return phase->blocks.contains(site.op->getBlock());
  });
  createKernel(function.getName() + ".batch." + Twine(index), index, spawns);
  createEntry();
  cloneBlocks();
  finish();
  return kernel;
}

/// What an activation does from its beginning to its end, children apart.
chan::KernelOp PhaseBuilder::buildReduction(unsigned number) {
  Phase all{&function.front(), nullptr, {}, {}, false, {}};
  for (Block &block : function)
    all.blocks.insert(&block);
  phase = &all;
  reduces = true;
  createKernel(function.getName() + ".batch.reduce", number,
               /*spawns=*/true);
  createEntry();
  cloneBlocks();
  finish();
  reduceEarly();
  phase = nullptr;
  reduces = false;
  return kernel;
}

/// Whether a value makes no difference when it is combined.
bool PhaseBuilder::isNothing(Value value) {
  APInt known;
  return matchPattern(value, m_ConstantInt(&known)) &&
         known == chan::identityOf(*candidate.reduction, known.getBitWidth());
}

/// The same value, computed without what makes no difference.
Value PhaseBuilder::withoutNothing(Value value) {
  Operation *op = value.getDefiningOp();
  auto combined = op ? combinedBy(op) : std::nullopt;
  if (!combined || combined->by != *candidate.reduction)
    return value;
  Value first = withoutNothing(combined->first),
        second = withoutNothing(combined->second);
  if (isNothing(second))
    return first;
  return isNothing(first) && !isa<LLVM::SubOp>(op) ? second : value;
}

/// Erases what computes a value without uses.
static void eraseUnused(Value value) {
  llvm::SmallSetVector<Operation *, 8> work;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp())
      work.insert(op);
  };
  add(value);
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    // Its operands may have no other use.
    llvm::for_each(op->getOperands(), add);
    op->erase();
  }
}

/// Moves a reduction in front of the point where paths meet, if the value is
/// constant on one of them.  There, a neutral value needs no reduction, and
/// lanes with the same value are counted.
void PhaseBuilder::reduceEarly() {
  SmallVector<chan::ReduceResultOp> work;
  kernel.getBody().walk([&](chan::ReduceResultOp op) { work.push_back(op); });
  while (!work.empty()) {
    chan::ReduceResultOp part = work.pop_back_val();
    Value before = part.getValue(), value = withoutNothing(before);
    part.getValueMutable().assign(value);
    eraseUnused(before);
    if (isNothing(value)) {
      part.erase();
      continue;
    }
    Block *block = part->getBlock();
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != block)
      continue;
    unsigned number = argument.getArgNumber();
    bool isOnly = llvm::hasSingleElement(argument.getUses());
    SmallVector<std::pair<BranchOpInterface, unsigned>> ways;
    for (auto it = block->pred_begin(); it != block->pred_end(); ++it)
      ways.push_back({cast<BranchOpInterface>((*it)->getTerminator()),
                      it.getSuccessorIndex()});
    auto passed = [&](auto way) {
      return way.first.getSuccessorOperands(way.second)[number];
    };
    if (llvm::none_of(ways, [&](auto way) {
          return matchPattern(withoutNothing(passed(way)), m_Constant());
        }))
      continue;
    for (auto [branch, successor] : ways) {
      value = branch.getSuccessorOperands(successor)[number];
      if (branch->getNumSuccessors() > 1) {
        SmallVector<Value> all(
            branch.getSuccessorOperands(successor).getForwardedOperands());
        builder.createBlock(block);
        auto edge = LLVM::BrOp::create(builder, part.getLoc(), all, block);
        branch.getSuccessorOperands(successor).erase(0, all.size());
        branch->setSuccessor(edge->getBlock(), successor);
        branch = cast<BranchOpInterface>(edge.getOperation());
        successor = 0;
      }
      builder.setInsertionPoint(branch);
      work.push_back(chan::ReduceResultOp::create(builder, part.getLoc(), value,
                                                  /*mask=*/Value()));
      if (isOnly)
        branch.getSuccessorOperands(successor).erase(number);
    }
    part.erase();
    if (isOnly)
      block->eraseArgument(number);
  }
}

void PhaseBuilder::cloneBlocks() {
  for (Block *block : phase->blocks) {
    Block *copy = new Block();
    kernel.getBody().push_back(copy);
    mapping.map(block, copy);
    if (block != &function.front())
      for (BlockArgument argument : block->getArguments())
        mapping.map(argument,
                    copy->addArgument(argument.getType(), argument.getLoc()));
  }
  LLVM::BrOp::create(builder, function.getLoc(), mapping.lookup(phase->start));
  for (Block *block : phase->blocks) {
    builder.setInsertionPointToEnd(mapping.lookup(block));
    Operation *suspension = reduces ? nullptr : Phases::suspension(block);
    for (Operation &op : *block) {
      if (&op == suspension) {
        suspend(suspension);
        break;
      }
      clone(op);
    }
  }
}

chan::KernelOp PhaseBuilder::buildResultHandler(unsigned number) {
  const Site &site = candidate.sites[number];
  Location loc = site.op->getLoc();
  phase = nullptr;
  createKernel(function.getName() + ".batch.result." + Twine(number),
               candidate.phases->get().size() + number, /*spawns=*/false);
  auto deq = createDeq(loc);
  chan::TfreeOp::create(builder, loc, deq.getElement());
  for (auto [address, isLocal] : candidate.objects)
    if (isLocal)
      mapping.map(address, locals.address(builder, loc, address));
  Type type = stacks.entry(site.callee()).getSignature()->getReturnType();
  if (!isa<LLVM::LLVMVoidType>(type)) {
    Value value =
        chan::ChildOp::create(builder, loc, builder.getI1Type(), type, number)
            .getValue();
    deliver(loc, site, value);
  }
  chan::DoneOp::create(builder, loc);
  finish();
  return kernel;
}

chan::DeqOp PhaseBuilder::createDeq(Location loc) {
  return chan::DeqOp::create(
      builder, loc,
      chan::ElementType::get(builder.getContext(), kernel.getConsumesAttr()),
      /*mask=*/Type());
}

void PhaseBuilder::createEntry() {
  bool isFirst = !phase->after;
  Location loc = isFirst ? function.getLoc() : phase->after->getLoc();
  auto deq = createDeq(loc);
  for (BlockArgument argument : function.getArguments())
    if (isFirst || phase->liveIn.contains(argument) || needsArguments() ||
        candidate.isUniform(argument))
      mapping.map(argument,
                  chan::GetOp::create(
                      builder, loc, argument.getType(), deq.getElement(),
                      chan::parameterField(argument.getArgNumber())));
  chan::TfreeOp::create(builder, loc, deq.getElement());
  for (auto [address, isLocal] : candidate.objects) {
    auto alloca = address.getDefiningOp<LLVM::AllocaOp>();
    if (isLocal && !reduces) {
      mapping.map(address, locals.address(builder, loc, address));
    } else if (reduces || isUsedIn(address, phase->blocks)) {
      Operation *count = builder.clone(*alloca.getArraySize().getDefiningOp());
      Operation *copy = builder.clone(*alloca);
      copy->setOperand(0, count->getResult(0));
      mapping.map(address, copy->getResult(0));
    }
  }
  for (Value value : phase->liveIn) {
    if (isRematerialized(value))
      mapping.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
    else if (isKept(value))
      mapping.map(value,
                  LLVM::LoadOp::create(builder, loc, value.getType(),
                                       locals.address(builder, loc, value)));
  }
  if (!isFirst && candidate.isPositional)
    for (auto [number, site] : llvm::enumerate(candidate.sites))
      takeResult(number, site);
}

/// A site's arguments, computed once more in a later phase; empty if they
/// cannot be.
SmallVector<Value> PhaseBuilder::computeArgs(const Site &site) {
  SmallVector<Value> args;
  for (Value arg : site.args()) {
    Value again =
        computeAgain(builder, site.op->getLoc(), arg,
                     [&](Value known) { return mapping.lookupOrNull(known); });
    if (!again)
      return {};
    args.push_back(again);
  }
  return args;
}

/// Has a child's result where it belongs.
void PhaseBuilder::takeResult(unsigned number, const Site &site) {
  Location loc = site.op->getLoc();
  Type type = stacks.entry(site.callee()).getSignature()->getReturnType();
  Value spawned;
  auto take = [&]() -> Value {
    auto child =
        chan::ChildOp::create(builder, loc, builder.getI1Type(), type, number);
    spawned = child.getSpawned();
    if (!site.hoisted || site.assignsEarly)
      return child.getValue();
    Value own = site.hoisted->build(builder, loc, computeArgs(site)).result;
    return LLVM::SelectOp::create(builder, loc, spawned, child.getValue(), own);
  };
  if (auto call = site.call()) {
    if (call.getResult() && phase->liveIn.contains(call.getResult()))
      mapping.map(call.getResult(), take());
    return;
  }
  Value destination = site.spawn().getDestination();
  if (!destination || isa<LLVM::LLVMVoidType>(type))
    return;
  // An object that this phase has not got has no reader.
  if (!mapping.contains(destinationObject(destination).getResult()))
    return;
  Value value = take();
  // Every activation in this phase was there.
  if (site.hoisted && !site.assignsEarly)
    return assign(loc, site, value);
  buildIf(loc, spawned, true, [&] { assign(loc, site, value); });
}

/// Has a result where it belongs, be it in memory.
void PhaseBuilder::deliver(Location loc, const Site &site, Value value) {
  if (auto spawn = site.spawn(); spawn && spawn.getDestination())
    assign(loc, site, value);
  else if (auto call = site.call(); call && locals.contains(call.getResult()))
    LLVM::StoreOp::create(builder, loc, value,
                          locals.address(builder, loc, call.getResult()));
}

/// Does to the destination of `spawn` what is done to it with the child's
/// result.
void PhaseBuilder::assign(Location loc, const Site &site, Value value) {
  cilk::SpawnOp spawn = site.spawn();
  IRMapping places;
  if (site.hasDestination) {
    places.map(spawn.getDestination(),
               phase ? mapping.lookup(spawn.getDestination())
                     : chan::DestinationOp::create(builder, loc, pointer));
  } else {
    SmallVector<Operation *> path;
    Value object = spawn.getDestination();
    for (; auto gep = object.getDefiningOp<LLVM::GEPOp>();
         object = gep.getBase())
      path.push_back(gep);
    places.map(object, mapping.lookup(object));
    for (Operation *gep : llvm::reverse(path))
      builder.clone(*gep, places);
  }
  Value destination = places.lookup(spawn.getDestination());
  if (!spawn.getApplyAttr()) {
    // It may be less aligned than its type (chan.deliver).
    bool isVariable =
        spawn.getDestination().getDefiningOp<LLVM::AllocaOp>() != nullptr;
    LLVM::StoreOp::create(builder, loc, value, destination,
                          /*alignment=*/isVariable ? 0 : 1);
    return;
  }

  // The apply function, inlined.
  auto apply = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      function, spawn.getApplyAttr());
  Block *before = builder.getInsertionBlock();
  Block *entry = &kernel.getBody().front();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(*entry->getOps<chan::TfreeOp>().begin());
    Value one = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                         builder.getI64IntegerAttr(1));
    Value memory =
        LLVM::AllocaOp::create(builder, loc, pointer, value.getType(), one);
    places.map(apply.getArgument(0), destination);
    places.map(apply.getArgument(1), memory);
  }
  LLVM::StoreOp::create(builder, loc, value,
                        places.lookup(apply.getArgument(1)));
  Block *after = builder.createBlock(&kernel.getBody(), kernel.getBody().end());
  for (Block &block : apply.getBody()) {
    auto *copy = new Block();
    kernel.getBody().push_back(copy);
    places.map(&block, copy);
    if (!block.isEntryBlock())
      for (BlockArgument argument : block.getArguments())
        places.map(argument,
                   copy->addArgument(argument.getType(), argument.getLoc()));
  }
  for (Block &block : apply.getBody()) {
    builder.setInsertionPointToEnd(places.lookup(&block));
    for (Operation &op : block) {
      if (isa<LLVM::ReturnOp>(op)) {
        LLVM::BrOp::create(builder, loc, after);
        continue;
      }
      Operation *copy = builder.clone(op, places);
      copy->setLoc(loc);
      // Another order has other intermediate results, also at sites that assign
      // in their turn.
      if (auto overflow = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(copy);
          overflow && llvm::any_of(candidate.sites, [](const Site &other) {
            return other.assignsEarly;
          }))
        overflow.setOverflowFlags(LLVM::IntegerOverflowFlags::none);
      if (auto alloca = dyn_cast<LLVM::AllocaOp>(copy)) {
        Operation *count = alloca.getArraySize().getDefiningOp();
        count->moveAfter(*entry->getOps<chan::TfreeOp>().begin());
        alloca->moveAfter(count);
      }
    }
  }
  builder.setInsertionPointToEnd(before);
  LLVM::BrOp::create(builder, loc, places.lookup(&apply.getBody().front()));
  builder.setInsertionPointToEnd(after);
}

void PhaseBuilder::clone(Operation &op) {
  // At a sync where no child is left to wait for, their results are assigned.
  if (isa<LLVM::AllocaOp, cilk::SyncOp>(op))
    return;
  // One that is live into the phase is at its beginning, and need not be here.
  if (op.getNumResults() == 1 && isRematerialized(op.getResult(0)) &&
      phase->liveIn.contains(op.getResult(0)))
    return;
  Location loc = op.getLoc();
  if (isa<cilk::SpawnOp, cilk::CallOp>(op)) {
    enqueue(&op);
    // What it adds is added elsewhere.
    if (auto call = dyn_cast<cilk::CallOp>(op))
      mapping.map(call.getResult(), identity(loc, call.getResult().getType()));
    else if (auto spawn = cast<cilk::SpawnOp>(op);
             reduces && !spawn.getApplyAttr())
      LLVM::StoreOp::create(builder, loc, identity(loc, resultType()),
                            mapping.lookup(spawn.getDestination()));
    return;
  }
  if (auto ret = dyn_cast<LLVM::ReturnOp>(op)) {
    if (reduces)
      chan::ReduceResultOp::create(builder, loc, mapping.lookup(ret.getArg()),
                                   /*mask=*/Value());
    else if (ret.getArg())
      chan::ResultOp::create(builder, loc, mapping.lookup(ret.getArg()),
                             /*mask=*/Value());
    chan::DoneOp::create(builder, loc);
    return;
  }
  // The address of an object that only children's results go to, and that this
  // phase has not got.
  if (auto gep = dyn_cast<LLVM::GEPOp>(op);
      gep && !mapping.contains(gep.getBase()))
    return;
  Operation *copy = builder.clone(op, mapping);
  markEnding(&op, copy);
  // Without what children add, an intermediate result is another.
  if (reduces && candidate.combining.contains(&op))
    forgetOrder(copy);
}

Type PhaseBuilder::resultType() {
  return function.getFunctionType().getReturnType();
}

/// What makes no difference when it is combined.
Value PhaseBuilder::identity(Location loc, Type type) {
  APInt value =
      chan::identityOf(*candidate.reduction, type.getIntOrFloatBitWidth());
  return LLVM::ConstantOp::create(builder, loc, type,
                                  builder.getIntegerAttr(type, value));
}

/// Enqueues the child, unless it ends where it begins.
void PhaseBuilder::enqueue(Operation *op) {
  unsigned number = 0;
  while (candidate.sites[number].op != op)
    ++number;
  const Site &site = candidate.sites[number];
  SmallVector<Value> args;
  for (Value arg : site.args())
    args.push_back(mapping.lookup(arg));
  const std::optional<BaseCase> &hoisted =
      reduces ? candidate.childBaseCase : site.hoisted;
  if (!hoisted)
    return spawn(number, site, args);
  Location loc = site.op->getLoc();
  Ending ending = hoisted->build(builder, loc, args);
  buildIf(loc, ending.ends, false, [&] { spawn(number, site, args); });
  bool assigns = !reduces && site.assignsEarly && ending.result;
  if (!reduces && !assigns && ending.updates.empty())
    return;
  buildIf(loc, ending.ends, true, [&] {
    ending.update(builder, loc);
    if (reduces)
      chan::ReduceResultOp::create(builder, loc, ending.result,
                                   /*mask=*/Value());
    else if (assigns)
      deliver(loc, site, ending.result);
  });
}

void PhaseBuilder::spawn(unsigned number, const Site &site, ValueRange args) {
  Location loc = site.op->getLoc();
  chan::StackOp stack = stacks.entry(site.callee());
  auto type = chan::ElementType::get(builder.getContext(),
                                     FlatSymbolRefAttr::get(stack));
  auto element = chan::TallocOp::create(builder, loc, type, /*level=*/1,
                                        /*target=*/Value(), /*mask=*/Value());
  for (auto [index, arg] : llvm::enumerate(args)) {
    // Computed of what is uniform, to be seen to be so.
    if (candidate.uniformOfChild[index])
      arg = computeAgain(builder, loc, site.args()[index], [&](Value value) {
        return candidate.isUniform(value) ? mapping.lookup(value) : Value();
      });
    chan::SetOp::create(builder, loc, arg, element,
                        chan::parameterField(index));
  }
  Value destination;
  if (site.hasDestination)
    destination = mapping.lookup(site.spawn().getDestination());
  chan::EnqOp::create(builder, loc, element, builder.getI32IntegerAttr(number),
                      destination);
}

void PhaseBuilder::suspend(Operation *suspension) {
  Location loc = suspension->getLoc();
  if (isa<cilk::CallOp>(suspension))
    enqueue(suspension);
  unsigned next = candidate.phases->after(suspension);
  for (Value value : candidate.phases->get()[next].liveIn)
    // A call's result comes there by itself; what was defined before this phase
    // is there.
    if (isKept(value) &&
        !isa_and_nonnull<cilk::CallOp>(value.getDefiningOp()) &&
        phase->blocks.contains(value.getParentBlock()))
      LLVM::StoreOp::create(builder, loc, mapping.lookup(value),
                            locals.address(builder, loc, value));
  chan::PendOp::create(builder, loc, next, /*mask=*/Value());
  chan::DoneOp::create(builder, loc);
}
