//===- SpawnChecks.cpp - Where spawn and sync may stand -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpawnChecks.h"
#include "Braces.h"
#include "Diagnostics.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace cilk2chan {
namespace {

/// What keeps a spawn inside an expression from being a statement of its own.
enum class Inside {
  operand,
  spawnedArgument,
  secondArgument,
  condition,
  unevaluated,
  initializerList,
  staticInitializer,
};

class Checker {
public:
  Checker(ASTContext &ast, SpawnTable &table)
      : ast(ast), diagnostics(ast.getDiagnostics()), table(table) {}

  /// A statement, or an expression whose value nothing uses.
  void statement(Stmt *node);

  void reportUnseen(llvm::ArrayRef<SpawnWord> words);

  bool spawning = false;

private:
  void discarded(Expr *node);
  /// What is assigned to `destination`, or returned if that is null.
  void assigned(Expr *node, Expr *destination);
  /// An expression whose value is used, in which no spawn may stand.
  void value(Stmt *node, Inside inside);
  void statementExpression(StmtExpr *node, bool used);
  void declaration(DeclStmt *node);
  void spawn(const Spawn &spawn);
  /// What a child evaluates; `carried`: with the call of a spawned argument.
  void spawnedCall(const Spawn &spawn);
  /// Sees the words that a selection at compile time leaves out, in what
  /// stands for the value of `node`.
  void leaveOut(Expr *node);
  void seeAll(const Stmt *node);
  /// Reports a spawn of something that is no call.
  void refuseOperand(const Spawn &spawn);
  void misplaced(const SpawnWord &word, Inside inside);
  /// Notes a word that is where it may be, or has been reported.
  void see(const SpawnWord &word) {
    spawning = true;
    seen.insert(word.location);
  }

  ASTContext &ast;
  DiagnosticsEngine &diagnostics;
  SpawnTable &table;
  llvm::DenseSet<SourceLocation> seen;
  /// Those that `leaveOut` has visited.
  llvm::DenseSet<const Expr *> selections;
};

} // namespace

void Checker::statement(Stmt *node) {
  if (!node)
    return;
  if (auto *expression = dyn_cast<Expr>(node))
    return discarded(expression);
  switch (node->getStmtClass()) {
  case Stmt::CompoundStmtClass: {
    auto *compound = cast<CompoundStmt>(node);
    if (auto word = table.blockSpawn(compound)) {
      see(*word);
      checkSpawnedBlock(compound, diagnostics);
    } else if (auto word = table.scope(compound)) {
      see(*word);
    }
    for (Stmt *child : compound->body())
      statement(child);
    break;
  }
  case Stmt::DeclStmtClass:
    declaration(cast<DeclStmt>(node));
    break;
  case Stmt::LabelStmtClass:
  case Stmt::DefaultStmtClass:
  case Stmt::AttributedStmtClass:
    for (Stmt *child : node->children())
      statement(child);
    break;
  case Stmt::CaseStmtClass:
    statement(cast<CaseStmt>(node)->getSubStmt());
    break;
  case Stmt::IfStmtClass: {
    auto *branch = cast<IfStmt>(node);
    value(branch->getInit(), Inside::condition);
    value(branch->getConditionVariableDeclStmt(), Inside::condition);
    value(branch->getCond(), Inside::condition);
    statement(branch->getThen());
    statement(branch->getElse());
    break;
  }
  case Stmt::SwitchStmtClass: {
    auto *branch = cast<SwitchStmt>(node);
    value(branch->getInit(), Inside::condition);
    value(branch->getConditionVariableDeclStmt(), Inside::condition);
    value(branch->getCond(), Inside::condition);
    statement(branch->getBody());
    break;
  }
  case Stmt::WhileStmtClass: {
    auto *loop = cast<WhileStmt>(node);
    value(loop->getConditionVariableDeclStmt(), Inside::condition);
    value(loop->getCond(), Inside::condition);
    statement(loop->getBody());
    break;
  }
  case Stmt::DoStmtClass:
    statement(cast<DoStmt>(node)->getBody());
    value(cast<DoStmt>(node)->getCond(), Inside::condition);
    break;
  case Stmt::ForStmtClass: {
    auto *loop = cast<ForStmt>(node);
    auto word = table.parallelLoop(loop);
    if (word)
      see(*word);
    word ? value(loop->getInit(), Inside::operand) : statement(loop->getInit());
    value(loop->getConditionVariableDeclStmt(), Inside::condition);
    value(loop->getCond(), Inside::condition);
    word ? value(loop->getInc(), Inside::operand) : statement(loop->getInc());
    statement(loop->getBody());
    break;
  }
  case Stmt::ReturnStmtClass:
    assigned(cast<ReturnStmt>(node)->getRetValue(), nullptr);
    break;
  default:
    // Statements that are no C of themselves (OpenMP's, say) are not known to
    // run their parts in this activation.
    for (Stmt *child : node->children())
      value(child, Inside::operand);
  }
}

/// Visits what has the value of `node`, apart from conversions.
void Checker::leaveOut(Expr *node) {
  while (node) {
    Expr *same = SpawnTable::sameValue(node);
    if (isa<GenericSelectionExpr, ChooseExpr>(node) &&
        selections.insert(node).second) {
      auto *selection = dyn_cast<GenericSelectionExpr>(node);
      Expr *question = selection ? nullptr : cast<ChooseExpr>(node)->getCond();
      if (selection && selection->isExprPredicate())
        question = selection->getControllingExpr();
      value(question, Inside::unevaluated);
      for (Stmt *child : node->children())
        if (child != same && child != question)
          seeAll(child);
    }
    auto *cast = same ? nullptr : dyn_cast<CastExpr>(node);
    node = cast ? cast->getSubExpr() : same;
  }
}

void Checker::seeAll(const Stmt *node) {
  if (!node)
    return;
  if (auto *extension = dyn_cast<UnaryOperator>(node)) {
    if (auto found = table.spawnOf(const_cast<UnaryOperator *>(extension)))
      see(found->word);
  } else if (auto *block = dyn_cast<CompoundStmt>(node)) {
    if (auto word = table.blockSpawn(block))
      see(*word);
    if (auto word = table.scope(block))
      see(*word);
  } else if (auto *loop = dyn_cast<ForStmt>(node)) {
    if (auto word = table.parallelLoop(loop))
      see(*word);
  }
  for (const Stmt *child : node->children())
    seeAll(child);
}

void Checker::discarded(Expr *node) {
  leaveOut(node);
  if (auto found = table.spawnOf(node))
    return spawn(*found);
  if (table.isSync(node)) {
    spawning = true;
    return;
  }
  if (Expr *same = SpawnTable::sameValue(node))
    return discarded(same);
  if (auto *cast = dyn_cast<CStyleCastExpr>(node);
      cast && cast->getCastKind() == CK_ToVoid)
    return discarded(cast->getSubExpr());
  if (auto *choice = dyn_cast<ConditionalOperator>(node)) {
    value(choice->getCond(), Inside::condition);
    discarded(choice->getTrueExpr());
    return discarded(choice->getFalseExpr());
  }
  if (auto *block = dyn_cast<StmtExpr>(node))
    return statementExpression(block, /*used=*/false);
  if (auto *binary = dyn_cast<BinaryOperator>(node)) {
    if (binary->getOpcode() == BO_Comma) {
      discarded(binary->getLHS());
      return discarded(binary->getRHS());
    }
    if (binary->isAssignmentOp()) {
      value(binary->getLHS(), Inside::operand);
      return assigned(binary->getRHS(), binary->getLHS());
    }
  }
  value(node, Inside::operand);
}

static bool containsStatementExpression(const Stmt *node) {
  return node && (isa<StmtExpr>(node) ||
                  llvm::any_of(node->children(), containsStatementExpression));
}

void Checker::assigned(Expr *node, Expr *target) {
  if (!node)
    return;
  leaveOut(node);
  if (auto found = table.spawnOf(node)) {
    if (target)
      checkDestination(target, found->word, table, ast);
    return spawn(*found);
  }
  Expr *inner = node;
  while (true) {
    if (Expr *same = SpawnTable::sameValue(inner))
      inner = same;
    else if (isa<ImplicitCastExpr, CStyleCastExpr>(inner))
      inner = cast<CastExpr>(inner)->getSubExpr();
    else
      break;
  }
  auto *choice = dyn_cast<ConditionalOperator>(inner);
  if (!choice || !table.containsSpawn(choice))
    return value(node, Inside::operand);
  // The assignment will stand in both arms.
  if (target && containsStatementExpression(target))
    error(diagnostics, target->getExprLoc(),
          "a statement expression cannot say where the result of a conditional "
          "spawn goes")
        << target->getSourceRange();
  value(choice->getCond(), Inside::condition);
  assigned(choice->getTrueExpr(), target);
  assigned(choice->getFalseExpr(), target);
}

void Checker::value(Stmt *node, Inside inside) {
  // What the parser has refused already says nothing of where a spawn stands.
  if (!node || isa<RecoveryExpr>(node))
    return;
  if (auto *expression = dyn_cast<UnaryOperator>(node))
    if (auto found = table.spawnOf(expression)) {
      if (!found->call)
        return refuseOperand(*found);
      misplaced(found->word, inside);
      return value(found->call, Inside::operand);
    }
  if (table.isSync(node)) {
    spawning = true;
    error(diagnostics, node->getBeginLoc(),
          "a sync must be a statement of its own");
    return;
  }
  if (auto *block = dyn_cast<StmtExpr>(node)) {
    if (inside == Inside::unevaluated)
      return value(block->getSubStmt(), inside);
    return statementExpression(block, /*used=*/true);
  }
  if (auto *trait = dyn_cast<UnaryExprOrTypeTraitExpr>(node)) {
    for (Stmt *child : trait->children())
      value(child, Inside::unevaluated);
    return;
  }
  if (isa<GenericSelectionExpr, ChooseExpr>(node)) {
    leaveOut(cast<Expr>(node));
    return value(SpawnTable::sameValue(cast<Expr>(node)), inside);
  }
  bool sticky = inside == Inside::unevaluated || inside == Inside::condition ||
                inside == Inside::staticInitializer;
  if (auto *call = dyn_cast<CallExpr>(node)) {
    for (Stmt *child : call->children())
      value(child, sticky ? inside : Inside::operand);
    return;
  }
  if (auto *choice = dyn_cast<AbstractConditionalOperator>(node);
      choice && !sticky) {
    value(choice->getCond(), Inside::condition);
    value(choice->getTrueExpr(), Inside::operand);
    return value(choice->getFalseExpr(), Inside::operand);
  }
  // Parentheses and conversions do not change what a spawn is inside of.
  bool transparent = isa<ParenExpr, CastExpr, FullExpr>(node);
  Inside next = sticky || transparent     ? inside
                : isa<InitListExpr>(node) ? Inside::initializerList
                                          : Inside::operand;
  for (Stmt *child : node->children())
    value(child, next);
}

void Checker::statementExpression(StmtExpr *node, bool used) {
  CompoundStmt *body = node->getSubStmt();
  for (Stmt *child : body->body()) {
    bool result = used && child == body->body_back() && isa<ValueStmt>(child) &&
                  !node->getType()->isVoidType();
    if (result)
      value(child, Inside::operand);
    else
      statement(child);
  }
}

void Checker::declaration(DeclStmt *node) {
  for (Decl *declared : node->decls()) {
    auto *variable = dyn_cast<VarDecl>(declared);
    if (!variable || !variable->getInit())
      continue;
    if (variable->isStaticLocal())
      value(variable->getInit(), Inside::staticInitializer);
    else
      assigned(variable->getInit(), nullptr);
  }
}

void Checker::spawn(const Spawn &spawn) {
  see(spawn.word);
  if (!spawn.call)
    return refuseOperand(spawn);
  spawnedCall(spawn);
}

void Checker::refuseOperand(const Spawn &spawn) {
  see(spawn.word);
  if (spawn.operand->containsErrors())
    return;
  error(diagnostics, spawn.operand->getExprLoc(),
        "the argument to '%0' must be a function call")
      << spawn.word.spelling << spawn.operand->getSourceRange();
  note(diagnostics, spawn.operand->getExprLoc(),
       "to run other code than a call, spawn a block: '%0 { ... }'")
      << spawn.word.spelling;
  value(spawn.operand, Inside::operand);
}

void Checker::spawnedCall(const Spawn &spawn) {
  checkCallee(spawn.call, ast);
  auto *call = dyn_cast<CallExpr>(spawn.call);
  bool first = spawn.carried;
  for (Stmt *child : spawn.call->children()) {
    auto *part = dyn_cast_or_null<Expr>(child);
    if (!part || (call && part == call->getCallee())) {
      value(child, Inside::operand);
      continue;
    }
    auto inner = table.spawnOf(part);
    if (inner && std::exchange(first, false)) {
      leaveOut(part);
      this->spawn(*inner);
    } else {
      value(child,
            spawn.carried ? Inside::secondArgument : Inside::spawnedArgument);
    }
  }
}

void Checker::misplaced(const SpawnWord &word, Inside inside) {
  see(word);
  llvm::StringRef text;
  llvm::StringRef wayOut =
      "assign the result to a variable and use that after a sync";
  switch (inside) {
  case Inside::operand:
    text = "'%0' is not at statement level";
    break;
  case Inside::spawnedArgument:
    text = "'%0' as the argument of a spawned call is not allowed";
    break;
  case Inside::secondArgument:
    text = "'%0' of more than one argument of a call is not allowed";
    break;
  case Inside::condition:
    text = "'%0' within a condition is not allowed";
    break;
  case Inside::unevaluated:
    text = "'%0' in an unevaluated operand is not allowed";
    wayOut = "nothing runs the call in it; write the call without '%0'";
    break;
  case Inside::initializerList:
    text = "'%0' in an initializer list is not allowed";
    break;
  case Inside::staticInitializer:
    text = "'%0' in the initializer of a static variable is not allowed";
    wayOut = "it is computed before the program starts; assign to the variable "
             "in a statement";
    break;
  }
  error(diagnostics, word.location, text) << word.spelling;
  note(diagnostics, word.location, wayOut) << word.spelling;
}

void Checker::reportUnseen(llvm::ArrayRef<SpawnWord> words) {
  for (const SpawnWord &word : words) {
    if (seen.contains(word.location))
      continue;
    see(word);
    error(diagnostics, word.location, "'%0' is not allowed here")
        << word.spelling;
  }
}

bool checkSpawns(FunctionDecl *function, SpawnTable &table) {
  ASTContext &ast = function->getASTContext();
  llvm::SmallVector<SpawnWord> words = table.takeSpawns();
  // Ordinary functions, those of the headers included, cost nothing.
  bool syncs = table.takeSyncs();
  bool refused = table.takeRefused();
  if (words.empty() && !syncs)
    return false;
  if (refused)
    return true;
  addBraces(function, table);
  Checker checker(ast, table);
  // After an error the parser drops expressions, and the spawns in them.
  bool complete = !ast.getDiagnostics().hasErrorOccurred();
  checker.statement(function->getBody());
  checkLoops(function, table);
  if (complete)
    checker.reportUnseen(words);
  if (checker.spawning) {
    checkSpawningFunction(function);
    checkLocks(function, table);
  }
  return checker.spawning;
}

} // namespace cilk2chan
