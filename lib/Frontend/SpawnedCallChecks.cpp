//===- SpawnedCallChecks.cpp - What may be spawned, and where it stores -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "SpawnChecks.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/Builtins.h"

using namespace clang;

namespace cilk2chan {

void checkCallee(const Spawn &spawn, const ASTContext &ast) {
  DiagnosticsEngine &diagnostics = ast.getDiagnostics();
  SourceLocation location = spawn.call->getBeginLoc();
  QualType type = spawn.call->getCallee()->getType();
  if (type->isVariablyModifiedType()) {
    error(diagnostics, location,
          "a function whose type depends on a variable cannot be spawned");
    return;
  }
  // A kernel of the runtime's calls it, by what it knows of C.
  QualType pointee = type->getPointeeType();
  auto *called = pointee.isNull() ? nullptr : pointee->getAs<FunctionType>();
  if (called && called->getCallConv() != CC_C) {
    error(diagnostics, location,
          "a function of calling convention '%0' cannot be spawned")
        << FunctionType::getNameForCallConv(called->getCallConv());
    return;
  }
  const FunctionDecl *function = spawn.call->getDirectCallee();
  if (!function)
    return;
  if (function->isMain()) {
    error(diagnostics, location, "'main' cannot be spawned");
    return;
  }
  unsigned builtin = function->getBuiltinID();
  // alloca's memory would be gone when the child returns.
  if (builtin && (!ast.BuiltinInfo.isPredefinedLibFunction(builtin) ||
                  builtin == Builtin::BIalloca))
    error(diagnostics, location, "builtin function %0 cannot be spawned")
        << function;
}

void checkDestination(const Expr *node, const SpawnWord &word,
                      const SpawnTable &table, DiagnosticsEngine &diagnostics) {
  const char *reason = nullptr;
  if (node->refersToVectorElement() ||
      node->getObjectKind() == OK_MatrixComponent)
    reason = "an element of a vector";
  else if (table.containsSpawn(node))
    reason = "an expression that spawns";
  const Expr *root = node;
  while (true) {
    root = root->IgnoreParens();
    if (auto *member = dyn_cast<MemberExpr>(root); member && !member->isArrow())
      root = member->getBase();
    else
      break;
  }
  if (auto *reference = dyn_cast<DeclRefExpr>(root))
    if (auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      if (variable->getStorageClass() == SC_Register &&
          variable->hasAttr<AsmLabelAttr>())
        reason = "a variable in a named register";
  if (reason)
    error(diagnostics, node->getExprLoc(),
          "the result of '%0' cannot be stored in %1")
        << word.spelling << reason << node->getSourceRange();
}

} // namespace cilk2chan
