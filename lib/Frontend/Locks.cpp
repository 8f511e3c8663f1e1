//===- Locks.cpp - Calls that take and release locks ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Locks.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace cilk2chan {

Lock::Lock(const ASTContext &ast, const Expr *node) : expression(node) {
  if (!node)
    return;
  node = node->IgnoreParenCasts();
  // `&lock` and `lock` are the same one, and so are `pointer` and `*pointer`.
  bool pointer = node->getType()->isPointerType();
  if (auto *unary = dyn_cast<UnaryOperator>(node)) {
    if (unary->getOpcode() == UO_AddrOf || unary->getOpcode() == UO_Deref) {
      pointer = unary->getOpcode() == UO_Deref;
      node = unary->getSubExpr()->IgnoreParenCasts();
    }
  }
  form.AddBoolean(pointer);
  node->Profile(form, ast, /*Canonical=*/true);
}

const ValueDecl *Lock::root() const {
  const Expr *node = expression;
  while (node) {
    node = node->IgnoreParenCasts();
    if (auto *reference = dyn_cast<DeclRefExpr>(node))
      return reference->getDecl();
    if (auto *member = dyn_cast<MemberExpr>(node))
      node = member->getBase();
    else if (auto *element = dyn_cast<ArraySubscriptExpr>(node))
      node = element->getBase();
    else if (auto *unary = dyn_cast<UnaryOperator>(node))
      node = unary->getSubExpr();
    else
      return nullptr;
  }
  return nullptr;
}

std::string Lock::spelling(const ASTContext &ast) const {
  if (!expression)
    return "";
  const Expr *node = expression->IgnoreParenCasts();
  if (auto *unary = dyn_cast<UnaryOperator>(node);
      unary && unary->getOpcode() == UO_AddrOf)
    node = unary->getSubExpr();
  std::string text;
  llvm::raw_string_ostream os(text);
  node->printPretty(os, nullptr, ast.getPrintingPolicy());
  return text;
}

/// The locks that an attribute of `function` names, in terms of the call's
/// arguments.  An attribute without any speaks of a lock without a name.
template <typename Attribute>
static llvm::SmallVector<Lock, 1> namedLocks(const Attribute *attribute,
                                             const FunctionDecl *function,
                                             const CallExpr *call) {
  const ASTContext &ast = function->getASTContext();
  llvm::SmallVector<Lock, 1> locks;
  for (const Expr *named : attribute->args()) {
    const Expr *node = named->IgnoreParenCasts();
    if (auto *unary = dyn_cast<UnaryOperator>(node))
      node = unary->getSubExpr()->IgnoreParenCasts();
    auto *reference = dyn_cast<DeclRefExpr>(node);
    auto *parameter =
        reference ? dyn_cast<ParmVarDecl>(reference->getDecl()) : nullptr;
    if (call && parameter &&
        parameter->getFunctionScopeIndex() < call->getNumArgs())
      named = call->getArg(parameter->getFunctionScopeIndex());
    locks.emplace_back(ast, named);
  }
  if (locks.empty())
    locks.emplace_back(ast, nullptr);
  return locks;
}

static bool isTrue(const ASTContext &ast, const Expr *value) {
  bool result = true;
  value->EvaluateAsBooleanCondition(result, ast);
  return result;
}

LockCall classifyCall(const ASTContext &ast, const CallExpr *call) {
  const FunctionDecl *function = call->getDirectCallee();
  if (!function)
    return {};
  auto byAttribute = [&](const auto *attribute, LockFunction effect) {
    return LockCall{effect, namedLocks(attribute, function, call),
                    /*byAttribute=*/true};
  };
  if (auto *attribute = function->getAttr<AcquireCapabilityAttr>())
    return byAttribute(attribute, {LockFunction::acquire});
  if (auto *attribute = function->getAttr<ReleaseCapabilityAttr>())
    return byAttribute(attribute, {LockFunction::release});
  if (auto *attribute = function->getAttr<TryAcquireCapabilityAttr>())
    return byAttribute(attribute, {LockFunction::attempt, /*semaphore=*/false,
                                   !isTrue(ast, attribute->getSuccessValue())});
  if (!function->getIdentifier())
    return {};
  LockCall known{lockFunction(function->getName()), {}};
  // Spawning under a Cilk lock is an error (LockChecks.cpp).
  if ((known.kind == LockCall::unknown && function->getBuiltinID()) ||
      function->getName().starts_with("Cilk_"))
    known.kind = LockCall::neutral;
  if (call->getNumArgs())
    known.locks.emplace_back(ast, call->getArg(0));
  return known;
}

llvm::SmallVector<Lock, 1> locksRequired(const FunctionDecl *function) {
  llvm::SmallVector<Lock, 1> locks;
  for (auto *attribute : function->specific_attrs<RequiresCapabilityAttr>())
    locks.append(namedLocks(attribute, function, nullptr));
  return locks;
}

} // namespace cilk2chan
