//===- PointerChasing.cpp - Pointers that come out of memory --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PointerChasing.h"
#include "FrameLayout.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace cilk2chan;

/// What is further away from where a pointer points to is on another line of
/// the cache.
static constexpr uint64_t lineSize = 64;

/// The offset in bytes of an address from its base; nothing if it is not known
/// or negative.  An array that is gone through is where it begins.
static std::optional<uint64_t> offsetOf(LLVM::GEPOp gep,
                                        const TypeLayout &layout) {
  Type type = gep.getElemType();
  uint64_t offset = 0;
  for (auto [depth, index] : llvm::enumerate(gep.getIndices())) {
    int64_t number;
    if (auto constant = dyn_cast<IntegerAttr>(index)) {
      number = constant.getInt();
    } else {
      APInt value;
      bool isKnown = matchPattern(cast<Value>(index), m_ConstantInt(&value));
      if (!isKnown && (depth == 0 || !isa<LLVM::LLVMArrayType>(type)))
        return {};
      number = isKnown ? value.getSExtValue() : 0;
    }
    if (number < 0)
      return {};
    auto structure = dyn_cast<LLVM::LLVMStructType>(type);
    if (depth == 0 || !structure) {
      if (depth != 0) {
        auto array = dyn_cast<LLVM::LLVMArrayType>(type);
        if (!array)
          return {};
        type = array.getElementType();
      }
      offset += number * layout.allocSize(type);
      continue;
    }
    type = structure.getBody()[number];
    offset += layout.memberOffsets(structure)[number];
  }
  return offset;
}

/// Whether the pointer is what a load has brought, or near that.
static bool isLoaded(Value pointer, const TypeLayout &layout) {
  while (auto gep = pointer.getDefiningOp<LLVM::GEPOp>()) {
    auto offset = offsetOf(gep, layout);
    if (!offset || *offset >= lineSize)
      return false;
    pointer = gep.getBase();
  }
  auto load = pointer.getDefiningOp<LLVM::LoadOp>();
  return load && !load.getAddr().getDefiningOp<LLVM::AllocaOp>();
}

/// Whether a phase accesses memory where `pointer` points to.
static bool isAccessed(Value pointer, const Phase &phase,
                       const TypeLayout &layout) {
  return llvm::any_of(pointer.getUsers(), [&](Operation *user) {
    if (auto gep = dyn_cast<LLVM::GEPOp>(user)) {
      auto offset = offsetOf(gep, layout);
      return offset && *offset < lineSize && isAccessed(gep, phase, layout);
    }
    auto store = dyn_cast<LLVM::StoreOp>(user);
    return phase.blocks.contains(user->getBlock()) &&
           (isa<LLVM::LoadOp>(user) || (store && store.getAddr() == pointer));
  });
}

void cilk2chan::findChasedPointers(
    llvm::MapVector<StringRef, Candidate> &candidates,
    const TypeLayout &layout) {
  for (auto &[name, candidate] : candidates)
    candidate.chased.resize(candidate.function.getNumArguments());
  for (auto &[name, parent] : candidates) {
    Candidate &child = candidates.find(parent.sites.front().callee())->second;
    for (const Site &site : parent.sites)
      for (auto [number, arg] : llvm::enumerate(site.args()))
        if (isa<LLVM::LLVMPointerType>(arg.getType()) &&
            !child.uniform[number] && isLoaded(arg, layout) &&
            isAccessed(child.function.getArgument(number),
                       child.phases->get().front(), layout))
          child.chased.set(number);
  }
  for (auto &[name, candidate] : candidates)
    for (unsigned number : candidate.chased.set_bits())
      remark::passed(candidate.function.getLoc(),
                     remark::RemarkOpts::name("prefetch")
                         .category("chan-batch")
                         .function(sourceOf(candidate.function).getValue()))
          << ("what parameter " + Twine(number + 1) + " of '" + name +
              "' points to is fetched ahead")
                 .str();
}
