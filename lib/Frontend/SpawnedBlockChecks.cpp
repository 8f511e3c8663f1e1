//===- SpawnedBlockChecks.cpp - What a spawned block may contain ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "SpawnChecks.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace cilk2chan {

/// Says what to do about an expression whose type depends on a variable.
static void explainType(const Expr *expression, const CompoundStmt *block,
                        DiagnosticsEngine &diagnostics) {
  auto *reference = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
  auto *array =
      reference
          ? dyn_cast<VariableArrayType>(reference->getType().getCanonicalType())
          : nullptr;
  bool isFlat = array && !array->getElementType()->isVariablyModifiedType();
  bool isOutside = reference && !block->getSourceRange().fullyContains(
                                    reference->getDecl()->getLocation());
  if (isFlat && isOutside)
    note(diagnostics, expression->getExprLoc(),
         "declare a pointer to the first element of %0 in front of the block, "
         "and use that")
        << reference->getDecl();
  else
    note(diagnostics, expression->getExprLoc(),
         "spawn a function instead, which may have such parameters");
}

static void checkContents(const Stmt *node, const CompoundStmt *block,
                          bool inLoop, bool inSwitch,
                          DiagnosticsEngine &diagnostics) {
  // What Clang has not understood may have no type.
  if (!node || isa<RecoveryExpr>(node))
    return;
  llvm::StringRef jump;
  llvm::StringRef wayOut = "the block runs beside what follows it; put what it "
                           "skips under an 'if', or spawn a function instead";
  if (isa<ReturnStmt>(node)) {
    jump = "return";
  } else if (isa<GotoStmt, IndirectGotoStmt>(node)) {
    jump = "goto";
  } else if (isa<LabelStmt>(node)) {
    jump = "label";
    wayOut = "spawn a function instead, which may have labels";
  } else if (isa<BreakStmt>(node) && !inLoop && !inSwitch) {
    jump = "break";
  } else if (isa<ContinueStmt>(node) && !inLoop) {
    jump = "continue";
  } else if (isa<SwitchCase>(node) && !inSwitch) {
    jump = "case";
    wayOut = "put the whole 'switch' into the block";
  }
  if (!jump.empty()) {
    error(diagnostics, node->getBeginLoc(),
          "'%0' in a spawned block is not allowed")
        << jump;
    note(diagnostics, node->getBeginLoc(), wayOut);
  }
  auto *expression = dyn_cast<Expr>(node);
  if (expression && expression->getType()->isVariablyModifiedType()) {
    error(diagnostics, expression->getExprLoc(),
          "a type that depends on a variable in a spawned block is not "
          "supported")
        << expression->getSourceRange();
    explainType(expression, block, diagnostics);
    return;
  }
  inLoop |= isa<ForStmt, WhileStmt, DoStmt>(node);
  inSwitch |= isa<SwitchStmt>(node);
  for (const Stmt *child : node->children())
    checkContents(child, block, inLoop, inSwitch, diagnostics);
}

void checkSpawnedBlock(const CompoundStmt *block,
                       DiagnosticsEngine &diagnostics) {
  for (const Stmt *child : block->body())
    checkContents(child, block, false, false, diagnostics);
}

} // namespace cilk2chan
