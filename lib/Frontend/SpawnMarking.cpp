//===- SpawnMarking.cpp - Spawns and syncs as marker calls ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpawnMarking.h"
#include "cilk2chan/Support/KeptObjects.h"
#include "clang/AST/Attr.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace cilk2chan {

void SpawnMarking::run() {
  function->setBody(
      withSync(rewriteCompound(cast<CompoundStmt>(function->getBody())),
               table.syncFunction));
}

/// Whether control does not come to what follows.
static bool returns(const Stmt *node) {
  if (auto *block = dyn_cast_or_null<CompoundStmt>(node))
    return !block->body_empty() && returns(block->body_back());
  if (auto *choice = dyn_cast_or_null<IfStmt>(node))
    return returns(choice->getThen()) && returns(choice->getElse());
  if (auto *label = dyn_cast_or_null<LabelStmt>(node))
    return returns(label->getSubStmt());
  return isa_and_nonnull<ReturnStmt>(node);
}

/// A block with a sync at its end, unless that is not come to: coverage would
/// have it that the end did not run.
CompoundStmt *SpawnMarking::withSync(CompoundStmt *node, FunctionDecl *sync) {
  if (returns(node))
    return node;
  llvm::SmallVector<Stmt *> statements(node->body());
  statements.push_back(children.call(sync, {}, node->getRBracLoc()));
  return CompoundStmt::Create(ast, statements,
                              node->getStoredFPFeaturesOrDefault(),
                              node->getLBracLoc(), node->getRBracLoc());
}

Expr *SpawnMarking::toVoid(Expr *node) {
  if (node->getType()->isVoidType())
    return node;
  return ImplicitCastExpr::Create(ast, ast.VoidTy, CK_ToVoid, node, nullptr,
                                  VK_PRValue, FPOptionsOverride());
}

void SpawnMarking::keep(VarDecl *variable) {
  // A variable-length array is one for each execution anyway.
  if (!variable->getType()->isVariableArrayType())
    variable->addAttr(
        AnnotateAttr::CreateImplicit(ast, ObjectAnnotation, nullptr, 0));
}

/// `({ T object = VALUE; &object; })`
Expr *SpawnMarking::addressOfKept(QualType type, Expr *value,
                                  SourceLocation location) {
  auto *object =
      VarDecl::Create(ast, function, location, location, nullptr, type,
                      ast.getTrivialTypeSourceInfo(type, location), SC_None);
  object->setImplicit();
  object->setInit(value);
  object->setInitStyle(VarDecl::CInit);
  keep(object);
  Expr *address = children.addressOf(children.reference(object, location));
  CompoundStmt *body = children.compound(
      {new (ast) DeclStmt(DeclGroupRef(object), location, location), address},
      location);
  return new (ast) StmtExpr(body, address->getType(), location, location, 0);
}

Expr *SpawnMarking::keep(CompoundLiteralExpr *literal) {
  SourceLocation location = literal->getLParenLoc();
  return children.dereference(
      addressOfKept(literal->getType(), literal->getInitializer(), location),
      location);
}

CompoundStmt *SpawnMarking::rewriteCompound(CompoundStmt *node) {
  llvm::SaveAndRestore inside(open, open + escaping.endWith(node));
  llvm::SmallVector<Stmt *, 16> out;
  for (Stmt *child : node->body())
    rewrite(child, out);
  return CompoundStmt::Create(ast, out, node->getStoredFPFeaturesOrDefault(),
                              node->getLBracLoc(), node->getRBracLoc());
}

Stmt *SpawnMarking::rewriteOne(Stmt *node) {
  if (!node)
    return nullptr;
  llvm::SmallVector<Stmt *, 4> out;
  rewrite(node, out);
  if (out.size() == 1)
    return out.front();
  return CompoundStmt::Create(ast, out, FPOptionsOverride(),
                              node->getBeginLoc(), node->getEndLoc());
}

void SpawnMarking::rewrite(Stmt *node, Statements &out) {
  if (auto *expression = dyn_cast<Expr>(node)) {
    out.push_back(rewriteDiscarded(expression));
    return;
  }
  if (Stmt *loop = parallelLoop(node)) {
    out.push_back(loop);
    return;
  }
  // A block counts itself.
  llvm::SaveAndRestore inside(
      open, open + (!isa<CompoundStmt>(node) && escaping.endWith(node)));
  switch (node->getStmtClass()) {
  case Stmt::CompoundStmtClass: {
    auto *compound = cast<CompoundStmt>(node);
    if (auto word = table.blockSpawn(compound))
      out.push_back(spawnBlock(compound, *word));
    else if (table.scope(compound))
      out.push_back(withSync(rewriteCompound(compound), syncFunction()));
    else
      out.push_back(rewriteCompound(compound));
    return;
  }
  case Stmt::DeclStmtClass:
    return rewriteDeclaration(cast<DeclStmt>(node), out);
  case Stmt::BreakStmtClass:
  case Stmt::ContinueStmtClass:
  case Stmt::GotoStmtClass:
    if (jumps.leavesScope(node))
      out.push_back(children.call(table.syncFunction, {}, node->getBeginLoc()));
    break;
  case Stmt::ReturnStmtClass:
    return rewriteReturn(cast<ReturnStmt>(node), out);
  case Stmt::LabelStmtClass:
    return rewriteSubstatement(node, cast<LabelStmt>(node)->getSubStmt(), out);
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    return rewriteSubstatement(node, cast<SwitchCase>(node)->getSubStmt(), out);
  case Stmt::AttributedStmtClass:
    return rewriteSubstatement(node, cast<AttributedStmt>(node)->getSubStmt(),
                               out);
  case Stmt::IfStmtClass: {
    auto *branch = cast<IfStmt>(node);
    rewriteNested(branch->getCond());
    branch->setThen(rewriteOne(branch->getThen()));
    if (branch->getElse())
      branch->setElse(rewriteOne(branch->getElse()));
    break;
  }
  case Stmt::SwitchStmtClass: {
    auto *branch = cast<SwitchStmt>(node);
    rewriteNested(branch->getCond());
    branch->setBody(rewriteOne(branch->getBody()));
    break;
  }
  case Stmt::WhileStmtClass: {
    auto *loop = cast<WhileStmt>(node);
    rewriteNested(loop->getCond());
    loop->setBody(rewriteOne(loop->getBody()));
    break;
  }
  case Stmt::DoStmtClass: {
    auto *loop = cast<DoStmt>(node);
    loop->setBody(rewriteOne(loop->getBody()));
    rewriteNested(loop->getCond());
    break;
  }
  case Stmt::ForStmtClass:
    return rewriteFor(cast<ForStmt>(node), out);
  default:
    rewriteNested(node);
  }
  out.push_back(node);
}

void SpawnMarking::rewriteSubstatement(Stmt *node, Stmt *substatement,
                                       Statements &out) {
  llvm::SmallVector<Stmt *, 4> replacement;
  rewrite(substatement, replacement);
  // What is jumped to must be the first part.
  for (Stmt *&child : node->children())
    if (child == substatement)
      child = replacement.front();
  out.push_back(node);
  out.append(replacement.begin() + 1, replacement.end());
}

void SpawnMarking::rewriteDeclaration(DeclStmt *node, Statements &out) {
  // A marker stands where its variable would have been initialised: before the
  // declarations that follow.
  llvm::SmallVector<Decl *, 4> group;
  auto flush = [&] {
    if (!group.empty())
      out.push_back(new (ast) DeclStmt(
          DeclGroupRef::Create(ast, group.data(), group.size()),
          node->getBeginLoc(), node->getEndLoc()));
    group.clear();
  };
  for (Decl *declared : node->decls())
    if (auto *variable = dyn_cast<VarDecl>(declared);
        variable && escaping.contains(variable))
      keep(variable);
  if (!table.containsSpawn(node)) {
    rewriteNested(node);
    out.push_back(node);
    return;
  }
  for (Decl *declared : node->decls()) {
    group.push_back(declared);
    auto *variable = dyn_cast<VarDecl>(declared);
    Expr *initialiser = variable ? variable->getInit() : nullptr;
    if (!initialiser || !table.containsSpawn(initialiser)) {
      rewriteNested(initialiser);
      continue;
    }
    Destination destination{
        children.reference(variable, variable->getLocation())};
    Expr *marked = rewriteAssigned(initialiser, {}, destination);
    if (!marked)
      continue;
    variable->setInit(nullptr);
    flush();
    out.push_back(marked);
  }
  flush();
}

void SpawnMarking::rewriteFor(ForStmt *node, Statements &out) {
  rewriteNested(node->getCond());
  if (node->getInc())
    node->setInc(rewriteDiscarded(node->getInc()));
  node->setBody(rewriteOne(node->getBody()));
  llvm::SmallVector<Stmt *, 4> parts;
  if (Stmt *init = node->getInit())
    rewrite(init, parts);
  if (parts.size() <= 1) {
    if (!parts.empty())
      node->setInit(parts.front());
    out.push_back(node);
    return;
  }
  // Declarations and markers do not fit into the header.
  node->setInit(nullptr);
  parts.push_back(node);
  out.push_back(CompoundStmt::Create(ast, parts, FPOptionsOverride(),
                                     node->getBeginLoc(), node->getEndLoc()));
}

void SpawnMarking::rewriteReturn(ReturnStmt *node, Statements &out) {
  Expr *value = node->getRetValue();
  Expr *barrier = children.call(table.syncFunction, {}, node->getReturnLoc());
  if (!value || !table.containsSpawn(value)) {
    rewriteNested(value);
    out.push_back(barrier);
    out.push_back(node);
    return;
  }
  if (value->getType()->isVoidType()) {
    out.push_back(rewriteDiscarded(value));
    out.push_back(barrier);
    node->setRetValue(nullptr);
    out.push_back(node);
    return;
  }
  SourceLocation location = node->getReturnLoc();
  QualType type = value->getType().getUnqualifiedType();
  auto *result =
      VarDecl::Create(ast, function, location, location, nullptr, type,
                      ast.getTrivialTypeSourceInfo(type, location), SC_None);
  result->setImplicit();
  Destination destination{children.reference(result, location)};
  Expr *marked = rewriteAssigned(value, {}, destination);
  if (!marked) {
    // The spawn is inside a statement expression.
    rewriteNested(value);
    out.push_back(barrier);
    out.push_back(node);
    return;
  }
  out.push_back(new (ast) DeclStmt(DeclGroupRef(result), location, location));
  out.push_back(marked);
  out.push_back(barrier);
  node->setRetValue(children.load(children.reference(result, location)));
  out.push_back(node);
}

Expr *SpawnMarking::rewriteDiscarded(Expr *node) {
  if (table.isSync(node))
    return children.call(syncFunction(), {}, node->getBeginLoc());
  if (!table.containsSpawn(node)) {
    rewriteNested(node);
    return node;
  }
  if (auto found = table.spawnOf(node))
    return mark(*found, {}, {});
  if (Expr *same = SpawnTable::sameValue(node))
    return rewriteDiscarded(same);
  if (auto *conversion = dyn_cast<CStyleCastExpr>(node);
      conversion && conversion->getCastKind() == CK_ToVoid)
    return rewriteDiscarded(conversion->getSubExpr());
  if (auto *choice = dyn_cast<ConditionalOperator>(node)) {
    rewriteNested(choice->getCond());
    Expr *left = toVoid(rewriteDiscarded(choice->getTrueExpr()));
    Expr *right = toVoid(rewriteDiscarded(choice->getFalseExpr()));
    return new (ast) ConditionalOperator(
        choice->getCond(), choice->getQuestionLoc(), left,
        choice->getColonLoc(), right, ast.VoidTy, VK_PRValue, OK_Ordinary);
  }
  if (auto *block = dyn_cast<StmtExpr>(node)) {
    CompoundStmt *body = rewriteCompound(block->getSubStmt());
    return new (ast) StmtExpr(body, ast.VoidTy, block->getLParenLoc(),
                              block->getRParenLoc(), block->getTemplateDepth());
  }
  if (auto *binary = dyn_cast<BinaryOperator>(node)) {
    if (binary->getOpcode() == BO_Comma) {
      Expr *left = toVoid(rewriteDiscarded(binary->getLHS()));
      Expr *right = toVoid(rewriteDiscarded(binary->getRHS()));
      return BinaryOperator::Create(
          ast, left, right, BO_Comma, ast.VoidTy, VK_PRValue, OK_Ordinary,
          binary->getOperatorLoc(), FPOptionsOverride());
    }
    if (binary->isAssignmentOp()) {
      Destination destination{binary->getLHS(),
                              dyn_cast<CompoundAssignOperator>(binary)};
      rewriteNested(binary->getLHS());
      if (Expr *marked = rewriteAssigned(binary->getRHS(), {}, destination))
        return marked;
      return node;
    }
  }
  rewriteNested(node);
  return node;
}

/// Returns null, having rewritten it in place, if the value itself does not
/// come from a spawn: then the assignment stays as it is.
Expr *SpawnMarking::rewriteAssigned(Expr *node,
                                    llvm::ArrayRef<CastExpr *> casts,
                                    const Destination &destination) {
  llvm::SmallVector<CastExpr *, 4> all(casts);
  if (auto found = table.spawnOf(node)) {
    all.append(found->casts);
    return mark(*found, all, destination);
  }
  Expr *inner = node;
  while (true) {
    if (Expr *same = SpawnTable::sameValue(inner)) {
      inner = same;
    } else if (isa<ImplicitCastExpr, CStyleCastExpr>(inner)) {
      all.push_back(cast<CastExpr>(inner));
      inner = all.back()->getSubExpr();
    } else {
      break;
    }
  }
  auto *choice = dyn_cast<ConditionalOperator>(inner);
  if (!choice || !table.containsSpawn(choice)) {
    rewriteNested(node);
    return nullptr;
  }
  rewriteNested(choice->getCond());
  auto arm = [&](Expr *value) {
    if (Expr *marked = rewriteAssigned(value, all, destination))
      return marked;
    return toVoid(children.assign(destination, destination.lvalue,
                                  children.convert(all, value),
                                  value->getExprLoc()));
  };
  Expr *left = arm(choice->getTrueExpr());
  Expr *right = arm(choice->getFalseExpr());
  return new (ast) ConditionalOperator(
      choice->getCond(), choice->getQuestionLoc(), left, choice->getColonLoc(),
      right, ast.VoidTy, VK_PRValue, OK_Ordinary);
}

void SpawnMarking::rewriteNested(Stmt *node) {
  if (!node)
    return;
  if (auto *block = dyn_cast<StmtExpr>(node)) {
    CompoundStmt *body = block->getSubStmt();
    llvm::SaveAndRestore inside(open, open + escaping.endWith(body));
    llvm::SmallVector<Stmt *, 8> out;
    for (Stmt *child : body->body()) {
      if (child == body->body_back() && isa<ValueStmt>(child) &&
          !block->getType()->isVoidType()) {
        rewriteNested(child);
        out.push_back(child);
      } else {
        rewrite(child, out);
      }
    }
    block->setSubStmt(
        CompoundStmt::Create(ast, out, body->getStoredFPFeaturesOrDefault(),
                             body->getLBracLoc(), body->getRBracLoc()));
    return;
  }
  // Nothing of an unevaluated operand runs, and what it says is not to change.
  if (isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  if (isa<GenericSelectionExpr, ChooseExpr>(node))
    return rewriteNested(SpawnTable::sameValue(cast<Expr>(node)));
  for (Stmt *&child : node->children()) {
    rewriteNested(child);
    if (auto *literal = dyn_cast_or_null<CompoundLiteralExpr>(child);
        literal && escaping.contains(literal))
      child = keep(literal);
  }
}

} // namespace cilk2chan
