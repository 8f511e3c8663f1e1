//===- LoopObjects.cpp - What only a parallel loop accesses ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopObjects.h"
#include "DebugVariables.h"
#include "FrameLayout.h"

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/Markers.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2chan;

/// Most bytes that are copied when somebody wants work.
static constexpr uint64_t kMostCopied = 512;

using CloneOf = function_ref<LLVM::LLVMFuncOp(StringRef)>;

static bool isAccess(Operation *user, Value address) {
  if (auto store = dyn_cast<LLVM::StoreOp>(user))
    return store.getValue() != address;
  return isa<LLVM::LoadOp, LLVM::MemsetOp, LLVM::LifetimeStartOp,
             LLVM::LifetimeEndOp>(user) ||
         isDebugRecord(*user);
}

/// Whether who has the address `object` only accesses it, but for what
/// `isLoop`.
static bool areAccesses(Value object, function_ref<bool(cilk::CallOp)> isLoop) {
  SmallVector<Value> addresses = {object};
  while (!addresses.empty()) {
    Value address = addresses.pop_back_val();
    for (Operation *user : address.getUsers()) {
      auto call = dyn_cast<cilk::CallOp>(user);
      if (isa<LLVM::GEPOp>(user))
        addresses.push_back(user->getResult(0));
      else if (!isAccess(user, address) &&
               !(call && address == object && isLoop(call)))
        return false;
    }
  }
  return true;
}

/// The parameter of a range's clone that is `object`, if it is a range that is
/// called, and the body only accesses it.  What a loop in the body does with it
/// is done for several iterations of the outer at a time.
static std::optional<unsigned> findParameter(cilk::CallOp call, Value object,
                                             CloneOf cloneOf) {
  StringRef number = call.getCallee();
  if (!number.consume_front(RangePrefix) ||
      llvm::count(call.getArgs(), object) != 1)
    return {};
  unsigned index = llvm::find(call.getArgs(), object) - call.getArgs().begin();
  LLVM::LLVMFuncOp body = cloneOf((BodyPrefix + number).str());
  // Clones have the worker first, and bodies have no grain.
  if (!body ||
      !areAccesses(body.getArgument(index), [](cilk::CallOp) { return false; }))
    return {};
  return index + 1;
}

void cilk2chan::findLoopObjects(LLVM::LLVMFuncOp clone, CloneOf cloneOf,
                                const DataLayout &layout, LoopObjects &found) {
  for (auto object : clone.front().getOps<LLVM::AllocaOp>()) {
    uint64_t size = allocSize(layout, object.getElemType());
    SmallVector<std::pair<StringRef, unsigned>> loops;
    auto isLoop = [&](cilk::CallOp call) {
      auto parameter = findParameter(call, object, cloneOf);
      if (parameter)
        loops.push_back({call.getCallee(), *parameter});
      return parameter.has_value();
    };
    if (size > kMostCopied || !matchPattern(object.getArraySize(), m_One()) ||
        !areAccesses(object, isLoop))
      continue;
    uint64_t alignment =
        std::max(object.getAlignment().value_or(1),
                 layout.getTypeABIAlignment(object.getElemType()));
    for (auto [range, parameter] : loops)
      found[range].push_back({parameter, size, alignment});
  }
}
