//===- DebugVariables.cpp - Where the variables are -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"

#include "llvm/BinaryFormat/Dwarf.h"

using namespace mlir;
using namespace cilk2chan;

DebugVariables::DebugVariables(LLVM::LLVMFuncOp function)
    : entry(&function.front()) {
  auto add = [&](auto record, Value place, bool isAddress, Operation *before) {
    records.push_back({before, place, isAddress, record.getVarInfo(),
                       record.getLocationExpr(), record.getLoc()});
  };
  for (Block &block : function.getBody()) {
    SmallVector<Operation *> waiting;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isDebugRecord(op)) {
        waiting.push_back(&op);
        continue;
      }
      unsigned first = records.size();
      for (Operation *record : waiting) {
        if (auto declare = dyn_cast<LLVM::DbgDeclareOp>(record))
          add(declare, declare.getAddr(), true, &op);
        else if (auto value = dyn_cast<LLVM::DbgValueOp>(record))
          add(value, value.getValue(), false, &op);
        record->erase();
      }
      if (records.size() != first)
        places[&op] = {first, records.size() - first};
      waiting.clear();
    }
  }
  if (!records.empty())
    findStates();
}

ArrayRef<DebugRecord> DebugVariables::before(Operation *op) const {
  auto [first, count] = places.lookup(op);
  return ArrayRef(records).slice(first, count);
}

/// What a record speaks of: a variable, or a fragment of it.
static Attribute subject(const DebugRecord &record) {
  auto elements = record.expression.getOperations();
  if (elements.empty() ||
      elements.back().getOpcode() != llvm::dwarf::DW_OP_LLVM_fragment)
    return record.variable;
  return ArrayAttr::get(record.variable.getContext(),
                        {record.variable, elements.back()});
}

void DebugVariables::pass(Operation *op, State &state) const {
  for (const DebugRecord &record : before(op))
    state[subject(record)] = &record;
}

void DebugVariables::findStates() {
  states[entry];
  SmallVector<Block *> work{entry};
  while (!work.empty()) {
    Block *block = work.pop_back_val();
    State state = states[block];
    for (Operation &inside : *block)
      pass(&inside, state);
    for (Block *successor : block->getSuccessors()) {
      auto [place, first] = states.try_emplace(successor, state);
      bool changed = first;
      // States only ever become weaker.
      for (auto &[variable, record] : place->second)
        if (record && state.lookup(variable) != record) {
          record = nullptr;
          changed = true;
        }
      if (changed)
        work.push_back(successor);
    }
  }
}

SmallVector<const DebugRecord *>
DebugVariables::holdingAt(Operation *op) const {
  State state = states.lookup(op->getBlock());
  for (Operation *inside = &op->getBlock()->front();;
       inside = inside->getNextNode()) {
    pass(inside, state);
    if (inside == op)
      break;
  }
  SmallVector<const DebugRecord *> holding;
  for (auto [variable, record] : state)
    if (record)
      holding.push_back(record);
  return holding;
}
