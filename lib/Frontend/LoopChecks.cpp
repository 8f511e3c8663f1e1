//===- LoopChecks.cpp - Parallel loops and scopes -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Jumps.h"
#include "ParallelLoop.h"
#include "SpawnChecks.h"

using namespace clang;

namespace cilk2chan {
namespace {

class LoopChecker {
public:
  LoopChecker(ASTContext &ast, const SpawnTable &table)
      : ast(ast), diagnostics(ast.getDiagnostics()), table(table) {}

  /// `block` is the innermost spawned block around the node.
  void visit(Stmt *node, CompoundStmt *block);

private:
  void loop(ForStmt *node, SpawnWord word, CompoundStmt *block);
  void grain(CallExpr *call);

  ASTContext &ast;
  DiagnosticsEngine &diagnostics;
  const SpawnTable &table;
};

} // namespace

void LoopChecker::loop(ForStmt *node, SpawnWord word, CompoundStmt *block) {
  std::optional<ParallelLoop> loop = analyzeLoop(node, word, ast);
  if (!loop || !loop->declaredBefore || !block)
    return;
  // The block's function has the addresses of the locals around it, but each
  // iteration has a control variable of its own.
  SourceLocation declared = loop->variable->getLocation();
  if (!block->getSourceRange().fullyContains(declared)) {
    error(diagnostics, word.location,
          "the control variable of a '%0' in a spawned block must be declared "
          "in the block")
        << word.spelling;
    note(diagnostics, declared, "declared here");
  }
}

void LoopChecker::grain(CallExpr *call) {
  const Expr *value = call->getArg(0)->IgnoreParenImpCasts();
  if (!value->getType()->isIntegralOrEnumerationType()) {
    // Against other types the parser has said something.
    if (!value->getType()->isArithmeticType())
      return;
    error(diagnostics, value->getExprLoc(),
          "the grainsize of a 'cilk_for' must be an integer, not %0")
        << value->getType() << value->getSourceRange();
    return;
  }
  Expr::EvalResult constant;
  if (value->EvaluateAsInt(constant, ast) && constant.Val.getInt().isNegative())
    error(diagnostics, value->getExprLoc(),
          "the grainsize of a 'cilk_for' cannot be negative")
        << value->getSourceRange();
}

void LoopChecker::visit(Stmt *node, CompoundStmt *block) {
  if (!node || isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  if (auto *statement = dyn_cast<ForStmt>(node)) {
    if (auto word = table.parallelLoop(statement))
      loop(statement, *word, block);
  } else if (auto *statement = dyn_cast<IfStmt>(node)) {
    if (CallExpr *call = table.grain(statement))
      grain(call);
  } else if (auto *compound = dyn_cast<CompoundStmt>(node)) {
    if (table.blockSpawn(compound))
      block = compound;
  }
  for (Stmt *child : node->children())
    visit(child, block);
}

void checkLoops(const FunctionDecl *function, const SpawnTable &table) {
  ASTContext &ast = function->getASTContext();
  LoopChecker(ast, table).visit(function->getBody(), nullptr);
  Jumps(function->getBody(), table).check(ast.getDiagnostics());
}

} // namespace cilk2chan
