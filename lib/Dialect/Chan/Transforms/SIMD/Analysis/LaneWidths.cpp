//===- LaneWidths.cpp - How many lanes the kernels of a function have -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TripCount.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneCost.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"

#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cilk2chan;

/// Whether nothing but addresses is computed of `value`.
static bool isForAddresses(Value value) {
  auto isConversion = [](Operation *op) {
    return isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(op);
  };
  return !value.use_empty() && llvm::all_of(value.getUsers(), [&](auto *user) {
    return isa<LLVM::GEPOp>(user) ||
           (isConversion(user) && isForAddresses(user->getResult(0)));
  });
}

/// Whether it is asked which way lanes took, which narrowLanes has made a byte
/// of.
static bool asksForWay(Operation &op) {
  auto comparison = dyn_cast<LLVM::ICmpOp>(op);
  if (!comparison || !comparison.getLhs().getType().isInteger(8) ||
      !comparison.getRhs().getDefiningOp<LLVM::ConstantOp>())
    return false;
  Operation *from = comparison.getLhs().getDefiningOp();
  return !from || isa<scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(from);
}

/// How often what is in `op` runs.
static double timesOf(Operation &op) {
  auto loop = dyn_cast<scf::WhileOp>(op);
  if (!loop)
    return 1;
  auto counted = countTrips(loop, tuning::mostUnrolled);
  return counted ? double(counted->trips) : double(tuning::iterations);
}

void LaneWidths::add(chan::KernelOp lifted, const LaneShapes &shapes) {
  add(lifted.getBody(), shapes, 1);
}

void LaneWidths::add(Region &region, const LaneShapes &shapes, double weight) {
  for (Operation &op : region.front()) {
    for (Region &nested : op.getRegions())
      add(nested, shapes, weight * timesOf(op));
    if (op.getNumRegions() || op.getNumResults() != 1 || asksForWay(op))
      continue;
    Value result = op.getResult(0);
    // A comparison's operands decide.
    Value wide =
        isa<LLVM::ICmpOp, LLVM::FCmpOp>(op) ? op.getOperand(0) : result;
    unsigned bits = laneBits(wide.getType());
    if (bits > 1 && !isa<LLVM::LLVMPointerType>(wide.getType()) &&
        shapes.of(result).kind == LaneShape::Varying && !isForAddresses(result))
      operations[std::max<unsigned>(8, llvm::PowerOf2Ceil(bits))] += weight;
  }
}

unsigned LaneWidths::chooseLanes(unsigned vectorBits) const {
  double all = 0, narrower = 0;
  for (auto [bits, weight] : operations)
    all += weight;
  unsigned median = 64;
  for (auto [bits, weight] : operations)
    if (narrower += weight; 2 * narrower >= all) {
      median = bits;
      break;
    }
  return std::clamp(vectorBits / median, 2u, 64u);
}
