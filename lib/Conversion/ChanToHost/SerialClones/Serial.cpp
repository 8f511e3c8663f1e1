//===- Serial.cpp - What serial clones need of the channels ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/ChanToHost/SerialClones/Serial.h"
#include "cilk2chan/Conversion/ChanToHost/Elements/Tallocs.h"
#include "cilk2chan/Conversion/ChanToHost/SerialClones/Polls.h"
#include "cilk2chan/Conversion/RuntimeInterface/ElementLayout.h"
#include "cilk2chan/Conversion/RuntimeInterface/HostBuilder.h"

#include "cilk2chan/Conversion/RuntimeInterface/CloneSymbols.h"
#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/Markers.h"

using namespace mlir;
using namespace cilk2chan;

/// `void (worker, block, element)`.
static void createEntry(chan::StackOp stack, bool isCalledElsewhere,
                        const TypeLayout &layout, HostBuilder &builder) {
  SymbolTable &symbols = builder.symbols.getSymbolTable(builder.module);
  auto clone = symbols.lookup<LLVM::LLVMFuncOp>(*stack.getSerial());
  Location loc = builder.getUnknownLoc();
  builder.setInsertionPoint(stack);
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, serialEntry(stack),
      LLVM::LLVMFunctionType::get(
          builder.nothing, {builder.pointer, builder.pointer, builder.i32}),
      LLVM::Linkage::Internal);
  if (auto source = functionAttribute(clone, SourceAttribute))
    function.setPassthroughAttr(builder.getArrayAttr(
        builder.getStrArrayAttr({SourceAttribute, *source})));
  symbols.insert(function);

  Block *entry = function.addEntryBlock(builder);
  builder.setInsertionPointToEnd(entry);
  Value block = entry->getArgument(1);
  Value index = builder.extend(loc, entry->getArgument(2));
  ElementLayout fields(stack, layout);
  SmallVector<Value> bases = fieldsOf(fields, block, builder, loc);
  auto place = [&](StringRef name) {
    const ElementLayout::Field &field = fields.field(name);
    return builder.element(loc, bases[fields.index(field)], field.size, index);
  };
  auto signature = *stack.getSignature();
  SmallVector<Value> args = {entry->getArgument(0)};
  for (auto [number, type] : llvm::enumerate(signature.getParams())) {
    std::string name = chan::parameterField(number);
    const ElementLayout::Field &field = fields.field(name);
    // Passed by value in memory: the block is that memory, for this element.
    args.push_back(field.type == type
                       ? LLVM::LoadOp::create(builder, loc, type, place(name),
                                              field.alignment)
                             .getResult()
                       : place(name));
  }
  Value slot;
  if (stack.getFieldType(chan::ResultField))
    slot = LLVM::LoadOp::create(builder, loc, builder.pointer,
                                place(chan::ResultField));
  auto call = LLVM::CallOp::create(builder, loc, clone, args);
  call.setCConv(clone.getCConv());
  call.setArgAttrsAttr(clone.getArgAttrsAttr());
  // A copy here would be another to compile.
  call.setNoInline(isCalledElsewhere && !clone.getAlwaysInline());
  if (slot) {
    Value wanted = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                        slot, builder.null(loc));
    Block *deliver = function.addBlock(), *exit = function.addBlock();
    LLVM::CondBrOp::create(builder, loc, wanted, deliver, exit);
    builder.setInsertionPointToEnd(deliver);
    LLVM::StoreOp::create(builder, loc, call.getResult(), slot,
                          /*alignment=*/1);
    LLVM::BrOp::create(builder, loc, exit);
    builder.setInsertionPointToEnd(exit);
  }
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

/// `void (worker, [callee,] args..., [slot])`, compiled as the kernel is: both
/// pass the same things.
static void createLate(LLVM::LLVMFuncOp function, chan::KernelOp kernel,
                       chan::StackOp stack, const TypeLayout &layout,
                       HostBuilder &builder) {
  Location loc = builder.getUnknownLoc();
  if (auto source = kernel.getSource())
    function.setPassthroughAttr(builder.getArrayAttr(
        builder.getStrArrayAttr({SourceAttribute, *source})));
  function.setLinkage(LLVM::Linkage::Internal);
  function.setNoInline(true);
  builder.setInsertionPointToEnd(function.addEntryBlock(builder));
  Value worker = function.getArgument(0);
  ElementLayout fields(stack, layout);
  unsigned argument = 1;
  Value own = builder.address(loc, stack.getSymName());
  Value channel = own, callee;
  if (stack.getFieldType(chan::CalleeField)) {
    callee = function.getArgument(argument++);
    channel = builder.call(
        loc, "chan_resolve", builder.pointer,
        {callee,
         builder.constant(loc, builder.i64, signatureHash(stack, layout)),
         own});
  }
  Value block =
      builder.call(loc, "chan_talloc", builder.pointer,
                   {worker, channel, builder.constant(loc, builder.i32, 1)});
  Value count = builder.load(loc, builder.i32, block, abi::blockCount);
  Value index = builder.extend(loc, count);
  SmallVector<Value> bases = fieldsOf(fields, block, builder, loc);
  auto fill = [&](StringRef name, Value value) {
    const ElementLayout::Field &field = fields.field(name);
    Value place =
        builder.element(loc, bases[fields.index(field)], field.size, index);
    if (field.type == value.getType())
      LLVM::StoreOp::create(builder, loc, value, place, field.alignment);
    else
      builder.copy(loc, place, value, field.size);
  };
  unsigned results = stack.getFieldType(chan::ResultField) ? 1 : 0;
  unsigned parameters = function.getNumArguments() - argument - results;
  for (unsigned i = 0; i != parameters; ++i)
    fill(chan::parameterField(i), function.getArgument(argument++));
  if (results)
    fill(chan::ResultField, function.getArgument(argument));
  builder.store(loc,
                LLVM::AddOp::create(builder, loc, count,
                                    builder.constant(loc, builder.i32, 1)),
                block, abi::blockCount);
  Block *end = builder.getInsertionBlock();
  if (callee) {
    // Only this module's own stack has the field `callee`.
    Value isOwn = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                       channel, own);
    Block *before = end;
    end = function.addBlock();
    Block *setCallee = builder.createBlock(end);
    fill(chan::CalleeField, callee);
    LLVM::BrOp::create(builder, loc, end);
    builder.setInsertionPointToEnd(before);
    LLVM::CondBrOp::create(builder, loc, isOwn, setCallee, end);
  }
  builder.setInsertionPointToEnd(end);
  builder.call(loc, "chan_late_spawned", builder.nothing, worker);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

/// Where the slow path of a clone goes on beside its children.
static void addPolls(LLVM::LLVMFuncOp clone, HostBuilder &builder) {
  auto calls = [](Operation &op, StringRef prefix) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    return call && call.getCallee() && call.getCallee()->starts_with(prefix);
  };
  auto enqueuesChild = [&](Operation &op) { return calls(op, LatePrefix); };
  for (Operation *op : findPolls(clone.getBody(), enqueuesChild)) {
    if (enqueuesChild(*op) || calls(*op, "chan_"))
      continue;
    builder.setInsertionPoint(op);
    builder.call(op->getLoc(), "chan_poll", builder.nothing,
                 clone.getArgument(0));
  }
}

void cilk2chan::createSerialFunctions(ModuleOp module,
                                      const TypeLayout &layout) {
  HostBuilder builder(module);
  SymbolTable &symbols = builder.symbols.getSymbolTable(module);
  SmallVector<chan::KernelOp> kernels(module.getOps<chan::KernelOp>());
  llvm::DenseSet<StringRef> called;
  module.walk([&](LLVM::CallOp call) {
    if (call.getCallee())
      called.insert(*call.getCallee());
  });
  for (chan::KernelOp kernel : kernels) {
    if (kernel.getPhase())
      continue;
    auto stack = symbols.lookup<chan::StackOp>(kernel.getConsumes());
    if (auto serial = stack.getSerial()) {
      createEntry(stack, called.contains(*serial), layout, builder);
      addPolls(symbols.lookup<LLVM::LLVMFuncOp>(*serial), builder);
      if (auto rest =
              symbols.lookup<LLVM::LLVMFuncOp>((*serial + BodySuffix).str()))
        addPolls(rest, builder);
    }
    if (auto late = symbols.lookup<LLVM::LLVMFuncOp>(
            (LatePrefix + stack.getSymName()).str()))
      createLate(late, kernel, stack, layout, builder);
  }
}
