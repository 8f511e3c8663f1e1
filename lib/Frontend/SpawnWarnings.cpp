//===- SpawnWarnings.cpp - Spawns that do not do what they seem to --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "SpawnChecks.h"
#include "clang/AST/ASTContext.h"

#include <map>

using namespace clang;

namespace cilk2chan {
namespace {

/// An lvalue that is the same wherever it stands: a variable, and what leads
/// from there by members, constant indices and pointers that are local
/// variables (`x`, `box.m`, `slot[1]`, `p->next`).
struct ObjectPart {
  struct Step {
    const FieldDecl *member = nullptr;
    /// If both are missing, what a pointer points to.
    std::optional<uint64_t> index = std::nullopt;

    bool operator==(const Step &other) const {
      return member == other.member && index == other.index;
    }
    bool operator<(const Step &other) const {
      return std::tie(member, index) < std::tie(other.member, other.index);
    }
  };
  const VarDecl *variable = nullptr;
  llvm::SmallVector<Step, 2> steps;

  explicit operator bool() const { return variable; }
  bool operator==(const ObjectPart &other) const {
    return variable == other.variable && steps == other.steps;
  }
  bool operator<(const ObjectPart &other) const {
    return std::tie(variable, steps) < std::tie(other.variable, other.steps);
  }
  /// Whether one is a part of the other.  What a pointer points to is no part
  /// of it.
  bool overlaps(const ObjectPart &other) const {
    bool isLonger = steps.size() > other.steps.size();
    const ObjectPart &longer = isLonger ? *this : other;
    const ObjectPart &shorter = isLonger ? other : *this;
    auto rest = longer.steps.begin() + shorter.steps.size();
    return variable == other.variable &&
           std::equal(longer.steps.begin(), rest, shorter.steps.begin()) &&
           std::find(rest, longer.steps.end(), Step()) == longer.steps.end();
  }
  bool isBehind(const VarDecl *pointer) const {
    return variable == pointer && !steps.empty() && steps[0] == Step();
  }
};

class Warner {
public:
  Warner(ASTContext &ast, const SpawnTable &table,
         const FrontendOptions::Warnings &warnings)
      : ast(ast), diagnostics(ast.getDiagnostics()), table(table),
        warnings(warnings) {}

  void run(const FunctionDecl *function, bool inCilk);

private:
  /// A spawn and, if it is known where its result goes, that, and how.
  struct Delivery {
    Spawn spawn;
    ObjectPart place;
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
  using Pending = std::map<ObjectPart, Awaited>;

  void visit(const Stmt *node);
  void returned(const ReturnStmt *node);
  void straightLine(const CompoundStmt *block);
  /// The spawns that a statement consists of.
  llvm::SmallVector<Delivery, 2> deliveriesOf(const Stmt *node) const;
  bool endsStraightLine(const Stmt *node) const;
  ObjectPart placeOf(const Expr *lvalue) const;
  ObjectPart pointedTo(const Expr *pointer) const;
  void report(const Expr *use, llvm::StringRef what, BinaryOperatorKind update,
              Pending &pending);
  void reportUses(const Stmt *node, Pending &pending);
  void forgetBehind(const Expr *pointer, Pending &pending);
  void serial(const CompoundStmt *body);

  ASTContext &ast;
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
        deliveries.push_back({*spawn, {variable, {}}, BO_Assign, {}});
    }
  } else if (auto *expression = dyn_cast<Expr>(node)) {
    auto *value = const_cast<Expr *>(expression);
    ObjectPart place;
    BinaryOperatorKind update = BO_Assign;
    if (auto *binary = dyn_cast<BinaryOperator>(value);
        binary && binary->isAssignmentOp()) {
      value = binary->getRHS();
      place = placeOf(binary->getLHS());
      update = updateOf(*binary);
    }
    if (auto spawn = table.spawnOf(value))
      deliveries.push_back({*spawn, place, update, {}});
  }
  return deliveries;
}

/// Nothing if the lvalue may be another one the next time.
ObjectPart Warner::placeOf(const Expr *lvalue) const {
  lvalue = lvalue->IgnoreParens();
  ObjectPart place;
  if (auto *reference = dyn_cast<DeclRefExpr>(lvalue)) {
    place.variable = dyn_cast<VarDecl>(reference->getDecl());
  } else if (auto *member = dyn_cast<MemberExpr>(lvalue)) {
    place = member->isArrow() ? pointedTo(member->getBase())
                              : placeOf(member->getBase());
    place.steps.push_back({dyn_cast<FieldDecl>(member->getMemberDecl())});
  } else if (auto *element = dyn_cast<ArraySubscriptExpr>(lvalue)) {
    const Expr *base = element->getBase()->IgnoreParens();
    auto *decay = dyn_cast<ImplicitCastExpr>(base);
    bool isArray = decay && decay->getCastKind() == CK_ArrayToPointerDecay;
    place = isArray                            ? placeOf(decay->getSubExpr())
            : base->getType()->isPointerType() ? pointedTo(base)
                                               : placeOf(base);
    Expr::EvalResult index;
    if (!element->getIdx()->EvaluateAsInt(index, ast))
      return {};
    // `*p` is `p[0]`.
    if (place && !isArray && base->getType()->isPointerType())
      place.steps.pop_back();
    place.steps.push_back(
        {nullptr, index.Val.getInt().extOrTrunc(64).getZExtValue()});
  } else if (auto *unary = dyn_cast<UnaryOperator>(lvalue)) {
    if (unary->getOpcode() == UO_Deref)
      place = pointedTo(unary->getSubExpr());
    else if (unary->getOpcode() == UO_Real || unary->getOpcode() == UO_Imag)
      place = placeOf(unary->getSubExpr());
  }
  return place.variable ? place : ObjectPart();
}

/// What a local pointer points to, until it is changed.
ObjectPart Warner::pointedTo(const Expr *pointer) const {
  pointer = pointer->IgnoreParens();
  if (auto *unary = dyn_cast<UnaryOperator>(pointer);
      unary && unary->getOpcode() == UO_AddrOf)
    return placeOf(unary->getSubExpr());
  auto *value = dyn_cast<ImplicitCastExpr>(pointer);
  auto *reference =
      value && value->getCastKind() == CK_LValueToRValue
          ? dyn_cast<DeclRefExpr>(value->getSubExpr()->IgnoreParens())
          : nullptr;
  auto *variable =
      reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (!variable || !variable->hasLocalStorage())
    return {};
  return {variable, {ObjectPart::Step(), ObjectPart::Step{nullptr, 0}}};
}

/// `pointer`, if it is a variable, may point elsewhere from here on.
void Warner::forgetBehind(const Expr *pointer, Pending &pending) {
  auto *reference = dyn_cast<DeclRefExpr>(pointer->IgnoreParens());
  auto *variable =
      reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  std::erase_if(pending, [&](const auto &awaited) {
    return variable && awaited.first.isBehind(variable);
  });
}

/// Reports a use of an lvalue, unless it is an update like those awaited.
void Warner::report(const Expr *use, llvm::StringRef what,
                    BinaryOperatorKind update, Pending &pending) {
  ObjectPart place = placeOf(use);
  auto found = llvm::find_if(pending, [&](const auto &awaited) {
    return place && awaited.first.overlaps(place);
  });
  if (found == pending.end() || (update != BO_Assign && place == found->first &&
                                 update == found->second.update))
    return;
  std::string name;
  llvm::raw_string_ostream text(name);
  use->IgnoreParens()->printPretty(text, nullptr, ast.getPrintingPolicy());
  warning(diagnostics, use->IgnoreParens()->getBeginLoc(),
          "'%0' is %1 before the sync that makes the result of the spawn "
          "available",
          warnings.earlyRead)
      << name << what;
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
    if (step->isIncrementDecrementOp() || step->getOpcode() == UO_AddrOf)
      forgetBehind(step->getSubExpr(), pending);
  } else if (auto *assignment = dyn_cast<BinaryOperator>(node)) {
    // Those of spawns update in their order, and nothing else they do has one.
    bool isUpdate = assignment->isCompoundAssignmentOp() &&
                    table.spawnOf(const_cast<Expr *>(assignment->getRHS()));
    if (assignment->isAssignmentOp() && !isUpdate)
      report(assignment->getLHS(), "changed", updateOf(*assignment), pending);
    if (assignment->isAssignmentOp())
      forgetBehind(assignment->getLHS(), pending);
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
      if (!delivery.place)
        continue;
      SourceLocation spawned = delivery.spawn.word.location;
      auto [awaited, first] =
          pending.try_emplace(delivery.place, spawned, delivery.update);
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
