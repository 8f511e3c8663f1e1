//===- Interleaving.cpp - Objects of lanes, part by part ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interleaving.h"
#include "LaneOps.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cilk2chan;

Interleaving::Interleaving(ArrayRef<chan::KernelOp> kernels,
                           const DataLayout &layout)
    : layout(layout) {
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

/// Whether `type` is made of values of `part` bytes, without gaps.
bool Interleaving::hasPartsOnly(Type type, uint64_t part) const {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return hasPartsOnly(array.getElementType(), part);
  auto structure = dyn_cast<LLVM::LLVMStructType>(type);
  if (!structure)
    return layout.getTypeSize(type) == part;
  uint64_t members = 0;
  for (Type member : structure.getBody()) {
    if (!hasPartsOnly(member, part))
      return false;
    members += layout.getTypeSize(member);
  }
  return members == layout.getTypeSize(structure);
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
  uint64_t part = 0;
  auto accesses = [&](Type type) {
    uint64_t size = layout.getTypeSize(type);
    bool same = part == 0 || part == size;
    part = size;
    return same && hasVectorsInMemory(type);
  };
  for (unsigned i = 0; i < addresses.size(); ++i)
    for (Operation *user : addresses[i].getUsers()) {
      bool known = false;
      if (auto load = dyn_cast<LLVM::LoadOp>(user))
        known = accesses(load.getType());
      else if (auto store = dyn_cast<LLVM::StoreOp>(user))
        known = store.getValue() != addresses[i] &&
                accesses(store.getValue().getType());
      else if (isa<LLVM::GEPOp>(user))
        known = addresses.insert(user->getResult(0)) || true;
      if (!known)
        return;
    }
  if (part == 0)
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
