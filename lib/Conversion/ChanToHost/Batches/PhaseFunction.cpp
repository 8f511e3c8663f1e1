//===- PhaseFunction.cpp - The function that a phase kernel becomes -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PhaseFunction.h"

#include "cilk2chan/Support/Markers.h"

using namespace mlir;
using namespace cilk2chan;

PhaseFunction::PhaseFunction(HostBuilder &builder, const Elements &elements,
                             Lanes &lanes, unsigned vectorBits,
                             chan::KernelOp kernel, unsigned sites)
    : builder(builder), elements(elements), lanes(lanes),
      vectorBits(vectorBits), kernel(kernel), count(*kernel.getLanes()) {
  auto stack = elements.stack(kernel.getConsumes());
  if (*kernel.getPhase() + 1 == stack.getBatch()->size())
    accumulates = stack.getAccumulates();
  isPositional = !stack.getReceivers() && !accumulates;
  phaseCount = stack.getPhaseCount();
  siteCount = isPositional ? sites : 0;
  spawns = !kernel.getProduces().empty();
  mostPerGroup = countSpawns(sites);

  builder.setInsertionPoint(kernel);
  function = LLVM::LLVMFuncOp::create(
      builder, kernel.getLoc(), kernel.getSymName(),
      LLVM::LLVMFunctionType::get(
          builder.i32,
          {builder.pointer, builder.pointer, builder.i32, builder.i32}),
      LLVM::Linkage::Internal);
  SmallVector<Attribute> attributes;
  if (auto source = kernel.getSource())
    attributes.push_back(builder.getStrArrayAttr({SourceAttribute, *source}));
  attributes.push_back(builder.getStringAttr(LanesAttribute));
  // Else LLVM may keep to narrower ones.
  attributes.push_back(builder.getStrArrayAttr(
      {"min-legal-vector-width", std::to_string(vectorBits)}));
  function.setPassthroughAttr(builder.getArrayAttr(attributes));
}

/// How many children a group of the kernel has at most, if that is known, and
/// no more than any block of children has room for.
std::optional<unsigned> PhaseFunction::countSpawns(unsigned sites) {
  if (kernel.getCompacted())
    return {};
  unsigned number = 0;
  for (Block &block : kernel.getBody())
    for (Operation &op : block)
      if (isa<chan::EnqOp>(op)) {
        if (block.isReachable(&block))
          return {};
        if (++number > sites)
          return {};
      }
  return number * count;
}

Block *PhaseFunction::addBody(chan::KernelOp from, Block *before) {
  Block *entry = &function.front(), *first = &from.getBody().front();
  from.getBody().walk([&](chan::DoneOp op) { origins[op] = from; });
  // One stack slot serves all groups.
  for (auto alloca :
       llvm::make_early_inc_range(first->getOps<LLVM::AllocaOp>())) {
    alloca.getArraySize().getDefiningOp()->moveBefore(entry, entry->begin());
    alloca->moveAfter(alloca.getArraySize().getDefiningOp());
  }
  auto &blocks = function.getBody().getBlocks();
  blocks.splice(before ? Region::iterator(before) : blocks.end(),
                from.getBody().getBlocks());
  return first;
}

Value PhaseFunction::variable(Location loc, Type type) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.front());
  return LLVM::AllocaOp::create(builder, loc, builder.pointer,
                                type ? type : builder.i64,
                                builder.constant(loc, builder.i64, 1));
}

Value PhaseFunction::get(Location loc, Value variable) {
  return LLVM::LoadOp::create(builder, loc, builder.i64, variable);
}

void PhaseFunction::set(Location loc, Value variable, Value value) {
  LLVM::StoreOp::create(builder, loc, value, variable);
}

void PhaseFunction::store32(Location loc, Value variable, Value base,
                            int32_t offset) {
  builder.store(
      loc, LLVM::TruncOp::create(builder, loc, builder.i32, get(loc, variable)),
      base, offset);
}
