//===- SpawnIterations.cpp - Parallel loops in recursion ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Spawns the iterations of a `cilk_for` in recursion one by one. An iteration
// has to do little but call the function again, directly or through others: it
// computes a condition and arguments, and its last action is the call. A
// function that divides the range would make three functions of a recursion
// that has one, and none of them would have a batch form. The recursion has
// parallelism without it.
//
//   void f(int n) {                     void f(int n) {
//     cilk_for (int i = 0; i < n; i++)    for (int i = 0; i < n; i++)
//       if (isFree(i))              ->      if (isFree(i))
//         f(n - 1);                           cilk_spawn f(n - 1);
//   }                                     cilk_sync;
//                                       }
//
//===----------------------------------------------------------------------===//

#include "LoopInPlace.h"

#include "cilk2chan/Dialect/Cilk/Analysis/SpawningFunctions.h"

#include "cilk2chan/Dialect/Cilk/Passes.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Support/TypeLayout.h"
#include "cilk2chan/Support/WorkingOn.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CILKSPAWNITERATIONS
#include "cilk2chan/Dialect/Cilk/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

/// The functions that `function` names, as callees or bodies of loops.
static void addCallees(LLVM::LLVMFuncOp function, const SymbolTable &symbols,
                       llvm::SetVector<Operation *> &callees) {
  auto add = [&](FlatSymbolRefAttr name) {
    if (Operation *callee = name ? symbols.lookup(name.getValue()) : nullptr)
      callees.insert(callee);
  };
  function.walk([&](Operation *op) {
    if (auto call = dyn_cast<LLVM::CallOp>(op))
      add(call.getCalleeAttr());
    else if (auto call = dyn_cast<cilk::CallOp>(op))
      add(call.getCalleeAttr());
    else if (auto spawn = dyn_cast<cilk::SpawnOp>(op))
      add(spawn.getCalleeAttr());
    else if (auto loop = dyn_cast<cilk::ForOp>(op))
      add(loop.getBodyAttr());
  });
}

/// Whether `from` may come to call `to`.
static bool calls(LLVM::LLVMFuncOp from, LLVM::LLVMFuncOp to,
                  const SymbolTable &symbols) {
  llvm::SetVector<Operation *> reached;
  reached.insert(from);
  for (size_t i = 0; i < reached.size(); ++i) {
    if (reached[i] == to)
      return true;
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(reached[i]))
      addCallees(function, symbols, reached);
  }
  return false;
}

namespace {
struct CilkSpawnIterations
    : public cilk2chan::impl::CilkSpawnIterationsBase<CilkSpawnIterations> {
  using CilkSpawnIterationsBase::CilkSpawnIterationsBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::MapVector<LLVM::LLVMFuncOp, SmallVector<cilk::ForOp>> loops;
    getOperation().walk([&](LLVM::LLVMFuncOp function) {
      // Those of a body belong to the loop that has it.
      if (!function.getName().starts_with(BodyPrefix))
        function.walk(
            [&](cilk::ForOp loop) { loops[function].push_back(loop); });
    });
    for (auto &[function, own] : loops)
      consider(function, own, symbols);
  }

private:
  using Found = SmallVector<std::pair<cilk::ForOp, Nest>, 0>;

  /// Puts those loops of a function in place that can be.
  void consider(LLVM::LLVMFuncOp function, ArrayRef<cilk::ForOp> loops,
                SymbolTable &symbols) {
    WorkingOn working(function.getName());
    // The loop waits for its own iterations only.
    bool spawns =
        function.walk([](cilk::SpawnOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    auto options =
        remark::RemarkOpts::name("spawned").category("chan-iterations");
    Found found;
    bool haveObjects = false;
    for (cilk::ForOp loop : loops) {
      auto body = symbols.lookup<LLVM::LLVMFuncOp>(loop.getBody());
      if (!calls(body, function, symbols))
        continue;
      Nest nest;
      std::string why =
          spawns ? "its function spawns something else"
                 : findNest(loop, symbols, getAnalysis<TypeLayout>(), nest);
      bool hasObjects = llvm::any_of(
          nest, [](const Level &level) { return !level.objects.empty(); });
      if (why.empty() && hasObjects && !objects)
        why = "an iteration passes an object of its own";
      if (!why.empty()) {
        remark::missed(loop.getLoc(), options)
            << "the cilk_for divides its iterations, so its recursion has no "
               "batches: " +
                   why;
        continue;
      }
      remark::passed(loop.getLoc(), options)
          << (hasObjects
                  ? "iterations of the cilk_for are spawned one by one if "
                    "their objects go by value, which chan-arrays reports: "
                    "they call a function that may reach this loop again"
                  : "iterations of the cilk_for are spawned one by one: they "
                    "call a function that may reach this loop again");
      found.push_back({loop, nest});
      haveObjects |= hasObjects;
    }
    if (haveObjects) {
      putInCopy(function, found, symbols);
      return;
    }
    for (auto &[loop, nest] : found) {
      putInPlace(loop, nest, symbols);
      for (const Level &level : nest)
        forget(level.body, symbols);
    }
    if (!found.empty())
      promoteLocals(function, getAnalysis<TypeLayout>());
  }

  void putInPlace(cilk::ForOp loop, const Nest &nest, SymbolTable &symbols) {
    OpBuilder builder(loop);
    builder.setInsertionPointAfter(loop);
    auto sync = cilk::SyncOp::create(builder, loop.getLoc());
    runHere(loop, nest, sync->getNextNode(), symbols);
  }

  /// Iterations that pass objects of their own can do that one after another in
  /// one place if these go by value, which cilk-arrays-by-value finds out.
  void putInCopy(LLVM::LLVMFuncOp function, const Found &found,
                 SymbolTable &symbols) {
    IRMapping mapping;
    auto copy = cast<LLVM::LLVMFuncOp>(function->clone(mapping));
    copy.setName((function.getName() + ".iterations").str());
    copy->setAttr(SourceAttribute, sourceOf(function));
    copy->setAttr(DividedAttribute, FlatSymbolRefAttr::get(function));
    symbols.insert(copy, std::next(function->getIterator()));
    for (auto &[loop, nest] : found)
      putInPlace(
          cast<cilk::ForOp>(mapping.lookup(static_cast<Operation *>(loop))),
          nest, symbols);
    copy.walk([&](cilk::SpawnOp spawn) {
      if (spawn.getCallee() == function.getName())
        spawn.setCallee(copy.getName());
    });
    promoteLocals(copy, getAnalysis<TypeLayout>());
  }

  /// Erases a body that nothing runs any more.
  void forget(LLVM::LLVMFuncOp body, SymbolTable &symbols) {
    auto uses = SymbolTable::getSymbolUses(body, getOperation());
    SmallVector<Operation *> dead;
    for (SymbolTable::SymbolUse use : *uses) {
      if (!isa<LLVM::AddressOfOp>(use.getUser()) || !use.getUser()->use_empty())
        return;
      dead.push_back(use.getUser());
    }
    for (Operation *op : dead)
      op->erase();
    symbols.erase(body);
  }
};
} // namespace
