//===- StreamCompaction.cpp - Iterations of many activations --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamCompaction.h"

#include "cilk2chan/Conversion/Tuning.h"

using namespace mlir;
using namespace cilk2chan;

/// Whether, of the lanes that might have been in the loop so far, more than a
/// quarter were not, and that matters. The first group decides: with more of
/// them, too many would have gone the slower way.
Value StreamCompaction::isSparse(Location loc) {
  auto times = [&](Value number, int64_t factor) {
    return LLVM::MulOp::create(builder, loc, number,
                               builder.constant(loc, builder.i64, factor));
  };
  Value isSparse =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult,
                           times(phase.get(loc, attended), 4),
                           times(phase.get(loc, iterations), 3 * phase.count));
  Value all = LLVM::SubOp::create(builder, loc, phase.get(loc, group.end),
                                  group.sliceBegin);
  Value isMuch = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::uge, all,
      builder.constant(loc, builder.i64, tuning::leastGroups * phase.count));
  return LLVM::AndOp::create(
      builder, loc, isSparse,
      queue.hasRoom ? LLVM::AndOp::create(builder, loc, isMuch, queue.hasRoom)
                    : isMuch);
}

///   header(position): more ? choose : exit
///   choose:           isSparse ? the parts : group
void StreamCompaction::create(
    Block *header, Block *beginsGroup, Block *exit, Value capacity,
    function_ref<void(chan::DeqOp, Block *)> beginGroup) {
  Location loc = phase.kernel.getLoc();
  Block *choose = builder.createBlock(beginsGroup);
  builder.setInsertionPoint(phase.function.front().getTerminator());
  iterations = phase.variable(loc);
  attended = phase.variable(loc);
  for (Value variable : {iterations, attended})
    phase.set(loc, variable, builder.constant(loc, builder.i64, 0));
  cast<LLVM::CondBrOp>(header->getTerminator()).setSuccessor(choose, 0);
  Block *parts = phase.kernel.getRefilled()
                     ? refill.create(header, exit)
                     : queue.create(header, exit, capacity, beginGroup);
  builder.setInsertionPointToEnd(choose);
  LLVM::CondBrOp::create(builder, loc, isSparse(loc), parts, beginsGroup);
}

/// An iteration of no lane does not count.
void StreamCompaction::lower(chan::TripOp op) {
  Location loc = op.getLoc();
  Value number = builder.extend(loc, phase.lanes.popcount(loc, op.getMask()));
  Value any =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, number,
                           builder.constant(loc, builder.i64, 0));
  phase.set(loc, iterations,
            LLVM::AddOp::create(builder, loc, phase.get(loc, iterations),
                                builder.extend(loc, any)));
  phase.set(
      loc, attended,
      LLVM::AddOp::create(builder, loc, phase.get(loc, attended), number));
}
