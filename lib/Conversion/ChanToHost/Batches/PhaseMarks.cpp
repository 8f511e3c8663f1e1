//===- PhaseMarks.cpp - Which lanes wait for which phase ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseMarks.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"

using namespace mlir;
using namespace cilk2chan;

void PhaseMarks::begin(Location loc) {
  if (!phase.leavesMarks())
    return;
  pending = phase.variable(loc);
  phase.set(loc, pending,
            phase.load32(loc, phase.getBatch(), abi::batchPending));
  for (unsigned i = 1; i < phase.phaseCount; ++i)
    waiting.push_back(phase.variable(loc));
}

void PhaseMarks::beginGroup(Location loc, unsigned number) {
  Value zero =
      waiting.empty() ? Value() : builder.constant(loc, builder.i64, 0);
  for (auto [i, variable] : llvm::enumerate(waiting)) {
    Value before = zero;
    if (number && i + 1 != number)
      before =
          LLVM::LoadOp::create(builder, loc, builder.i64, group.mark(loc, i));
    phase.set(loc, variable, before);
  }
}

void PhaseMarks::lower(chan::PendOp op) {
  Location loc = op.getLoc();
  Value variable = waiting[op.getPhase() - 1];
  phase.set(loc, variable,
            LLVM::OrOp::create(builder, loc, phase.get(loc, variable),
                               phase.lanes.bitsOf(loc, op.getMask())));
}

void PhaseMarks::endGroup(Location loc) {
  Value all = phase.get(loc, pending);
  for (auto [i, variable] : llvm::enumerate(waiting)) {
    Value bits = phase.get(loc, variable);
    LLVM::StoreOp::create(builder, loc, bits, group.mark(loc, i));
    Value any =
        LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, bits,
                             builder.constant(loc, builder.i64, 0));
    all = LLVM::OrOp::create(
        builder, loc, all,
        LLVM::ShlOp::create(builder, loc, builder.extend(loc, any),
                            builder.constant(loc, builder.i64, i + 1)));
  }
  phase.set(loc, pending, all);
}

void PhaseMarks::finish(Location loc) {
  if (pending)
    phase.store32(loc, pending, phase.getBatch(), abi::batchPending);
}
