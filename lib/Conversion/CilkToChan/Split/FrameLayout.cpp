//===- FrameLayout.cpp - The memory of an activation ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides what lives in an activation's frame, and where:
//
//   %x = alloca i32; %y = alloca i32      frame of 8 bytes:
//   cilk.spawn @f(%n) to %x          =>     0  x, as a child stores there
//   cilk.sync                               4  n, live across the sync
//   use load %x, %n; only here %y         y: on the stack of its kernel
//
//===----------------------------------------------------------------------===//

#include "FrameLayout.h"
#include "cilk2chan/Conversion/CilkToChan/KeptObjects.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/AddBytes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2chan;

/// The constant number of elements of an alloca, or nothing.
static std::optional<uint64_t> arraySize(LLVM::AllocaOp alloca) {
  APInt count;
  if (matchPattern(alloca.getArraySize(), m_ConstantInt(&count)))
    return count.getZExtValue();
  return std::nullopt;
}

FrameLayout::Special FrameLayout::arenaOf(LLVM::AllocaOp alloca) {
  return isKept(alloca) ? Objects : Arena;
}

void FrameLayout::findObjects() {
  for (BlockArgument argument : function.getArguments())
    if (Type pointee = byValueType(function, argument.getArgNumber())) {
      auto align = function.getArgAttrOfType<IntegerAttr>(
          argument.getArgNumber(), LLVM::LLVMDialect::getAlignAttrName());
      uint64_t alignment = align ? align.getInt() : 1;
      objects.insert(
          {argument,
           {pointee, 1, std::max(alignment, types.abiAlignment(pointee))}});
    }
  for (auto alloca : function.front().getOps<LLVM::AllocaOp>())
    if (auto count = arraySize(alloca)) {
      uint64_t alignment = std::max(alloca.getAlignment().value_or(1),
                                    types.abiAlignment(alloca.getElemType()));
      objects.insert({alloca, {alloca.getElemType(), *count, alignment}});
    }

  for (auto &[address, object] : objects) {
    llvm::SmallPtrSet<Block *, 8> blocks;
    bool known = collectUsers(address, blocks);
    // The entry kernel fills a parameter in.
    if (isa<BlockArgument>(address) && !address.use_empty())
      blocks.insert(&function.front());
    SmallVector<unsigned> users;
    for (auto [index, phase] : llvm::enumerate(phases.get()))
      if (llvm::any_of(blocks,
                       [&](Block *b) { return phase.blocks.contains(b); }))
        users.push_back(index);
    // An object of a phase that repeats keeps its value from one run to the
    // next.
    bool local = known && (users.empty() || (users.size() == 1 &&
                                             !phases.get()[users[0]].repeats));
    object.inFrame = (!local || keepLocals) && phases.get().size() > 1;
    object.phase = users.empty() ? 0 : users[0];
  }
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

unsigned FrameLayout::addField(uint64_t fieldSize, uint64_t alignment) {
  fields.push_back({fieldSize, std::min(alignment, abi::frameAlignment)});
  return fields.size() - 1;
}

FrameLayout::FrameLayout(LLVM::LLVMFuncOp function, const Phases &phases,
                         const TypeLayout &types, bool keepLocals)
    : function(function), phases(phases), types(types), keepLocals(keepLocals) {
  findObjects();
  auto keep = [&](Value value) {
    if (!fieldOf.contains(value))
      fieldOf[value] = addField(types.allocSize(value.getType()),
                                types.abiAlignment(value.getType()));
  };

  bool suspends = phases.get().size() > 1;
  if (suspends &&
      !isa<LLVM::LLVMVoidType>(function.getFunctionType().getReturnType()))
    specials[Result] = addField(abi::pointerSize, abi::pointerSize);
  function.walk([&](Operation *op) {
    if (auto alloca = dyn_cast<LLVM::AllocaOp>(op)) {
      if (isDynamic(alloca) && !has(arenaOf(alloca)))
        specials[arenaOf(alloca)] =
            addField(abi::pointerSize, abi::pointerSize);
    } else if (auto spawn = dyn_cast<cilk::SpawnOp>(op)) {
      if (spawn.isDeferred() && !has(Pending))
        specials[Pending] =
            addField(abi::pendingWords * abi::pointerSize, abi::pointerSize);
    } else if (auto call = dyn_cast<cilk::CallOp>(op)) {
      if (call.getResult() && !call.getResult().use_empty())
        keep(call.getResult());
    }
  });
  for (const Phase &phase : phases.get())
    for (Value value : phase.liveIn)
      if (!objects.contains(value) && !isRematerialized(value))
        keep(value);
  for (auto &[address, object] : objects)
    if (object.inFrame) {
      // The frame is aligned to 16 bytes: leave room to align further.
      uint64_t bytes = types.allocSize(object.type) * object.count;
      uint64_t slack =
          object.alignment - std::min(object.alignment, abi::frameAlignment);
      fieldOf[address] = addField(bytes + slack, object.alignment);
    }
  place();
  // A continuation is its frame's address, so one byte there must be.
  if (suspends && size == 0)
    size = abi::pointerSize;
}

void FrameLayout::place() {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, fields.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(-int64_t(fields[a].alignment), a) <
           std::pair(-int64_t(fields[b].alignment), b);
  });
  for (unsigned i : order) {
    size = llvm::alignTo(size, fields[i].alignment);
    fields[i].offset = size;
    size += fields[i].size;
  }
}

Value FrameLayout::fieldAddress(OpBuilder &builder, Location loc, Value frame,
                                unsigned field) const {
  return addBytes(builder, loc, frame, fields[field].offset,
                  LLVM::GEPNoWrapFlags::inbounds);
}

Value FrameLayout::address(OpBuilder &builder, Location loc, Value frame,
                           Value value) const {
  Value pointer = fieldAddress(builder, loc, frame, fieldOf.lookup(value));
  const Object *local = object(value);
  if (!local || local->alignment <= abi::frameAlignment)
    return pointer;
  auto integer = builder.getI64Type();
  auto constant = [&](int64_t number) -> Value {
    return LLVM::ConstantOp::create(builder, loc, integer,
                                    builder.getI64IntegerAttr(number));
  };
  Value bits = LLVM::PtrToIntOp::create(builder, loc, integer, pointer);
  bits =
      LLVM::AddOp::create(builder, loc, bits, constant(local->alignment - 1));
  bits = LLVM::AndOp::create(builder, loc, bits,
                             constant(-int64_t(local->alignment)));
  return LLVM::IntToPtrOp::create(builder, loc, pointer.getType(), bits);
}

Value FrameLayout::address(OpBuilder &builder, Location loc, Value frame,
                           Special field) const {
  return fieldAddress(builder, loc, frame, specials[field]);
}
