//===- LaneRefill.cpp - Lanes that take the next elements -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneRefill.h"

#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"

using namespace mlir;
using namespace cilk2chan;

/// Whether a mask names a lane.
Value LaneRefill::anyOf(Location loc, Value mask) {
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                              phase.lanes.bitsOf(loc, mask),
                              builder.constant(loc, builder.i64, 0));
}

/// The lanes that are in the loop.
Value LaneRefill::presentOf(Location loc, const Wavefront &wavefront) {
  return LLVM::LoadOp::create(builder, loc,
                              phase.lanes.lanesOf(builder.getI1Type()),
                              wavefront.present);
}

/// Copies the two parts of the kernel for a wavefront, and makes its variables,
/// which LLVM makes registers.
void LaneRefill::createWavefront(Wavefront &wavefront) {
  Location loc = phase.kernel.getLoc();
  auto part = [&](unsigned number) {
    auto symbol =
        cast<FlatSymbolRefAttr>((*phase.kernel.getCompacted())[number]);
    chan::KernelOp copy =
        builder.module.lookupSymbol<chan::KernelOp>(symbol).clone();
    copy.getBody().walk([&](Operation *op) { wavefrontOf[op] = &wavefront; });
    return copy;
  };
  wavefront.entering = part(0);
  wavefront.iterating = part(1);
  for (auto op : wavefront.entering->getBody().getOps<chan::RequeueOp>())
    wavefront.enters = op;
  builder.setInsertionPoint(phase.function.front().getTerminator());
  Region &body = wavefront.iterating->getBody();
  for (Type type : (*body.getOps<chan::ResumeOp>().begin()).getResultTypes())
    wavefront.values.push_back(phase.variable(loc, type));
  Value none = phase.lanes.splat(loc, builder.getI1Type(), 0);
  wavefront.present = phase.variable(loc, none.getType());
  phase.set(loc, wavefront.present, none);
}

static void setMask(Block *first, Value mask) {
  cast<chan::DeqOp>(first->front()).getMask().replaceAllUsesWith(mask);
}

/// Has lanes that are not in the loop begin elements; then control goes to
/// `next`. Returns where that begins.
///
///   fill:      loads from the cursor on; cursor + W <= end ? whole : last
///   whole:     any absent ? enter(the absent) : next
///   last:      cursor < end and none present ? enter(so many) : next
///   enter(to): ... requeue; cursor += popcount(to)
///
/// At the batch's end those that are present go on until they are done: no mask
/// then has to name some of the absent.
Block *LaneRefill::createFill(Wavefront &wavefront, Block *next) {
  Location loc = phase.kernel.getLoc();
  Type maskType = phase.lanes.lanesOf(builder.getI1Type());
  Block *fill = builder.createBlock(next);
  Block *whole = builder.createBlock(next);
  Block *last = builder.createBlock(next);
  Block *enter = builder.createBlock(&phase.function.getBody(),
                                     Region::iterator(next), {maskType}, {loc});
  Block *first = phase.addBody(*wavefront.entering, next);
  Block *done = builder.createBlock(next);
  phase.setLatch(*wavefront.entering, done);
  auto enterIfAny = [&](Value mask) {
    LLVM::CondBrOp::create(builder, loc, anyOf(loc, mask), enter,
                           ValueRange(mask), next, ValueRange());
  };

  builder.setInsertionPointToEnd(fill);
  for (auto op : first->getOps<chan::GetOp>())
    if (auto type = dyn_cast<VectorType>(op.getType()))
      wavefront.loaded[op] =
          phase.lanes.loadRegister(loc, inMemory(type.getElementType()),
                                   group.placeOf(op, phase.get(loc, cursor)));
  Value left = LLVM::SubOp::create(builder, loc, phase.get(loc, group.end),
                                   phase.get(loc, cursor));
  LLVM::CondBrOp::create(
      builder, loc,
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::uge, left,
                           builder.constant(loc, builder.i64, phase.count)),
      whole, last);
  builder.setInsertionPointToEnd(whole);
  enterIfAny(
      LLVM::XOrOp::create(builder, loc, presentOf(loc, wavefront),
                          phase.lanes.splat(loc, builder.getI1Type(), 1)));
  builder.setInsertionPointToEnd(last);
  enterIfAny(LLVM::SelectOp::create(
      builder, loc, anyOf(loc, presentOf(loc, wavefront)),
      phase.lanes.splat(loc, builder.getI1Type(), 0),
      phase.lanes.firstOf(
          loc, LLVM::TruncOp::create(builder, loc, builder.i32, left))));

  builder.setInsertionPointToEnd(enter);
  wavefront.entered = enter->getArgument(0);
  setMask(first, wavefront.entered);
  LLVM::BrOp::create(builder, loc, first);
  builder.setInsertionPointToEnd(done);
  Value begun = phase.get(loc, cursor);
  Value behind = LLVM::AddOp::create(
      builder, loc, begun,
      builder.extend(loc, phase.lanes.popcount(loc, wavefront.entered)));
  phase.set(loc, cursor, behind);
  // Each element is fetched once.
  Value groups = builder.constant(loc, builder.i64, -int64_t(phase.count));
  Value nextGroup = LLVM::AndOp::create(builder, loc, behind, groups);
  group.fetchAhead(
      loc, nextGroup,
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, nextGroup,
                           LLVM::AndOp::create(builder, loc, begun, groups)));
  LLVM::BrOp::create(builder, loc, next);
  return fill;
}

/// Has lanes that are in the loop do an iteration; then control goes to `next`.
/// Returns where that begins.
Block *LaneRefill::createIteration(Wavefront &wavefront, Block *next) {
  Location loc = phase.kernel.getLoc();
  Block *begin = builder.createBlock(next);
  Block *resume = builder.createBlock(next);
  Block *first = phase.addBody(*wavefront.iterating, next);
  phase.setLatch(*wavefront.iterating, next);
  builder.setInsertionPointToEnd(begin);
  Value present = presentOf(loc, wavefront);
  LLVM::CondBrOp::create(builder, loc, anyOf(loc, present), resume, next);
  builder.setInsertionPointToEnd(resume);
  setMask(first, present);
  phase.set(loc, wavefront.present,
            phase.lanes.splat(loc, builder.getI1Type(), 0));
  LLVM::BrOp::create(builder, loc, first);
  return begin;
}

///   begin:  cursor = position
///   turns:  of each wavefront, its fill and its iteration
///   again:  cursor < end or any present ? turns : header(cursor)
Block *LaneRefill::create(Block *header, Block *exit) {
  Location loc = phase.kernel.getLoc();
  Block *begin = builder.createBlock(exit);
  Block *again = builder.createBlock(exit);
  builder.setInsertionPoint(phase.function.front().getTerminator());
  cursor = phase.variable(loc);
  phase.set(loc, cursor, builder.constant(loc, builder.i64, 0));
  wavefronts = std::vector<Wavefront>(tuning::wavefronts);
  for (Wavefront &wavefront : wavefronts)
    createWavefront(wavefront);
  Block *turns = again;
  for (Wavefront &wavefront : llvm::reverse(wavefronts))
    turns = createFill(wavefront, createIteration(wavefront, turns));

  builder.setInsertionPointToEnd(begin);
  phase.set(loc, cursor, group.position);
  LLVM::BrOp::create(builder, loc, turns);
  builder.setInsertionPointToEnd(again);
  Value at = phase.get(loc, cursor);
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, at,
                                    phase.get(loc, group.end));
  for (Wavefront &wavefront : wavefronts)
    more = LLVM::OrOp::create(builder, loc, more,
                              anyOf(loc, presentOf(loc, wavefront)));
  LLVM::CondBrOp::create(builder, loc, more, turns, ValueRange(), header,
                         ValueRange(at));
  return begin;
}

/// Those that begin elements read theirs. What others are in the loop with is
/// kept, if that is what it is read for.
void LaneRefill::lower(chan::GetOp op) {
  Wavefront &wavefront = *wavefrontOf.lookup(op);
  Location loc = op.getLoc();
  Type type = cast<VectorType>(op.getType()).getElementType();
  Value before;
  for (auto [i, variable] : llvm::enumerate(wavefront.values))
    if (wavefront.enters && wavefront.enters.getValues()[i] == op.getValue())
      before = LLVM::LoadOp::create(builder, loc, op.getType(), variable);
  bool isTruth = inMemory(type) != type;
  if (before && isTruth)
    before = LLVM::ZExtOp::create(builder, loc,
                                  phase.lanes.lanesOf(inMemory(type)), before);
  Value all = phase.lanes.refill(
      loc, inMemory(type), group.placeOf(op, phase.get(loc, cursor)),
      wavefront.loaded.lookup(op), wavefront.entered, before);
  if (isTruth)
    all = LLVM::TruncOp::create(builder, loc, op.getType(), all);
  op.getValue().replaceAllUsesWith(all);
}

/// The lanes of the mask are in the loop, with these values. What others have
/// is of no account, unless they were in it before.
void LaneRefill::lower(chan::RequeueOp op) {
  Wavefront &wavefront = *wavefrontOf.lookup(op);
  Location loc = op.getLoc();
  Value mask = op.getMask(), any = anyOf(loc, mask);
  for (auto [value, variable] : llvm::zip(op.getValues(), wavefront.values)) {
    Value all = value;
    // What all have the same of may be nothing without a lane.
    if (Value isNew = !isa<VectorType>(all.getType()) ? any
                      : op == wavefront.enters        ? wavefront.entered
                                                      : Value())
      all = LLVM::SelectOp::create(
          builder, loc, isNew, all,
          LLVM::LoadOp::create(builder, loc, all.getType(), variable));
    phase.set(loc, variable, all);
  }
  phase.set(loc, wavefront.present,
            LLVM::OrOp::create(builder, loc, presentOf(loc, wavefront), mask));
}

void LaneRefill::lower(chan::ResumeOp op) {
  Wavefront &wavefront = *wavefrontOf.lookup(op);
  for (auto [value, variable] : llvm::zip(op.getValues(), wavefront.values))
    value.replaceAllUsesWith(
        LLVM::LoadOp::create(builder, op.getLoc(), value.getType(), variable));
}
