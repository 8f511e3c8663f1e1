//===- SpawningFunction.cpp - What a spawning function cannot contain -----===//
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

/// Calls that save or restore a point on the C stack, which a spawning function
/// leaves at each sync.
static bool jumpsNonlocally(const FunctionDecl *callee) {
  if (callee->hasAttr<ReturnsTwiceAttr>())
    return true;
  switch (callee->getBuiltinID()) {
  case Builtin::BI__builtin_setjmp:
  case Builtin::BI__builtin_longjmp:
    return true;
  default:
    break;
  }
  if (!callee->getIdentifier() || !callee->isExternC())
    return false;
  static constexpr llvm::StringLiteral names[] = {
      "setjmp",  "_setjmp",  "__setjmp",   "sigsetjmp", "__sigsetjmp",
      "longjmp", "_longjmp", "siglongjmp", "vfork",     "getcontext"};
  return llvm::is_contained(names, callee->getName());
}

static bool readsStackFrame(const FunctionDecl *callee) {
  switch (callee->getBuiltinID()) {
  case Builtin::BI__builtin_frame_address:
  case Builtin::BI__builtin_return_address:
  case Builtin::BI__builtin_stack_address:
    return true;
  default:
    return false;
  }
}

/// A register holds what the thread of the moment left there, and a kernel's
/// thread is not the caller's.
static bool isNamedRegister(const ValueDecl *value) {
  auto *variable = dyn_cast<VarDecl>(value);
  return variable && variable->hasGlobalStorage() &&
         variable->getStorageClass() == SC_Register &&
         variable->hasAttr<AsmLabelAttr>();
}

static void checkNode(const Stmt *node, DiagnosticsEngine &diagnostics) {
  if (!node)
    return;
  SourceLocation location = node->getBeginLoc();
  if (auto *call = dyn_cast<CallExpr>(node)) {
    if (const FunctionDecl *callee = call->getDirectCallee())
      if (jumpsNonlocally(callee) || readsStackFrame(callee))
        error(diagnostics, location,
              "a function that spawns or syncs cannot call %0")
            << callee;
  } else if (auto *reference = dyn_cast<DeclRefExpr>(node)) {
    if (isNamedRegister(reference->getDecl()))
      error(diagnostics, location,
            "a function that spawns or syncs cannot use %0, a variable in a "
            "named register")
          << reference->getDecl();
  } else if (isa<IndirectGotoStmt, AddrLabelExpr>(node)) {
    error(diagnostics, location,
          "a function that spawns or syncs cannot contain a computed goto");
  } else if (auto *attributed = dyn_cast<AttributedStmt>(node)) {
    for (const Attr *attribute : attributed->getAttrs())
      if (isa<MustTailAttr>(attribute))
        error(diagnostics, attribute->getLocation(),
              "a function that spawns or syncs cannot make a 'musttail' call");
  }
  // Nothing of an unevaluated operand runs.
  if (isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  for (const Stmt *child : node->children())
    checkNode(child, diagnostics);
}

void checkSpawningFunction(const FunctionDecl *function) {
  DiagnosticsEngine &diagnostics = function->getASTContext().getDiagnostics();
  SourceLocation location = function->getLocation();
  if (function->isVariadic())
    error(diagnostics, location,
          "a function that spawns or syncs cannot be variadic");
  if (function->hasAttr<NakedAttr>())
    error(diagnostics, location,
          "a function that spawns or syncs cannot be 'naked'");
  if (function->hasAttr<TargetClonesAttr>() ||
      function->hasAttr<CPUDispatchAttr>() ||
      function->hasAttr<CPUSpecificAttr>())
    error(diagnostics, location,
          "a function that spawns or syncs cannot have several versions");
  checkNode(function->getBody(), diagnostics);
}

} // namespace cilk2chan
