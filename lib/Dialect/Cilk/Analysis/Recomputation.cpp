//===- Recomputation.cpp - Compute a value once more ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/Recomputation.h"
#include "cilk2chan/Dialect/Cilk/Tuning.h"

#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"
#include "cilk2chan/Support/MathFunctions.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan;

bool cilk2chan::isCheapAndPure(Operation *op) {
  return isPure(op) && op->getNumRegions() == 0 && !isMathFunction(op) &&
         !isa<LLVM::SDivOp, LLVM::UDivOp, LLVM::SRemOp, LLVM::URemOp,
              LLVM::AllocaOp>(op);
}

/// Collects the operations that compute `value` of what `isKnown`, operands
/// first.
static bool collect(Value value, function_ref<bool(Value)> isKnown,
                    llvm::SetVector<Operation *> &ops) {
  if (isKnown(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || (!isCheapAndPure(op) && !isRematerialized(value)))
    return false;
  if (ops.contains(op))
    return true;
  if (ops.size() >= tuning::mostRecomputed)
    return false;
  for (Value operand : op->getOperands())
    if (!collect(operand, isKnown, ops))
      return false;
  return ops.insert(op) && ops.size() <= tuning::mostRecomputed;
}

bool cilk2chan::canComputeAgain(Value value,
                                function_ref<bool(Value)> isKnown) {
  llvm::SetVector<Operation *> ops;
  return collect(value, isKnown, ops);
}

Value cilk2chan::computeAgain(OpBuilder &builder, Location loc, Value value,
                              function_ref<Value(Value)> known) {
  llvm::SetVector<Operation *> ops;
  IRMapping mapping;
  auto isKnown = [&](Value operand) {
    if (mapping.contains(operand))
      return true;
    Value there = known(operand);
    if (there)
      mapping.map(operand, there);
    return bool(there);
  };
  if (!collect(value, isKnown, ops))
    return {};
  for (Operation *op : ops)
    builder.clone(*op, mapping)->setLoc(loc);
  return mapping.lookup(value);
}

bool cilk2chan::areSame(Value one, Value other,
                        function_ref<bool(Operation *)> isStable,
                        unsigned depth) {
  if (one == other)
    return true;
  Operation *a = one.getDefiningOp(), *b = other.getDefiningOp();
  return a && b && depth < tuning::deepestEqual &&
         a->getName() == b->getName() && one.getType() == other.getType() &&
         !isa<LLVM::FreezeOp, LLVM::PoisonOp, LLVM::UndefOp>(a) &&
         (isMemoryEffectFree(a) || (isStable && isStable(a))) &&
         a->getAttrDictionary() == b->getAttrDictionary() &&
         llvm::all_of(
             llvm::zip_equal(a->getOperands(), b->getOperands()),
             [&](auto pair) {
               return areSame(std::get<0>(pair), std::get<1>(pair), isStable,
                              depth + 1);
             });
}
