//===- Stubs.cpp - C symbols that enter the runtime -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/RuntimeInterface/Stubs.h"
#include "cilk2chan/Conversion/RuntimeInterface/CloneSymbols.h"
#include "cilk2chan/Conversion/RuntimeInterface/ElementLayout.h"
#include "cilk2chan/Conversion/RuntimeInterface/HostBuilder.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Support/Beginning.h"
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

/// What is left to do for a clone: the call of it, or, behind its guard, of its
/// rest.
struct CloneCall {
  LLVM::LLVMFuncOp callee;
  /// The first is the worker.
  SmallVector<Value> operands;
};

/// Whether a kernel may begin once more where control comes to `rest`.
static bool mayBeginAgain(LLVM::LLVMFuncOp clone, LLVM::CallOp rest) {
  Beginning beginning;
  for (Block &block : clone)
    if (&block == rest->getBlock() || block.isReachable(rest->getBlock()))
      for (Operation &op : block)
        if (&op != rest && !beginning.add(&op))
          return false;
  return true;
}

/// Begins `stub` with the guard of `clone`, which needs no worker: what spawns
/// nothing does not enter the runtime.  The builder is then where it is to.
/// Without the guard if that has stored what is not to be stored once more.
static CloneCall beginWithGuard(LLVM::LLVMFuncOp clone, LLVM::LLVMFuncOp stub,
                                HostBuilder &builder) {
  CloneCall whole{clone, {builder.null(stub.getLoc())}};
  llvm::append_range(whole.operands, stub.getArguments());
  LLVM::CallOp rest = callOfRest(clone);
  if (!rest || !mayBeginAgain(clone, rest))
    return whole;
  IRMapping mapping;
  mapping.map(clone.getArguments(), whole.operands);
  clone.getBody().cloneInto(&stub.getBody(), mapping);
  LLVM::BrOp::create(builder, stub.getLoc(), mapping.lookup(&clone.front()));
  CloneCall left{SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
                     clone, rest.getCalleeAttr()),
                 {}};
  for (Value operand : rest.getArgOperands())
    left.operands.push_back(mapping.lookup(operand));
  Block *enter = mapping.lookup(rest->getBlock());
  enter->getTerminator()->erase();
  mapping.lookup(rest)->erase();
  stub.walk([&](Operation *op) {
    // They are those of another function.
    op->setLoc(stub.getLoc());
    if (isa<LLVM::DbgValueOp, LLVM::DbgDeclareOp, LLVM::DbgLabelOp>(op))
      op->erase();
  });
  builder.setInsertionPointToEnd(enter);
  return left;
}

/// A stub's way past the runtime: what is called from a clone is run by its own
/// clone, as if that call were known.  The builder is then where it is not.
static void callCloneIfCloning(CloneCall made, LLVM::LLVMFuncOp stub,
                               HostBuilder &builder) {
  declareCloning(builder);
  Location loc = stub.getLoc();
  Value place = LLVM::ThreadlocalAddressOp::create(
      builder, loc, builder.pointer, builder.address(loc, abi::cloning));
  Value isCloning = LLVM::ICmpOp::create(
      builder, loc, LLVM::ICmpPredicate::ne,
      builder.load(loc, builder.pointer, place, 0), builder.null(loc));
  Block *before = builder.getInsertionBlock();
  Block *enter = stub.addBlock();
  Block *callClone = builder.createBlock(enter);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, isCloning, callClone, enter);

  builder.setInsertionPointToEnd(callClone);
  // Volatile: if one load did for both, the worker's register, which is this
  // function's caller's, would be saved in front of the guard.
  made.operands[0] = LLVM::LoadOp::create(builder, loc, builder.pointer, place,
                                          /*alignment=*/0, /*isVolatile=*/true);
  auto call = LLVM::CallOp::create(builder, loc, made.callee, made.operands);
  call.setCConv(made.callee.getCConv());
  call.setArgAttrsAttr(made.callee.getArgAttrsAttr());
  LLVM::ReturnOp::create(builder, loc, call.getResults());
  builder.setInsertionPointToEnd(enter);
}

/// Ends `from` with a call of what an element of `stack` is to be run by, a
/// function of its own: what needs no element needs no memory for one.
static LLVM::LLVMFuncOp callRun(chan::StackOp stack, LLVM::LLVMFuncOp from,
                                HostBuilder &builder) {
  Location loc = from.getLoc();
  StringRef source = *stack.getFunction();
  LLVM::LLVMFuncOp run;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(from);
    run = LLVM::LLVMFuncOp::create(builder, loc, (source + RunSuffix).str(),
                                   from.getFunctionType(),
                                   LLVM::Linkage::Internal);
  }
  run.setPassthroughAttr(
      builder.getArrayAttr(builder.getStrArrayAttr({SourceAttribute, source})));
  run.setNoInline(true);
  auto call = LLVM::CallOp::create(builder, loc, run, from.getArguments());
  LLVM::ReturnOp::create(builder, loc, call.getResults());
  return run;
}

/// Lets `function` run one element of `stack`, made of its arguments, on the C
/// stack.
static void runElement(chan::StackOp stack, LLVM::LLVMFuncOp function,
                       const TypeLayout &layout, HostBuilder &builder) {
  Location loc = function.getLoc();
  ElementLayout element(stack, layout);
  Value one = builder.constant(loc, builder.i64, 1);
  auto memory = LLVM::LLVMArrayType::get(builder.getI8Type(),
                                         abi::blockHeader + element.getSize());
  Value block = LLVM::AllocaOp::create(builder, loc, builder.pointer, memory,
                                       one, abi::maxFieldAlignment);
  Type result = function.getFunctionType().getReturnType();
  Value slot;
  if (!isa<LLVM::LLVMVoidType>(result))
    slot = LLVM::AllocaOp::create(builder, loc, builder.pointer, result, one);

  builder.store(loc, builder.address(loc, stack.getSymName()), block,
                abi::blockChannel);
  for (int32_t number : {abi::blockCount, abi::blockCapacity})
    builder.store(loc, builder.constant(loc, builder.i32, 1), block, number);
  builder.store(loc, builder.null(loc), block, abi::blockNext);

  // In a block of one element, a field lies at its offset.
  auto place = [&](const ElementLayout::Field &field) {
    return builder.offset(loc, block, abi::blockHeader + field.offset);
  };
  for (BlockArgument argument : function.getArguments()) {
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

static void createStub(chan::StackOp stack, const TypeLayout &layout,
                       HostBuilder &builder) {
  // The debug location is that of the C function whose body this becomes.
  Location loc = builder.getUnknownLoc();
  builder.setInsertionPointToEnd(builder.module.getBody());
  auto stub = LLVM::LLVMFuncOp::create(
      builder, loc, (StubPrefix + *stack.getFunction()).str(),
      *stack.getSignature());
  builder.setInsertionPointToStart(stub.addEntryBlock(builder));
  if (auto serial = stack.getSerialAttr()) {
    CloneCall clone = beginWithGuard(
        SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(stack, serial),
        stub, builder);
    // Batches are better than clones.
    if (!mayBatch(stack))
      callCloneIfCloning(std::move(clone), stub, builder);
    LLVM::LLVMFuncOp run = callRun(stack, stub, builder);
    builder.setInsertionPointToStart(run.addEntryBlock(builder));
    runElement(stack, run, layout, builder);
  } else {
    runElement(stack, stub, layout, builder);
  }
}

void cilk2chan::createStubs(ModuleOp module, const TypeLayout &layout) {
  SmallVector<chan::StackOp> stacks(module.getOps<chan::StackOp>());
  HostBuilder builder(module);
  for (chan::StackOp stack : stacks)
    if (stack.getFunction())
      createStub(stack, layout, builder);
}
