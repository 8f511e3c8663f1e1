//===- Batches.cpp - Phases of whole batches ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batches.h"
#include "LaneAccesses.h"

#include "cilk2chan/Conversion/RuntimeABI.h"
#include "cilk2chan/Support/Markers.h"

using namespace mlir;
using namespace cilk2chan;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// A local variable of 64 bits.
Value Batches::variable(Location loc) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.front());
  return LLVM::AllocaOp::create(builder, loc, builder.pointer, builder.i64,
                                builder.constant(loc, builder.i64, 1));
}

/// A pointer of the batch's.
Value Batches::field(Location loc, int32_t offset) {
  return builder.load(loc, builder.pointer, function.getArgument(1), offset);
}

Value Batches::mark(Location loc, unsigned number) {
  return builder.offset(loc, marks, number * sizeof(uint64_t));
}

Value Batches::bitsOf(Location loc, Value mask) {
  Value bits = LLVM::BitcastOp::create(builder, loc,
                                       builder.getIntegerType(count), mask);
  return count == 64 ? bits : builder.extend(loc, bits);
}

Value Batches::maskOf(Location loc, Value bits) {
  if (count < 64)
    bits = LLVM::TruncOp::create(builder, loc, builder.getIntegerType(count),
                                 bits);
  return LLVM::BitcastOp::create(
      builder, loc, VectorType::get(count, builder.getI1Type()), bits);
}

//===----------------------------------------------------------------------===//
// The loop over groups
//===----------------------------------------------------------------------===//

void Batches::lower(chan::KernelOp op) {
  kernel = op;
  count = *kernel.getLanes();
  auto stack = elements.stack(kernel.getConsumes());
  phaseCount = stack.getBatch()->size();
  siteCount = sites.lookup(kernel.getConsumes());

  Location loc = kernel.getLoc();
  builder.setInsertionPoint(kernel);
  function = LLVM::LLVMFuncOp::create(
      builder, loc, kernel.getSymName(),
      LLVM::LLVMFunctionType::get(
          builder.i32,
          {builder.pointer, builder.pointer, builder.i32, builder.i32}),
      LLVM::Linkage::Internal);
  SmallVector<Attribute> attributes;
  if (auto source = kernel.getSource())
    attributes.push_back(builder.getStrArrayAttr({SourceAttribute, *source}));
  // Else LLVM may keep to narrower ones.
  attributes.push_back(builder.getStrArrayAttr(
      {"min-legal-vector-width", std::to_string(vectorBits)}));
  function.setPassthroughAttr(builder.getArrayAttr(attributes));
  lanes.beginKernel(function, count);
  createLoop();

  SmallVector<Operation *> ops;
  function.getBody().walk([&](Operation *op) {
    if (isa<chan::ChanDialect>(op->getDialect()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    lower(op);
  }
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  expandLaneAccesses(function, builder, vectorBits);
  SymbolTable &symbols = builder.symbols.getSymbolTable(builder.module);
  symbols.erase(kernel);
  symbols.insert(function);
}

/// for (index = begin; index < end && there is room; index += lanes) body
void Batches::createLoop() {
  Location loc = kernel.getLoc();
  Block *entry = function.addEntryBlock(builder);
  Region &body = function.getBody();
  Block *first = &kernel.getBody().front();
  body.getBlocks().splice(body.end(), kernel.getBody().getBlocks());
  Block *header =
      builder.createBlock(&body, std::next(Region::iterator(entry)),
                          {builder.i64}, {loc});
  Block *group = builder.createBlock(first);
  Block *exit = builder.createBlock(&body, body.end());
  latch = builder.createBlock(exit);
  index = header->getArgument(0);

  // One stack slot serves all groups.
  for (auto alloca :
       llvm::make_early_inc_range(first->getOps<LLVM::AllocaOp>())) {
    alloca.getArraySize().getDefiningOp()->moveBefore(entry, entry->begin());
    alloca->moveAfter(alloca.getArraySize().getDefiningOp());
  }

  builder.setInsertionPointToEnd(entry);
  Value batch = function.getArgument(1);
  fields = fieldsOf(elements.layout(kernel.getConsumes()),
                    field(loc, abi::batchElements), builder, loc);
  results = field(loc, abi::batchResults);
  Value allLocals = field(loc, abi::batchLocals);
  Value allMarks = field(loc, abi::batchMarks);
  Value sliceBegin =
      builder.extend(loc, builder.load(loc, builder.i32, batch,
                                       abi::batchFirst));
  Value begin = builder.extend(loc, function.getArgument(2));
  end = builder.extend(loc, function.getArgument(3));
  Value children, most;
  pending = childCount = {};
  bool spawns = *kernel.getPhase() == 0;
  Value zero = builder.constant(loc, builder.i64, 0);
  if (spawns) {
    children = field(loc, abi::batchChildren);
    childFields = fieldsOf(
        elements.layout(
            cast<FlatSymbolRefAttr>(kernel.getProduces()[0]).getValue()),
        children, builder, loc);
    most = LLVM::SubOp::create(
        builder, loc,
        builder.extend(loc, builder.load(loc, builder.i32, children,
                                         abi::blockCapacity)),
        builder.constant(loc, builder.i64, siteCount * count));
    childCount = variable(loc);
    pending = variable(loc);
    LLVM::StoreOp::create(builder, loc, zero, childCount);
    LLVM::StoreOp::create(builder, loc, zero, pending);
  } else {
    childResults = field(loc, abi::batchChildResults);
  }
  waiting.clear();
  masks.clear();
  starts.clear();
  if (spawns) {
    for (unsigned i = 1; i < phaseCount; ++i)
      waiting.push_back(variable(loc));
    for (unsigned i = 0; i < siteCount; ++i) {
      masks.push_back(variable(loc));
      starts.push_back(variable(loc));
    }
  }
  LLVM::BrOp::create(builder, loc, begin, header);

  builder.setInsertionPointToEnd(header);
  Value more =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, index, end);
  if (spawns)
    more = LLVM::AndOp::create(
        builder, loc, more,
        LLVM::ICmpOp::create(
            builder, loc, LLVM::ICmpPredicate::ule,
            LLVM::LoadOp::create(builder, loc, builder.i64, childCount), most));
  LLVM::CondBrOp::create(builder, loc, more, group, exit);

  builder.setInsertionPointToEnd(group);
  Value number = LLVM::SubOp::create(builder, loc, index, sliceBegin);
  locals = builder.element(loc, allLocals, kernel.getFrameSize(), number);
  marks = builder.element(
      loc, allMarks, sizeof(uint64_t) * (phaseCount - 1 + 2 * siteCount),
      LLVM::UDivOp::create(builder, loc, number,
                           builder.constant(loc, builder.i64, count)));
  for (Value variable : llvm::concat<Value>(waiting, masks, starts))
    LLVM::StoreOp::create(builder, loc, zero, variable);
  beginGroup(cast<chan::DeqOp>(first->front()), first);

  builder.setInsertionPointToEnd(latch);
  if (spawns)
    endGroup();
  Value next = LLVM::AddOp::create(
      builder, loc, index, builder.constant(loc, builder.i64, count),
      LLVM::IntegerOverflowFlags::nsw | LLVM::IntegerOverflowFlags::nuw);
  LLVM::BrOp::create(builder, loc, next, header);

  builder.setInsertionPointToEnd(exit);
  auto low = [&](Value value) {
    return LLVM::TruncOp::create(builder, loc, builder.i32, value);
  };
  if (spawns) {
    auto storeLow = [&](Value variable, Value base, int32_t offset) {
      builder.store(
          loc, low(LLVM::LoadOp::create(builder, loc, builder.i64, variable)),
          base, offset);
    };
    storeLow(childCount, children, abi::blockCount);
    storeLow(pending, batch, abi::batchPending);
  }
  LLVM::ReturnOp::create(
      builder, loc,
      ValueRange(low(LLVM::UMinOp::create(builder, loc, index, end))));
}

/// Which lanes there are: those before the end, or those that wait for this
/// phase.
void Batches::beginGroup(chan::DeqOp deq, Block *first) {
  Location loc = deq.getLoc();
  if (unsigned phase = *kernel.getPhase()) {
    Value bits =
        LLVM::LoadOp::create(builder, loc, builder.i64, mark(loc, phase - 1));
    Value any = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                     bits, builder.constant(loc, builder.i64, 0));
    deq.getMask().replaceAllUsesWith(maskOf(loc, bits));
    LLVM::CondBrOp::create(builder, loc, any, first, latch);
    return;
  }
  Value left = LLVM::TruncOp::create(
      builder, loc, builder.i32,
      LLVM::UMinOp::create(builder, loc,
                           LLVM::SubOp::create(builder, loc, end, index),
                           builder.constant(loc, builder.i64, count)));
  deq.getMask().replaceAllUsesWith(lanes.firstOf(loc, left));
  LLVM::BrOp::create(builder, loc, first);
}

/// Stores what the group has collected.
void Batches::endGroup() {
  Location loc = kernel.getLoc();
  auto load = [&](Value variable) {
    return LLVM::LoadOp::create(builder, loc, builder.i64, variable);
  };
  Value all = load(pending);
  for (auto [index, variable] : llvm::enumerate(waiting)) {
    Value bits = load(variable);
    LLVM::StoreOp::create(builder, loc, bits, mark(loc, index));
    Value any = LLVM::ICmpOp::create(
        builder, loc, LLVM::ICmpPredicate::ne, bits,
        builder.constant(loc, builder.i64, 0));
    all = LLVM::OrOp::create(
        builder, loc, all,
        LLVM::ShlOp::create(builder, loc, builder.extend(loc, any),
                            builder.constant(loc, builder.i64, index + 1)));
  }
  LLVM::StoreOp::create(builder, loc, all, pending);
  for (unsigned i = 0; i < siteCount; ++i) {
    LLVM::StoreOp::create(builder, loc, load(masks[i]),
                          mark(loc, phaseCount - 1 + 2 * i));
    LLVM::StoreOp::create(builder, loc, load(starts[i]),
                          mark(loc, phaseCount + 2 * i));
  }
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Batches::lower(Operation *op) {
  Location loc = op->getLoc();
  if (auto get = dyn_cast<chan::GetOp>(op)) {
    const ElementLayout &layout = elements.layout(get.getElement());
    const ElementLayout::Field &field = layout.field(get.getField());
    Type type = VectorType::get(count, inMemory(field.type));
    Value all = LLVM::LoadOp::create(
        builder, loc, type,
        builder.element(loc, fields[layout.index(field)], field.size, index),
        field.alignment);
    if (field.type != inMemory(field.type))
      all = LLVM::TruncOp::create(builder, loc, get.getType(), all);
    get.getValue().replaceAllUsesWith(all);
  } else if (auto enq = dyn_cast<chan::EnqOp>(op)) {
    lower(enq);
  } else if (auto child = dyn_cast<chan::ChildOp>(op)) {
    lower(child);
  } else if (auto local = dyn_cast<chan::LocalOp>(op)) {
    local.getAddress().replaceAllUsesWith(
        builder.offset(loc, locals, local.getOffset() * count));
  } else if (auto pend = dyn_cast<chan::PendOp>(op)) {
    Value variable = waiting[pend.getPhase() - 1];
    Value before = LLVM::LoadOp::create(builder, loc, builder.i64, variable);
    LLVM::StoreOp::create(builder, loc,
                          LLVM::OrOp::create(builder, loc, before,
                                             bitsOf(loc, pend.getMask())),
                          variable);
  } else if (auto result = dyn_cast<chan::ResultOp>(op)) {
    Value all = result.getValue();
    auto type = cast<VectorType>(all.getType()).getElementType();
    if (type != inMemory(type))
      all = LLVM::ZExtOp::create(builder, loc,
                                 VectorType::get(count, inMemory(type)), all);
    uint64_t size = elements.dataLayout.getTypeSize(inMemory(type));
    LLVM::MaskedStoreOp::create(builder, loc, all,
                                builder.element(loc, results, size, index),
                                result.getMask(),
                                builder.getI32IntegerAttr(size));
  } else if (isa<chan::DoneOp>(op)) {
    LLVM::BrOp::create(builder, loc, latch);
  } else {
    assert((isa<chan::DeqOp, chan::TfreeOp, chan::TallocOp, chan::SetOp>(op)) &&
           "every op of a phase is lowered");
  }
}

/// Children go side by side behind those that there are.
void Batches::lower(chan::EnqOp op) {
  Location loc = op.getLoc();
  auto talloc = op.getElement().getDefiningOp<chan::TallocOp>();
  const ElementLayout &layout = elements.layout(op.getElement());
  Value first = LLVM::LoadOp::create(builder, loc, builder.i64, childCount);
  for (Operation *user : talloc.getElement().getUsers()) {
    auto set = dyn_cast<chan::SetOp>(user);
    if (!set)
      continue;
    const ElementLayout::Field &field = layout.field(set.getField());
    Value all = set.getValue();
    if (inMemory(field.type) != field.type)
      all = LLVM::ZExtOp::create(
          builder, loc, VectorType::get(count, inMemory(field.type)), all);
    lanes.storePacked(
        loc, all, talloc.getMask(), first,
        [&](Value position) {
          return builder.element(loc, childFields[layout.index(field)],
                                 field.size, position);
        },
        field.alignment);
  }
  Value more = builder.extend(loc, lanes.popcount(loc, talloc.getMask()));
  LLVM::StoreOp::create(builder, loc,
                        LLVM::AddOp::create(builder, loc, first, more),
                        childCount);
  LLVM::StoreOp::create(builder, loc, bitsOf(loc, talloc.getMask()),
                        masks[*op.getSite()]);
  LLVM::StoreOp::create(builder, loc, first, starts[*op.getSite()]);
}

void Batches::lower(chan::ChildOp op) {
  Location loc = op.getLoc();
  auto load = [&](unsigned number) {
    return LLVM::LoadOp::create(builder, loc, builder.i64,
                                mark(loc, phaseCount - 1 + number));
  };
  Value mask = maskOf(loc, load(2 * op.getSite()));
  op.getSpawned().replaceAllUsesWith(mask);
  if (op.getValue().use_empty())
    return;
  auto type = cast<VectorType>(op.getValue().getType());
  Type element = inMemory(type.getElementType());
  uint64_t size = elements.dataLayout.getTypeSize(element);
  Value place =
      builder.element(loc, childResults, size, load(2 * op.getSite() + 1));
  Value all = lanes.loadUnpacked(loc, element, place, mask);
  if (element != type.getElementType())
    all = LLVM::TruncOp::create(builder, loc, type, all);
  op.getValue().replaceAllUsesWith(all);
}
