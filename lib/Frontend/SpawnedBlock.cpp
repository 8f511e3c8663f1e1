//===- SpawnedBlock.cpp - A spawned block as a function -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpawnMarking.h"
#include "cilk2chan/Support/Markers.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace cilk2chan {
namespace {

/// The locals of the enclosing function that a block uses, by the index of the
/// parameter that will hold their address.
class Captures {
public:
  explicit Captures(const Stmt *block) {
    collectOwn(block);
    collect(block);
  }

  llvm::ArrayRef<VarDecl *> variables() const { return captured; }

  /// Replaces each use by `make(index)`.
  void replace(Stmt *node, llvm::function_ref<Expr *(size_t, Expr *)> make) {
    for (Stmt *&child : node->children()) {
      if (!child)
        continue;
      if (VarDecl *variable = outer(child))
        child = make(index[variable], cast<Expr>(child));
      else
        replace(child, make);
    }
  }

private:
  void collectOwn(const Stmt *node) {
    if (!node)
      return;
    if (auto *declaration = dyn_cast<DeclStmt>(node))
      own.insert_range(declaration->decls());
    for (const Stmt *child : node->children())
      collectOwn(child);
  }

  void collect(const Stmt *node) {
    if (!node)
      return;
    if (VarDecl *variable = outer(node))
      if (index.try_emplace(variable, captured.size()).second)
        captured.push_back(variable);
    for (const Stmt *child : node->children())
      collect(child);
  }

  VarDecl *outer(const Stmt *node) const {
    auto *reference = dyn_cast<DeclRefExpr>(node);
    if (!reference)
      return nullptr;
    auto *variable =
        dyn_cast<VarDecl>(const_cast<ValueDecl *>(reference->getDecl()));
    return variable && variable->hasLocalStorage() && !own.contains(variable)
               ? variable
               : nullptr;
  }

  llvm::DenseSet<const Decl *> own;
  llvm::DenseMap<VarDecl *, size_t> index;
  llvm::SmallVector<VarDecl *, 8> captured;
};

} // namespace

Expr *SpawnMarking::spawnBlock(CompoundStmt *node, SpawnWord word) {
  SourceLocation location = word.location;
  Captures captures(node);

  llvm::SmallVector<QualType, 8> types;
  llvm::SmallVector<Expr *, 8> addresses;
  for (VarDecl *variable : captures.variables()) {
    if (variable->getStorageClass() == SC_Register)
      variable->setStorageClass(SC_None);
    addresses.push_back(
        children.addressOf(children.reference(variable, location)));
    types.push_back(addresses.back()->getType());
  }
  FunctionDecl *outlined = children.function(
      BlockPrefix.str() + std::to_string(children.nextNumber()), types,
      SC_Static, location);
  children.inheritCodeGen(outlined, function);
  captures.replace(node, [&](size_t index, Expr *use) {
    return children.dereference(
        children.load(children.reference(outlined->getParamDecl(index),
                                         use->getExprLoc())),
        use->getExprLoc());
  });
  outlined->setBody(node);
  SpawnMarking(outlined, table, children).run();
  children.define(outlined, outlined->getBody());

  Spawn spawn;
  spawn.word = word;
  spawn.call = cast<CallExpr>(children.call(outlined, addresses, location));
  spawn.operand = spawn.call;
  return children.spawn(function, spawn, {}, {});
}

} // namespace cilk2chan
