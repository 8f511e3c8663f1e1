//===- SpawnWarnings.cpp - Spawns that do not do what they seem to --------===//
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
namespace {

class Warner {
public:
  Warner(ASTContext &ast, const SpawnTable &table,
         const FrontendOptions::Warnings &warnings)
      : diagnostics(ast.getDiagnostics()), table(table), warnings(warnings) {}

  void run(const FunctionDecl *function, bool inCilk);

private:
  /// A spawn and, if its result goes to a plain local, that.
  struct Delivery {
    Spawn spawn;
    const VarDecl *variable = nullptr;
    /// The initialisers after it in the same declaration.
    llvm::SmallVector<const Expr *, 2> after;
  };

  /// The variables whose results no sync has made available yet, and where
  /// those were spawned.
  using Pending = llvm::DenseMap<const VarDecl *, SourceLocation>;

  void visit(const Stmt *node);
  void returned(const ReturnStmt *node);
  void straightLine(const CompoundStmt *block);
  /// The spawns that a statement consists of.
  llvm::SmallVector<Delivery, 2> deliveriesOf(const Stmt *node) const;
  bool endsStraightLine(const Stmt *node) const;
  void reportReads(const Stmt *node, Pending &pending);
  void serial(const CompoundStmt *body);

  DiagnosticsEngine &diagnostics;
  const SpawnTable &table;
  const FrontendOptions::Warnings &warnings;
  unsigned spawnCount = 0;
  bool hasJumps = false;
};

} // namespace

/// A jump target or a jump, a return or a sync: what follows need not follow
/// what came before, or does so after the children have finished.
bool Warner::endsStraightLine(const Stmt *node) const {
  if (!node)
    return false;
  return isa<LabelStmt, SwitchCase, GotoStmt, IndirectGotoStmt, ReturnStmt,
             BreakStmt, ContinueStmt>(node) ||
         table.isSync(node) ||
         llvm::any_of(node->children(), [&](const Stmt *child) {
           return endsStraightLine(child);
         });
}

llvm::SmallVector<Warner::Delivery, 2>
Warner::deliveriesOf(const Stmt *node) const {
  llvm::SmallVector<Delivery, 2> deliveries;
  if (auto *declaration = dyn_cast<DeclStmt>(node)) {
    for (const Decl *declared : declaration->decls()) {
      auto *variable = dyn_cast<VarDecl>(declared);
      if (!variable || !variable->getInit())
        continue;
      for (Delivery &delivery : deliveries)
        delivery.after.push_back(variable->getInit());
      if (auto spawn = table.spawnOf(const_cast<Expr *>(variable->getInit())))
        deliveries.push_back({*spawn, variable, {}});
    }
  } else if (auto *expression = dyn_cast<Expr>(node)) {
    auto *value = const_cast<Expr *>(expression);
    const VarDecl *variable = nullptr;
    if (auto *binary = dyn_cast<BinaryOperator>(value);
        binary && binary->isAssignmentOp()) {
      value = binary->getRHS();
      if (auto *target = dyn_cast<DeclRefExpr>(binary->getLHS()))
        variable = dyn_cast<VarDecl>(target->getDecl());
      if (variable && !variable->hasLocalStorage())
        variable = nullptr;
    }
    if (auto spawn = table.spawnOf(value))
      deliveries.push_back({*spawn, variable, {}});
  }
  return deliveries;
}

void Warner::reportReads(const Stmt *node, Pending &pending) {
  if (!node || pending.empty() || isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  if (auto *conversion = dyn_cast<ImplicitCastExpr>(node))
    if (conversion->getCastKind() == CK_LValueToRValue)
      if (auto *read =
              dyn_cast<DeclRefExpr>(conversion->getSubExpr()->IgnoreParens())) {
        auto found = pending.find(dyn_cast<VarDecl>(read->getDecl()));
        if (found == pending.end())
          return;
        warning(diagnostics, read->getLocation(),
                "%0 is read before the sync that makes the result of the spawn "
                "available",
                warnings.earlyRead)
            << read->getDecl();
        note(diagnostics, found->second, "spawned here");
        pending.erase(found);
        return;
      }
  for (const Stmt *child : node->children())
    reportReads(child, pending);
}

/// The condition of a selection, a `while` or a `for`, with what a `for` or a
/// selection declares before it.  The limit of a parallel loop is one.
static llvm::SmallVector<const Stmt *, 2> firstEvaluated(const Stmt *node) {
  if (auto *selection = dyn_cast<IfStmt>(node))
    return {selection->getInit(), selection->getCond()};
  if (auto *selection = dyn_cast<SwitchStmt>(node))
    return {selection->getInit(), selection->getCond()};
  if (auto *loop = dyn_cast<ForStmt>(node))
    return {loop->getInit(), loop->getCond()};
  if (auto *loop = dyn_cast<WhileStmt>(node))
    return {loop->getCond()};
  return {};
}

void Warner::straightLine(const CompoundStmt *block) {
  Pending pending;
  for (const Stmt *statement : block->body()) {
    // What a statement evaluates first, it does so before it can jump.
    for (const Stmt *first : firstEvaluated(statement))
      reportReads(first, pending);
    if (endsStraightLine(statement))
      pending.clear();
    reportReads(statement, pending);
    for (const Delivery &delivery : deliveriesOf(statement)) {
      if (!delivery.variable)
        continue;
      pending[delivery.variable] = delivery.spawn.word.location;
      for (const Expr *next : delivery.after)
        reportReads(next, pending);
    }
  }
}

void Warner::returned(const ReturnStmt *node) {
  auto *value = const_cast<Expr *>(node->getRetValue());
  if (auto spawn = table.spawnOf(value))
    warning(diagnostics, spawn->word.location,
            "no parallelism from a '%0' in a return statement",
            warnings.returnSpawn)
        << spawn->word.spelling;
}

void Warner::visit(const Stmt *node) {
  if (!node)
    return;
  if (auto *extension = dyn_cast<UnaryOperator>(node);
      extension && table.spawnOf(const_cast<UnaryOperator *>(extension)))
    ++spawnCount;
  if (isa<LabelStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt>(node))
    hasJumps = true;
  if (auto *block = dyn_cast<CompoundStmt>(node)) {
    // A spawned block runs beside its parent, whatever it holds.
    if (table.blockSpawn(block))
      hasJumps = true;
    straightLine(block);
  }
  if (auto *exit = dyn_cast<ReturnStmt>(node); exit)
    returned(exit);
  for (const Stmt *child : node->children())
    visit(child);
}

void Warner::serial(const CompoundStmt *body) {
  for (auto it = body->body_begin(); it != body->body_end(); ++it) {
    auto deliveries = deliveriesOf(*it);
    if (deliveries.empty())
      continue;
    auto next = it + 1;
    if (!deliveries.front().after.empty() ||
        (next != body->body_end() && !table.isSync(*next) &&
         !isa<ReturnStmt>(*next)))
      return;
    const SpawnWord &word = deliveries.front().spawn.word;
    warning(diagnostics, word.location,
            "no parallelism from a '%0' that is the only one of its function "
            "and is synced at once",
            warnings.serial)
        << word.spelling;
  }
}

void Warner::run(const FunctionDecl *function, bool inCilk) {
  visit(function->getBody());
  // In Cilk-5 main cannot but spawn and sync.
  if (spawnCount == 1 && !hasJumps && !inCilk && !function->isMain())
    serial(cast<CompoundStmt>(function->getBody()));
}

void warnOfSpawns(const FunctionDecl *function, const SpawnTable &table,
                  const FrontendOptions::Warnings &warnings, bool inCilk) {
  Warner(function->getASTContext(), table, warnings).run(function, inCilk);
}

} // namespace cilk2chan
