//===- Stubs.cpp - C symbols that enter the runtime -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stubs.h"
#include "Descriptors.h"

#include "cilk2chan/Conversion/RuntimeABI.h"
#include "cilk2chan/Support/Markers.h"

#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cilk2chan;

static void createStub(chan::StackOp stack, ModuleOp module,
                       const DataLayout &layout) {
  // The debug location is that of the C function whose body this becomes.
  Location loc = UnknownLoc::get(module.getContext());
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  auto nothing = LLVM::LLVMVoidType::get(module.getContext());
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  LLVM::LLVMFuncOp run =
      *LLVM::lookupOrCreateFn(builder, module, "chan_run", pointer, nothing);
  auto type = *stack.getSignature();
  auto stub = LLVM::LLVMFuncOp::create(
      builder, loc, (StubPrefix + *stack.getFunction()).str(), type);
  builder.setInsertionPointToStart(stub.addEntryBlock(builder));

  auto constant = [&](Type type, int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, type,
                                    builder.getIntegerAttr(type, value));
  };
  ElementLayout element(stack, layout);
  Value one = constant(i64, 1);
  auto memory = LLVM::LLVMArrayType::get(builder.getI8Type(),
                                         abi::blockHeader + element.getSize());
  Value block = LLVM::AllocaOp::create(builder, loc, pointer, memory, one,
                                       abi::maxFieldAlignment);
  Type result = type.getReturnType();
  Value slot;
  if (!isa<LLVM::LLVMVoidType>(result))
    slot = LLVM::AllocaOp::create(builder, loc, pointer, result, one);

  auto at = [&](int64_t bytes) -> Value {
    if (bytes == 0)
      return block;
    return LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(),
                               block, ArrayRef<LLVM::GEPArg>{int32_t(bytes)},
                               LLVM::GEPNoWrapFlags::inbounds);
  };
  auto store = [&](Value value, int64_t bytes) {
    LLVM::StoreOp::create(builder, loc, value, at(bytes));
  };
  store(LLVM::AddressOfOp::create(builder, loc, pointer, stack.getSymName()),
        abi::blockChannel);
  store(constant(i32, 1), abi::blockCount);
  store(constant(i32, 1), abi::blockCapacity);
  store(LLVM::ZeroOp::create(builder, loc, pointer), abi::blockNext);

  // In a block of one element, a field lies at its offset.
  auto place = [&](const ElementLayout::Field &field) {
    return at(abi::blockHeader + field.offset);
  };
  for (BlockArgument argument : stub.getArguments()) {
    const auto &field =
        element.field(chan::parameterField(argument.getArgNumber()));
    if (field.type == argument.getType())
      LLVM::StoreOp::create(builder, loc, argument, place(field),
                            field.alignment);
    else
      LLVM::MemcpyOp::create(builder, loc, place(field), argument,
                             constant(i64, field.size), /*isVolatile=*/false);
  }
  if (slot)
    LLVM::StoreOp::create(builder, loc, slot,
                          place(element.field(chan::ResultField)));
  LLVM::CallOp::create(builder, loc, run, block);
  if (slot)
    LLVM::ReturnOp::create(builder, loc,
                           LLVM::LoadOp::create(builder, loc, result, slot));
  else
    LLVM::ReturnOp::create(builder, loc, ValueRange());
}

void cilk2chan::createStubs(ModuleOp module, const DataLayout &layout) {
  SmallVector<chan::StackOp> stacks(module.getOps<chan::StackOp>());
  for (chan::StackOp stack : stacks)
    if (stack.getFunction())
      createStub(stack, module, layout);
}
