//===- ChildResults.cpp - What children have returned ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChildResults.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"

using namespace mlir;
using namespace cilk2chan;

/// The group of a record.
static Value groupOf(PhaseFunction &phase, Location loc, Value spawned,
                     Value number) {
  HostBuilder &builder = phase.builder;
  Value record = builder.element(loc, spawned, abi::spawnedSize, number);
  return builder.extend(
      loc, builder.load(loc, builder.i32, record, abi::spawnedGroup));
}

Value cilk2chan::isOwnRecord(PhaseFunction &phase, Location loc, Value record) {
  HostBuilder &builder = phase.builder;
  Value site = builder.load(loc, builder.i32, record, abi::spawnedSite);
  return LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::eq, site,
      builder.constant(loc, builder.i32,
                       *phase.kernel.getPhase() - phase.phaseCount));
}

void ChildResults::begin(Location loc) {
  childResults = phase.field(loc, abi::batchChildResults);
  if (!phase.isPositional)
    destinations = phase.field(loc, abi::batchDestinations);
}

void ChildResults::beginHandler(Location loc) {
  spawned = phase.field(loc, abi::batchSpawned);
  received = phase.variable(loc);
  phase.set(loc, received,
            phase.load32(loc, phase.getBatch(), abi::batchHandled));
  held = phase.variable(loc);
  phase.set(
      loc, held,
      groupOf(phase, loc, spawned, builder.extend(loc, phase.getBegin())));
  group.registers.load(loc, group.localsOf(loc, phase.get(loc, held)));
}

void ChildResults::finishHandler(Location loc) {
  phase.store32(loc, received, phase.getBatch(), abi::batchHandled);
  group.registers.store(loc, group.localsOf(loc, phase.get(loc, held)));
}

void ChildResults::beginRecord(chan::DeqOp deq, Block *first, Block *exit) {
  Location loc = deq.getLoc();
  Value record =
      builder.element(loc, spawned, abi::spawnedSize, group.position);
  Value isOfSite = isOwnRecord(phase, loc, record);
  Block *own = builder.createBlock(first);
  builder.setInsertionPointToEnd(own->getPrevNode());
  LLVM::CondBrOp::create(builder, loc, isOfSite, own, exit);
  builder.setInsertionPointToEnd(own);
  Value next = groupOf(phase, loc, spawned, group.position),
        before = phase.get(loc, held);
  Block *changes = builder.createBlock(first),
        *body = builder.createBlock(first);
  builder.setInsertionPointToEnd(own);
  LLVM::CondBrOp::create(
      builder, loc,
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, next, before),
      changes, body);
  builder.setInsertionPointToEnd(changes);
  group.registers.store(loc, group.localsOf(loc, before));
  phase.set(loc, held, next);
  group.registers.load(loc, group.localsOf(loc, next));
  LLVM::BrOp::create(builder, loc, body);
  builder.setInsertionPointToEnd(body);
  group.find(loc, next);
  Value bits = builder.load(loc, builder.i64, record, abi::spawnedMask);
  mask = phase.lanes.maskOfLanes(loc, bits);
  deq.getMask().replaceAllUsesWith(mask);
  start = phase.get(loc, received);
  phase.set(loc, received,
            LLVM::AddOp::create(
                builder, loc, start,
                LLVM::CtPopOp::create(builder, loc, builder.i64, bits)));
  LLVM::BrOp::create(builder, loc, first);
}

void ChildResults::lower(chan::ChildOp op) {
  Location loc = op.getLoc();
  Value first = start, mask = this->mask;
  if (!phase.isHandler()) {
    unsigned number = phase.phaseCount - 1 + 2 * op.getSite();
    auto load = [&](unsigned number) {
      return LLVM::LoadOp::create(builder, loc, builder.i64,
                                  group.mark(loc, number));
    };
    mask = phase.lanes.maskOf(loc, load(number));
    first = load(number + 1);
  }
  op.getSpawned().replaceAllUsesWith(mask);
  if (op.getValue().use_empty())
    return;
  auto type = cast<VectorType>(op.getValue().getType());
  Type element = inMemory(type.getElementType());
  uint64_t size = phase.elements.dataLayout.storeSize(element);
  Value all = phase.lanes.loadUnpacked(
      loc, element, builder.element(loc, childResults, size, first), mask);
  if (element != type.getElementType())
    all = LLVM::TruncOp::create(builder, loc, type, all);
  op.getValue().replaceAllUsesWith(all);
}

void ChildResults::lower(chan::DestinationOp op) {
  Location loc = op.getLoc();
  Value place = builder.element(loc, destinations, abi::pointerSize, start);
  bool isOne = op.getType() == builder.pointer;
  op.getDestination().replaceAllUsesWith(
      isOne ? LLVM::LoadOp::create(builder, loc, builder.pointer, place)
            : phase.lanes.loadUnpacked(loc, builder.pointer, place, mask));
}
