//===- LocalObjects.cpp - Objects of an activation ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"

#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cilk2chan;

Type cilk2chan::byValueType(LLVM::LLVMFuncOp function, unsigned argument) {
  auto type = function.getArgAttrOfType<TypeAttr>(
      argument, LLVM::LLVMDialect::getByValAttrName());
  return type ? type.getValue() : Type();
}

bool cilk2chan::isRematerialized(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getNumOperands() == 0 &&
         isa<LLVM::ConstantOp, LLVM::AddressOfOp, LLVM::ZeroOp, LLVM::UndefOp,
             LLVM::PoisonOp>(op);
}

/// Whether the address is passed for the callee to take a copy of the object,
/// or as the place for the result of a call that is over when it returns: C
/// knows of no pointer there, so none is kept.
static bool passesObject(OpOperand &use) {
  auto says = [&](OperandRange args, ArrayAttr attributes, StringRef what) {
    if (args.empty() || !attributes)
      return false;
    unsigned index = use.getOperandNumber() - args.getBeginOperandIndex();
    return index < std::min<size_t>(args.size(), attributes.size()) &&
           cast<DictionaryAttr>(attributes[index]).contains(what);
  };
  StringRef byValue = LLVM::LLVMDialect::getByValAttrName();
  return llvm::TypeSwitch<Operation *, bool>(use.getOwner())
      .Case<LLVM::CallOp>([&](LLVM::CallOp call) {
        OperandRange args = call.getArgOperands();
        ArrayAttr attributes = call.getArgAttrsAttr();
        return says(args, attributes, byValue) ||
               says(args, attributes,
                    LLVM::LLVMDialect::getStructRetAttrName());
      })
      .Case<cilk::SpawnOp, cilk::CallOp>([&](auto call) {
        return says(call.getArgs(), call.getArgAttrsAttr(), byValue);
      })
      .Default(false);
}

bool cilk2chan::collectUsers(Value address,
                             llvm::SmallPtrSetImpl<Block *> &blocks) {
  SmallVector<Value> work{address};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!work.empty()) {
    Value pointer = work.pop_back_val();
    for (OpOperand &use : pointer.getUses()) {
      Operation *user = use.getOwner();
      if (isDebugRecord(*user))
        continue;
      blocks.insert(user->getBlock());
      if (isa<LLVM::GEPOp>(user)) {
        if (seen.insert(user).second)
          work.push_back(user->getResult(0));
      } else if (auto store = dyn_cast<LLVM::StoreOp>(user)) {
        if (store.getValue() == pointer)
          return false;
      } else if (!isa<LLVM::LoadOp, LLVM::MemcpyOp, LLVM::MemmoveOp,
                      LLVM::MemsetOp, LLVM::MemcpyInlineOp,
                      LLVM::MemsetInlineOp, LLVM::ICmpOp>(user) &&
                 !passesObject(use)) {
        return false;
      }
    }
  }
  return true;
}

bool cilk2chan::escapes(Value address) {
  llvm::SmallPtrSet<Block *, 8> blocks;
  return !collectUsers(address, blocks);
}
