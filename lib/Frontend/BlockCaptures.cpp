//===- BlockCaptures.cpp - What a spawned block has of its parent ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockCaptures.h"
#include "SpawnTable.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace cilk2chan {

BlockCaptures::BlockCaptures(const Stmt *block, const AddressFlow &flow) {
  collectOwn(block);
  collect(block, /*isRead=*/false);
  // A block that has a pointer to a variable may change it unseen.
  for (const VarDecl *pointer : captured)
    for (LocalObject object : flow.heldBy(pointer))
      if (auto *variable = dyn_cast<const VarDecl *>(object))
        changed.insert(variable);
}

static bool isLarge(QualType type, const ASTContext &ast) {
  return (type->isVectorType() || type->isBitIntType()) &&
         ast.getTypeSize(type) > 128;
}

bool BlockCaptures::byValue(const VarDecl *variable) const {
  QualType type = variable->getType().getAtomicUnqualifiedType();
  bool isScalar = type->isScalarType() || type->isVectorType();
  bool isLargeAtomic = variable->getType()->isAtomicType() &&
                       isLarge(type, variable->getASTContext());
  return isScalar && !isLargeAtomic && !changed.contains(variable);
}

bool BlockCaptures::byCopy(const VarDecl *variable) const {
  return byValue(variable) &&
         isLarge(variable->getType(), variable->getASTContext());
}

void BlockCaptures::collectOwn(const Stmt *node) {
  if (!node)
    return;
  if (auto *declaration = dyn_cast<DeclStmt>(node))
    own.insert_range(declaration->decls());
  for (const Stmt *child : node->children())
    collectOwn(child);
}

/// The part of `node` that is evaluated, if the rest is not; null if all is.
static const Stmt *evaluatedPart(const Stmt *node) {
  if (isa<GenericSelectionExpr, ChooseExpr>(node))
    return SpawnTable::sameValue(cast<Expr>(const_cast<Stmt *>(node)));
  return nullptr;
}

/// Whether nothing of `node` is evaluated.  A type's size may be computed.
static bool isUnevaluated(const Stmt *node) {
  auto *trait = dyn_cast<UnaryExprOrTypeTraitExpr>(node);
  return trait && !trait->isArgumentType();
}

/// Whether `node` does nothing with the lvalue `child` but read it, if it is
/// itself used so (`isRead`).
static bool reads(const Stmt *node, const Stmt *child, bool isRead) {
  if (auto *cast = dyn_cast<CastExpr>(node)) {
    CastKind kind = cast->getCastKind();
    return kind == CK_LValueToRValue || kind == CK_LValueToRValueBitCast ||
           kind == CK_ToVoid;
  }
  if (auto *unary = dyn_cast<UnaryOperator>(node)) {
    UnaryOperatorKind kind = unary->getOpcode();
    return isRead &&
           (kind == UO_Extension || kind == UO_Real || kind == UO_Imag);
  }
  if (auto *element = dyn_cast<ArraySubscriptExpr>(node))
    return isRead && child == element->getBase() &&
           element->getBase()->getType()->isVectorType();
  return isRead && isa<ParenExpr, ExtVectorElementExpr>(node);
}

void BlockCaptures::collect(const Stmt *node, bool isRead) {
  if (!node || isUnevaluated(node))
    return;
  if (const Stmt *part = evaluatedPart(node))
    return collect(part, isRead);
  if (VarDecl *variable = outer(node)) {
    if (index.try_emplace(variable, captured.size()).second)
      captured.push_back(variable);
    if (!isRead)
      changed.insert(variable);
  }
  for (const Stmt *child : node->children())
    collect(child, child && reads(node, child, isRead));
}

void BlockCaptures::replace(
    Stmt *block, llvm::function_ref<Expr *(size_t, Expr *)> make) const {
  if (isUnevaluated(block))
    return;
  for (Stmt *&child : block->children()) {
    if (!child)
      continue;
    if (VarDecl *variable = outer(child)) {
      // What is not evaluated has no replacement.
      auto found = index.find(variable);
      if (found != index.end())
        child = make(found->second, cast<Expr>(child));
    } else {
      replace(child, make);
    }
  }
}

VarDecl *BlockCaptures::outer(const Stmt *node) const {
  auto *reference = dyn_cast<DeclRefExpr>(node);
  if (!reference)
    return nullptr;
  auto *variable =
      dyn_cast<VarDecl>(const_cast<ValueDecl *>(reference->getDecl()));
  return variable && variable->hasLocalStorage() && !own.contains(variable)
             ? variable
             : nullptr;
}

} // namespace cilk2chan
