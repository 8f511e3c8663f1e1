//===- Batches.cpp - Phases of whole batches ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batches.h"
#include "LaneAccesses.h"

#include "cilk2chan/Conversion/RuntimeABI.h"
#include "cilk2chan/Support/Markers.h"

using namespace mlir;
using namespace cilk2chan;

/// By how many elements those are ahead for which something is fetched: that
/// takes as long as that many others take, or longer.
static constexpr unsigned elementsAhead = 32;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// A local variable; without a type, of 64 bits.
Value Batches::variable(Location loc, Type type) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.front());
  return LLVM::AllocaOp::create(builder, loc, builder.pointer,
                                type ? type : builder.i64,
                                builder.constant(loc, builder.i64, 1));
}

/// A pointer of the batch's.
Value Batches::field(Location loc, int32_t offset) {
  return builder.load(loc, builder.pointer, function.getArgument(1), offset);
}

Value Batches::get(Location loc, Value variable) {
  return LLVM::LoadOp::create(builder, loc, builder.i64, variable);
}

void Batches::set(Location loc, Value variable, Value value) {
  LLVM::StoreOp::create(builder, loc, value, variable);
}

Value Batches::mark(Location loc, unsigned number) {
  return builder.offset(loc, marks, number * sizeof(uint64_t));
}

//===----------------------------------------------------------------------===//
// The loop over groups
//===----------------------------------------------------------------------===//

void Batches::lower(chan::KernelOp op) {
  kernel = op;
  count = *kernel.getLanes();
  auto stack = elements.stack(kernel.getConsumes());
  accumulates.reset();
  accumulators.clear();
  origins.clear();
  if (*kernel.getPhase() + 1 == stack.getBatch()->size())
    accumulates = stack.getAccumulates();
  isInOrder = !stack.getReceivers() && !accumulates;
  phaseCount = stack.getPhaseCount();
  siteCount = isInOrder ? sites.lookup(kernel.getConsumes()) : 0;
  spawns = !kernel.getProduces().empty();
  mostPerGroup = countSpawns();

  Location loc = kernel.getLoc();
  builder.setInsertionPoint(kernel);
  function = LLVM::LLVMFuncOp::create(
      builder, loc, kernel.getSymName(),
      LLVM::LLVMFunctionType::get(
          builder.i32,
          {builder.pointer, builder.pointer, builder.i32, builder.i32}),
      LLVM::Linkage::Internal);
  SmallVector<Attribute> attributes;
  if (auto source = kernel.getSource())
    attributes.push_back(builder.getStrArrayAttr({SourceAttribute, *source}));
  attributes.push_back(builder.getStringAttr(LanesAttribute));
  // Else LLVM may keep to narrower ones.
  attributes.push_back(builder.getStrArrayAttr(
      {"min-legal-vector-width", std::to_string(vectorBits)}));
  function.setPassthroughAttr(builder.getArrayAttr(attributes));
  lanes.beginKernel(function, count);
  if (Type stored = storedAsReceived())
    createStores(stored);
  else
    createLoop();

  SmallVector<Operation *> ops;
  function.getBody().walk([&](Operation *op) {
    if (isa<chan::ChanDialect>(op->getDialect()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    lower(op);
  }
  leaveAccumulated();
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  wavefronts.clear();
  wavefrontOf.clear();
  expandLaneAccesses(function, builder, vectorBits, gathers,
                     isSanitized(kernel));
  SymbolTable &symbols = builder.symbols.getSymbolTable(builder.module);
  if (kernel.getCompacted())
    for (auto part : kernel.getCompacted()->getAsRange<FlatSymbolRefAttr>())
      symbols.erase(symbols.lookup(part.getValue()));
  symbols.erase(kernel);
  symbols.insert(function);
}

/// How many children a group of the kernel has at most, if that is known, and
/// no more than any block of children has room for.
std::optional<unsigned> Batches::countSpawns() {
  if (kernel.getCompacted())
    return {};
  unsigned number = 0, most = sites.lookup(kernel.getConsumes());
  for (Block &block : kernel.getBody())
    for (Operation &op : block)
      if (isa<chan::EnqOp>(op)) {
        if (block.isReachable(&block))
          return {};
        if (++number > most)
          return {};
      }
  return number * count;
}

/// Moves the body of a kernel into the function; returns its first block.
Block *Batches::addBody(chan::KernelOp from, Block *before) {
  Block *entry = &function.front(), *first = &from.getBody().front();
  from.getBody().walk([&](chan::DoneOp op) { origins[op] = from; });
  // One stack slot serves all groups.
  for (auto alloca :
       llvm::make_early_inc_range(first->getOps<LLVM::AllocaOp>())) {
    alloca.getArraySize().getDefiningOp()->moveBefore(entry, entry->begin());
    alloca->moveAfter(alloca.getArraySize().getDefiningOp());
  }
  auto &blocks = function.getBody().getBlocks();
  blocks.splice(before ? Region::iterator(before) : blocks.end(),
                from.getBody().getBlocks());
  return first;
}

/// for (position = begin; position < end && ...; position += step) body
void Batches::createLoop() {
  Location loc = kernel.getLoc();
  Block *entry = function.addEntryBlock(builder);
  Region &body = function.getBody();
  Block *first = addBody(kernel, /*before=*/nullptr);
  registers.find(function, count);
  Block *header = builder.createBlock(&body, std::next(Region::iterator(entry)),
                                      {builder.i64}, {loc});
  Block *group = builder.createBlock(first);
  Block *exit = builder.createBlock(&body, body.end());
  latch = builder.createBlock(exit);
  position = header->getArgument(0);

  builder.setInsertionPointToEnd(entry);
  begin(loc);
  LLVM::BrOp::create(builder, loc, builder.extend(loc, function.getArgument(2)),
                     header);

  builder.setInsertionPointToEnd(header);
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult,
                                    position, get(loc, end));
  if (spawns)
    more = LLVM::AndOp::create(
        builder, loc, more,
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule,
                             get(loc, childCount), mostChildren));
  LLVM::CondBrOp::create(builder, loc, more, group, exit);
  latches = {{kernel, latch}};
  if (kernel.getCompacted())
    createCompacted(header, group, exit);

  auto deq = cast<chan::DeqOp>(first->front());
  builder.setInsertionPointToEnd(group);
  if (isReceiver())
    beginRecord(deq, first, exit);
  else
    beginGroup(deq, first);

  builder.setInsertionPointToEnd(latch);
  if (!isReceiver())
    endGroup();
  Value next = LLVM::AddOp::create(
      builder, loc, position,
      builder.constant(loc, builder.i64, isReceiver() ? 1 : count),
      LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw);
  LLVM::BrOp::create(builder, loc, next, header);

  builder.setInsertionPointToEnd(exit);
  finish(loc);
  Value last = LLVM::UMinOp::create(builder, loc, position, get(loc, end));
  LLVM::ReturnOp::create(
      builder, loc,
      ValueRange(LLVM::TruncOp::create(builder, loc, builder.i32, last)));
}

/// Reads what holds for all groups.
void Batches::begin(Location loc) {
  Value batch = function.getArgument(1);
  auto load32 = [&](Value base, int32_t offset) {
    return builder.extend(loc, builder.load(loc, builder.i32, base, offset));
  };
  fields = fieldsOf(elements.layout(kernel.getConsumes()),
                    field(loc, abi::batchElements), builder, loc);
  results = field(loc, abi::batchResults);
  allLocals = field(loc, abi::batchLocals);
  allMarks = field(loc, abi::batchMarks);
  sliceBegin = load32(batch, abi::batchFirst);
  end = variable(loc);
  set(loc, end, builder.extend(loc, function.getArgument(3)));
  childResults = field(loc, abi::batchChildResults);
  destinations = isInOrder ? Value() : field(loc, abi::batchDestinations);
  waiting.clear();
  masks.clear();
  starts.clear();
  pending = childCount = spawnedCount = received = held = {};
  if (isReceiver()) {
    spawned = field(loc, abi::batchSpawned);
    received = variable(loc);
    set(loc, received, load32(batch, abi::batchHandled));
    held = variable(loc);
    set(loc, held, groupOf(loc, builder.extend(loc, function.getArgument(2))));
    registers.load(loc, localsOf(loc, get(loc, held)));
    return;
  }

  if (leavesMarks()) {
    pending = variable(loc);
    set(loc, pending, load32(batch, abi::batchPending));
    for (unsigned i = 1; i < phaseCount; ++i)
      waiting.push_back(variable(loc));
  }
  if (!spawns)
    return;
  builder.store(
      loc, builder.constant(loc, builder.i32, kernel->hasAttr(TestsAttribute)),
      batch, abi::batchTests);
  children = field(loc, abi::batchChildren);
  childFields =
      fieldsOf(elements.layout(
                   cast<FlatSymbolRefAttr>(kernel.getProduces()[0]).getValue()),
               children, builder, loc);
  childCount = variable(loc);
  set(loc, childCount, builder.constant(loc, builder.i64, 0));
  capacity = load32(children, abi::blockCapacity);
  Value reserve = builder.constant(loc, builder.i64, siteCount * count);
  // A group that spawns any number is seldom to be interrupted; others need not
  // ask.
  if (!isInOrder) {
    reserve = LLVM::LShrOp::create(builder, loc, capacity,
                                   builder.constant(loc, builder.i64, 2));
    if (mostPerGroup)
      reserve = LLVM::UMaxOp::create(
          builder, loc, reserve,
          builder.constant(loc, builder.i64, *mostPerGroup));
  }
  if (recordsSpawns()) {
    spawned = field(loc, abi::batchSpawned);
    spawnedCount = variable(loc);
    set(loc, spawnedCount, builder.constant(loc, builder.i64, 0));
  }
  mostChildren = LLVM::SubOp::create(builder, loc, capacity, reserve);
  for (unsigned i = 0; i < siteCount; ++i) {
    masks.push_back(variable(loc));
    starts.push_back(variable(loc));
  }
}

/// Leaves what concerns all groups.
void Batches::finish(Location loc) {
  auto store32 = [&](Value variable, Value base, int32_t offset) {
    builder.store(
        loc,
        LLVM::TruncOp::create(builder, loc, builder.i32, get(loc, variable)),
        base, offset);
  };
  Value batch = function.getArgument(1);
  if (isReceiver()) {
    store32(received, batch, abi::batchHandled);
    registers.store(loc, localsOf(loc, get(loc, held)));
  }
  if (pending)
    store32(pending, batch, abi::batchPending);
  if (childCount)
    store32(childCount, children, abi::blockCount);
  if (spawnedCount)
    store32(spawnedCount, batch, abi::batchSpawnedCount);
}

/// The locals of the group whose first element is at `first`.
Value Batches::localsOf(Location loc, Value first) {
  return builder.element(loc, allLocals, kernel.getFrameSize(),
                         LLVM::SubOp::create(builder, loc, first, sliceBegin));
}

void Batches::findGroup(Location loc, Value first) {
  index = first;
  Value number = LLVM::SubOp::create(builder, loc, index, sliceBegin);
  locals = localsOf(loc, index);
  if (accumulates)
    return;
  marks = builder.element(
      loc, allMarks, sizeof(uint64_t) * (phaseCount - 1 + 2 * siteCount),
      LLVM::UDivOp::create(builder, loc, number,
                           builder.constant(loc, builder.i64, count)));
}

/// Fetches what a group of elements that come soon after `from` point to, if it
/// `isTime`. Their order is known, and nothing else says early enough what is
/// needed of a linked structure.
void Batches::fetchAhead(Location loc, Value from, Value isTime) {
  chan::StackOp stack = elements.stack(kernel.getConsumes());
  if (!stack.getChased())
    return;
  unsigned ahead = llvm::alignTo(elementsAhead, count);
  Value first = LLVM::AddOp::create(builder, loc, from,
                                    builder.constant(loc, builder.i64, ahead));
  Value last = LLVM::AddOp::create(builder, loc, first,
                                   builder.constant(loc, builder.i64, count));
  Value areThere = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule,
                                        last, get(loc, end));
  if (isTime)
    areThere = LLVM::AndOp::create(builder, loc, isTime, areThere);
  Block *before = builder.getInsertionBlock();
  Block *after = builder.createBlock(before->getNextNode());
  Block *fetch = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, areThere, fetch, after);
  builder.setInsertionPointToEnd(fetch);
  const ElementLayout &layout = elements.layout(kernel.getConsumes());
  for (StringRef name : stack.getChased()->getAsValueRange<StringAttr>()) {
    const ElementLayout::Field &field = layout.field(name);
    Value pointers =
        builder.element(loc, fields[layout.index(field)], field.size, first);
    for (unsigned lane = 0; lane < count; ++lane)
      LLVM::Prefetch::create(
          builder, loc,
          builder.load(loc, builder.pointer, pointers, lane * field.size),
          /*rw=*/0, /*hint=*/3, /*cache=*/1);
  }
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(after);
}

/// Which lanes there are: those before the end, or those that wait for this
/// phase.
void Batches::beginGroup(chan::DeqOp deq, Block *first) {
  Location loc = deq.getLoc();
  unsigned phase = accumulates ? 0 : *kernel.getPhase();
  findGroup(loc, position);
  Value zero = builder.constant(loc, builder.i64, 0);
  for (Value variable : llvm::concat<Value>(masks, starts))
    set(loc, variable, zero);
  for (auto [i, variable] : llvm::enumerate(waiting)) {
    Value before = zero;
    if (phase && i + 1 != phase)
      before = LLVM::LoadOp::create(builder, loc, builder.i64, mark(loc, i));
    set(loc, variable, before);
  }
  if (!phase) {
    fetchAhead(loc, index, /*isTime=*/{});
    registers.forget(loc);
    Value left = LLVM::TruncOp::create(
        builder, loc, builder.i32,
        LLVM::SubOp::create(builder, loc, get(loc, end), index));
    deq.getMask().replaceAllUsesWith(lanes.firstOf(loc, left));
    LLVM::BrOp::create(builder, loc, first);
    return;
  }
  Value bits =
      LLVM::LoadOp::create(builder, loc, builder.i64, mark(loc, phase - 1));
  Value any =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, bits, zero);
  deq.getMask().replaceAllUsesWith(lanes.maskOfLanes(loc, bits));
  registers.load(loc, locals);
  LLVM::CondBrOp::create(builder, loc, any, first, latch);
}

/// The group of a record.
Value Batches::groupOf(Location loc, Value number) {
  Value record = builder.element(loc, spawned, abi::spawnedSize, number);
  return builder.extend(
      loc, builder.load(loc, builder.i32, record, abi::spawnedGroup));
}

/// Whether a record is of the receiver's site.
Value Batches::isOwn(Location loc, Value record) {
  Value site = builder.load(loc, builder.i32, record, abi::spawnedSite);
  return LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::eq, site,
      builder.constant(loc, builder.i32, *kernel.getPhase() - phaseCount));
}

/// The lanes of the record at `position`, if that is of this site. Records of a
/// group follow each other, so its local objects stay where they are.
void Batches::beginRecord(chan::DeqOp deq, Block *first, Block *exit) {
  Location loc = deq.getLoc();
  Value record = builder.element(loc, spawned, abi::spawnedSize, position);
  Value isOfSite = isOwn(loc, record);
  Block *own = builder.createBlock(first);
  builder.setInsertionPointToEnd(own->getPrevNode());
  LLVM::CondBrOp::create(builder, loc, isOfSite, own, exit);
  builder.setInsertionPointToEnd(own);
  Value next = groupOf(loc, position), before = get(loc, held);
  Block *changes = builder.createBlock(first),
        *body = builder.createBlock(first);
  builder.setInsertionPointToEnd(own);
  LLVM::CondBrOp::create(
      builder, loc,
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, next, before),
      changes, body);
  builder.setInsertionPointToEnd(changes);
  registers.store(loc, localsOf(loc, before));
  set(loc, held, next);
  registers.load(loc, localsOf(loc, next));
  LLVM::BrOp::create(builder, loc, body);
  builder.setInsertionPointToEnd(body);
  findGroup(loc, next);
  Value bits = builder.load(loc, builder.i64, record, abi::spawnedMask);
  maskOfKernel = lanes.maskOfLanes(loc, bits);
  deq.getMask().replaceAllUsesWith(maskOfKernel);
  start = get(loc, received);
  set(loc, received,
      LLVM::AddOp::create(
          builder, loc, start,
          LLVM::CtPopOp::create(builder, loc, builder.i64, bits)));
  LLVM::BrOp::create(builder, loc, first);
}

/// Stores what the group has collected.
void Batches::endGroup() {
  Location loc = kernel.getLoc();
  if (!pending)
    return;
  Value all = get(loc, pending);
  for (auto [i, variable] : llvm::enumerate(waiting)) {
    Value bits = get(loc, variable);
    LLVM::StoreOp::create(builder, loc, bits, mark(loc, i));
    Value any =
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, bits,
                             builder.constant(loc, builder.i64, 0));
    all = LLVM::OrOp::create(
        builder, loc, all,
        LLVM::ShlOp::create(builder, loc, builder.extend(loc, any),
                            builder.constant(loc, builder.i64, i + 1)));
  }
  set(loc, pending, all);
  for (unsigned i = 0; i < siteCount; ++i) {
    LLVM::StoreOp::create(builder, loc, get(loc, masks[i]),
                          mark(loc, phaseCount - 1 + 2 * i));
    LLVM::StoreOp::create(builder, loc, get(loc, starts[i]),
                          mark(loc, phaseCount + 2 * i));
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Batches::lower(Operation *op) {
  Location loc = op->getLoc();
  if (auto read = dyn_cast<chan::GetOp>(op)) {
    const ElementLayout &layout = elements.layout(read.getElement());
    const ElementLayout::Field &field = layout.field(read.getField());
    Value place = fields[layout.index(field)];
    if (!isa<VectorType>(read.getType()))
      return readUniform(read, field, place);
    if (Wavefront *wavefront = wavefrontOf.lookup(op))
      return refill(read, *wavefront);
    Value all = LLVM::LoadOp::create(
        builder, loc, lanes.lanesOf(inMemory(field.type)),
        builder.element(loc, place, field.size, index), field.alignment);
    if (field.type != inMemory(field.type))
      all = LLVM::TruncOp::create(builder, loc, read.getType(), all);
    read.getValue().replaceAllUsesWith(all);
  } else if (auto enq = dyn_cast<chan::EnqOp>(op)) {
    lower(enq);
  } else if (auto child = dyn_cast<chan::ChildOp>(op)) {
    lower(child);
  } else if (auto destination = dyn_cast<chan::DestinationOp>(op)) {
    Value place = builder.element(loc, destinations, abi::pointerSize, start);
    bool isOne = destination.getType() == builder.pointer;
    destination.getDestination().replaceAllUsesWith(
        isOne ? LLVM::LoadOp::create(builder, loc, builder.pointer, place)
              : lanes.loadUnpacked(loc, builder.pointer, place, maskOfKernel));
  } else if (auto local = dyn_cast<chan::LocalOp>(op)) {
    local.getAddress().replaceAllUsesWith(
        builder.offset(loc, locals, local.getOffset() * count));
  } else if (auto pend = dyn_cast<chan::PendOp>(op)) {
    Value variable = waiting[pend.getPhase() - 1];
    set(loc, variable,
        LLVM::OrOp::create(builder, loc, get(loc, variable),
                           lanes.bitsOf(loc, pend.getMask())));
  } else if (auto result = dyn_cast<chan::ResultOp>(op)) {
    Value all = result.getValue();
    auto type = cast<VectorType>(all.getType()).getElementType();
    if (type != inMemory(type))
      all = LLVM::ZExtOp::create(builder, loc,
                                 VectorType::get(count, inMemory(type)), all);
    uint64_t size = elements.dataLayout.storeSize(inMemory(type));
    LLVM::MaskedStoreOp::create(
        builder, loc, all, builder.element(loc, results, size, index),
        result.getMask(), builder.getI32IntegerAttr(size));
  } else if (auto part = dyn_cast<chan::AccumulateOp>(op)) {
    Value value = part.getValue();
    accumulate(part.getLoc(),
               accumulatorOf(part.getLoc(), /*address=*/Value(), *accumulates,
                             getElementTypeOrSelf(value.getType())),
               value, part.getMask());
  } else if (auto part = dyn_cast<chan::ReduceOp>(op)) {
    Value value = part.getValue(), address = part.getAddress();
    assert(address.getParentBlock() == &function.front() &&
           "a uniform field is read once");
    accumulate(part.getLoc(),
               accumulatorOf(part.getLoc(), address, part.getCombination(),
                             getElementTypeOrSelf(value.getType())),
               value, part.getMask());
  } else if (isa<chan::DoneOp>(op)) {
    if (!isReceiver())
      registers.store(loc, locals);
    LLVM::BrOp::create(builder, loc, latches.lookup(origins.lookup(op)));
  } else if (auto requeue = dyn_cast<chan::RequeueOp>(op)) {
    lower(requeue);
  } else if (auto resume = dyn_cast<chan::ResumeOp>(op)) {
    lower(resume);
  } else if (auto trip = dyn_cast<chan::TripOp>(op)) {
    lower(trip);
  } else if (auto tested = dyn_cast<chan::TestedOp>(op)) {
    lower(tested);
  } else {
    assert((isa<chan::DeqOp, chan::TfreeOp, chan::TallocOp, chan::SetOp>(op)) &&
           "every op of a phase is lowered");
  }
}

/// It holds for all groups, but is read in each: what it decides is not worth a
/// register in all loops.
void Batches::lower(chan::TestedOp op) {
  Location loc = op.getLoc();
  Value tested =
      builder.load(loc, builder.i32, function.getArgument(1), abi::batchTested);
  op.getTested().replaceAllUsesWith(
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, tested,
                           builder.constant(loc, builder.i32, 0)));
}

/// The first element has what all have.
void Batches::readUniform(chan::GetOp op, const ElementLayout::Field &field,
                          Value place) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(function.front().getTerminator());
  Value one = LLVM::LoadOp::create(builder, op.getLoc(), inMemory(field.type),
                                   place, field.alignment);
  if (field.type != inMemory(field.type))
    one = LLVM::TruncOp::create(builder, op.getLoc(), field.type, one);
  op.getValue().replaceAllUsesWith(one);
}

/// Children go side by side behind those that there are.
void Batches::lower(chan::EnqOp op) {
  Location loc = op.getLoc();
  auto talloc = op.getElement().getDefiningOp<chan::TallocOp>();
  const ElementLayout &layout = elements.layout(op.getElement());
  if (!isInOrder && !mostPerGroup)
    flushIfFull(loc, wavefrontOf.contains(op) ? get(loc, cursor) : position);
  Value first = get(loc, childCount);
  Packing packing(lanes, loc, talloc.getMask(), first);
  for (Operation *user : talloc.getElement().getUsers()) {
    auto set = dyn_cast<chan::SetOp>(user);
    if (!set)
      continue;
    const ElementLayout::Field &field = layout.field(set.getField());
    Value all = set.getValue();
    if (!isa<VectorType>(all.getType())) {
      if (inMemory(field.type) != field.type)
        all = LLVM::ZExtOp::create(builder, loc, inMemory(field.type), all);
      LLVM::StoreOp::create(builder, loc, all, childFields[layout.index(field)],
                            field.alignment);
      continue;
    }
    if (inMemory(field.type) != field.type)
      all = LLVM::ZExtOp::create(
          builder, loc, VectorType::get(count, inMemory(field.type)), all);
    packing.store(
        all,
        [&](Value position) {
          return builder.element(loc, childFields[layout.index(field)],
                                 field.size, position);
        },
        field.alignment);
  }
  if (Value to = op.getDestination()) {
    auto place = [&](Value position) {
      return builder.element(loc, destinations, abi::pointerSize, position);
    };
    // One that names nobody is overwritten by the next, like its record.
    if (to.getType() == builder.pointer)
      LLVM::StoreOp::create(builder, loc, to, place(first));
    else
      packing.store(to, place, abi::pointerSize);
  }
  Value more = builder.extend(loc, lanes.popcount(loc, talloc.getMask()));
  set(loc, childCount, LLVM::AddOp::create(builder, loc, first, more));
  Value bits = lanes.bitsOf(loc, talloc.getMask());
  if (isInOrder) {
    set(loc, masks[*op.getSite()], bits);
    set(loc, starts[*op.getSite()], first);
    return;
  }
  if (!recordsSpawns())
    return;
  // One that names nobody is overwritten by the next.
  Value number = get(loc, spawnedCount);
  Value record = builder.element(loc, spawned, abi::spawnedSize, number);
  builder.store(loc, bits, record, abi::spawnedMask);
  builder.store(loc, LLVM::TruncOp::create(builder, loc, builder.i32, index),
                record, abi::spawnedGroup);
  builder.store(loc, builder.constant(loc, builder.i32, *op.getSite()), record,
                abi::spawnedSite);
  Value any = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, bits,
                                   builder.constant(loc, builder.i64, 0));
  set(loc, spawnedCount,
      LLVM::AddOp::create(builder, loc, number, builder.extend(loc, any)));
}

/// Has the children run that there are, if there is no room for one of each
/// lane. Meanwhile others may take what is behind the group at `begins`.
void Batches::flushIfFull(Location loc, Value begins) {
  Value isFull = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::ugt,
      LLVM::AddOp::create(builder, loc, get(loc, childCount),
                          builder.constant(loc, builder.i64, count)),
      capacity);
  Block *before = builder.getInsertionBlock();
  Block *after = builder.splitHere();
  Block *flush = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, isFull, flush, ValueRange(), after,
                         ValueRange(), std::make_pair(1, 2000));
  builder.setInsertionPointToEnd(flush);
  auto store32 = [&](Value variable, Value base, int32_t offset) {
    builder.store(
        loc,
        LLVM::TruncOp::create(builder, loc, builder.i32, get(loc, variable)),
        base, offset);
    set(loc, variable, builder.constant(loc, builder.i64, 0));
  };
  store32(childCount, children, abi::blockCount);
  if (recordsSpawns())
    store32(spawnedCount, function.getArgument(1), abi::batchSpawnedCount);
  registers.store(loc, locals);
  auto truncated = [&](Value number) -> Value {
    return LLVM::TruncOp::create(builder, loc, builder.i32, number);
  };
  Value begun = LLVM::UMinOp::create(
      builder, loc,
      LLVM::AddOp::create(builder, loc, begins,
                          builder.constant(loc, builder.i64, count)),
      get(loc, end));
  Value left = builder.call(loc, "chan_batch_flush", builder.i32,
                            {function.getArgument(0), function.getArgument(1),
                             truncated(begun), truncated(get(loc, end))});
  set(loc, end, builder.extend(loc, left));
  registers.load(loc, locals);
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToStart(after);
}

void Batches::lower(chan::ChildOp op) {
  Location loc = op.getLoc();
  Value first = start, mask;
  if (isReceiver()) {
    mask = maskOfKernel;
  } else {
    unsigned number = phaseCount - 1 + 2 * op.getSite();
    auto load = [&](unsigned number) {
      return LLVM::LoadOp::create(builder, loc, builder.i64, mark(loc, number));
    };
    mask = lanes.maskOf(loc, load(number));
    first = load(number + 1);
  }
  op.getSpawned().replaceAllUsesWith(mask);
  if (op.getValue().use_empty())
    return;
  auto type = cast<VectorType>(op.getValue().getType());
  Type element = inMemory(type.getElementType());
  uint64_t size = elements.dataLayout.storeSize(element);
  Value all = lanes.loadUnpacked(
      loc, element, builder.element(loc, childResults, size, first), mask);
  if (element != type.getElementType())
    all = LLVM::TruncOp::create(builder, loc, type, all);
  op.getValue().replaceAllUsesWith(all);
}
