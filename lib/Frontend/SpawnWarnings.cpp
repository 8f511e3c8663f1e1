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
  /// A spawn and, if its result goes to a plain local, that, and how.
  struct Delivery {
    Spawn spawn;
    const VarDecl *variable = nullptr;
    BinaryOperatorKind update = BO_Assign;
    /// The initialisers after it in the same declaration.
    llvm::SmallVector<const Expr *, 2> after;
  };

  /// A result that no sync has made available yet: where it was spawned, and
  /// the update that it and those before it are, as `updateOf` has it.
  struct Awaited {
    SourceLocation spawned;
    BinaryOperatorKind update;
  };
  using Pending = llvm::DenseMap<const VarDecl *, Awaited>;

  void visit(const Stmt *node);
  void returned(const ReturnStmt *node);
  void straightLine(const CompoundStmt *block);
  /// The spawns that a statement consists of.
  llvm::SmallVector<Delivery, 2> deliveriesOf(const Stmt *node) const;
  bool endsStraightLine(const Stmt *node) const;
  void report(const Expr *use, llvm::StringRef what, BinaryOperatorKind update,
              Pending &pending);
  void reportUses(const Stmt *node, Pending &pending);
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

/// The update that a compound assignment is, if those like it give the same in
/// any order, and else an assignment.  Steps and subtractions are additions.
static BinaryOperatorKind updateOf(const BinaryOperator &assignment) {
  auto *compound = dyn_cast<CompoundAssignOperator>(&assignment);
  if (!compound)
    return BO_Assign;
  QualType type = compound->getType();
  // A bool is 1 for any sum but 0.
  bool isModular = !type->isBooleanType();
  if (!compound->getComputationLHSType()->isIntegralOrEnumerationType() &&
      !type->isPointerType())
    return BO_Assign;
  switch (compound->getOpcode()) {
  case BO_AddAssign:
  case BO_SubAssign:
    return isModular ? BO_AddAssign : BO_Assign;
  case BO_MulAssign:
  case BO_XorAssign:
    return isModular ? compound->getOpcode() : BO_Assign;
  case BO_AndAssign:
  case BO_OrAssign:
    return compound->getOpcode();
  default:
    return BO_Assign;
  }
}

static BinaryOperatorKind updateOf(const UnaryOperator &step) {
  QualType type = step.getType();
  bool isModular =
      type->isPointerType() ||
      (type->isIntegralOrEnumerationType() && !type->isBooleanType());
  return isModular ? BO_AddAssign : BO_Assign;
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
        deliveries.push_back({*spawn, variable, BO_Assign, {}});
    }
  } else if (auto *expression = dyn_cast<Expr>(node)) {
    auto *value = const_cast<Expr *>(expression);
    const VarDecl *variable = nullptr;
    BinaryOperatorKind update = BO_Assign;
    if (auto *binary = dyn_cast<BinaryOperator>(value);
        binary && binary->isAssignmentOp()) {
      value = binary->getRHS();
      if (auto *target = dyn_cast<DeclRefExpr>(binary->getLHS()))
        variable = dyn_cast<VarDecl>(target->getDecl());
      if (variable && !variable->hasLocalStorage())
        variable = nullptr;
      update = updateOf(*binary);
    }
    if (auto spawn = table.spawnOf(value))
      deliveries.push_back({*spawn, variable, update, {}});
  }
  return deliveries;
}

/// Reports a use of a variable, unless it is an update like those awaited.
void Warner::report(const Expr *use, llvm::StringRef what,
                    BinaryOperatorKind update, Pending &pending) {
  auto *reference = dyn_cast<DeclRefExpr>(use->IgnoreParens());
  if (!reference)
    return;
  auto found = pending.find(dyn_cast<VarDecl>(reference->getDecl()));
  if (found == pending.end() ||
      (update != BO_Assign && update == found->second.update))
    return;
  warning(diagnostics, reference->getLocation(),
          "%0 is %1 before the sync that makes the result of the spawn "
          "available",
          warnings.earlyRead)
      << reference->getDecl() << what;
  note(diagnostics, found->second.spawned, "spawned here");
  pending.erase(found);
}

void Warner::reportUses(const Stmt *node, Pending &pending) {
  if (!node || pending.empty() || isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  // What is assigned is computed before.
  for (const Stmt *child : node->children())
    reportUses(child, pending);
  if (auto *conversion = dyn_cast<ImplicitCastExpr>(node)) {
    if (conversion->getCastKind() == CK_LValueToRValue)
      report(conversion->getSubExpr(), "read", BO_Assign, pending);
  } else if (auto *step = dyn_cast<UnaryOperator>(node)) {
    if (step->isIncrementDecrementOp())
      report(step->getSubExpr(), "changed", updateOf(*step), pending);
  } else if (auto *assignment = dyn_cast<BinaryOperator>(node)) {
    // Those of spawns update in their order, and nothing else they do has one.
    bool isUpdate = assignment->isCompoundAssignmentOp() &&
                    table.spawnOf(const_cast<Expr *>(assignment->getRHS()));
    if (assignment->isAssignmentOp() && !isUpdate)
      report(assignment->getLHS(), "changed", updateOf(*assignment), pending);
  }
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
      reportUses(first, pending);
    if (endsStraightLine(statement))
      pending.clear();
    reportUses(statement, pending);
    for (const Delivery &delivery : deliveriesOf(statement)) {
      if (!delivery.variable)
        continue;
      SourceLocation spawned = delivery.spawn.word.location;
      auto [awaited, first] =
          pending.try_emplace(delivery.variable, spawned, delivery.update);
      if (!first) {
        bool alike = awaited->second.update == delivery.update;
        awaited->second = {spawned, alike ? delivery.update : BO_Assign};
      }
      for (const Expr *next : delivery.after)
        reportUses(next, pending);
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
