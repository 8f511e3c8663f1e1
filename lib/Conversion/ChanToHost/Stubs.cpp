//===- Stubs.cpp - C symbols that enter the runtime -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stubs.h"
#include "Descriptors.h"
#include "HostBuilder.h"

#include "cilk2chan/Conversion/RuntimeABI.h"
#include "cilk2chan/Support/Markers.h"

using namespace mlir;
using namespace cilk2chan;

/// Declares `chan_cloning`.
static void declareCloning(HostBuilder &builder) {
  if (builder.module.lookupSymbol(abi::cloning))
    return;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(builder.module.getBody());
  LLVM::GlobalOp::create(builder, builder.getUnknownLoc(), builder.pointer,
                         /*isConstant=*/false, LLVM::Linkage::External,
                         abi::cloning, /*value=*/Attribute(), /*alignment=*/0,
                         /*addrSpace=*/0, /*dsoLocal=*/false,
                         /*threadLocal=*/true);
}

/// A stub's way past the runtime: what is called from a clone is run by its own
/// clone, as if that call were known.  The builder is then where it is not.
static void callCloneIfCloning(chan::StackOp stack, LLVM::LLVMFuncOp stub,
                               HostBuilder &builder) {
  auto clone = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      stack, stack.getSerialAttr());
  declareCloning(builder);
  Location loc = stub.getLoc();
  Value place = LLVM::ThreadlocalAddressOp::create(
      builder, loc, builder.pointer, builder.address(loc, abi::cloning));
  Value worker = builder.load(loc, builder.pointer, place, 0);
  Value isCloning = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                         worker, builder.null(loc));
  Block *enter = stub.addBlock();
  Block *callClone = builder.createBlock(enter);
  builder.setInsertionPointToEnd(&stub.front());
  LLVM::CondBrOp::create(builder, loc, isCloning, callClone, enter);

  builder.setInsertionPointToEnd(callClone);
  SmallVector<Value> args = {worker};
  llvm::append_range(args, stub.getArguments());
  auto call = LLVM::CallOp::create(builder, loc, clone, args);
  call.setCConv(clone.getCConv());
  call.setArgAttrsAttr(clone.getArgAttrsAttr());
  // A copy here would be another to compile.
  call.setNoInline(!clone.getAlwaysInline());
  LLVM::ReturnOp::create(builder, loc, call.getResults());
  builder.setInsertionPointToEnd(enter);
}

static void createStub(chan::StackOp stack, const DataLayout &layout,
                       HostBuilder &builder) {
  // The debug location is that of the C function whose body this becomes.
  Location loc = builder.getUnknownLoc();
  auto type = *stack.getSignature();
  builder.setInsertionPointToEnd(builder.module.getBody());
  auto stub = LLVM::LLVMFuncOp::create(
      builder, loc, (StubPrefix + *stack.getFunction()).str(), type);
  builder.setInsertionPointToStart(stub.addEntryBlock(builder));

  ElementLayout element(stack, layout);
  Value one = builder.constant(loc, builder.i64, 1);
  auto memory = LLVM::LLVMArrayType::get(builder.getI8Type(),
                                         abi::blockHeader + element.getSize());
  Value block = LLVM::AllocaOp::create(builder, loc, builder.pointer, memory,
                                       one, abi::maxFieldAlignment);
  Type result = type.getReturnType();
  Value slot;
  if (!isa<LLVM::LLVMVoidType>(result))
    slot = LLVM::AllocaOp::create(builder, loc, builder.pointer, result, one);
  // Batches are better than clones.
  if (stack.getSerial() && !stack.getBatch())
    callCloneIfCloning(stack, stub, builder);

  builder.store(loc, builder.address(loc, stack.getSymName()), block,
                abi::blockChannel);
  for (int32_t number : {abi::blockCount, abi::blockCapacity})
    builder.store(loc, builder.constant(loc, builder.i32, 1), block, number);
  builder.store(loc, builder.null(loc), block, abi::blockNext);

  // In a block of one element, a field lies at its offset.
  auto place = [&](const ElementLayout::Field &field) {
    return builder.offset(loc, block, abi::blockHeader + field.offset);
  };
  for (BlockArgument argument : stub.getArguments()) {
    const auto &field =
        element.field(chan::parameterField(argument.getArgNumber()));
    if (field.type == argument.getType())
      LLVM::StoreOp::create(builder, loc, argument, place(field),
                            field.alignment);
    else
      builder.copy(loc, place(field), argument, field.size);
  }
  if (slot)
    LLVM::StoreOp::create(builder, loc, slot,
                          place(element.field(chan::ResultField)));
  builder.call(loc, "chan_run", builder.nothing, block);
  if (slot)
    LLVM::ReturnOp::create(builder, loc,
                           LLVM::LoadOp::create(builder, loc, result, slot));
  else
    LLVM::ReturnOp::create(builder, loc, ValueRange());
}

void cilk2chan::createStubs(ModuleOp module, const DataLayout &layout) {
  SmallVector<chan::StackOp> stacks(module.getOps<chan::StackOp>());
  HostBuilder builder(module);
  for (chan::StackOp stack : stacks)
    if (stack.getFunction())
      createStub(stack, layout, builder);
}
