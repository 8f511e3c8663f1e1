//===- BaseCaseHoisting.cpp - Base cases that parents evaluate ------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A child that is a base case costs more as an element of a batch than in its
// parent.  Where its result is known by a little arithmetic on the arguments,
// the parent computes it:
//
//   enqueue f(n - 1)     =>     if (n - 1 < 2) result = n - 1
//                               else enqueue f(n - 1)
//
//===----------------------------------------------------------------------===//

#include "BaseCaseHoisting.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Combination.h"
#include "cilk2chan/Dialect/Cilk/Analysis/Recomputation.h"
#include "cilk2chan/Dialect/Cilk/Analysis/RemarkPlaces.h"
#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/NamesInC.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace cilk2chan;

static bool mayBeSamePlace(Value one, Value other) {
  LLVM::AllocaOp a = destinationObject(one), b = destinationObject(other);
  if (a && b)
    return a == b;
  LLVM::AllocaOp known = a ? a : b;
  return !known || isKnownElsewhere(known);
}

/// Whether the result of a child may be assigned before those of children that
/// were spawned earlier: no other child assigns there, or all children combine
/// by one operation that can be done in any order.
static bool mayAssignEarly(const Candidate &candidate, const Site &site,
                           const SymbolTable &symbols) {
  cilk::SpawnOp spawn = site.spawn();
  // A call waits for all of them first.
  if (!spawn || !spawn.getDestination())
    return true;
  auto combination = [&](cilk::SpawnOp op) -> std::optional<chan::Combination> {
    auto assignment =
        op.getApplyAttr()
            ? assignmentOf(symbols.lookup<LLVM::LLVMFuncOp>(*op.getApply()))
            : std::nullopt;
    if (!assignment)
      return {};
    return assignment->by;
  };
  bool isPlain = !spawn.getApplyAttr();
  Block *block = spawn->getBlock();
  auto own = combination(spawn);
  for (const Site &other : candidate.sites) {
    cilk::SpawnOp op = other.spawn();
    if (!op || !op.getDestination() ||
        !mayBeSamePlace(op.getDestination(), spawn.getDestination()))
      continue;
    // Two plain ones to one place would be a race.
    if (isPlain && !op.getApplyAttr() &&
        (site.hasDestination || (op == spawn && !block->isReachable(block))))
      continue;
    if (!own || combination(op) != own)
      return false;
  }
  return true;
}

/// Has parents evaluate base cases of those children whose results they can
/// compute.
void cilk2chan::hoistBaseCases(Candidate &candidate, LLVM::LLVMFuncOp callee,
                               const SymbolTable &symbols) {
  std::optional<BaseCase> baseCase = candidate.childBaseCase =
      BaseCase::find(callee);
  if (!baseCase)
    return;
  ArrayRef<Phase> phases = candidate.phases->get();
  bool returnsNothing =
      isa<LLVM::LLVMVoidType>(callee.getFunctionType().getReturnType());
  DominanceInfo dominance(candidate.function);
  for (Site &site : candidate.sites) {
    // Each phase knows a result: the child's, or else the test's.
    auto computes = [&](const Phase &phase) {
      auto isKnown = [&](Value value) {
        auto argument = dyn_cast<BlockArgument>(value);
        return phase.liveIn.contains(value) ||
               (argument && argument.getOwner()->isEntryBlock());
      };
      return dominance.dominates(site.op, phase.after) &&
             llvm::all_of(site.args(), [&](Value arg) {
               return canComputeAgain(arg, isKnown);
             });
    };
    if (returnsNothing || (candidate.isPositional &&
                           llvm::all_of(phases.drop_front(), computes))) {
      site.hoisted = baseCase;
    } else if (mayAssignEarly(candidate, site, symbols) &&
               (!candidate.isPositional || site.spawn())) {
      site.hoisted = baseCase;
      site.assignsEarly = true;
      // It has to be kept until the next phase.
      if (auto spawn = site.spawn(); spawn && spawn.getDestination())
        if (auto object = destinationObject(spawn.getDestination()))
          candidate.objects[object] = true;
    }
  }
}

void cilk2chan::remarkOnHoisting(const Candidate &candidate,
                                 const SymbolTable &symbols) {
  if (!symbols.getOp()->getContext()->getRemarkEngine())
    return;
  // Without a function the remark stands at the location.
  auto options = remark::RemarkOpts::name("hoist").category("chan-batch");
  for (const Site &site : candidate.sites) {
    Location loc = site.op->getLoc();
    auto callee = symbols.lookup<LLVM::LLVMFuncOp>(site.callee());
    // Copies are called as what they are copies of.
    StringRef name = callee.getName();
    std::string baseCases =
        "base cases of " + describeInC(functionWithoutName(name).empty()
                                           ? sourceOf(callee).getValue()
                                           : name);
    if (site.hoisted || (candidate.reduction && candidate.childBaseCase))
      remark::passed(loc, options)
          << baseCases + " are evaluated in the parent and create no task";
    else if (isLoop(name)) // It is not of C's making which these are.
      continue;
    else if (candidate.childBaseCase)
      remark::missed(loc, options)
          << baseCases + " create tasks: after the sync, the parent would not "
                         "know which children they were";
    else
      remark::missed(loc, options)
          << baseCases + " create tasks: the parent cannot evaluate them by a "
                         "little arithmetic on the arguments";
  }
}
