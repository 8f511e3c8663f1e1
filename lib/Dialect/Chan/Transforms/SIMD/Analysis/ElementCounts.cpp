//===- ElementCounts.cpp - How many elements kernels find -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/ElementCounts.h"
#include "cilk2chan/Dialect/Chan/Transforms/Tuning.h"

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/IR/Dominance.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace cilk2chan;

namespace {

/// `weight` elements of `to` for each of `from`.
struct Edge {
  StringAttr from, to;
  double weight;
};

} // namespace

static void addEdges(chan::KernelOp kernel, ArrayRef<chan::StackOp> entries,
                     SmallVectorImpl<Edge> &edges) {
  DominanceInfo dominance(kernel);
  Region &body = kernel.getBody();
  // Without a tree there is but one block.
  std::optional<CFGLoopInfo> loops;
  if (!body.hasOneBlock())
    loops.emplace(dominance.getDomTree(&body));
  StringAttr from = kernel.getConsumesAttr().getAttr();
  for (auto talloc : kernel.getBody().getOps<chan::TallocOp>()) {
    bool repeats = loops && loops->getLoopFor(talloc->getBlock());
    double weight = repeats ? ElementCounts::many : 1;
    StringAttr to = talloc.getElement().getType().getStack().getAttr();
    edges.push_back({from, to, weight});
    if (!talloc.getTarget())
      continue;
    // It may lead to any function of that signature.
    chan::StackOp unknown = *llvm::find_if(
        entries, [&](chan::StackOp entry) { return entry.getSymName() == to; });
    for (chan::StackOp entry : entries)
      if (entry != unknown && entry.getSignature() == unknown.getSignature())
        edges.push_back({from, entry.getSymNameAttr(), weight});
  }
}

ElementCounts::ElementCounts(ModuleOp module) {
  SmallVector<chan::StackOp> entries;
  llvm::DenseMap<StringAttr, double> now;
  for (auto stack : module.getOps<chan::StackOp>()) {
    if (stack.getKind() != chan::StackKind::Entry)
      continue;
    entries.push_back(stack);
    now[stack.getSymNameAttr()] = stack.getFunction() ? 1 : many;
  }
  SmallVector<Edge> edges;
  for (auto kernel : module.getOps<chan::KernelOp>())
    addEdges(kernel, entries, edges);
  most = now;
  for (unsigned step = 0; step < tuning::mostSteps && !now.empty(); ++step) {
    llvm::DenseMap<StringAttr, double> next;
    for (const Edge &edge : edges)
      if (double count = now.lookup(edge.from))
        next[edge.to] = std::min(many, next[edge.to] + count * edge.weight);
    for (auto [stack, count] : next)
      most[stack] = std::max(most[stack], count);
    now = std::move(next);
  }

  for (auto kernel : module.getOps<chan::KernelOp>())
    functions[kernel.getConsumesAttr().getAttr()] = functionOf(kernel);
  for (auto [stack, function] : functions)
    others[function] = 1;
  for (const Edge &edge : edges) {
    StringAttr to = functions.lookup(edge.to);
    if (functions.lookup(edge.from) != to)
      others[to] =
          std::min(many, others[to] + most.lookup(edge.from) * edge.weight);
  }
}

/// The C function of which a kernel is a part; one by itself if there is none.
StringAttr ElementCounts::functionOf(chan::KernelOp kernel) {
  return kernel.getSourceAttr() ? kernel.getSourceAttr().getAttr()
                                : kernel.getConsumesAttr().getAttr();
}
