//===- BatchChildren.cpp - What the lanes of a phase spawn ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchChildren.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Support/Markers.h"

using namespace mlir;
using namespace cilk2chan;

void BatchChildren::begin(Location loc, Value destinations) {
  this->destinations = destinations;
  if (!phase.spawns)
    return;
  builder.store(
      loc,
      builder.constant(loc, builder.i32, phase.kernel.getHoistsBaseCases()),
      phase.getBatch(), abi::batchTests);
  children = phase.field(loc, abi::batchChildren);
  fields = fieldsOf(
      phase.elements.layout(
          cast<FlatSymbolRefAttr>(phase.kernel.getProduces()[0]).getValue()),
      children, builder, loc);
  childCount = phase.variable(loc);
  phase.set(loc, childCount, builder.constant(loc, builder.i64, 0));
  capacity = phase.load32(loc, children, abi::blockCapacity);
  Value reserve =
      builder.constant(loc, builder.i64, phase.siteCount * phase.count);
  // A group that spawns any number is seldom to be interrupted; others need not
  // look.
  if (!phase.isPositional) {
    reserve = LLVM::LShrOp::create(builder, loc, capacity,
                                   builder.constant(loc, builder.i64, 2));
    if (phase.mostPerGroup)
      reserve = LLVM::UMaxOp::create(
          builder, loc, reserve,
          builder.constant(loc, builder.i64, *phase.mostPerGroup));
  }
  if (phase.recordsSpawns()) {
    spawned = phase.field(loc, abi::batchSpawned);
    spawnedCount = phase.variable(loc);
    phase.set(loc, spawnedCount, builder.constant(loc, builder.i64, 0));
  }
  mostChildren = LLVM::SubOp::create(builder, loc, capacity, reserve);
  for (unsigned i = 0; i < phase.siteCount; ++i) {
    masks.push_back(phase.variable(loc));
    starts.push_back(phase.variable(loc));
  }
}

void BatchChildren::beginGroup(Location loc) {
  if (masks.empty())
    return;
  Value zero = builder.constant(loc, builder.i64, 0);
  for (Value variable : llvm::concat<Value>(masks, starts))
    phase.set(loc, variable, zero);
}

void BatchChildren::endGroup(Location loc) {
  for (unsigned i = 0; i < phase.siteCount; ++i) {
    LLVM::StoreOp::create(builder, loc, phase.get(loc, masks[i]),
                          group.mark(loc, phase.phaseCount - 1 + 2 * i));
    LLVM::StoreOp::create(builder, loc, phase.get(loc, starts[i]),
                          group.mark(loc, phase.phaseCount + 2 * i));
  }
}

void BatchChildren::finish(Location loc) {
  if (childCount)
    phase.store32(loc, childCount, children, abi::blockCount);
  if (spawnedCount)
    phase.store32(loc, spawnedCount, phase.getBatch(), abi::batchSpawnedCount);
}

Value BatchChildren::andHasRoom(Location loc, Value more) {
  if (!phase.spawns)
    return more;
  return LLVM::AndOp::create(
      builder, loc, more,
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule,
                           phase.get(loc, childCount), mostChildren));
}

void BatchChildren::storeFields(chan::EnqOp op, Packing &packing) {
  Location loc = op.getLoc();
  const ElementLayout &layout = phase.elements.layout(op.getElement());
  for (Operation *user : op.getElement().getUsers()) {
    auto set = dyn_cast<chan::SetOp>(user);
    if (!set)
      continue;
    const ElementLayout::Field &field = layout.field(set.getField());
    Value place = fields[layout.index(field)], all = set.getValue();
    if (!isa<VectorType>(all.getType())) {
      if (inMemory(field.type) != field.type)
        all = LLVM::ZExtOp::create(builder, loc, inMemory(field.type), all);
      LLVM::StoreOp::create(builder, loc, all, place, field.alignment);
      continue;
    }
    if (inMemory(field.type) != field.type)
      all = LLVM::ZExtOp::create(
          builder, loc, VectorType::get(phase.count, inMemory(field.type)),
          all);
    packing.store(
        all,
        [&](Value position) {
          return builder.element(loc, place, field.size, position);
        },
        field.alignment);
  }
}

void BatchChildren::lower(chan::EnqOp op, function_ref<Value()> begins) {
  Location loc = op.getLoc();
  Value mask = op.getElement().getDefiningOp<chan::TallocOp>().getMask();
  if (!phase.isPositional && !phase.mostPerGroup)
    flushIfFull(loc, begins());
  Value first = phase.get(loc, childCount);
  Packing packing(phase.lanes, loc, mask, first);
  storeFields(op, packing);
  if (Value to = op.getDestination()) {
    auto place = [&](Value position) {
      return builder.element(loc, destinations, abi::pointerSize, position);
    };
    // That of no lane is overwritten by the next, like its record.
    if (to.getType() == builder.pointer)
      LLVM::StoreOp::create(builder, loc, to, place(first));
    else
      packing.store(to, place, abi::pointerSize);
  }
  Value more = builder.extend(loc, phase.lanes.popcount(loc, mask));
  phase.set(loc, childCount, LLVM::AddOp::create(builder, loc, first, more));
  Value bits = phase.lanes.bitsOf(loc, mask);
  if (phase.isPositional) {
    phase.set(loc, masks[*op.getSite()], bits);
    phase.set(loc, starts[*op.getSite()], first);
  } else if (phase.recordsSpawns()) {
    record(op, bits);
  }
}

/// A record of no lane is overwritten by the next.
void BatchChildren::record(chan::EnqOp op, Value bits) {
  Location loc = op.getLoc();
  Value number = phase.get(loc, spawnedCount);
  Value record = builder.element(loc, spawned, abi::spawnedSize, number);
  builder.store(loc, bits, record, abi::spawnedMask);
  builder.store(loc,
                LLVM::TruncOp::create(builder, loc, builder.i32, group.index),
                record, abi::spawnedGroup);
  builder.store(loc, builder.constant(loc, builder.i32, *op.getSite()), record,
                abi::spawnedSite);
  Value any = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, bits,
                                   builder.constant(loc, builder.i64, 0));
  phase.set(
      loc, spawnedCount,
      LLVM::AddOp::create(builder, loc, number, builder.extend(loc, any)));
}

/// Has the children run that there are, if there is no room for one of each
/// lane.
void BatchChildren::flushIfFull(Location loc, Value begins) {
  Value isFull = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::ugt,
      LLVM::AddOp::create(builder, loc, phase.get(loc, childCount),
                          builder.constant(loc, builder.i64, phase.count)),
      capacity);
  Block *before = builder.getInsertionBlock();
  Block *after = builder.splitHere();
  Block *flush = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, isFull, flush, ValueRange(), after,
                         ValueRange(), HostBuilder::unlikely);
  builder.setInsertionPointToEnd(flush);
  auto flush32 = [&](Value variable, Value base, int32_t offset) {
    phase.store32(loc, variable, base, offset);
    phase.set(loc, variable, builder.constant(loc, builder.i64, 0));
  };
  flush32(childCount, children, abi::blockCount);
  if (phase.recordsSpawns())
    flush32(spawnedCount, phase.getBatch(), abi::batchSpawnedCount);
  group.registers.store(loc, group.locals);
  auto truncated = [&](Value number) -> Value {
    return LLVM::TruncOp::create(builder, loc, builder.i32, number);
  };
  Value begun = LLVM::UMinOp::create(
      builder, loc,
      LLVM::AddOp::create(builder, loc, begins,
                          builder.constant(loc, builder.i64, phase.count)),
      phase.get(loc, group.end));
  Value left =
      builder.call(loc, "chan_batch_flush", builder.i32,
                   {phase.getWorker(), phase.getBatch(), truncated(begun),
                    truncated(phase.get(loc, group.end))});
  phase.set(loc, group.end, builder.extend(loc, left));
  group.registers.load(loc, group.locals);
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToStart(after);
}
