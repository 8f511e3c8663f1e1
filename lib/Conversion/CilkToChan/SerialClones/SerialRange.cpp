//===- SerialRange.cpp - The serial clone of a parallel loop --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clone of a range calls the body for grains of iterations, one by one:
//
//   __cilk_range.0(begin, end, grain)     from = begin
//     a short range calls the body   =>   while from != end: poll;
//     a long one spawns its parts           body(from, from + grain)
//                                           from += grain
//
//===----------------------------------------------------------------------===//

#include "SerialLowering.h"

using namespace mlir;
using namespace cilk2chan;

/// A range (CilkForToSpawn.cpp) goes through its iterations, as many at a time
/// as the grain says.  If a worker requests work, it leaves what remains to the
/// kernel.  Nothing remains beside the last iterations.  The stack ends in each
/// iteration where it did in the one before.
void SerialClones::Lowering::runAsRange(LLVM::LLVMFuncOp body) {
  Location loc = function.front().getTerminator()->getLoc();
  Region &region = function.getBody();
  SmallVector<Type> types(region.getArgumentTypes());
  SmallVector<Location> places(types.size(), loc);
  region.dropAllReferences();
  region.getBlocks().clear();
  Block *entry = builder.createBlock(&region, {}, types, places);
  Block *head = builder.createBlock(&region, region.end(), {i64}, {loc});
  Block *run = builder.createBlock(&region, region.end());
  Block *pollBlock = builder.createBlock(&region, region.end());
  Block *go = builder.createBlock(&region, region.end());
  Block *exit = builder.createBlock(&region, region.end());
  worker = entry->getArgument(0);
  Value end = entry->getArgument(2), grain = entry->getArgument(3);
  Value from = head->getArgument(0);
  ValueRange captures = ValueRange(entry->getArguments()).drop_front(4);

  builder.setInsertionPointToEnd(entry);
  Value begin = entry->getArgument(1);
  auto start = LLVM::BrOp::create(builder, loc, begin, head);
  countTask(start);
  builder.setInsertionPointToEnd(exit);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  builder.setInsertionPointToEnd(head);
  Value left = LLVM::SubOp::create(builder, loc, end, from);
  LLVM::CondBrOp::create(builder, loc,
                         LLVM::ICmpOp::create(builder, loc,
                                              LLVM::ICmpPredicate::ne, left,
                                              constant(loc, 0)),
                         run, exit);
  builder.setInsertionPointToEnd(run);
  Value size = LLVM::UMinOp::create(builder, loc, left, grain);
  Value to = LLVM::AddOp::create(builder, loc, from, size);
  Value isLast =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, to, end);
  LLVM::CondBrOp::create(builder, loc, isLast, go, pollBlock);
  builder.setInsertionPointToEnd(pollBlock);
  auto polled = LLVM::BrOp::create(builder, loc, go);
  builder.setInsertionPointToEnd(go);
  SmallVector<Value> args = {from, to};
  llvm::append_range(args, captures);
  LLVM::CallOp call = createCall(
      loc, body.getFunctionType(), FlatSymbolRefAttr::get(body), Value(),
      clones.calledFor(body.getName(), hasLoops), args, ArrayAttr());
  LLVM::BrOp::create(builder, loc, to, head);
  call.setAlwaysInline(call.getCallee() != body.getName());
  if (!call.getAlwaysInline()) {
    // One copy for the kernel and the clone is enough.
    call.setNoInline(true);
    original.walk([&](LLVM::CallOp same) {
      if (same.getCallee() == body.getName())
        same.setNoInline(true);
    });
  }

  Block *promoted =
      builder.createBlock(&region, region.end(), {pointer, i64}, {loc, loc});
  auto promoteIf = [&](Reason reason, Operation *before, StringRef runtimeCall,
                       Value first) {
    auto [levels, block] = poll(before, runtimeCall, {reason});
    LLVM::BrOp::create(builder, loc, ValueRange{levels, first}, promoted);
  };
  promoteIf(Reason::StackRunsOut, start, "chan_late_open_if_low", begin);
  promoteIf(Reason::WorkRequested, polled, "chan_late_open", from);
  builder.setInsertionPointToEnd(promoted);
  Value levels = promoted->getArgument(0);
  SmallVector<Value> remaining = {worker, promoted->getArgument(1), end, grain};
  llvm::append_range(remaining, captures);
  SmallVector<LoopObject, 2> objects =
      clones.loopObjects.lookup(function.getName());
  auto copy = [&](const LoopObject &object, Value to, Value from) {
    LLVM::MemcpyOp::create(builder, loc, to, from, constant(loc, object.size),
                           /*isVolatile=*/false);
  };
  for (const LoopObject &object : objects) {
    Value place = makeLocal(
        loc, LLVM::LLVMArrayType::get(builder.getI8Type(), object.size),
        object.alignment);
    copy(object, place, remaining[object.parameter]);
    remaining[object.parameter] = place;
  }
  chan::StackOp stack = clones.stacks.entry(original.getName());
  callRuntime(loc, (LatePrefix + stack.getSymName()).str(), nothing, remaining);
  callRuntime(loc, "chan_late_close", nothing, {worker, levels});
  for (const LoopObject &object : objects)
    copy(object, function.getArgument(object.parameter),
         remaining[object.parameter]);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  giveOwnSubprogram(function, function.getLoc());
}
