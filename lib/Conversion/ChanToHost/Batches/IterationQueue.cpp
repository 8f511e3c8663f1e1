//===- IterationQueue.cpp - Iterations that wait in memory ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterationQueue.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Conversion/Tuning.h"

using namespace mlir;
using namespace cilk2chan;

/// Bytes.
static constexpr uint64_t cacheLine = 64;

/// Arrays for the values that lanes have each, where a batch that waits for its
/// children would record these, and variables for the others.
void IterationQueue::createQueue(Location loc, chan::IterationDeqOp dequeued,
                                 Value capacity) {
  uint64_t bytes = 0;
  for (Value value : dequeued.getValues())
    if (auto type = dyn_cast<VectorType>(value.getType()))
      bytes +=
          phase.elements.dataLayout.storeSize(inMemory(type.getElementType()));
  bytes = std::max<uint64_t>(bytes, 1);
  auto constant = [&](uint64_t number) {
    return builder.constant(loc, builder.i64, number);
  };
  // From one cache line to another.
  Value memory = LLVM::PtrToIntOp::create(builder, loc, builder.i64,
                                          phase.field(loc, abi::batchSpawned));
  Value skipped = LLVM::AndOp::create(
      builder, loc, LLVM::SubOp::create(builder, loc, constant(0), memory),
      constant(cacheLine - 1));
  Value place = LLVM::GEPOp::create(
      builder, loc, builder.pointer, builder.getI8Type(),
      phase.field(loc, abi::batchSpawned), ArrayRef<LLVM::GEPArg>{skipped});
  // Of a constant length, so that one address serves for all arrays; no power
  // of two, by which they would be in each other's way.
  uint64_t length =
      std::max(llvm::bit_floor(std::min<uint64_t>(tuning::queueBytes / bytes,
                                                  tuning::mostQueued)),
               4 * cacheLine) +
      cacheLine;
  // Whole vectors are written behind the last one.
  queueCapacity = length - phase.count;
  hasRoom = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::uge,
      LLVM::MulOp::create(builder, loc, capacity, constant(abi::spawnedSize)),
      constant(bytes * length + cacheLine));
  for (Value value : dequeued.getValues()) {
    auto vector = dyn_cast<VectorType>(value.getType());
    if (!vector) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&phase.function.front());
      queue.push_back(LLVM::AllocaOp::create(builder, loc, builder.pointer,
                                             value.getType(), constant(1)));
      continue;
    }
    queue.push_back(place);
    Type type = inMemory(vector.getElementType());
    place = builder.offset(loc, place,
                           phase.elements.dataLayout.storeSize(type) * length);
  }
}

/// Adds the two parts in such a way that this group and those behind it enqueue
/// iterations,
/// until the queue is full or there are no more groups; then all that is in the
/// queue does iterations.  Returns where that begins.
///
///   header(position): more ? ... : leave
///   enter:            ... iteration_enq; next: full ? rounds : header
///   leave:            queued ? rounds : exit
///   rounds(position): n = queued, queued = 0
///   head(at):         at < n ? iterate : end
///   iterate:          ... iteration_enq; head(at + W)
///   end:              queued ? rounds : header
Block *
IterationQueue::create(Block *header, Block *exit, Value capacity,
                       function_ref<void(chan::DeqOp, Block *)> beginGroup) {
  chan::KernelOp kernel = phase.kernel;
  Location loc = kernel.getLoc();
  Region &body = phase.function.getBody();
  auto part = [&](unsigned number) {
    return builder.module.lookupSymbol<chan::KernelOp>(
        cast<FlatSymbolRefAttr>((*kernel.getCompacted())[number]));
  };
  chan::KernelOp entering = part(0), iterating = part(1);
  Block *enter = builder.createBlock(exit);
  Block *enterFirst = phase.addBody(entering, exit);
  Block *enterLatch = builder.createBlock(exit);
  Block *leave = builder.createBlock(exit);
  Block *rounds =
      builder.createBlock(&body, Region::iterator(exit), {builder.i64}, {loc});
  Block *head =
      builder.createBlock(&body, Region::iterator(exit), {builder.i64}, {loc});
  Block *iterate = builder.createBlock(exit);
  Block *iterateFirst = phase.addBody(iterating, exit);
  Block *iterateLatch = builder.createBlock(exit);
  Block *end = builder.createBlock(exit);
  auto dequeued = *iterateFirst->getOps<chan::IterationDeqOp>().begin();
  auto deq = cast<chan::DeqOp>(iterateFirst->front());
  Value zero, step;
  auto at = [&](Block *block) {
    builder.setInsertionPointToEnd(block);
    zero = builder.constant(loc, builder.i64, 0);
    step = builder.constant(loc, builder.i64, phase.count);
  };
  auto plusStep = [&](Value number) -> Value {
    return LLVM::AddOp::create(builder, loc, number, step,
                               LLVM::IntegerOverflowFlags::nsw |
                                   LLVM::IntegerOverflowFlags::nuw);
  };

  builder.setInsertionPoint(phase.function.front().getTerminator());
  createQueue(loc, dequeued, capacity);
  queued = phase.variable(loc);
  phase.set(loc, queued, builder.constant(loc, builder.i64, 0));

  cast<LLVM::CondBrOp>(header->getTerminator()).setSuccessor(leave, 1);
  at(enter);
  beginGroup(cast<chan::DeqOp>(enterFirst->front()), enterFirst);
  at(enterLatch);
  Value next = plusStep(group.position);
  Value isFull = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::ugt, plusStep(phase.get(loc, queued)),
      builder.constant(loc, builder.i64, queueCapacity));
  LLVM::CondBrOp::create(builder, loc, isFull, rounds, next, header, next);
  at(leave);
  Value any = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                   phase.get(loc, queued), zero);
  LLVM::CondBrOp::create(builder, loc, any, rounds, ValueRange(group.position),
                         exit, ValueRange());

  at(rounds);
  Value number = phase.get(loc, queued);
  phase.set(loc, queued, zero);
  for (auto [value, place] : llvm::zip(dequeued.getValues(), queue))
    if (!isa<VectorType>(value.getType()))
      value.replaceAllUsesWith(
          LLVM::LoadOp::create(builder, loc, value.getType(), place));
  LLVM::BrOp::create(builder, loc, zero, head);
  at(head);
  dequeuedAt = head->getArgument(0);
  LLVM::CondBrOp::create(builder, loc,
                         LLVM::ICmpOp::create(builder, loc,
                                              LLVM::ICmpPredicate::ult,
                                              dequeuedAt, number),
                         iterate, end);
  at(iterate);
  Value left = LLVM::SubOp::create(builder, loc, number, dequeuedAt);
  deq.getMask().replaceAllUsesWith(phase.lanes.firstOf(
      loc, LLVM::TruncOp::create(builder, loc, builder.i32, left)));
  LLVM::BrOp::create(builder, loc, iterateFirst);
  at(iterateLatch);
  LLVM::BrOp::create(builder, loc, ValueRange(plusStep(dequeuedAt)), head);
  at(end);
  any = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                             phase.get(loc, queued), zero);
  LLVM::CondBrOp::create(builder, loc, any, rounds, rounds->getArgument(0),
                         header, rounds->getArgument(0));
  phase.setLatch(entering, enterLatch);
  phase.setLatch(iterating, iterateLatch);
  return enter;
}

void IterationQueue::lower(chan::IterationEnqOp op) {
  Location loc = op.getLoc();
  Value first = phase.get(loc, queued), mask = op.getMask();
  Packing packing(phase.lanes, loc, mask, first);
  Value more = builder.extend(loc, phase.lanes.popcount(loc, mask));
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
      all = LLVM::ZExtOp::create(builder, loc,
                                 VectorType::get(phase.count, type), all);
    uint64_t size = phase.elements.dataLayout.storeSize(type);
    packing.store(
        all,
        [&](Value index) { return builder.element(loc, memory, size, index); },
        size);
  }
  phase.set(loc, queued, LLVM::AddOp::create(builder, loc, first, more));
}

void IterationQueue::lower(chan::IterationDeqOp op) {
  Location loc = op.getLoc();
  for (auto [value, place] : llvm::zip(op.getValues(), queue)) {
    auto vector = dyn_cast<VectorType>(value.getType());
    if (!vector)
      continue;
    Type type = inMemory(vector.getElementType());
    uint64_t size = phase.elements.dataLayout.storeSize(type);
    Value all = LLVM::LoadOp::create(
        builder, loc, VectorType::get(phase.count, type),
        builder.element(loc, place, size, dequeuedAt), size);
    if (type != vector.getElementType())
      all = LLVM::TruncOp::create(builder, loc, vector, all);
    value.replaceAllUsesWith(all);
  }
}
