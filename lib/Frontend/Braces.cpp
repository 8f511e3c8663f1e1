//===- Braces.cpp - Scopes and spawns in front of any statement -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Braces.h"
#include "Diagnostics.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace cilk2chan {
namespace {

class Bracer {
public:
  Bracer(ASTContext &ast, const SpawnTable &table) : ast(ast), table(table) {}

  /// Rewrites what stands in `place`, and all parts of it.
  void visit(Stmt *&place);

private:
  Stmt *brace(LabelStmt *label, const SpawnWord &word);
  void moveWord(BinaryOperator *assignment);

  ASTContext &ast;
  const SpawnTable &table;
};

} // namespace

Stmt *Bracer::brace(LabelStmt *label, const SpawnWord &word) {
  Stmt *body = label->getSubStmt();
  if (isa<DeclStmt>(body))
    error(ast.getDiagnostics(), word.location,
          "'%0' in front of a declaration: write a block")
        << word.spelling;
  return CompoundStmt::Create(ast, body, FPOptionsOverride(), word.location,
                              body->getEndLoc());
}

/// The parser reads `cilk_spawn x = f()` as `(cilk_spawn x) = f()`.
void Bracer::moveWord(BinaryOperator *assignment) {
  auto *extension = dyn_cast<UnaryOperator>(assignment->getLHS());
  if (!extension || !table.isSpawn(extension))
    return;
  Stmt **place = nullptr;
  for (Stmt *&child : assignment->children())
    place = &child; // the right side
  while (auto *outer = dyn_cast<Expr>(*place)) {
    if (!isa<ParenExpr, ImplicitCastExpr, CStyleCastExpr>(outer))
      break;
    place = &*outer->child_begin();
  }
  auto *value = cast<Expr>(*place);
  if (!SpawnTable::isCall(value))
    return;
  assignment->setLHS(extension->getSubExpr());
  *place = UnaryOperator::Create(ast, value, UO_Extension, value->getType(),
                                 value->getValueKind(), OK_Ordinary,
                                 extension->getOperatorLoc(),
                                 /*CanOverflow=*/false, FPOptionsOverride());
}

void Bracer::visit(Stmt *&place) {
  if (!place)
    return;
  for (Stmt *&child : place->children())
    visit(child);
  if (auto *label = dyn_cast<LabelStmt>(place)) {
    if (auto word = table.labelled(label))
      place = brace(label, *word);
  } else if (auto *binary = dyn_cast<BinaryOperator>(place)) {
    if (binary->isAssignmentOp())
      moveWord(binary);
  }
}

void addBraces(FunctionDecl *function, const SpawnTable &table) {
  Stmt *body = function->getBody();
  Bracer(function->getASTContext(), table).visit(body);
}

} // namespace cilk2chan
