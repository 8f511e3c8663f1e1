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
/// parameter that will hold their value or their address.
class Captures {
public:
  Captures(const Stmt *block, const FunctionDecl *function) {
    collectOwn(block);
    collect(block, /*read=*/false);
    collectAddresses(function->getBody());
  }

  /// Whether the block may have the value that `variable` has at the spawn, as
  /// who changes it before the sync races with the block.  A local of a loop's
  /// body is another one in the next iteration, at the same address.
  bool byValue(const VarDecl *variable) const {
    QualType type = variable->getType();
    return type->isScalarType() && !type->isAtomicType() &&
           !type.isVolatileQualified() && !changed.contains(variable) &&
           (variable->hasInit() || isa<ParmVarDecl>(variable));
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

  void collect(const Stmt *node, bool read) {
    if (!node)
      return;
    if (VarDecl *variable = outer(node)) {
      if (index.try_emplace(variable, captured.size()).second)
        captured.push_back(variable);
      if (!read)
        changed.insert(variable);
    }
    auto *cast = dyn_cast<ImplicitCastExpr>(node);
    read = (cast && cast->getCastKind() == CK_LValueToRValue) ||
           (read && isa<ParenExpr>(node));
    for (const Stmt *child : node->children())
      collect(child, read);
  }

  /// What has its address taken may be changed by the block unseen.
  void collectAddresses(const Stmt *node) {
    if (!node)
      return;
    if (auto *taken = dyn_cast<UnaryOperator>(node);
        taken && taken->getOpcode() == UO_AddrOf)
      if (VarDecl *variable = outer(taken->getSubExpr()->IgnoreParens()))
        changed.insert(variable);
    for (const Stmt *child : node->children())
      collectAddresses(child);
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
  /// Those that are used otherwise than to read them, or may be.
  llvm::DenseSet<const VarDecl *> changed;
  llvm::SmallVector<VarDecl *, 8> captured;
};

} // namespace

Expr *SpawnMarking::spawnBlock(CompoundStmt *node, SpawnWord word) {
  SourceLocation location = word.location;
  Captures captures(node, function);

  llvm::SmallVector<QualType, 8> types;
  llvm::SmallVector<Expr *, 8> arguments;
  for (VarDecl *variable : captures.variables()) {
    if (variable->getStorageClass() == SC_Register)
      variable->setStorageClass(SC_None);
    Expr *reference = children.reference(variable, location);
    arguments.push_back(captures.byValue(variable)
                            ? children.load(reference)
                            : children.addressOf(reference));
    types.push_back(arguments.back()->getType());
  }
  FunctionDecl *outlined = children.function(
      BlockPrefix.str() + std::to_string(children.nextNumber()), types,
      SC_Static, location);
  // The program's own code, which profiles and coverage count.
  outlined->setImplicit(false);
  children.inheritCodeGen(outlined, function);
  captures.replace(node, [&](size_t index, Expr *use) {
    Expr *parameter =
        children.reference(outlined->getParamDecl(index), use->getExprLoc());
    if (captures.byValue(captures.variables()[index]))
      return parameter;
    return children.dereference(children.load(parameter), use->getExprLoc());
  });
  outlined->setBody(node);
  SpawnMarking(outlined, table, children).run();
  children.define(outlined, outlined->getBody());

  Spawn spawn;
  spawn.word = word;
  spawn.call = cast<CallExpr>(children.call(outlined, arguments, location));
  spawn.operand = spawn.call;
  return children.spawn(function, spawn, {}, {});
}

} // namespace cilk2chan
