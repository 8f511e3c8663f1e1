//===- PrefetchPointers.cpp - Pointers that come out of memory ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Activations that go through a linked structure, such as a tree, begin by
// waiting for what their parameter points to.  In a batch the elements that
// come next are known long before, so their pointers can be prefetched.  This
// pass finds the parameters for which that pays: a parent has loaded the
// pointer from memory, and the child's first phase accesses what it points to.
//
//   llvm.func @walk(%node: !llvm.ptr)       chan.stack entry @walk.entry(a0:
//   ...)
//     %value = llvm.load %node         =>     batch [...] chased ["a0"]
//     %left = llvm.load (%node + 8)
//     cilk.spawn @walk(%left)
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/CilkToChan/Phases.h"
#include "cilk2chan/Conversion/CilkToChan/Preparation.h"
#include "cilk2chan/Conversion/CilkToChan/Stacks.h"
#include "cilk2chan/Conversion/Passes.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SmallBitVector.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CHANPREFETCHPOINTERS
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

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

/// Whether one of the blocks accesses memory where `pointer` points to.
static bool isAccessed(Value pointer, const llvm::SetVector<Block *> &blocks,
                       const TypeLayout &layout) {
  return llvm::any_of(pointer.getUsers(), [&](Operation *user) {
    if (auto gep = dyn_cast<LLVM::GEPOp>(user)) {
      auto offset = offsetOf(gep, layout);
      return offset && *offset < lineSize && isAccessed(gep, blocks, layout);
    }
    auto store = dyn_cast<LLVM::StoreOp>(user);
    return blocks.contains(user->getBlock()) &&
           (isa<LLVM::LoadOp>(user) || (store && store.getAddr() == pointer));
  });
}

namespace {
struct ChanPrefetchPointers
    : public cilk2chan::impl::ChanPrefetchPointersBase<ChanPrefetchPointers> {
  void runOnOperation() override;

private:
  void findPointers(LLVM::LLVMFuncOp parent, SymbolTable &symbols,
                    const Stacks &stacks, const TypeLayout &layout);

  /// The numbers of the parameters to prefetch, by function.
  llvm::MapVector<LLVM::LLVMFuncOp, llvm::SmallBitVector> found;
};
} // namespace

/// Finds the pointers that `parent` has loaded and passes to children.
void ChanPrefetchPointers::findPointers(LLVM::LLVMFuncOp parent,
                                        SymbolTable &symbols,
                                        const Stacks &stacks,
                                        const TypeLayout &layout) {
  auto add = [&](StringRef callee, ValueRange args) {
    auto child = symbols.lookup<LLVM::LLVMFuncOp>(callee);
    chan::StackOp stack = stacks.entry(callee);
    for (auto [number, arg] : llvm::enumerate(args))
      if (isa<LLVM::LLVMPointerType>(arg.getType()) &&
          !stack.isUniform(chan::parameterField(number)) &&
          isLoaded(arg, layout) &&
          isAccessed(child.getArgument(number), firstPhase(child), layout))
        found[child].set(number);
  };
  parent.walk([&](Operation *op) {
    if (auto spawn = dyn_cast<cilk::SpawnOp>(op))
      add(*spawn.getCallee(), spawn.getArgs());
    else if (auto call = dyn_cast<cilk::CallOp>(op))
      add(call.getCallee(), call.getArgs());
  });
}

void ChanPrefetchPointers::runOnOperation() {
  found.clear();
  const TypeLayout &layout = getAnalysis<TypeLayout>();
  auto functions = functionsToSplit(getOperation());
  if (failed(functions))
    return signalPassFailure();
  SymbolTable symbols(getOperation());
  Stacks stacks(symbols, layout);
  SmallVector<std::unique_ptr<PreparedBody>> bodies;
  for (LLVM::LLVMFuncOp function : *functions)
    if (auto stack = stacks.entry(function.getName());
        stack && stack.getBatch()) {
      found[function].resize(function.getNumArguments());
      bodies.push_back(
          std::make_unique<PreparedBody>(function, symbols, stacks));
    }
  for (LLVM::LLVMFuncOp function :
       llvm::to_vector(llvm::make_first_range(found)))
    findPointers(function, symbols, stacks, layout);
  Builder builder(&getContext());
  for (auto &[function, parameters] : found) {
    SmallVector<Attribute> fields;
    for (unsigned number : parameters.set_bits()) {
      fields.push_back(builder.getStringAttr(chan::parameterField(number)));
      remark::passed(function->getLoc(),
                     remark::RemarkOpts::name("prefetch")
                         .category("chan-batch")
                         .function(sourceOf(function).getValue()))
          << ("what parameter " + Twine(number + 1) + " of '" +
              LLVM::LLVMFuncOp(function).getName() +
              "' points to is prefetched")
                 .str();
    }
    if (!fields.empty())
      stacks.entry(LLVM::LLVMFuncOp(function).getName())
          .setChasedAttr(builder.getArrayAttr(fields));
  }
}
