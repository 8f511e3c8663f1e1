//===- CilkToChan.cpp - Split spawning functions into kernels -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The split of ISCA'14 section 5.2: "a sub-kernel is created whenever sync is
// encountered".  What is live across a sync lies in a frame, and the code
// behind the sync is a kernel that is given the frame's address.  A call of a
// spawning function is a split, too: it is spawned, and waited for.
//
//   cilk.spawn @fib(%a) to %x        chan.kernel @fib.0 consumes @fib.entry
//   %y = cilk.call @fib(%b)            ... chan.enq of @fib.entry and, for what
//   cilk.sync                          follows, of @fib.after1 with the frame
//   %z = load %x; return %y + %z     chan.kernel @fib.1 consumes @fib.after1
//
//===----------------------------------------------------------------------===//

#include "FrameLayout.h"
#include "KernelBuilder.h"
#include "cilk2chan/Conversion/CilkToChan/ArraysByAddress.h"
#include "cilk2chan/Conversion/CilkToChan/Phases.h"
#include "cilk2chan/Conversion/CilkToChan/Preparation.h"
#include "cilk2chan/Conversion/CilkToChan/Stacks.h"

#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Support/TypeLayout.h"
#include "cilk2chan/Support/WorkingOn.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CILKTOCHAN
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

/// Leaves the declaration of a function whose kernels are built.
static void dropBody(LLVM::LLVMFuncOp function) {
  function.getBody().dropAllReferences();
  function.getBody().getBlocks().clear();
  if (!isUnnamed(function))
    function.setLinkage(LLVM::Linkage::External);
  function.setComdatAttr({});
  function->removeAttr(EntryAttribute);
  function->setLoc(UnknownLoc::get(function.getContext()));
}

static bool spawnsItself(LLVM::LLVMFuncOp function) {
  return function
      .walk([&](cilk::SpawnOp spawn) {
        return spawn.getCallee() == function.getName() ? WalkResult::interrupt()
                                                       : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a function that takes arrays by address spawns nothing and calls
/// nothing that does, but the function that then does its work. It may come to
/// its spawns also where it has none of its arrays.
static bool leavesAllToWhole(LLVM::LLVMFuncOp function) {
  llvm::SetVector<Block *> reached;
  reached.insert(&function.front());
  for (unsigned i = 0; i < reached.size(); ++i) {
    Block *block = reached[i];
    for (Operation &op : *block)
      if (isa<cilk::SpawnOp, cilk::CallOp>(op))
        return false;
    Operation *last = block->getTerminator();
    if (!last->hasAttr(SizeGuardAttribute))
      reached.insert(block->succ_begin(), block->succ_end());
  }
  return true;
}

/// Whether kernels of the function take arrays by address, although it has them
/// by value for lanes.  The first activation of a tree hands on values to the
/// lanes that come after it.
static bool isForOneLaneByAddress(LLVM::LLVMFuncOp function) {
  return hasArraysByValue(function) && spawnsItself(function) &&
         leavesAllToWhole(function);
}

/// Makes the kernels of a function.
static void split(LLVM::LLVMFuncOp function, SymbolTable &symbols,
                  Stacks &stacks, const TypeLayout &types, bool keepLocals) {
  WorkingOn working(function.getName());
  bool isByAddress = isForOneLaneByAddress(function);
  if (isByAddress)
    takeArraysByAddress(function, symbols);
  prepareToSplit(function, symbols, stacks, /*hasLast=*/isByAddress);
  DebugVariables debug(function);
  Phases phases(function);
  stacks.addContinuations(function, phases.get().size());
  FrameLayout layout(function, phases, types, keepLocals);
  KernelBuilder builder(function, phases, layout, debug, stacks);
  for (unsigned i = 0; i < phases.get().size(); ++i)
    builder.build(i);
}

namespace {
struct CilkToChan : public cilk2chan::impl::CilkToChanBase<CilkToChan> {
  using CilkToChanBase::CilkToChanBase;

  void runOnOperation() override {
    const TypeLayout &types = getAnalysis<TypeLayout>();
    auto functions = functionsToSplit(getOperation());
    if (failed(functions))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    Stacks stacks(symbols, types);
    for (auto function : *functions)
      split(function, symbols, stacks, types, keepLocals);
    getOperation()->removeAttr(WidthAttribute);
    for (auto function : *functions)
      dropBody(function);
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      useSynchedFlags(function);
      // Their module has them.
      if (function.getName().starts_with(ApplyPrefix) && !function.isExternal())
        dropBody(function);
    }
    for (auto function : *functions)
      if (isUnnamed(function))
        symbols.erase(function);
  }
};
} // namespace
