//===- SpawnedAddresses.cpp - Objects whose address a spawn has -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpawnedAddresses.h"
#include "BlockCaptures.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cilk2chan {

void SpawnedAddresses::add(const Stmt *spawn, SpawnWord word,
                           LocalObjects objects) {
  flow.addReachable(objects);
  for (LocalObject object : objects) {
    auto home = homes.find(object);
    // What is outside of the activation outlives it.
    if (home == homes.end() || home->second.syncs ||
        home->second.activation != activation)
      continue;
    pairsOf[spawn].push_back(pairs.size());
    pairs.push_back({word, object, home->second.statement, activation});
  }
}

void SpawnedAddresses::visit(const Stmt *node) {
  if (!node || isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  if (auto *block = dyn_cast<CompoundStmt>(node)) {
    auto word = table.blockSpawn(block);
    if (word) {
      BlockCaptures captures(block, flow);
      LocalObjects objects;
      for (const VarDecl *variable : captures.variables()) {
        if (!captures.byValue(variable))
          objects.insert(variable);
        copies |= captures.byCopy(variable);
        objects.insert_range(flow.heldBy(variable));
      }
      add(block, *word, objects);
    }
    const Stmt *outer = activation;
    if (word)
      activation = block;
    bool isLoopBody = std::exchange(loopBody, nullptr) == block;
    // The function's own block is in none.
    bool syncs = word || isLoopBody || table.scope(block) || scopes.empty();
    enter(block, syncs, activation);
    activation = outer;
    return;
  }
  if (auto *loop = dyn_cast<ForStmt>(node); loop && table.parallelLoop(loop)) {
    // Each iteration is an activation; the control variable is its own.
    visit(loop->getInit());
    visit(loop->getCond());
    visit(loop->getInc());
    const Stmt *outer = std::exchange(activation, loop);
    loopBody = loop->getBody();
    visit(loop->getBody());
    activation = outer;
    return;
  }
  if (isa<ForStmt, IfStmt, SwitchStmt, WhileStmt>(node))
    return enter(node, /*syncs=*/false, activation);
  if (auto *declaration = dyn_cast<DeclStmt>(node)) {
    for (const Decl *declared : declaration->decls())
      if (auto *variable = dyn_cast<VarDecl>(declared);
          variable && variable->hasLocalStorage() && !scopes.empty())
        homes.try_emplace(LocalObject(variable), scopes.back());
  } else if (auto *literal = dyn_cast<CompoundLiteralExpr>(node)) {
    homes.try_emplace(LocalObject(literal), scopes.back());
  } else if (auto *label = dyn_cast<LabelStmt>(node)) {
    labels[label->getDecl()] = path;
  }
  visitChildren(node);
  // Behind its operand: what stands there has been seen.
  if (auto *extension = dyn_cast<UnaryOperator>(node))
    if (auto spawn = table.spawnOf(const_cast<UnaryOperator *>(extension));
        spawn && spawn->call) {
      // What the child is passed: the callee and the arguments of a call, the
      // operands of what Clang has a node of its own for.
      LocalObjects objects;
      auto pass = [&](const Expr *call) {
        for (const Stmt *operand : call->children())
          if (auto *value = dyn_cast_if_present<Expr>(operand))
            objects.insert_range(flow.pointees(value));
      };
      pass(spawn->call);
      if (spawn->carried)
        pass(spawn->operand->IgnoreParenCasts());
      add(extension, spawn->word, objects);
    }
}

} // namespace cilk2chan
