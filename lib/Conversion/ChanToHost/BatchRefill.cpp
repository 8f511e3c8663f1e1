//===- BatchRefill.cpp - Lanes that take the next elements ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The other way to compact iterations: a loop's back edge is a channel of as
// many elements as there are lanes, registers.  Lanes that have left the loop
// are given the next elements of the batch before all do another iteration.  So
// all are full until there are no more elements, nothing is written that goes
// on, and no branch depends on how long one of the activations does.  But they
// have done different numbers of iterations, and to begin elements takes as
// long for one lane as for all.
//
// From one iteration to the next all depends on who is left.  As a GPU does,
// the processor has other wavefronts to go on with meanwhile.
//
//===----------------------------------------------------------------------===//

#include "Batches.h"

using namespace mlir;
using namespace cilk2chan;

static constexpr unsigned wavefrontCount = 2;

/// Whether a mask names a lane.
Value Batches::anyOf(Location loc, Value mask) {
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                              lanes.bitsOf(loc, mask),
                              builder.constant(loc, builder.i64, 0));
}

/// The lanes that are in the loop.
Value Batches::presentOf(Location loc, const Wavefront &wavefront) {
  return LLVM::LoadOp::create(builder, loc, lanes.lanesOf(builder.getI1Type()),
                              wavefront.present);
}

/// Copies the two parts of the kernel for a wavefront, and makes its variables,
/// which LLVM makes registers.
void Batches::createWavefront(Wavefront &wavefront) {
  Location loc = kernel.getLoc();
  auto part = [&](unsigned number) {
    auto symbol = cast<FlatSymbolRefAttr>((*kernel.getCompacted())[number]);
    chan::KernelOp copy =
        builder.module.lookupSymbol<chan::KernelOp>(symbol).clone();
    copy.getBody().walk([&](Operation *op) { wavefrontOf[op] = &wavefront; });
    return copy;
  };
  wavefront.entering = part(0);
  wavefront.iterating = part(1);
  for (auto op : wavefront.entering->getBody().getOps<chan::RequeueOp>())
    wavefront.enters = op;
  builder.setInsertionPoint(function.front().getTerminator());
  Region &body = wavefront.iterating->getBody();
  for (Type type : (*body.getOps<chan::ResumeOp>().begin()).getResultTypes())
    wavefront.values.push_back(variable(loc, type));
  Value none = lanes.splat(loc, builder.getI1Type(), 0);
  wavefront.present = variable(loc, none.getType());
  set(loc, wavefront.present, none);
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
Block *Batches::createFill(Wavefront &wavefront, Block *next) {
  Location loc = kernel.getLoc();
  Type maskType = lanes.lanesOf(builder.getI1Type());
  Block *fill = builder.createBlock(next);
  Block *whole = builder.createBlock(next);
  Block *last = builder.createBlock(next);
  Block *enter = builder.createBlock(&function.getBody(),
                                     Region::iterator(next), {maskType}, {loc});
  Block *first = addBody(*wavefront.entering, next);
  Block *done = builder.createBlock(next);
  latches[*wavefront.entering] = done;
  auto enterIfAny = [&](Value mask) {
    LLVM::CondBrOp::create(builder, loc, anyOf(loc, mask), enter,
                           ValueRange(mask), next, ValueRange());
  };

  builder.setInsertionPointToEnd(fill);
  for (auto op : first->getOps<chan::GetOp>())
    if (auto type = dyn_cast<VectorType>(op.getType()))
      wavefront.loaded[op] = lanes.loadRegister(
          loc, inMemory(type.getElementType()), atCursor(op));
  Value left =
      LLVM::SubOp::create(builder, loc, get(loc, end), get(loc, cursor));
  LLVM::CondBrOp::create(
      builder, loc,
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::uge, left,
                           builder.constant(loc, builder.i64, count)),
      whole, last);
  builder.setInsertionPointToEnd(whole);
  enterIfAny(LLVM::XOrOp::create(builder, loc, presentOf(loc, wavefront),
                                 lanes.splat(loc, builder.getI1Type(), 1)));
  builder.setInsertionPointToEnd(last);
  enterIfAny(LLVM::SelectOp::create(
      builder, loc, anyOf(loc, presentOf(loc, wavefront)),
      lanes.splat(loc, builder.getI1Type(), 0),
      lanes.firstOf(loc,
                    LLVM::TruncOp::create(builder, loc, builder.i32, left))));

  builder.setInsertionPointToEnd(enter);
  wavefront.entered = enter->getArgument(0);
  setMask(first, wavefront.entered);
  LLVM::BrOp::create(builder, loc, first);
  builder.setInsertionPointToEnd(done);
  Value begun = get(loc, cursor);
  Value behind = LLVM::AddOp::create(
      builder, loc, begun,
      builder.extend(loc, lanes.popcount(loc, wavefront.entered)));
  set(loc, cursor, behind);
  // Each element is fetched once.
  Value groups = builder.constant(loc, builder.i64, -int64_t(count));
  Value group = LLVM::AndOp::create(builder, loc, behind, groups);
  fetchAhead(
      loc, group,
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, group,
                           LLVM::AndOp::create(builder, loc, begun, groups)));
  LLVM::BrOp::create(builder, loc, next);
  return fill;
}

/// Has lanes that are in the loop do an iteration; then control goes to `next`.
/// Returns where that begins.
Block *Batches::createIteration(Wavefront &wavefront, Block *next) {
  Location loc = kernel.getLoc();
  Block *begin = builder.createBlock(next);
  Block *resume = builder.createBlock(next);
  Block *first = addBody(*wavefront.iterating, next);
  latches[*wavefront.iterating] = next;
  builder.setInsertionPointToEnd(begin);
  Value present = presentOf(loc, wavefront);
  LLVM::CondBrOp::create(builder, loc, anyOf(loc, present), resume, next);
  builder.setInsertionPointToEnd(resume);
  setMask(first, present);
  set(loc, wavefront.present, lanes.splat(loc, builder.getI1Type(), 0));
  LLVM::BrOp::create(builder, loc, first);
  return begin;
}

/// Adds wavefronts to the loop over groups, which do all that is left of the
/// elements; then control goes to `header`. Returns where that begins.
///
///   begin:  cursor = position
///   turns:  of each wavefront, its fill and its iteration
///   again:  cursor < end or any present ? turns : header(cursor)
Block *Batches::createRefilled(Block *header, Block *exit) {
  Location loc = kernel.getLoc();
  Block *begin = builder.createBlock(exit);
  Block *again = builder.createBlock(exit);
  builder.setInsertionPoint(function.front().getTerminator());
  cursor = variable(loc);
  set(loc, cursor, builder.constant(loc, builder.i64, 0));
  wavefronts = std::vector<Wavefront>(wavefrontCount);
  for (Wavefront &wavefront : wavefronts)
    createWavefront(wavefront);
  Block *turns = again;
  for (Wavefront &wavefront : llvm::reverse(wavefronts))
    turns = createFill(wavefront, createIteration(wavefront, turns));

  builder.setInsertionPointToEnd(begin);
  set(loc, cursor, position);
  LLVM::BrOp::create(builder, loc, turns);
  builder.setInsertionPointToEnd(again);
  Value at = get(loc, cursor);
  Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, at,
                                    get(loc, end));
  for (Wavefront &wavefront : wavefronts)
    more = LLVM::OrOp::create(builder, loc, more,
                              anyOf(loc, presentOf(loc, wavefront)));
  LLVM::CondBrOp::create(builder, loc, more, turns, ValueRange(), header,
                         ValueRange(at));
  return begin;
}

/// Where the field lies that is read, of the next element.
Value Batches::atCursor(chan::GetOp op) {
  const ElementLayout &layout = elements.layout(op.getElement());
  const ElementLayout::Field &field = layout.field(op.getField());
  return builder.element(op.getLoc(), fields[layout.index(field)], field.size,
                         get(op.getLoc(), cursor));
}

/// Those that begin elements read theirs. What others are in the loop with is
/// kept, if that is what it is read for.
void Batches::refill(chan::GetOp op, Wavefront &wavefront) {
  Location loc = op.getLoc();
  Type type = cast<VectorType>(op.getType()).getElementType();
  Value before;
  for (auto [i, variable] : llvm::enumerate(wavefront.values))
    if (wavefront.enters && wavefront.enters.getValues()[i] == op.getValue())
      before = LLVM::LoadOp::create(builder, loc, op.getType(), variable);
  bool isTruth = inMemory(type) != type;
  if (before && isTruth)
    before = LLVM::ZExtOp::create(builder, loc, lanes.lanesOf(inMemory(type)),
                                  before);
  Value all =
      lanes.refill(loc, inMemory(type), atCursor(op),
                   wavefront.loaded.lookup(op), wavefront.entered, before);
  if (isTruth)
    all = LLVM::TruncOp::create(builder, loc, op.getType(), all);
  op.getValue().replaceAllUsesWith(all);
}

/// The lanes of the mask are in the loop, with these values. What others have
/// is of no account, unless they were in it before.
void Batches::refill(chan::RequeueOp op, const Wavefront &wavefront) {
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
    set(loc, variable, all);
  }
  set(loc, wavefront.present,
      LLVM::OrOp::create(builder, loc, presentOf(loc, wavefront), mask));
}

void Batches::refill(chan::ResumeOp op, const Wavefront &wavefront) {
  for (auto [value, variable] : llvm::zip(op.getValues(), wavefront.values))
    value.replaceAllUsesWith(
        LLVM::LoadOp::create(builder, op.getLoc(), value.getType(), variable));
}
