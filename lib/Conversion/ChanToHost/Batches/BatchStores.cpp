//===- BatchStores.cpp - Results that are stored as they are --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result handler that does nothing but store each result where the spawn has
// said needs no lanes: results and destinations stand side by side, whichever
// lane they are for.  Processors scatter no faster than they store one after
// another, and no lane needs to find its own result.
//
//===----------------------------------------------------------------------===//

#include "ChildResults.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"

using namespace mlir;
using namespace cilk2chan;

Type cilk2chan::typeOfStores(chan::KernelOp kernel) {
  if (!llvm::hasSingleElement(kernel.getBody()))
    return {};
  LLVM::masked_scatter scatter;
  for (Operation &op : kernel.getBody().front()) {
    if (auto found = dyn_cast<LLVM::masked_scatter>(op); found && !scatter)
      scatter = found;
    else if (!isa<chan::DeqOp, chan::ChildOp, chan::DestinationOp,
                  chan::TfreeOp, chan::DoneOp>(op) &&
             !(isa<chan::LocalOp>(op) && op.use_empty()))
      return {};
  }
  // From nowhere else, and with no other mask.
  if (!scatter || !scatter.getValue().getDefiningOp<chan::ChildOp>())
    return {};
  return cast<VectorType>(scatter.getValue().getType()).getElementType();
}

/// for (last = first; last < end && records[last] is of this site; ++last)
///   count the results;
/// store so many from where those before have ended
void cilk2chan::createStores(PhaseFunction &phase, Type type) {
  HostBuilder &builder = phase.builder;
  chan::KernelOp kernel = phase.kernel;
  LLVM::LLVMFuncOp function = phase.function;
  Location loc = kernel.getLoc();
  Region &body = function.getBody();
  auto addBlock = [&](unsigned arguments) {
    SmallVector<Type> types(arguments, builder.i64);
    SmallVector<Location> locations(arguments, loc);
    return builder.createBlock(&body, body.end(), types, locations);
  };
  auto isLess = [&](Value value, Value than) -> Value {
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, value,
                                than);
  };
  auto add = [&](Value value, Value more) -> Value {
    return LLVM::AddOp::create(builder, loc, value, more);
  };
  Block *entry = function.addEntryBlock(builder);
  // Of the next record; where its results begin.
  Block *next = addBlock(2), *isOfSite = addBlock(0), *own = addBlock(0);
  // Of the next result.
  Block *each = addBlock(1), *stores = addBlock(0), *exit = addBlock(0);

  builder.setInsertionPointToEnd(entry);
  Value batch = function.getArgument(1);
  Value one = builder.constant(loc, builder.i64, 1);
  Value end = builder.extend(loc, function.getArgument(3));
  Value from = builder.extend(
      loc, builder.load(loc, builder.i32, batch, abi::batchHandled));
  Value spawned = phase.field(loc, abi::batchSpawned);
  Value destinations = phase.field(loc, abi::batchDestinations);
  Value childResults = phase.field(loc, abi::batchChildResults);
  LLVM::BrOp::create(
      builder, loc,
      ValueRange{builder.extend(loc, function.getArgument(2)), from}, next);

  builder.setInsertionPointToEnd(next);
  Value number = next->getArgument(0), to = next->getArgument(1);
  LLVM::CondBrOp::create(builder, loc, isLess(number, end), isOfSite,
                         ValueRange(), each, from);

  builder.setInsertionPointToEnd(isOfSite);
  Value record = builder.element(loc, spawned, abi::spawnedSize, number);
  LLVM::CondBrOp::create(builder, loc, isOwnRecord(phase, loc, record), own,
                         ValueRange(), each, from);

  builder.setInsertionPointToEnd(own);
  Value bits = builder.load(loc, builder.i64, record, abi::spawnedMask);
  Value more = LLVM::CtPopOp::create(builder, loc, builder.i64, bits);
  LLVM::BrOp::create(builder, loc, ValueRange{add(number, one), add(to, more)},
                     next);

  builder.setInsertionPointToEnd(each);
  Value at = each->getArgument(0);
  LLVM::CondBrOp::create(builder, loc, isLess(at, to), stores, exit);

  builder.setInsertionPointToEnd(stores);
  Value result = LLVM::LoadOp::create(
      builder, loc, type,
      builder.element(loc, childResults,
                      phase.elements.dataLayout.storeSize(type), at));
  Value destination = LLVM::LoadOp::create(
      builder, loc, builder.pointer,
      builder.element(loc, destinations, abi::pointerSize, at));
  LLVM::StoreOp::create(builder, loc, result, destination, /*alignment=*/1);
  LLVM::BrOp::create(builder, loc, add(at, one), each);

  builder.setInsertionPointToEnd(exit);
  builder.store(loc, LLVM::TruncOp::create(builder, loc, builder.i32, to),
                batch, abi::batchHandled);
  LLVM::ReturnOp::create(
      builder, loc,
      ValueRange(LLVM::TruncOp::create(builder, loc, builder.i32, number)));
}
