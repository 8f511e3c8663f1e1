//===- LaneShapes.cpp - How values differ between lanes -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneShapes.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"

#include "cilk2chan/Support/MathFunctions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cilk2chan;

static constexpr LaneShape uniform{LaneShape::Uniform, 0};
static constexpr LaneShape varying{LaneShape::Varying, 0};

LaneShapes::LaneShapes(chan::KernelOp lifted, const TypeLayout &layout,
                       const Interleaving &interleaving,
                       ArrayRef<StringRef> shared,
                       const llvm::BitVector &varying, bool ofAll)
    : layout(layout), interleaving(interleaving), shared(shared),
      varyingResumed(varying), ofAll(ofAll) {
  do {
    changed = false;
    lifted.getBody().walk<WalkOrder::PreOrder>(
        [&](Operation *op) { visit(op); });
  } while (changed);
}

void LaneShapes::join(Value value, LaneShape shape) {
  LaneShape &known = shapes[value];
  LaneShape joined = known;
  if (known.kind == LaneShape::Unknown)
    joined = shape;
  else if (shape.kind != LaneShape::Unknown && known != shape)
    joined = varying;
  changed |= joined != known;
  known = joined;
}

void LaneShapes::visit(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitChoice(op, branch.getCondition());
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(op))
    return visitChoice(op, choice.getArg());
  if (isa<scf::WhileOp>(op))
    return visitLoop(op);
  if (auto resume = dyn_cast<chan::ResumeOp>(op)) {
    for (auto [i, value] : llvm::enumerate(resume.getValues()))
      join(value, varyingResumed[i] ? varying : uniform);
    return;
  }
  if (op->getNumResults() == 0)
    return;
  LaneShape shape = compute(op);
  for (Value result : op->getResults())
    join(result, shape);
}

void LaneShapes::visitChoice(Operation *op, Value selector) {
  LaneShape chosen = of(selector);
  if (chosen.kind == LaneShape::Unknown)
    return;
  for (OpResult result : op->getResults()) {
    if (ofAll && chosen != uniform) {
      join(result, varying);
      continue;
    }
    Value only;
    for (Region &region : op->getRegions()) {
      Value value =
          region.front().getTerminator()->getOperand(result.getResultNumber());
      // Lanes with no value may as well have the others'.
      if (isPoison(value))
        continue;
      LaneShape shape = of(value);
      // Two pointers are not known to be the same, be their strides.
      bool differs = shape.kind == LaneShape::Strided ||
                     (chosen != uniform && only && only != value);
      join(result, differs ? varying : shape);
      only = value;
    }
    if (!only)
      join(result, uniform);
  }
}

void LaneShapes::visitLoop(Operation *op) {
  auto loop = cast<scf::WhileOp>(op);
  scf::ConditionOp next = loop.getConditionOp();
  bool together = of(next.getCondition()).kind <= LaneShape::Uniform;
  for (auto [init, carried, value, result] :
       llvm::zip(loop.getInits(), loop.getBeforeArguments(), next.getArgs(),
                 loop.getResults())) {
    for (Value source : {Value(init), Value(value)}) {
      LaneShape shape = of(source);
      if (shape.kind == LaneShape::Strided)
        shape = varying;
      join(carried, shape);
    }
    LaneShape left = of(value);
    if (left.kind != LaneShape::Unknown)
      join(result, together && left == uniform ? uniform : varying);
  }
}

LaneShape LaneShapes::compute(Operation *op) const {
  if (isa<LLVM::AllocaOp, chan::LocalOp>(op)) {
    int64_t part = interleaving.partSize(op->getResult(0));
    return {LaneShape::Strided, part ? part : laneObjectSize(op, layout)};
  }
  if (auto gep = dyn_cast<LLVM::GEPOp>(op))
    return computeAddress(gep);
  if (auto stride = op->getAttrOfType<IntegerAttr>(StrideAttribute))
    return {LaneShape::Strided, stride.getInt()};
  if (auto get = dyn_cast<chan::GetOp>(op))
    return llvm::is_contained(shared, get.getField()) ? uniform : varying;
  // What one lane does may be of consequence, or not be repeatable.
  bool repeatable = isElementwise(op) || isMathFunction(op) ||
                    isMadeOfNothing(op) ||
                    isa<LLVM::LoadOp, UnrealizedConversionCastOp>(op);
  if (!repeatable)
    return varying;
  for (Value operand : op->getOperands()) {
    LaneShape shape = of(operand);
    if (shape.kind == LaneShape::Unknown)
      return {};
    if (shape != uniform)
      return varying;
  }
  return uniform;
}

LaneShape LaneShapes::computeAddress(LLVM::GEPOp op) const {
  LaneShape base = of(op.getBase());
  if (base.kind == LaneShape::Unknown)
    return {};
  for (Value index : op.getDynamicIndices()) {
    LaneShape shape = of(index);
    if (shape.kind == LaneShape::Unknown)
      return {};
    if (shape != uniform)
      return varying;
  }
  return base;
}
