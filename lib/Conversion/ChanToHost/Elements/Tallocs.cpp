//===- Tallocs.cpp - Elements, and how they are allocated -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/ChanToHost/Elements/Tallocs.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Conversion/Tuning.h"

using namespace mlir;
using namespace cilk2chan;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Elements::Elements(ModuleOp module, const TypeLayout &layout)
    : dataLayout(layout) {
  for (auto stack : module.getOps<chan::StackOp>()) {
    stacks[stack.getSymName()] = stack;
    layouts.try_emplace(stack.getSymName(), stack, layout);
  }
}

const ElementLayout &Elements::layout(Value element) const {
  auto stack = cast<chan::ElementType>(element.getType()).getStack();
  return layout(stack.getValue());
}

SmallVector<Value> cilk2chan::fieldsOf(const ElementLayout &layout, Value block,
                                       HostBuilder &builder, Location loc) {
  // From those of the field before it: `callee` may lie behind a gap.
  SmallVector<Value> fields;
  Value capacity;
  for (const ElementLayout::Field &field : layout.getFields()) {
    if (fields.empty()) {
      fields.push_back(builder.offset(loc, block, abi::blockHeader));
    } else {
      if (!capacity)
        capacity = builder.extend(
            loc, builder.load(loc, builder.i32, block, abi::blockCapacity));
      uint64_t bytes = field.offset - (&field - 1)->offset;
      fields.push_back(builder.element(loc, fields.back(), bytes, capacity));
    }
  }
  return fields;
}

//===----------------------------------------------------------------------===//
// Tallocs
//===----------------------------------------------------------------------===//

void Tallocs::beginKernel(LLVM::LLVMFuncOp function,
                          ArrayRef<chan::TallocOp> tallocs) {
  kernel = function;
  channels[0] = channels[1] = {};
  lists[0] = lists[1] = {};
  auto own = [](chan::TallocOp op) { return !op.getTarget(); };
  many = llvm::count_if(tallocs, own) > tuning::mostInlineTallocs;
  if (many)
    return;
  // They stay where they are while the kernel runs.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(kernel.front().getTerminator());
  for (chan::TallocOp op : llvm::make_filter_range(tallocs, own))
    if (Value &list = lists[op.getLevel()]; !list)
      list = listAt(kernel.getLoc(), kernel.getArgument(0), op.getLevel());
}

/// Where the worker's level, or the one below it, has the block that fills.
Value Tallocs::listAt(Location loc, Value worker, unsigned relative) {
  Value level = builder.load(loc, builder.pointer, worker, abi::workerLevel);
  if (relative == 0)
    return builder.offset(loc, level, abi::levelContinuations);
  Value deeper = builder.load(loc, builder.pointer, level, abi::levelDeeper);
  return builder.offset(loc, deeper, abi::levelEntries);
}

/// The fast path of talloc (chan/abi.h): room in the block that fills.
Tallocs::Room Tallocs::findRoom(Location loc, Value worker, Value list,
                                Value channel, unsigned relative) {
  Value filling = builder.load(loc, builder.pointer, list, 0);
  Value same = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::eq,
      builder.load(loc, builder.pointer, filling, abi::blockChannel), channel);
  Value count = builder.load(loc, builder.i32, filling, abi::blockCount);
  Value room = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::ne, count,
      builder.load(loc, builder.i32, filling, abi::blockCapacity));
  Value fast = LLVM::AndOp::create(builder, loc, same, room);

  Block *before = builder.getInsertionBlock();
  Block *after = builder.splitHere();
  Room result(after->addArgument(builder.pointer, loc),
              after->addArgument(builder.i32, loc));
  Block *slow = builder.createBlock(after);
  Value made = builder.call(
      loc, "chan_talloc", builder.pointer,
      {worker, channel, builder.constant(loc, builder.i32, relative)});
  LLVM::BrOp::create(
      builder, loc,
      ValueRange{made, builder.load(loc, builder.i32, made, abi::blockCount)},
      after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, fast, after, ValueRange{filling, count},
                         slow, ValueRange(), HostBuilder::likely);
  builder.setInsertionPointToStart(after);
  return result;
}

/// Creates a function in front of the kernel that returns the block of the room
/// that `body` finds, given the worker and a second pointer.
LLVM::LLVMFuncOp
Tallocs::createFunction(const Twine &name, unsigned level,
                        function_ref<Room(Value, Value)> body) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = builder.getUnknownLoc();
  builder.setInsertionPoint(kernel);
  auto type = LLVM::LLVMFunctionType::get(builder.pointer,
                                          {builder.pointer, builder.pointer});
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, (name + ".talloc" + Twine(level)).str(), type,
      LLVM::Linkage::Internal);
  function.setNoInline(true);
  function.setPassthroughAttr(kernel.getPassthroughAttr());
  builder.symbols.getSymbolTable(builder.module).insert(function);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  // Blocks are split in front of something.
  auto end = LLVM::UnreachableOp::create(builder, loc);
  builder.setInsertionPoint(end);
  Room room = body(entry->getArgument(0), entry->getArgument(1));
  LLVM::ReturnOp::create(builder, loc, room.first);
  end.erase();
  return function;
}

/// What the kernel calls with a channel to find a block of it.
LLVM::LLVMFuncOp Tallocs::forChannel(unsigned level) {
  if (!channels[level])
    channels[level] = createFunction(
        kernel.getName(), level, [&](Value worker, Value channel) {
          Location loc = builder.getUnknownLoc();
          Value list = listAt(loc, worker, level);
          return findRoom(loc, worker, list, channel, level);
        });
  return channels[level];
}

/// What kernels call with the address of a callee to find a block of its
/// channel, or of this module's own one for calls like it, in which the callee
/// is set.
LLVM::LLVMFuncOp Tallocs::forCallee(chan::TallocOp op) {
  StringRef stack = op.getElement().getType().getStack().getValue();
  unsigned level = op.getLevel();
  LLVM::LLVMFuncOp &known = callees[level][stack];
  if (!known)
    known = createFunction(stack, level, [&](Value worker, Value callee) {
      return findRoomFor(callee, worker, elements.stack(stack), level);
    });
  return known;
}

Tallocs::Room Tallocs::findRoomFor(Value callee, Value worker,
                                   chan::StackOp stack, unsigned level) {
  Location loc = builder.getUnknownLoc();
  Value own = builder.address(loc, stack.getSymName());
  Value signature = builder.constant(loc, builder.i64,
                                     signatureHash(stack, elements.dataLayout));
  Value channel = builder.call(loc, "chan_resolve", builder.pointer,
                               {callee, signature, own});
  Room room = findRoom(loc, worker, listAt(loc, worker, level), channel, level);

  // Only this module's own stack has the field `callee`.
  Value isOwn =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, channel, own);
  Block *before = builder.getInsertionBlock();
  Block *after = builder.splitHere();
  Block *setCallee = builder.createBlock(after);
  const ElementLayout &layout = elements.layout(stack.getSymName());
  const ElementLayout::Field &field = layout.field(chan::CalleeField);
  Value values =
      fieldsOf(layout, room.first, builder, loc)[layout.index(field)];
  Value index = builder.extend(loc, room.second);
  LLVM::StoreOp::create(builder, loc, callee,
                        builder.element(loc, values, field.size, index),
                        field.alignment);
  LLVM::BrOp::create(builder, loc, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, isOwn, setCallee, after);
  builder.setInsertionPointToStart(after);
  return room;
}

ElementPlace Tallocs::lower(chan::TallocOp op) {
  Location loc = op.getLoc();
  Value worker = kernel.getArgument(0);
  unsigned level = op.getLevel();
  auto call = [&](LLVM::LLVMFuncOp function, Value what) {
    Value block =
        LLVM::CallOp::create(builder, loc, function, ValueRange{worker, what})
            .getResult();
    return Room(block, builder.load(loc, builder.i32, block, abi::blockCount));
  };
  Room room;
  if (Value target = op.getTarget()) {
    room = call(forCallee(op), target);
  } else {
    Value channel =
        builder.address(loc, op.getElement().getType().getStack().getValue());
    room = many ? call(forChannel(level), channel)
                : findRoom(loc, worker, lists[level], channel, level);
  }
  auto [block, count] = room;
  return {block, builder.extend(loc, count), count,
          fieldsOf(elements.layout(op.getElement()), block, builder, loc)};
}
