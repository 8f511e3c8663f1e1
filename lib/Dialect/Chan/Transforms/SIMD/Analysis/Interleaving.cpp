//===- Interleaving.cpp - Objects of lanes, part by part ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/Interleaving.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneOps.h"
#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan;

Interleaving::Interleaving(ArrayRef<chan::KernelOp> kernels,
                           const TypeLayout &layout)
    : layout(layout) {
  for (chan::KernelOp kernel : kernels)
    kernel.getBody().walk([&](chan::DestinationOp destination) {
      kernel.getBody().walk([&](chan::ChildOp child) {
        destinations[child.getSite()] = destination;
      });
    });
  llvm::MapVector<uint64_t, SmallVector<Value>> locals;
  for (chan::KernelOp kernel : kernels)
    kernel.getBody().walk([&](Operation *op) {
      if (auto object = dyn_cast<LLVM::AllocaOp>(op))
        consider(object.getResult());
      else if (auto local = dyn_cast<chan::LocalOp>(op))
        locals[local.getOffset()].push_back(local);
    });
  for (auto &[offset, addresses] : locals)
    consider(addresses);
}

std::optional<Fill> cilk2chan::fillOf(Operation *op) {
  APInt bytes, value;
  if (auto set = dyn_cast<LLVM::MemsetOp>(op)) {
    if (!set.getIsVolatile() &&
        matchPattern(set.getVal(), m_ConstantInt(&value)) &&
        matchPattern(set.getLen(), m_ConstantInt(&bytes)))
      return Fill{set.getDst(), bytes.getZExtValue()};
  } else if (auto copy = dyn_cast<LLVM::MemcpyOp>(op)) {
    if (!copy.getIsVolatile() &&
        copy.getSrc().getDefiningOp<LLVM::AddressOfOp>() &&
        matchPattern(copy.getLen(), m_ConstantInt(&bytes)))
      return Fill{copy.getDst(), bytes.getZExtValue()};
  }
  return {};
}

/// The type that `user` loads from `address`, or stores there.
static Type accessedType(Operation *user, Value address) {
  if (auto load = dyn_cast<LLVM::LoadOp>(user))
    return load.getType();
  auto store = dyn_cast<LLVM::StoreOp>(user);
  return store && store.getValue() != address ? store.getValue().getType()
                                              : Type();
}

Type cilk2chan::receivedType(chan::DestinationOp destination) {
  Type type;
  for (Operation *user : destination->getUsers()) {
    Type accessed = accessedType(user, destination);
    if (!accessed || (type && accessed != type))
      return {};
    type = accessed;
  }
  return type;
}

/// Whether `type` is made of values of `part` bytes, without gaps.
bool Interleaving::hasPartsOnly(Type type, uint64_t part) const {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return hasPartsOnly(array.getElementType(), part);
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structure)
    return layout.storeSize(type) == part && layout.allocSize(type) == part;
  uint64_t members = 0;
  for (Type member : structure.getBody()) {
    if (!hasPartsOnly(member, part))
      return false;
    members += layout.storeSize(member);
  }
  return members == layout.storeSize(structure);
}

/// Whether `op` leads from the beginning of a part to that of another.
bool Interleaving::isWhole(LLVM::GEPOp op, uint64_t part) const {
  if (hasPartsOnly(op.getElemType(), part))
    return true;
  auto index = op.getIndices()[0];
  auto constant = dyn_cast<IntegerAttr>(index);
  return op.getElemType().isInteger(8) && constant &&
         constant.getInt() % int64_t(part) == 0;
}

void Interleaving::consider(ArrayRef<Value> objects) {
  llvm::SetVector<Value> addresses(objects.begin(), objects.end());
  SmallVector<uint64_t> fills;
  uint64_t part = 0;
  auto accesses = [&](Type type) {
    uint64_t size = layout.storeSize(type);
    bool same = part == 0 || part == size;
    part = size;
    return same && hasVectorsInMemory(type);
  };
  for (unsigned i = 0; i < addresses.size(); ++i)
    for (Operation *user : addresses[i].getUsers()) {
      bool known = false;
      if (Type accessed = accessedType(user, addresses[i])) {
        known = accesses(accessed);
      } else if (isa<LLVM::GEPOp>(user)) {
        known = addresses.insert(user->getResult(0)) || true;
      } else if (auto fill = fillOf(user)) {
        known = fill->address == addresses[i];
        fills.push_back(fill->bytes);
      } else if (auto enq = dyn_cast<chan::EnqOp>(user)) {
        auto destination = destinations.lookup(*enq.getSite());
        Type received = destination ? receivedType(destination) : Type();
        known = received && accesses(received);
      }
      if (!known)
        return;
    }
  if (part == 0 || llvm::any_of(fills, [&](uint64_t bytes) {
        return bytes % part || bytes / part > tuning::mostFilledParts;
      }))
    return;
  for (Value address : addresses.getArrayRef().drop_front(objects.size()))
    if (!isWhole(address.getDefiningOp<LLVM::GEPOp>(), part))
      return;
  for (Value address : addresses)
    parts[address] = part;
}

Type cilk2chan::interleave(Type type, unsigned lanes) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return LLVM::LLVMArrayType::get(interleave(array.getElementType(), lanes),
                                    array.getNumElements());
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structure)
    return LLVM::LLVMArrayType::get(type, lanes);
  SmallVector<Type> members;
  for (Type member : structure.getBody())
    members.push_back(interleave(member, lanes));
  return LLVM::LLVMStructType::getLiteral(type.getContext(), members,
                                          structure.isPacked());
}
