//===- BatchCompaction.cpp - Iterations of many activations ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop's back edge is a channel as well: what goes on stands in a queue, a
// structure of arrays, and all of it does one iteration before any does
// another.  So what is uniform in the loop stays it, all lanes are
// full but those at the queue's end, and no branch depends on how long one of
// the activations goes on.
//
//===----------------------------------------------------------------------===//

#include "Batches.h"

#include "cilk2chan/Conversion/RuntimeABI.h"

using namespace mlir;
using namespace cilk2chan;

/// With fewer groups, the ends of queues cost more than the lanes gain.
static constexpr unsigned leastGroups = 8;

/// A queue is to leave room in the first-level cache.
static constexpr uint64_t queueBytes = 8 << 10;
static constexpr uint64_t mostQueued = 1024;
static constexpr uint64_t cacheLine = 64;

/// Arrays for the values that lanes have each, where a batch that waits for its
/// children would record these, and variables for the others.
void Batches::createQueue(Location loc, chan::ResumeOp resume) {
  queue.clear();
  uint64_t bytes = 0;
  for (Value value : resume.getValues())
    if (auto type = dyn_cast<VectorType>(value.getType()))
      bytes += elements.dataLayout.storeSize(inMemory(type.getElementType()));
  bytes = std::max<uint64_t>(bytes, 1);
  auto constant = [&](uint64_t number) {
    return builder.constant(loc, builder.i64, number);
  };
  // From one cache line to another.
  Value memory = LLVM::PtrToIntOp::create(builder, loc, builder.i64,
                                          field(loc, abi::batchSpawned));
  Value skipped = LLVM::AndOp::create(
      builder, loc, LLVM::SubOp::create(builder, loc, constant(0), memory),
      constant(cacheLine - 1));
  Value place = LLVM::GEPOp::create(
      builder, loc, builder.pointer, builder.getI8Type(),
      field(loc, abi::batchSpawned), ArrayRef<LLVM::GEPArg>{skipped});
  // Of a constant length, so that one address serves for all arrays; no power
  // of two, by which they would be in each other's way.
  uint64_t length =
      std::max(llvm::bit_floor(std::min(queueBytes / bytes, mostQueued)),
               4 * cacheLine) +
      cacheLine;
  // Whole vectors are written behind the last one.
  queueCapacity = length - count;
  hasQueue = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::uge,
      LLVM::MulOp::create(builder, loc, capacity, constant(abi::spawnedSize)),
      constant(bytes * length + cacheLine));
  for (Value value : resume.getValues()) {
    auto vector = dyn_cast<VectorType>(value.getType());
    if (!vector) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&function.front());
      queue.push_back(LLVM::AllocaOp::create(builder, loc, builder.pointer,
                                             value.getType(), constant(1)));
      continue;
    }
    queue.push_back(place);
    Type type = inMemory(vector.getElementType());
    place = builder.offset(loc, place,
                           elements.dataLayout.storeSize(type) * length);
  }
}

/// Whether, of the lanes that might have been in the loop so far, more than a
/// quarter were not, and that matters. It is known after one group: were it
/// more, too many would have gone the slower way.
Value Batches::isSparse(Location loc) {
  auto times = [&](Value number, int64_t factor) {
    return LLVM::MulOp::create(builder, loc, number,
                               builder.constant(loc, builder.i64, factor));
  };
  Value isSparse = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult,
                                        times(get(loc, attended), 4),
                                        times(get(loc, tripCount), 3 * count));
  Value all = LLVM::SubOp::create(builder, loc, get(loc, end), sliceBegin);
  Value isMuch = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::uge, all,
      builder.constant(loc, builder.i64, leastGroups * count));
  return LLVM::AndOp::create(
      builder, loc, isSparse,
      hasQueue ? LLVM::AndOp::create(builder, loc, isMuch, hasQueue) : isMuch);
}

/// Adds the two parts to the loop over groups, for where `header` comes to a
/// group with lanes that wait for each other.  `beginsGroup` and `exit` are
/// where `header` leads otherwise.
///
///   header(position): more ? choose : exit
///   choose:           isSparse ? the parts : group
void Batches::createCompacted(Block *header, Block *beginsGroup, Block *exit) {
  Location loc = kernel.getLoc();
  Block *choose = builder.createBlock(beginsGroup);
  builder.setInsertionPoint(function.front().getTerminator());
  tripCount = variable(loc);
  attended = variable(loc);
  for (Value variable : {tripCount, attended})
    set(loc, variable, builder.constant(loc, builder.i64, 0));
  cast<LLVM::CondBrOp>(header->getTerminator()).setSuccessor(choose, 0);
  hasQueue = {};
  Block *parts = kernel.getRefilled() ? createRefilled(header, exit)
                                      : createRounds(header, exit);
  builder.setInsertionPointToEnd(choose);
  LLVM::CondBrOp::create(builder, loc, isSparse(loc), parts, beginsGroup);
}

/// Adds the two parts in such a way that the group is requeued, and others,
/// until the queue is full or there are no more groups; then all that is in the
/// queue does iterations.  Returns where that begins.
///
///   header(position): more ? ... : leave
///   enter:            ... requeue; next: full ? rounds : header
///   leave:            queued ? rounds : exit
///   rounds(position): n = queued, queued = 0
///   head(at):         at < n ? iterate : end
///   iterate:          ... requeue; head(at + W)
///   end:              queued ? rounds : header
Block *Batches::createRounds(Block *header, Block *exit) {
  Location loc = kernel.getLoc();
  Region &body = function.getBody();
  auto part = [&](unsigned number) {
    return builder.module.lookupSymbol<chan::KernelOp>(
        cast<FlatSymbolRefAttr>((*kernel.getCompacted())[number]));
  };
  chan::KernelOp entering = part(0), iterating = part(1);
  Block *enter = builder.createBlock(exit);
  Block *enterFirst = addBody(entering, exit);
  Block *enterLatch = builder.createBlock(exit);
  Block *leave = builder.createBlock(exit);
  Block *rounds =
      builder.createBlock(&body, Region::iterator(exit), {builder.i64}, {loc});
  Block *head =
      builder.createBlock(&body, Region::iterator(exit), {builder.i64}, {loc});
  Block *iterate = builder.createBlock(exit);
  Block *iterateFirst = addBody(iterating, exit);
  Block *iterateLatch = builder.createBlock(exit);
  Block *end = builder.createBlock(exit);
  auto resume = *iterateFirst->getOps<chan::ResumeOp>().begin();
  auto deq = cast<chan::DeqOp>(iterateFirst->front());
  Value zero, step;
  auto at = [&](Block *block) {
    builder.setInsertionPointToEnd(block);
    zero = builder.constant(loc, builder.i64, 0);
    step = builder.constant(loc, builder.i64, count);
  };
  auto plusStep = [&](Value number) -> Value {
    return LLVM::AddOp::create(builder, loc, number, step,
                               LLVM::IntegerOverflowFlags::nsw |
                                   LLVM::IntegerOverflowFlags::nuw);
  };

  builder.setInsertionPoint(function.front().getTerminator());
  createQueue(loc, resume);
  queued = variable(loc);
  set(loc, queued, builder.constant(loc, builder.i64, 0));

  cast<LLVM::CondBrOp>(header->getTerminator()).setSuccessor(leave, 1);
  at(enter);
  beginGroup(cast<chan::DeqOp>(enterFirst->front()), enterFirst);
  at(enterLatch);
  Value next = plusStep(position);
  Value isFull = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::ugt, plusStep(get(loc, queued)),
      builder.constant(loc, builder.i64, queueCapacity));
  LLVM::CondBrOp::create(builder, loc, isFull, rounds, next, header, next);
  at(leave);
  Value any = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                   get(loc, queued), zero);
  LLVM::CondBrOp::create(builder, loc, any, rounds, ValueRange(position), exit,
                         ValueRange());

  at(rounds);
  Value number = get(loc, queued);
  set(loc, queued, zero);
  for (auto [value, place] : llvm::zip(resume.getValues(), queue))
    if (!isa<VectorType>(value.getType()))
      value.replaceAllUsesWith(
          LLVM::LoadOp::create(builder, loc, value.getType(), place));
  LLVM::BrOp::create(builder, loc, zero, head);
  at(head);
  resumed = head->getArgument(0);
  LLVM::CondBrOp::create(builder, loc,
                         LLVM::ICmpOp::create(builder, loc,
                                              LLVM::ICmpPredicate::ult, resumed,
                                              number),
                         iterate, end);
  at(iterate);
  Value left = LLVM::SubOp::create(builder, loc, number, resumed);
  deq.getMask().replaceAllUsesWith(lanes.firstOf(
      loc, LLVM::TruncOp::create(builder, loc, builder.i32, left)));
  LLVM::BrOp::create(builder, loc, iterateFirst);
  at(iterateLatch);
  LLVM::BrOp::create(builder, loc, ValueRange(plusStep(resumed)), head);
  at(end);
  any = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                             get(loc, queued), zero);
  LLVM::CondBrOp::create(builder, loc, any, rounds, rounds->getArgument(0),
                         header, rounds->getArgument(0));
  latches[entering] = enterLatch;
  latches[iterating] = iterateLatch;
  return enter;
}

void Batches::lower(chan::RequeueOp op) {
  if (const Wavefront *wavefront = wavefrontOf.lookup(op))
    return refill(op, *wavefront);
  Location loc = op.getLoc();
  Value first = get(loc, queued), mask = op.getMask();
  Packing packing(lanes, loc, mask, first);
  Value more = builder.extend(loc, lanes.popcount(loc, mask));
  Value any = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, more,
                                   builder.constant(loc, builder.i64, 0));
  for (auto [value, place] : llvm::zip(op.getValues(), queue)) {
    Value all = value, memory = place;
    auto vector = dyn_cast<VectorType>(all.getType());
    if (!vector) {
      // Without a lane, it may be none.
      Value before = LLVM::LoadOp::create(builder, loc, all.getType(), memory);
      LLVM::StoreOp::create(
          builder, loc, LLVM::SelectOp::create(builder, loc, any, all, before),
          memory);
      continue;
    }
    Type type = inMemory(vector.getElementType());
    if (type != vector.getElementType())
      all =
          LLVM::ZExtOp::create(builder, loc, VectorType::get(count, type), all);
    uint64_t size = elements.dataLayout.storeSize(type);
    packing.store(
        all,
        [&](Value index) { return builder.element(loc, memory, size, index); },
        size);
  }
  set(loc, queued, LLVM::AddOp::create(builder, loc, first, more));
}

/// Those values that lanes have each.
void Batches::lower(chan::ResumeOp op) {
  if (const Wavefront *wavefront = wavefrontOf.lookup(op))
    return refill(op, *wavefront);
  Location loc = op.getLoc();
  for (auto [value, place] : llvm::zip(op.getValues(), queue)) {
    auto vector = dyn_cast<VectorType>(value.getType());
    if (!vector)
      continue;
    Type type = inMemory(vector.getElementType());
    uint64_t size = elements.dataLayout.storeSize(type);
    Value all =
        LLVM::LoadOp::create(builder, loc, VectorType::get(count, type),
                             builder.element(loc, place, size, resumed), size);
    if (type != vector.getElementType())
      all = LLVM::TruncOp::create(builder, loc, vector, all);
    value.replaceAllUsesWith(all);
  }
}

/// A trip that no lane makes is none.
void Batches::lower(chan::TripOp op) {
  Location loc = op.getLoc();
  Value number = builder.extend(loc, lanes.popcount(loc, op.getMask()));
  Value any =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, number,
                           builder.constant(loc, builder.i64, 0));
  set(loc, tripCount,
      LLVM::AddOp::create(builder, loc, get(loc, tripCount),
                          builder.extend(loc, any)));
  set(loc, attended,
      LLVM::AddOp::create(builder, loc, get(loc, attended), number));
}
