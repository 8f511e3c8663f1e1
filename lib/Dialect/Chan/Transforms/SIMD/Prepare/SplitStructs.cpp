//===- SplitStructs.cpp - Structs in registers as their members -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Has a kernel load, store and deliver the members of structs one by one, since
// there are no vectors of structs.
//
//   %s = llvm.load %p -> struct<(i32, i64)>   to   %a = llvm.load %p -> i32
//   llvm.store %s, %q                              llvm.store %a, %q
//                                                  and so on for each member
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Prepare/SplitStructs.h"

#include "cilk2chan/Support/AddBytes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cilk2chan;

namespace {

class Splitting {
public:
  Splitting(chan::KernelOp kernel, const TypeLayout &layout)
      : kernel(kernel), layout(layout), builder(kernel) {}
  void run();

private:
  bool split(LLVM::LoadOp op);
  bool split(LLVM::StoreOp op);
  bool split(LLVM::ExtractValueOp op);
  std::optional<SmallVector<Value>> members(Value value);
  Value beyond(Location loc, Value address, uint64_t bytes);

  chan::KernelOp kernel;
  const TypeLayout &layout;
  OpBuilder builder;
  /// Members of what is no chain of insertions.
  llvm::DenseMap<Value, SmallVector<Value>> known;
};

} // namespace

/// A struct of values that are none themselves, or null.
static LLVM::LLVMStructType asFlatStruct(Type type) {
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structure || structure.isOpaque())
    return {};
  bool flat = llvm::none_of(structure.getBody(), [](Type member) {
    return isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(member);
  });
  return flat ? structure : LLVM::LLVMStructType();
}

Value Splitting::beyond(Location loc, Value address, uint64_t bytes) {
  if (bytes == 0)
    return address;
  return addBytes(builder, loc, address, bytes);
}

/// The members of a struct, if they are to be had.
std::optional<SmallVector<Value>> Splitting::members(Value value) {
  auto type = asFlatStruct(value.getType());
  if (!type)
    return {};
  if (auto found = known.find(value); found != known.end())
    return found->second;
  SmallVector<Value> result(type.getBody().size());
  Operation *source = value.getDefiningOp();
  for (; auto insert = dyn_cast_or_null<LLVM::InsertValueOp>(source);
       source = insert.getContainer().getDefiningOp())
    if (Value &member = result[insert.getPosition().front()]; !member)
      member = insert.getValue();
  if (llvm::all_of(result, [](Value member) { return member != nullptr; }))
    return result;
  if (!isa_and_nonnull<LLVM::PoisonOp, LLVM::UndefOp, LLVM::ZeroOp>(source)) {
    auto rest = source ? known.find(source->getResult(0)) : known.end();
    if (rest == known.end())
      return {};
    for (auto [member, old] : llvm::zip(result, rest->second))
      member = member ? member : old;
    return result;
  }
  for (auto [member, memberType] : llvm::zip(result, type.getBody())) {
    if (member)
      continue;
    Location loc = source->getLoc();
    member = isa<LLVM::ZeroOp>(source)
                 ? Value(LLVM::ZeroOp::create(builder, loc, memberType))
                 : Value(LLVM::PoisonOp::create(builder, loc, memberType));
  }
  return result;
}

bool Splitting::split(LLVM::LoadOp op) {
  auto type = asFlatStruct(op.getType());
  if (!type || op.getVolatile_() ||
      op.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return false;
  uint64_t alignment = op.getAlignment().value_or(layout.abiAlignment(type));
  SmallVector<Value> loaded;
  for (auto [member, place] :
       llvm::zip(type.getBody(), layout.memberOffsets(type)))
    loaded.push_back(LLVM::LoadOp::create(
        builder, op.getLoc(), member, beyond(op.getLoc(), op.getAddr(), place),
        llvm::MinAlign(alignment, place)));
  known[op] = std::move(loaded);
  // Dead, once those are split that use it.
  return false;
}

bool Splitting::split(LLVM::StoreOp op) {
  auto type = asFlatStruct(op.getValue().getType());
  auto values = members(op.getValue());
  if (!values || op.getVolatile_() ||
      op.getOrdering() != LLVM::AtomicOrdering::not_atomic)
    return false;
  uint64_t alignment = op.getAlignment().value_or(layout.abiAlignment(type));
  for (auto [value, place] : llvm::zip(*values, layout.memberOffsets(type)))
    LLVM::StoreOp::create(builder, op.getLoc(), value,
                          beyond(op.getLoc(), op.getAddr(), place),
                          llvm::MinAlign(alignment, place));
  return true;
}

bool Splitting::split(LLVM::ExtractValueOp op) {
  auto values = members(op.getContainer());
  if (!values)
    return false;
  op.replaceAllUsesWith((*values)[op.getPosition().front()]);
  return true;
}

void Splitting::run() {
  SmallVector<Operation *> ops;
  for (Block &block : kernel.getBody())
    for (Operation &op : block)
      ops.push_back(&op);
  SmallVector<Operation *> structs;
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    bool done = false;
    if (auto load = dyn_cast<LLVM::LoadOp>(op))
      done = split(load);
    else if (auto store = dyn_cast<LLVM::StoreOp>(op))
      done = split(store);
    else if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op))
      done = split(extract);
    if (done)
      op->erase();
    else if (op->getNumResults() == 1 &&
             asFlatStruct(op->getResult(0).getType()))
      structs.push_back(op);
  }
  for (Operation *op : llvm::reverse(structs))
    if (op->use_empty() && isa<LLVM::InsertValueOp, LLVM::LoadOp,
                               LLVM::PoisonOp, LLVM::UndefOp, LLVM::ZeroOp>(op))
      op->erase();
}

void cilk2chan::splitStructs(chan::KernelOp kernel, const TypeLayout &layout) {
  Splitting(kernel, layout).run();
}
