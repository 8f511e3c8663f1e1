//===- Selection.cpp - Which functions leave for MLIR ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Selection.h"
#include "Markers.h"
#include "Restrictions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <memory>

using namespace cilk2chan;

namespace {

struct Node {
  llvm::Function *function = nullptr;
  bool spawns = false;
  llvm::SmallVector<Node *, 4> callees;
};

/// Which function calls or spawns which, within a module.  The root calls all.
struct Graph {
  explicit Graph(llvm::Module &module);

  Node root;
  llvm::DenseMap<llvm::Function *, std::unique_ptr<Node>> nodes;

private:
  void addCalls(Node &node);
};

} // namespace

template <> struct llvm::GraphTraits<Graph *> {
  using NodeRef = Node *;
  using ChildIteratorType = llvm::SmallVector<Node *, 4>::iterator;
  static NodeRef getEntryNode(Graph *graph) { return &graph->root; }
  static ChildIteratorType child_begin(NodeRef node) {
    return node->callees.begin();
  }
  static ChildIteratorType child_end(NodeRef node) {
    return node->callees.end();
  }
};

Graph::Graph(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    auto node = std::make_unique<Node>();
    node->function = &function;
    root.callees.push_back(node.get());
    nodes[&function] = std::move(node);
  }
  for (Node *node : root.callees)
    addCalls(*node);
}

void Graph::addCalls(Node &node) {
  llvm::Function &function = *node.function;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call)
      continue;
    llvm::Value *callee = call->getCalledOperand();
    if (isSpawnMarker(call->getCalledFunction())) {
      node.spawns = true;
      callee = call->getArgOperand(0);
    }
    auto *known =
        llvm::dyn_cast<llvm::Function>(callee->stripPointerCastsAndAliases());
    if (auto found = nodes.find(known); known && found != nodes.end())
      node.callees.push_back(found->second.get());
  }
}

/// Adds those of `candidates` that selected functions lead to.
static void selectCallees(Graph &graph,
                          const llvm::DenseSet<Node *> &candidates,
                          llvm::DenseSet<llvm::Function *> &selected) {
  llvm::SmallVector<Node *> work;
  for (Node *node : graph.root.callees)
    if (selected.contains(node->function))
      work.push_back(node);
  while (!work.empty())
    for (Node *callee : work.pop_back_val()->callees)
      if (candidates.contains(callee) && !callee->function->isInterposable() &&
          !selected.contains(callee->function) &&
          !findRestriction(*callee->function)) {
        selected.insert(callee->function);
        work.push_back(callee);
      }
}

llvm::SmallVector<llvm::Function *>
cilk2chan::selectFunctions(llvm::Module &module, bool splitRecursion) {
  Graph graph(module);
  llvm::DenseSet<llvm::Function *> selected;
  // What calls itself or leads to such calls, or to spawns.
  llvm::DenseSet<Node *> recursive;
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd();
       ++component) {
    // The body of a loop is a part of its function, in which calls of spawning
    // functions are split.
    auto splits = [&](Node *node) {
      return node->spawns ||
             (node->function &&
              node->function->getName().starts_with(BodyPrefix) &&
              llvm::any_of(node->callees, [&](Node *callee) {
                return selected.contains(callee->function);
              }));
    };
    if (component.hasCycle() || llvm::any_of(*component, [&](Node *node) {
          return llvm::any_of(node->callees, [&](Node *callee) {
            return recursive.contains(callee) ||
                   selected.contains(callee->function);
          });
        }))
      recursive.insert(component->begin(), component->end());
    if (llvm::none_of(*component, splits))
      continue;
    for (Node *node : *component)
      if (node->spawns || !findRestriction(*node->function))
        selected.insert(node->function);
  }
  if (splitRecursion)
    selectCallees(graph, recursive, selected);
  // In the order of the source.
  llvm::SmallVector<llvm::Function *> result;
  for (llvm::Function &function : module)
    if (selected.contains(&function))
      result.push_back(&function);
  return result;
}
