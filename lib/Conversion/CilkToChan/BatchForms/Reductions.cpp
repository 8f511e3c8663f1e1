//===- Reductions.cpp - Results that are only combined --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows the results of children to what the parent returns.  Where these are
// only combined, a batch has one more kernel, which waits for no child:
//
//   a = spawn f(n - 1)          chan.kernel @f.batch.reduce
//   b = f(n - 2); sync     =>     enqueue n - 1 and n - 2
//   return a + b + 1              chan.reduce_result 1; chan.done
//
//===----------------------------------------------------------------------===//

#include "Reductions.h"
#include "cilk2chan/Dialect/Cilk/Analysis/DebugVariables.h"
#include "cilk2chan/Dialect/Cilk/Analysis/RemarkPlaces.h"
#include "cilk2chan/Dialect/Cilk/Analysis/ResultFlow.h"
#include "cilk2chan/Support/BaseOf.h"
#include "cilk2chan/Support/NamesInC.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cilk2chan;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// What is done to memory other than the activation's own.
struct Accesses {
  Operation *reads = nullptr, *writes = nullptr;
};
} // namespace

/// Of a candidate's phases from the one at `first` on.
static Accesses findAccesses(const Candidate &candidate, unsigned first) {
  auto isOwn = [](Value address) {
    return baseOf(address).getDefiningOp<LLVM::AllocaOp>() != nullptr;
  };
  llvm::SetVector<Block *> blocks;
  for (const Phase &phase : candidate.phases->get().drop_front(first))
    blocks.insert(phase.blocks.begin(), phase.blocks.end());
  Accesses found;
  for (Block *block : blocks)
    for (Operation &op : *block) {
      if (isa<cilk::SpawnOp, cilk::CallOp, cilk::SyncOp>(op) ||
          isDebugRecord(op) || isMemoryEffectFree(&op) ||
          chan::reductionOf(&op) || op.hasTrait<OpTrait::IsTerminator>())
        continue;
      auto load = dyn_cast<LLVM::LoadOp>(op);
      auto store = dyn_cast<LLVM::StoreOp>(op);
      bool isSimple =
          (load && !load.getVolatile_() &&
           load.getOrdering() == LLVM::AtomicOrdering::not_atomic) ||
          (store && !store.getVolatile_() &&
           store.getOrdering() == LLVM::AtomicOrdering::not_atomic) ||
          isa<LLVM::AllocaOp>(op);
      if (isSimple && (isa<LLVM::AllocaOp>(op) ||
                       isOwn(load ? load.getAddr() : store.getAddr())))
        continue;
      (isSimple && load ? found.reads : found.writes) = &op;
    }
  return found;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// The kinds that the operations of a function, and what assigns the results of
/// its children, may be of.
static std::optional<Obstacle> findObstacleIn(Candidate &candidate,
                                              const SymbolTable &symbols) {
  LLVM::LLVMFuncOp function = candidate.function;
  for (auto &[address, isLocal] : candidate.objects)
    if (isKnownElsewhere(address))
      return Obstacle{"a child may use one of its objects",
                      address.getDefiningOp()};
  Type returned = function.getFunctionType().getReturnType();
  ArrayRef<Phase> phases = candidate.phases->get();
  if (isa<LLVM::LLVMVoidType>(returned))
    return phases.size() > 1 ? Obstacle{"the function goes on behind this sync",
                                        phases[1].after}
                             : Obstacle{"", function}; // They do not wait.
  auto type = dyn_cast<IntegerType>(returned);
  if (!type || type.getWidth() < 8 || type.getWidth() > 64 ||
      !llvm::isPowerOf2_32(type.getWidth()))
    return Obstacle{"its result is no integer", function};
  if (Operation *write = findAccesses(candidate, /*first=*/1).writes)
    return Obstacle{"it writes to memory after a sync", write};
  Operation *obstacle = nullptr;
  for (unsigned i = 1; i <= chan::getMaxEnumValForCombination(); ++i) {
    auto combination = chan::symbolizeCombination(i);
    ResultFlow flow(candidate.function, *combination, symbols);
    if (flow.isConserved()) {
      candidate.reduction = combination;
      candidate.combining.insert_range(flow.getCombining());
      return {};
    }
    if (!obstacle)
      obstacle = flow.getObstacle();
  }
  return Obstacle{"it does something else with their results than combining "
                  "them by one operation (+, *, &, |, ^, minimum or maximum)",
                  obstacle};
}

static std::optional<Obstacle>
findObstacleInChildren(const Candidate &candidate,
                       const llvm::MapVector<StringRef, Candidate> &all) {
  auto childOf = [&](const Candidate &one) -> const Candidate & {
    return all.find(one.sites.front().callee())->second;
  };
  const Candidate &child = childOf(candidate);
  auto typeOf = [](const Candidate &one) {
    return LLVM::LLVMFuncOp(one.function).getFunctionType().getReturnType();
  };
  if (child.reduction != candidate.reduction ||
      typeOf(child) != typeOf(candidate))
    return Obstacle{describe(child.function) +
                        ", which it spawns, combines results in another way",
                    candidate.sites.front().op};
  // What is read after a sync may be what a descendant has written.
  Operation *read = findAccesses(candidate, /*first=*/1).reads;
  llvm::SmallPtrSet<const Candidate *, 4> seen;
  for (const Candidate *one = &child; read && seen.insert(one).second;
       one = &childOf(*one)) {
    if (findAccesses(*one, /*first=*/0).writes)
      return Obstacle{"it reads memory after a sync, where a child may have "
                      "written",
                      read};
  }
  return {};
}

void cilk2chan::findReductions(
    llvm::MapVector<StringRef, Candidate> &candidates,
    const SymbolTable &symbols) {
  auto named = remark::RemarkOpts::name("reduction").category("chan-batch");
  bool hasRemarks = symbols.getOp()->getContext()->getRemarkEngine();
  auto refuse = [&](Candidate &candidate, const Obstacle &obstacle) {
    candidate.reduction.reset();
    // Of C's making is what stands in C.
    if (!hasRemarks || obstacle.what.empty() ||
        !functionWithoutName(candidate.function.getName()).empty())
      return;
    auto [loc, options] = placeRemark(obstacle.op, named);
    remark::missed(loc, options)
        << "calls of " + describe(candidate.function) +
               " must wait for their children: " + obstacle.what;
  };
  for (auto &[name, candidate] : candidates)
    if (auto obstacle = findObstacleIn(candidate, symbols))
      refuse(candidate, *obstacle);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[name, candidate] : candidates) {
      if (!candidate.reduction)
        continue;
      if (auto obstacle = findObstacleInChildren(candidate, candidates)) {
        refuse(candidate, *obstacle);
        changed = true;
      }
    }
  }
  for (auto &[name, candidate] : candidates) {
    if (!candidate.reduction || !hasRemarks)
      continue;
    auto [loc, options] = placeRemark(candidate.function, named);
    remark::passed(loc, options)
        << "calls of " + describe(candidate.function) +
               " need not wait for their children: results are combined (" +
               chan::stringifyCombination(*candidate.reduction).str() + ")";
  }
}
