//===- LoopObjects.cpp - What only a parallel loop accesses ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the small objects of a loop that another worker can have a copy of:
//
//   long sums[8];                   sums: a parameter of the loop's clone, only
//   cilk_for (i < 8)           =>   loaded and stored there, 64 bytes
//     sums[i] = f(i);
//
//===----------------------------------------------------------------------===//

#include "LoopObjects.h"
#include "cilk2chan/Conversion/Tuning.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/Markers.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cilk2chan;

namespace {
class Uses {
public:
  using InlinedFor = function_ref<LLVM::LLVMFuncOp(StringRef)>;
  explicit Uses(InlinedFor inlinedFor) : inlinedFor(inlinedFor) {}

  /// Whether the uses of the address `object` only access it, or pass it on,
  /// as it is, to loops of which the same is true.
  bool areAccesses(Value object);

  /// The clones of these, and which of their parameters it is.
  SmallVector<std::pair<LLVM::LLVMFuncOp, unsigned>> loops;

private:
  bool isInLoop(cilk::CallOp call, Value object);

  InlinedFor inlinedFor;
};
} // namespace

/// Whether what is called has a copy of what is at `address`.
static bool isPassedByValue(LLVM::CallOp call, Value address) {
  OperandRange args = call.getArgOperands();
  ArrayAttr attributes = call.getArgAttrsAttr();
  return attributes && llvm::all_of(llvm::enumerate(args), [&](auto arg) {
           auto own = cast<DictionaryAttr>(attributes[arg.index()]);
           return arg.value() != address ||
                  own.contains(LLVM::LLVMDialect::getByValAttrName());
         });
}

bool cilk2chan::isAccess(Operation *user, Value address) {
  if (auto store = dyn_cast<LLVM::StoreOp>(user))
    return store.getValue() != address;
  if (auto call = dyn_cast<LLVM::CallOp>(user))
    return isPassedByValue(call, address);
  return isa<LLVM::LoadOp, LLVM::MemsetOp, LLVM::MemcpyOp, LLVM::MemmoveOp,
             LLVM::LifetimeStartOp, LLVM::LifetimeEndOp>(user) ||
         isDebugRecord(*user);
}

bool Uses::isInLoop(cilk::CallOp call, Value object) {
  StringRef number = call.getCallee();
  if (!number.consume_front(RangePrefix) ||
      llvm::count(call.getArgs(), object) != 1)
    return false;
  LLVM::LLVMFuncOp range = inlinedFor(call.getCallee());
  LLVM::LLVMFuncOp body = inlinedFor((BodyPrefix + number).str());
  if (!range || !body)
    return false;
  unsigned index = llvm::find(call.getArgs(), object) - call.getArgs().begin();
  // Clones have the worker first, and bodies have no grain.
  loops.push_back({range, index + 1});
  return areAccesses(body.getArgument(index));
}

bool Uses::areAccesses(Value object) {
  SmallVector<Value> addresses = {object};
  while (!addresses.empty()) {
    Value address = addresses.pop_back_val();
    for (Operation *user : address.getUsers()) {
      auto call = dyn_cast<cilk::CallOp>(user);
      if (isa<LLVM::GEPOp>(user))
        addresses.push_back(user->getResult(0));
      else if (!isAccess(user, address) &&
               !(call && address == object && isInLoop(call, object)))
        return false;
    }
  }
  return true;
}

void cilk2chan::findLoopObjects(LLVM::LLVMFuncOp clone,
                                Uses::InlinedFor inlinedFor,
                                const TypeLayout &layout, LoopObjects &found) {
  for (auto object : clone.front().getOps<LLVM::AllocaOp>()) {
    uint64_t size = layout.allocSize(object.getElemType());
    Uses uses(inlinedFor);
    if (size > tuning::mostCopiedToSlowPath ||
        !matchPattern(object.getArraySize(), m_One()) ||
        !uses.areAccesses(object))
      continue;
    uint64_t alignment = std::max(object.getAlignment().value_or(1),
                                  layout.abiAlignment(object.getElemType()));
    for (auto [range, parameter] : uses.loops)
      found[range.getName()].push_back({parameter, size, alignment});
  }
}
