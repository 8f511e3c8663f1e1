//===- LaneGroup.cpp - The group that a phase is at -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneGroup.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Conversion/Tuning.h"

using namespace mlir;
using namespace cilk2chan;

void LaneGroup::begin(Location loc) {
  fields = fieldsOf(phase.elements.layout(phase.kernel.getConsumes()),
                    phase.field(loc, abi::batchElements), builder, loc);
  allLocals = phase.field(loc, abi::batchLocals);
  allMarks = phase.field(loc, abi::batchMarks);
  sliceBegin = phase.load32(loc, phase.getBatch(), abi::batchFirst);
  end = phase.variable(loc);
  phase.set(loc, end, builder.extend(loc, phase.getEnd()));
}

Value LaneGroup::localsOf(Location loc, Value first) {
  return builder.element(loc, allLocals, phase.kernel.getFrameSize(),
                         LLVM::SubOp::create(builder, loc, first, sliceBegin));
}

void LaneGroup::find(Location loc, Value first) {
  index = first;
  Value number = LLVM::SubOp::create(builder, loc, index, sliceBegin);
  locals = localsOf(loc, index);
  if (phase.joinFree)
    return;
  marks = builder.element(
      loc, allMarks,
      sizeof(uint64_t) * (phase.phaseCount - 1 + 2 * phase.siteCount),
      LLVM::UDivOp::create(builder, loc, number,
                           builder.constant(loc, builder.i64, phase.count)));
}

void LaneGroup::fetchAhead(Location loc, Value from, Value isTime) {
  const unsigned count = phase.count;
  chan::StackOp stack = phase.elements.stack(phase.kernel.getConsumes());
  if (!stack.getPrefetched())
    return;
  unsigned ahead = llvm::alignTo(tuning::elementsAhead, count);
  Value first = LLVM::AddOp::create(builder, loc, from,
                                    builder.constant(loc, builder.i64, ahead));
  Value last = LLVM::AddOp::create(builder, loc, first,
                                   builder.constant(loc, builder.i64, count));
  Value areThere = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule,
                                        last, phase.get(loc, end));
  if (isTime)
    areThere = LLVM::AndOp::create(builder, loc, isTime, areThere);
  Block *before = builder.getInsertionBlock();
  Block *after = builder.createBlock(before->getNextNode());
  Block *fetch = builder.createBlock(after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, areThere, fetch, after);
  builder.setInsertionPointToEnd(fetch);
  const ElementLayout &layout =
      phase.elements.layout(phase.kernel.getConsumes());
  for (StringRef name : stack.getPrefetched()->getAsValueRange<StringAttr>()) {
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

Value LaneGroup::placeOf(chan::GetOp op, Value position) {
  const ElementLayout &layout = phase.elements.layout(op.getElement());
  const ElementLayout::Field &field = layout.field(op.getField());
  return builder.element(op.getLoc(), fields[layout.index(field)], field.size,
                         position);
}

/// The first element has what all have.
void LaneGroup::readUniform(chan::GetOp op) {
  const ElementLayout &layout = phase.elements.layout(op.getElement());
  const ElementLayout::Field &field = layout.field(op.getField());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(phase.function.front().getTerminator());
  Value one =
      LLVM::LoadOp::create(builder, op.getLoc(), inMemory(field.type),
                           fields[layout.index(field)], field.alignment);
  if (field.type != inMemory(field.type))
    one = LLVM::TruncOp::create(builder, op.getLoc(), field.type, one);
  op.getValue().replaceAllUsesWith(one);
}

void LaneGroup::read(chan::GetOp op) {
  Location loc = op.getLoc();
  const ElementLayout::Field &field =
      phase.elements.layout(op.getElement()).field(op.getField());
  Value all = LLVM::LoadOp::create(builder, loc,
                                   phase.lanes.lanesOf(inMemory(field.type)),
                                   placeOf(op, index), field.alignment);
  if (field.type != inMemory(field.type))
    all = LLVM::TruncOp::create(builder, loc, op.getType(), all);
  op.getValue().replaceAllUsesWith(all);
}
