//===- KeptObjects.cpp - Objects that are kept until a sync ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes an object of each execution of a declaration of which a spawn has the
// address.  A lifetime's start stands where the declaration is:
//
//     %x = alloca                     // in the entry block
//   loop:                           loop:
//     lifetime.start %x               %x = alloca {chan.kept}
//     spawn f(%x)              =>     spawn f(%x)
//
// Where control may come to a use without passing the declaration, a variable
// has the address of the last object, which is the one of the entry block at
// first.  Objects that no child knows, or that control comes to once, stay as
// they are, and no lifetime's start is left.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Support/KeptObjects.h"
#include "cilk2chan/Conversion/Passes.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/LocalObjects.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CHANKEPTOBJECTS
#include "cilk2chan/Conversion/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

static LLVM::AllocaOp makeObject(LLVM::AllocaOp object, Operation *start) {
  OpBuilder builder(start);
  // The number of elements may be computed behind the start.
  Operation *count = builder.clone(*object.getArraySize().getDefiningOp());
  auto made = LLVM::AllocaOp::create(builder, start->getLoc(), object.getType(),
                                     object.getElemType(), count->getResult(0),
                                     object.getAlignment().value_or(0));
  made->setAttr(KeptAttribute, builder.getUnitAttr());
  return made;
}

/// Has a variable say which of the objects is meant.
static void keepByVariable(LLVM::AllocaOp object,
                           ArrayRef<Operation *> starts) {
  OpBuilder builder(object);
  builder.setInsertionPointAfter(object);
  Location loc = object.getLoc();
  Type pointer = object.getType();
  auto variable = LLVM::AllocaOp::create(
      builder, loc, pointer, pointer, object.getArraySize(), /*alignment=*/0);
  auto first = LLVM::StoreOp::create(builder, loc, object, variable);
  for (OpOperand &use : llvm::make_early_inc_range(object->getUses())) {
    Operation *user = use.getOwner();
    if (user == first || isDebugRecord(*user) ||
        llvm::is_contained(starts, user))
      continue;
    builder.setInsertionPoint(user);
    use.set(LLVM::LoadOp::create(builder, user->getLoc(), pointer, variable));
  }
  for (Operation *start : starts) {
    builder.setInsertionPoint(start);
    LLVM::StoreOp::create(builder, start->getLoc(), makeObject(object, start),
                          variable);
    start->erase();
  }
}

static void keep(LLVM::AllocaOp object, ArrayRef<Operation *> starts,
                 DominanceInfo &dominance) {
  Operation *start = starts.front();
  bool isFirst = starts.size() == 1 &&
                 llvm::all_of(object->getUsers(), [&](Operation *user) {
                   return user == start || isDebugRecord(*user) ||
                          dominance.properlyDominates(start, user);
                 });
  if (!isFirst)
    return keepByVariable(object, starts);
  // A debugger is told behind the start.
  for (Operation *user : llvm::make_early_inc_range(object->getUsers()))
    if (isDebugRecord(*user) && !dominance.properlyDominates(start, user))
      user->moveAfter(start);
  LLVM::AllocaOp made = makeObject(object, start);
  start->erase();
  object.replaceAllUsesWith(made.getResult());
  object.erase();
}

static void makeKeptObjects(LLVM::LLVMFuncOp function) {
  llvm::MapVector<Value, SmallVector<Operation *>> starts;
  SmallVector<Operation *> useless;
  function.walk([&](LLVM::LifetimeStartOp start) {
    auto object = start.getPtr().getDefiningOp<LLVM::AllocaOp>();
    bool isFixed = object && object->getBlock()->isEntryBlock() &&
                   matchPattern(object.getArraySize(), m_Constant());
    if (isFixed)
      starts[object].push_back(start);
    else
      useless.push_back(start);
  });
  for (Operation *start : useless)
    start->erase();
  std::optional<DominanceInfo> dominance;
  for (auto &[address, ofObject] : starts) {
    auto object = address.getDefiningOp<LLVM::AllocaOp>();
    bool repeats = llvm::any_of(ofObject, [](Operation *start) {
      return start->getBlock()->isReachable(start->getBlock());
    });
    // The starts themselves let no callee know the address.
    for (Operation *start : ofObject)
      start->dropAllReferences();
    if (repeats && escapes(object)) {
      if (!dominance)
        dominance.emplace(function);
      keep(object, ofObject, *dominance);
      continue;
    }
    for (Operation *start : ofObject)
      start->erase();
  }
  if (!dominance) // nothing is kept
    function.walk(
        [](cilk::SyncOp sync) { sync->removeAttr(ReleasesAttribute); });
}

namespace {
struct ChanKeptObjects
    : public cilk2chan::impl::ChanKeptObjectsBase<ChanKeptObjects> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      if (function.isExternal() || !cilk::isSpawning(function))
        continue;
      WorkingOn working(function.getName());
      makeKeptObjects(function);
    }
  }
};
} // namespace
