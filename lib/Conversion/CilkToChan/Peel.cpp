//===- Peel.cpp - Children that end where they begin ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peel.h"
#include "FrameLayout.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan;

/// Most operations that every parent has a copy of.
static constexpr unsigned mostOperations = 16;

/// Whether an op may be executed in vain, and as often as one likes.
static bool isHarmless(Operation *op) {
  return isPure(op) && op->getNumRegions() == 0 &&
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
  if (!op || (!isHarmless(op) && !isRematerialized(value)))
    return false;
  if (ops.contains(op))
    return true;
  if (ops.size() >= mostOperations)
    return false;
  for (Value operand : op->getOperands())
    if (!collect(operand, isKnown, ops))
      return false;
  return ops.insert(op) && ops.size() <= mostOperations;
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

Value Peel::clone(OpBuilder &builder, Location loc, ValueRange args,
                  Value value) const {
  return computeAgain(builder, loc, value, [&](Value operand) {
    auto argument = dyn_cast<BlockArgument>(operand);
    return argument ? args[argument.getArgNumber()] : Value();
  });
}

Value Peel::test(OpBuilder &builder, Location loc, ValueRange args) const {
  Value holds = clone(builder, loc, args, condition);
  if (outcome)
    return holds;
  Value yes = LLVM::ConstantOp::create(builder, loc, builder.getI1Type(),
                                       builder.getBoolAttr(true));
  return LLVM::XOrOp::create(builder, loc, holds, yes);
}

Value Peel::result(OpBuilder &builder, Location loc, ValueRange args) const {
  return returned ? clone(builder, loc, args, returned) : Value();
}

/// What control returns that goes from the end of `block` to `successor`, and
/// whether it does nothing else.
static std::optional<Value> returnedBy(Block *block, unsigned successor) {
  // What a block is passed; chains are short.
  IRMapping passed;
  for (unsigned steps = 0; steps < 4; ++steps) {
    Block *next = block->getSuccessor(successor);
    auto branch = cast<BranchOpInterface>(block->getTerminator());
    for (auto [argument, value] : llvm::zip(
             next->getArguments(),
             branch.getSuccessorOperands(successor).getForwardedOperands()))
      passed.map(argument, passed.lookupOrDefault(value));
    if (!llvm::all_of(next->without_terminator(),
                      [](Operation &op) { return isHarmless(&op); }))
      return {};
    if (auto ret = dyn_cast<LLVM::ReturnOp>(next->getTerminator()))
      return ret.getArg() ? passed.lookupOrDefault(ret.getArg()) : Value();
    if (!isa<LLVM::BrOp>(next->getTerminator()))
      return {};
    block = next;
    successor = 0;
  }
  return {};
}

std::optional<Peel> Peel::find(LLVM::LLVMFuncOp function) {
  Block *entry = &function.front();
  auto branch = dyn_cast<LLVM::CondBrOp>(entry->getTerminator());
  if (!branch)
    return {};
  for (Operation &op : entry->without_terminator())
    if (!isa<LLVM::AllocaOp>(op) && !isHarmless(&op))
      return {};
  auto isParameter = [&](Value value) {
    return isa<BlockArgument>(value) && value.getParentBlock() == entry;
  };
  for (unsigned successor : {0, 1}) {
    auto returned = returnedBy(entry, successor);
    llvm::SetVector<Operation *> ops;
    if (!returned || !collect(branch.getCondition(), isParameter, ops) ||
        (*returned && !collect(*returned, isParameter, ops)))
      continue;
    Peel peel;
    peel.function = function;
    peel.condition = branch.getCondition();
    peel.returned = *returned;
    peel.outcome = successor == 0;
    return peel;
  }
  return {};
}
