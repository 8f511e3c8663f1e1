//===- SpawningFunctionChecks.cpp - What spawning functions exclude -------===//
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
#include "clang/Basic/Sanitizers.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace cilk2chan {

/// How to keep what is refused, for most of it.
static constexpr llvm::StringLiteral OrdinaryFunction =
    "move it to a function that neither spawns nor syncs, and call that";

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

/// How the source calls `callee`, which may be behind a macro of the library's.
static llvm::StringRef nameWritten(const CallExpr *call,
                                   const FunctionDecl *callee) {
  SourceLocation location = call->getBeginLoc();
  if (!location.isMacroID())
    return callee->getName();
  const ASTContext &ast = callee->getASTContext();
  return Lexer::getImmediateMacroName(location, ast.getSourceManager(),
                                      ast.getLangOpts());
}

/// Whether CodeGen has the pointers checked through which `function` calls.
static bool checksPointers(const FunctionDecl *function) {
  const LangOptions &options = function->getASTContext().getLangOpts();
  return options.Sanitize.has(SanitizerKind::CFIICall) &&
         llvm::none_of(function->specific_attrs<NoSanitizeAttr>(),
                       [](const NoSanitizeAttr *attribute) {
                         return bool(attribute->getMask() &
                                     SanitizerKind::CFIICall);
                       });
}

static void checkCall(const CallExpr *call, const FunctionDecl *function) {
  DiagnosticsEngine &diagnostics = function->getASTContext().getDiagnostics();
  const FunctionDecl *callee = call->getDirectCallee();
  bool jumps = callee && jumpsNonlocally(callee);
  if (jumps || (callee && readsStackFrame(callee))) {
    error(diagnostics, call->getBeginLoc(),
          "a function that spawns or syncs cannot call '%0'")
        << nameWritten(call, callee);
    note(diagnostics, call->getBeginLoc(),
         jumps ? "return a status instead, or jump only between functions that "
                 "neither spawn nor sync"
               : OrdinaryFunction);
  }
  // The check of the pointer is by metadata, which MLIR has no operands for.
  if (!callee && checksPointers(function)) {
    error(diagnostics, call->getBeginLoc(),
          "a function that spawns or syncs cannot call or spawn through a "
          "pointer that '-fsanitize=cfi-icall' checks");
    note(diagnostics, call->getBeginLoc(),
         "use '-fsanitize=kcfi', or give the function the attribute "
         "'no_sanitize(\"cfi-icall\")'");
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

/// With exceptions the cleanup has a way in from every call, which a call that
/// is split has not.
static void checkCleanups(const DeclStmt *node, const FunctionDecl *function) {
  const ASTContext &ast = function->getASTContext();
  if (!ast.getLangOpts().Exceptions)
    return;
  for (const Decl *declared : node->decls()) {
    if (!declared->hasAttr<CleanupAttr>())
      continue;
    error(ast.getDiagnostics(), declared->getLocation(),
          "a function that spawns or syncs cannot have a variable with the "
          "attribute 'cleanup' under '-fexceptions'");
    note(ast.getDiagnostics(), declared->getLocation(), OrdinaryFunction);
  }
}

static void checkNode(const Stmt *node, const FunctionDecl *function) {
  if (!node)
    return;
  DiagnosticsEngine &diagnostics = function->getASTContext().getDiagnostics();
  SourceLocation location = node->getBeginLoc();
  if (auto *call = dyn_cast<CallExpr>(node)) {
    checkCall(call, function);
  } else if (auto *reference = dyn_cast<DeclRefExpr>(node)) {
    if (isNamedRegister(reference->getDecl())) {
      error(diagnostics, location,
            "a function that spawns or syncs cannot use %0, a variable in a "
            "named register")
          << reference->getDecl();
      note(diagnostics, location, OrdinaryFunction);
    }
  } else if (isa<IndirectGotoStmt, AddrLabelExpr>(node)) {
    error(diagnostics, location,
          "a function that spawns or syncs cannot contain a computed goto");
    note(diagnostics, location, "use a 'switch'");
  } else if (auto *declaration = dyn_cast<DeclStmt>(node)) {
    checkCleanups(declaration, function);
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
    checkNode(child, function);
}

void checkSanitizers(const FunctionDecl *function) {
  const ASTContext &ast = function->getASTContext();
  // Each keeps a shadow of what the runtime, too, writes.
  SanitizerMask shadowed = SanitizerKind::DataFlow | SanitizerKind::HWAddress |
                           SanitizerKind::Memory | SanitizerKind::Type;
  SanitizerSet unserved;
  unserved.Mask = ast.getLangOpts().Sanitize.Mask & shadowed;
  if (unserved.empty())
    return;
  llvm::SmallVector<llvm::StringRef> names;
  clang::serializeSanitizerSet(unserved, names);
  DiagnosticsEngine &diagnostics = ast.getDiagnostics();
  error(diagnostics, function->getLocation(),
        "a function that spawns or syncs cannot be compiled with "
        "'-fsanitize=%0', which the runtime is not built for")
      << llvm::join(names, ",");
  note(diagnostics, function->getLocation(),
       "use 'address', 'undefined' or 'thread', or add '-fcilk-serialize' to "
       "check the serial elision");
}

bool checkTarget(const FunctionDecl *function) {
  DiagnosticsEngine &diagnostics = function->getASTContext().getDiagnostics();
  SourceLocation location = function->getLocation();
  const TargetInfo &target = function->getASTContext().getTargetInfo();
  const llvm::Triple &triple = target.getTriple();
  if (target.getPointerWidth(LangAS::Default) != 64 || target.isBigEndian())
    error(diagnostics, location,
          "a function cannot spawn or sync on '%0': the runtime needs 64-bit "
          "little-endian addresses")
        << triple.str();
  else if (!triple.isOSLinux() || !(triple.isX86() || triple.isAArch64()))
    error(diagnostics, location,
          "a function cannot spawn or sync on '%0': the runtime is for Linux "
          "on x86-64 and AArch64")
        << triple.str();
  else
    return true;
  note(diagnostics, location,
       "add '-fcilk-serialize' to compile the serial elision");
  return false;
}

void checkSpawningFunction(const FunctionDecl *function) {
  DiagnosticsEngine &diagnostics = function->getASTContext().getDiagnostics();
  SourceLocation location = function->getLocation();
  if (function->isVariadic()) {
    error(diagnostics, location,
          "a function that spawns or syncs cannot be variadic");
    note(diagnostics, location,
         "pass a 'va_list' to it from a variadic function");
  }
  if (function->hasAttr<NakedAttr>())
    error(diagnostics, location,
          "a function that spawns or syncs cannot be 'naked'");
  if (function->hasAttr<TargetClonesAttr>() ||
      function->hasAttr<CPUDispatchAttr>() ||
      function->hasAttr<CPUSpecificAttr>())
    error(diagnostics, location,
          "a function that spawns or syncs cannot have several versions");
  checkNode(function->getBody(), function);
}

} // namespace cilk2chan
