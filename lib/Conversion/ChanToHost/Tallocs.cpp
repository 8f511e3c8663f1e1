//===- Tallocs.cpp - Elements, and how they are allocated -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tallocs.h"

#include "cilk2chan/Conversion/RuntimeABI.h"

using namespace mlir;
using namespace cilk2chan;

/// Tallocs of a kernel beyond which a call for each is better than the code for
/// each: what it takes LLVM to allocate registers grows with its square.
static constexpr unsigned mostInline = 16;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Elements::Elements(ModuleOp module, const DataLayout &layout)
    : dataLayout(layout) {
  for (auto stack : module.getOps<chan::StackOp>()) {
    stacks[stack.getSymName()] = stack;
    layouts.try_emplace(stack.getSymName(), stack, layout);
  }
}

const ElementLayout &Elements::layout(Value element) const {
  auto stack = cast<chan::ElementType>(element.getType()).getStack();
  return layouts.find(stack.getValue())->second;
}

SmallVector<Value> cilk2chan::fieldsOf(const ElementLayout &layout, Value block,
                                       Value capacity, HostBuilder &builder,
                                       Location loc) {
  // Each field's values begin where those of the field before it end.
  SmallVector<Value> fields;
  Value end = builder.offset(loc, block, abi::blockHeader);
  for (const ElementLayout::Field &field : layout.getFields()) {
    fields.push_back(end);
    if (&field != &layout.getFields().back())
      end = builder.element(loc, end, field.size, capacity);
  }
  return fields;
}

//===----------------------------------------------------------------------===//
// Tallocs
//===----------------------------------------------------------------------===//

void Tallocs::beginKernel(LLVM::LLVMFuncOp function,
                          ArrayRef<chan::TallocOp> tallocs) {
  kernel = function;
  many = llvm::count_if(tallocs, [](chan::TallocOp op) {
           return !op.getTarget();
         }) > mostInline;
  channels[0] = channels[1] = {};
}

/// The fast path of talloc (chan/abi.h): room in the block that fills.
Value Tallocs::findBlock(Location loc, Value worker, Value channel,
                         unsigned relative) {
  Value level = builder.load(loc, builder.pointer, worker, abi::workerLevel);
  Value list;
  if (relative == 1)
    list = builder.load(
        loc, builder.pointer,
        builder.load(loc, builder.pointer, level, abi::levelDeeper),
        abi::levelEntries);
  else
    list = builder.load(loc, builder.pointer, level, abi::levelContinuations);
  auto read = [&](Type type, int64_t at) {
    return builder.load(loc, type, list, at);
  };
  Value same =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                           read(builder.pointer, abi::blockChannel), channel);
  Value room = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                    read(builder.i32, abi::blockCount),
                                    read(builder.i32, abi::blockCapacity));
  Value fast = LLVM::AndOp::create(builder, loc, same, room);

  Block *before = builder.getInsertionBlock();
  Block *after = builder.splitHere();
  Value block = after->addArgument(builder.pointer, loc);
  Block *slow = builder.createBlock(after);
  Value made = builder.call(
      loc, "chan_talloc", builder.pointer,
      {worker, channel, builder.constant(loc, builder.i32, relative)});
  LLVM::BrOp::create(builder, loc, made, after);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, fast, after, ValueRange(list), slow,
                         ValueRange(), std::make_pair(2000, 1));
  builder.setInsertionPointToStart(after);
  return block;
}

/// Creates a function that `body` makes return a block, given the worker and a
/// second pointer, in front of the kernel.
LLVM::LLVMFuncOp
Tallocs::createFunction(const Twine &name,
                        function_ref<Value(Value, Value)> body) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = builder.getUnknownLoc();
  builder.setInsertionPoint(kernel);
  auto type = LLVM::LLVMFunctionType::get(builder.pointer,
                                          {builder.pointer, builder.pointer});
  auto function = LLVM::LLVMFuncOp::create(builder, loc, name.str(), type,
                                           LLVM::Linkage::Internal);
  function.setNoInline(true);
  function.setPassthroughAttr(kernel.getPassthroughAttr());
  builder.symbols.getSymbolTable(builder.module).insert(function);
  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  // Blocks are split in front of something.
  auto end = LLVM::UnreachableOp::create(builder, loc);
  builder.setInsertionPoint(end);
  Value block = body(entry->getArgument(0), entry->getArgument(1));
  LLVM::ReturnOp::create(builder, loc, block);
  end.erase();
  return function;
}

/// What the kernel calls with a channel to find a block of it.
LLVM::LLVMFuncOp Tallocs::forChannel(unsigned level) {
  if (!channels[level])
    channels[level] = createFunction(
        kernel.getName() + ".talloc" + Twine(level),
        [&](Value worker, Value channel) {
          return findBlock(builder.getUnknownLoc(), worker, channel, level);
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
  if (known)
    return known;
  Location loc = builder.getUnknownLoc();
  const ElementLayout &layout = elements.layout(op.getElement());
  return known = createFunction(
             stack + ".talloc" + Twine(level), [&](Value worker, Value callee) {
               Value own = builder.address(loc, stack);
               Value signature = builder.constant(
                   loc, builder.i64,
                   signatureHash(elements.stack(stack), elements.dataLayout));
               Value channel =
                   builder.call(loc, "chan_resolve", builder.pointer,
                                {callee, signature, own});
               Value block = findBlock(loc, worker, channel, level);

               // Only this module's own stack has the field `callee`.
               Value isOwn = LLVM::ICmpOp::create(
                   builder, loc, LLVM::ICmpPredicate::eq, channel, own);
               Block *before = builder.getInsertionBlock();
               Block *after = builder.splitHere();
               Block *setCallee = builder.createBlock(after);
               auto read = [&](int64_t at) {
                 return builder.extend(
                     loc, builder.load(loc, builder.i32, block, at));
               };
               SmallVector<Value> fields = fieldsOf(
                   layout, block, read(abi::blockCapacity), builder, loc);
               const auto &field = layout.field(chan::CalleeField);
               LLVM::StoreOp::create(
                   builder, loc, callee,
                   builder.element(loc, fields[layout.index(field)], field.size,
                                   read(abi::blockCount)),
                   field.alignment);
               LLVM::BrOp::create(builder, loc, after);
               builder.setInsertionPointToEnd(before);
               LLVM::CondBrOp::create(builder, loc, isOwn, setCallee, after);
               builder.setInsertionPointToStart(after);
               return block;
             });
}

ElementPlace Tallocs::lower(chan::TallocOp op) {
  Location loc = op.getLoc();
  Value worker = kernel.getArgument(0);
  auto call = [&](LLVM::LLVMFuncOp function, Value what) {
    return LLVM::CallOp::create(builder, loc, function,
                                ValueRange{worker, what})
        .getResult();
  };
  Value block;
  if (Value target = op.getTarget()) {
    block = call(forCallee(op), target);
  } else {
    Value channel =
        builder.address(loc, op.getElement().getType().getStack().getValue());
    block = many ? call(forChannel(op.getLevel()), channel)
                 : findBlock(loc, worker, channel, op.getLevel());
  }
  auto read = [&](int64_t at) {
    return builder.extend(loc, builder.load(loc, builder.i32, block, at));
  };
  Value index = read(abi::blockCount);
  const ElementLayout &layout = elements.layout(op.getElement());
  return {block, index,
          fieldsOf(layout, block, read(abi::blockCapacity), builder, loc)};
}
