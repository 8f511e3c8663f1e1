//===- ResultFlow.cpp - Where results of children go ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/ResultFlow.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"

#include "cilk2chan/Support/Markers.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2chan;

/// Whether this is a local variable of the results' type that is only accessed
/// as a whole.
bool ResultFlow::isObject(Value address) {
  auto alloca = address.getDefiningOp<LLVM::AllocaOp>();
  if (!alloca || alloca.getElemType() != type ||
      !matchPattern(alloca.getArraySize(), m_One()))
    return false;
  return llvm::all_of(alloca->getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto load = dyn_cast<LLVM::LoadOp>(user))
      return load.getType() == type && !load.getVolatile_();
    if (auto store = dyn_cast<LLVM::StoreOp>(user))
      return store.getAddr() == address && store.getValue() != address &&
             store.getValue().getType() == type && !store.getVolatile_();
    auto spawn = dyn_cast<cilk::SpawnOp>(user);
    return spawn && placeOf(spawn) == address &&
           llvm::count(spawn->getOperands(), address) == 1;
  });
}

/// Takes what is in a place, if anything is.
bool ResultFlow::take(Value place, State &state, bool &taken) {
  auto *found = state.find(place);
  if (found == state.end())
    return true;
  if (found->second.isStale)
    return false;
  if (found->second.holds) {
    taken = true;
    found->second = {false, true};
  }
  return true;
}

/// Overwrites an object.
bool ResultFlow::put(Value object, bool holds, State &state) {
  if (state.lookup(object).holds)
    return false;
  if (holds || state.contains(object))
    state[object] = {holds, false};
  return true;
}

/// The result of an operation of the right kind holds what both operands did.
bool ResultFlow::combine(Operation *op, const Combined &combined,
                         State &state) {
  bool first = false, second = false;
  if (!take(combined.first, state, first) ||
      !take(combined.second, state, second))
    return false;
  if (!first && !second)
    return true;
  if (combined.by != combination || (isa<LLVM::SubOp>(op) && second))
    return false;
  combining.insert(op);
  state[op->getResult(0)] = {true, false};
  return true;
}

/// What is wider than a result holds it in its low bits, and is of no use but
/// for these: they depend on no others.
bool ResultFlow::convert(Operation *op, State &state) {
  bool holds = false;
  if (!take(op->getOperand(0), state, holds))
    return false;
  if (!holds)
    return true;
  combining.insert(op);
  state[op->getResult(0)] = {true, false};
  return !isExtremum(combination) &&
         op->getResult(0).getType().getIntOrFloatBitWidth() >=
             type.getIntOrFloatBitWidth();
}

/// Whether `value`, in a function that assigns a child's result, has that
/// result in its low bits, or is that where all bits depend on all.
bool ResultFlow::isResult(Value value) const {
  while (!isExtremum(combination) &&
         isa_and_nonnull<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(
             value.getDefiningOp()) &&
         value.getType().getIntOrFloatBitWidth() >=
             type.getIntOrFloatBitWidth())
    value = value.getDefiningOp()->getOperand(0);
  auto load = value.getDefiningOp<LLVM::LoadOp>();
  auto address = load ? dyn_cast<BlockArgument>(load.getAddr()) : nullptr;
  return address && address.getArgNumber() == 1 && load.getType() == type;
}

/// What the child returns will be where the spawn has it assigned.
bool ResultFlow::assign(cilk::SpawnOp op, State &state) {
  Value object = placeOf(op);
  if (!object || !isObject(object))
    return false;
  bool overwrites = parameter
                        ? !object.getDefiningOp()->hasAttr(ReductionAttribute)
                        : !op.getApplyAttr();
  if (overwrites)
    return put(object, /*holds=*/true, state);
  if (!parameter) {
    auto assignment =
        assignmentOf(symbols.lookup<LLVM::LLVMFuncOp>(*op.getApply()));
    if (!assignment || assignment->by != combination ||
        isa<LLVM::SubOp>(assignment->op) || !isResult(assignment->other))
      return false;
  }
  if (state.lookup(object).isStale)
    return false;
  state[object] = {true, false};
  return true;
}

bool ResultFlow::visit(Operation *op, State &state) {
  for (Value result : op->getResults())
    state.erase(result);
  if (isDebugRecord(*op) || isa<cilk::SyncOp>(op))
    return true;
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    bool holds = false;
    if (!take(load.getAddr(), state, holds))
      return false;
    if (holds)
      state[load.getResult()] = {true, false};
    return true;
  }
  if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    bool holds = false;
    if (!take(store.getValue(), state, holds) ||
        (holds && !isObject(store.getAddr())))
      return false;
    return !isObject(store.getAddr()) || put(store.getAddr(), holds, state);
  }
  if (auto combined = combinedBy(op))
    return combine(op, *combined, state);
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op);
      compare && isOnlyCombined(compare))
    return true;
  if (isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(op))
    return convert(op, state);
  if (auto update = chan::reductionOf(op);
      update && parameter &&
      update.getPtr() == function.getArgument(*parameter)) {
    bool taken = false;
    return take(update.getVal(), state, taken);
  }
  auto spawn = dyn_cast<cilk::SpawnOp>(op);
  for (Value operand : op->getOperands())
    if ((!spawn || operand != placeOf(spawn)) &&
        state.lookup(operand) != Place())
      return false;
  if (spawn)
    return assign(spawn, state);
  // What returns nothing has nothing to conserve.
  if (isa<cilk::CallOp>(op) && !parameter && op->getNumResults())
    state[op->getResult(0)] = {true, false};
  return true;
}

/// Brings a state along an edge.
bool ResultFlow::enter(Operation *op, unsigned successor, State state) {
  Block *next = op->getSuccessor(successor);
  auto passed = cast<BranchOpInterface>(op).getSuccessorOperands(successor);
  SmallVector<bool> held;
  for (Value value : passed.getForwardedOperands()) {
    held.push_back(false);
    if (!take(value, state, held.back()))
      return false;
  }
  State arrived;
  for (auto &[value, place] : state) {
    bool isThere = value.getDefiningOp<LLVM::AllocaOp>() ||
                   (value.getParentBlock() != next &&
                    dominance.properlyDominates(value.getParentBlock(), next));
    if (isThere)
      arrived[value] = place;
    else if (place.holds)
      return false;
  }
  for (auto [argument, holds] : llvm::zip(next->getArguments(), held))
    if (holds)
      arrived[argument] = {true, false};
  auto [known, isNew] = states.try_emplace(next);
  bool changed = isNew;
  for (auto &[value, place] : arrived) {
    Place &before = known->second[value];
    Place both{before.holds || place.holds, before.isStale || place.isStale};
    changed |= before != both;
    before = both;
  }
  if (changed)
    work.insert(next);
  return true;
}

bool ResultFlow::leave(Operation *op, const State &state) {
  if (auto ret = dyn_cast<LLVM::ReturnOp>(op)) {
    State last = state;
    bool taken = false;
    return (parameter ? !ret.getArg() || state.lookup(ret.getArg()) == Place()
                      : take(ret.getArg(), last, taken)) &&
           llvm::none_of(last, [](auto &entry) { return entry.second.holds; });
  }
  if (isa<LLVM::UnreachableOp>(op))
    return true;
  if (!isa<LLVM::BrOp, LLVM::CondBrOp>(op))
    return false;
  if (auto condBr = dyn_cast<LLVM::CondBrOp>(op);
      condBr && state.lookup(condBr.getCondition()) != Place())
    return false;
  for (unsigned i = 0; i < op->getNumSuccessors(); ++i)
    if (!enter(op, i, state))
      return false;
  return true;
}

bool ResultFlow::isConserved() {
  work.insert(&function.front());
  while (!work.empty()) {
    Block *block = work.pop_back_val();
    State state = states.lookup(block);
    for (Operation &op : block->without_terminator())
      if (!visit(&op, state))
        return fail(&op);
    if (!leave(block->getTerminator(), state))
      return fail(block->getTerminator());
  }
  return true;
}
