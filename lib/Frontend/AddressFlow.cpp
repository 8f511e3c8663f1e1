//===- AddressFlow.cpp - Where addresses of locals go ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressFlow.h"
#include "SpawnTable.h"

using namespace clang;

namespace cilk2chan {

AddressFlow::AddressFlow(const Stmt *body) {
  collect(body);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Assignment &assignment : assignments)
      changed |= apply(assignment);
  }
}

void AddressFlow::collect(const Stmt *node) {
  if (!node)
    return;
  if (auto *declaration = dyn_cast<DeclStmt>(node)) {
    for (const Decl *declared : declaration->decls())
      if (auto *variable = dyn_cast<VarDecl>(declared);
          variable && variable->hasLocalStorage() && variable->getInit())
        assignments.push_back({variable, nullptr, variable->getInit()});
  } else if (auto *binary = dyn_cast<BinaryOperator>(node);
             binary && binary->getOpcode() == BO_Assign) {
    assignments.push_back({nullptr, binary->getLHS(), binary->getRHS()});
  }
  for (const Stmt *child : node->children())
    collect(child);
}

/// Returns whether more is known than before.
bool AddressFlow::apply(const Assignment &assignment) {
  LocalObjects value = pointees(assignment.value);
  if (value.empty())
    return false;
  LocalObjects targets;
  if (assignment.variable)
    targets.insert(assignment.variable);
  else
    addObjects(assignment.lvalue, targets);
  bool changed = false;
  for (LocalObject target : targets)
    if (auto *variable = dyn_cast<const VarDecl *>(target))
      for (LocalObject object : value)
        changed |= held[variable].insert(object);
  return changed;
}

LocalObjects AddressFlow::pointees(const Expr *value) const {
  LocalObjects found;
  addValue(value, found);
  return found;
}

void AddressFlow::addReachable(LocalObjects &objects) const {
  for (unsigned i = 0; i != objects.size(); ++i) {
    LocalObject object = objects[i];
    if (auto *variable = dyn_cast<const VarDecl *>(object))
      objects.insert_range(heldBy(variable));
    else
      addValue(cast<const CompoundLiteralExpr *>(object)->getInitializer(),
               objects);
  }
}

/// Whether a value of the type may be, or contain, a pointer.
static bool mayPoint(QualType type) {
  type = type.getAtomicUnqualifiedType();
  return type->isPointerType() || type->isRecordType() || type->isArrayType();
}

void AddressFlow::addValue(const Expr *value, LocalObjects &found) const {
  if (!value)
    return;
  if (const Expr *same = SpawnTable::sameValue(const_cast<Expr *>(value)))
    return addValue(same, found);
  if (auto *cast = dyn_cast<CastExpr>(value)) {
    if (cast->getCastKind() == CK_ArrayToPointerDecay)
      return addObjects(cast->getSubExpr(), found);
    if (cast->getCastKind() != CK_LValueToRValue)
      return addValue(cast->getSubExpr(), found);
    if (mayPoint(cast->getType()))
      addLoaded(cast->getSubExpr(), found);
  } else if (auto *unary = dyn_cast<UnaryOperator>(value)) {
    if (unary->getOpcode() == UO_AddrOf)
      addObjects(unary->getSubExpr(), found);
    else if (unary->getOpcode() == UO_Extension)
      addValue(unary->getSubExpr(), found);
    else if (unary->isIncrementDecrementOp() && mayPoint(unary->getType()))
      addLoaded(unary->getSubExpr(), found);
  } else if (auto *binary = dyn_cast<BinaryOperator>(value)) {
    if (binary->isCompoundAssignmentOp() && mayPoint(binary->getType()))
      addLoaded(binary->getLHS(), found);
    else if (binary->isAdditiveOp() && binary->getType()->isPointerType())
      addValue(binary->getLHS(), found);
    if (binary->getOpcode() == BO_Comma || binary->getOpcode() == BO_Assign ||
        (binary->isAdditiveOp() && binary->getType()->isPointerType()))
      addValue(binary->getRHS(), found);
  } else if (auto *choice = dyn_cast<ConditionalOperator>(value)) {
    addValue(choice->getTrueExpr(), found);
    addValue(choice->getFalseExpr(), found);
  } else if (auto *choice = dyn_cast<BinaryConditionalOperator>(value)) {
    addValue(choice->getCommon(), found);
    addValue(choice->getFalseExpr(), found);
  } else if (auto *list = dyn_cast<InitListExpr>(value)) {
    for (const Expr *member : list->inits())
      addValue(member, found);
  } else if (auto *literal = dyn_cast<CompoundLiteralExpr>(value)) {
    addValue(literal->getInitializer(), found);
  } else if (auto *block = dyn_cast<StmtExpr>(value)) {
    const CompoundStmt *body = block->getSubStmt();
    if (!body->body_empty())
      addValue(dyn_cast<Expr>(body->body_back()), found);
  }
}

void AddressFlow::addLoaded(const Expr *lvalue, LocalObjects &found) const {
  LocalObjects objects;
  addObjects(lvalue, objects);
  for (LocalObject object : objects)
    if (auto *variable = dyn_cast<const VarDecl *>(object))
      found.insert_range(heldBy(variable));
    else
      addValue(cast<const CompoundLiteralExpr *>(object)->getInitializer(),
               found);
}

void AddressFlow::addObjects(const Expr *lvalue, LocalObjects &found) const {
  if (const Expr *same = SpawnTable::sameValue(const_cast<Expr *>(lvalue)))
    return addObjects(same, found);
  if (auto *reference = dyn_cast<DeclRefExpr>(lvalue)) {
    auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    if (variable && variable->hasLocalStorage())
      found.insert(variable);
  } else if (auto *literal = dyn_cast<CompoundLiteralExpr>(lvalue)) {
    if (!literal->isFileScope())
      found.insert(literal);
  } else if (auto *member = dyn_cast<MemberExpr>(lvalue)) {
    member->isArrow() ? addValue(member->getBase(), found)
                      : addObjects(member->getBase(), found);
  } else if (auto *element = dyn_cast<ArraySubscriptExpr>(lvalue)) {
    element->getBase()->getType()->isPointerType()
        ? addValue(element->getBase(), found)
        : addObjects(element->getBase(), found);
  } else if (auto *unary = dyn_cast<UnaryOperator>(lvalue)) {
    unary->getOpcode() == UO_Deref ? addValue(unary->getSubExpr(), found)
                                   : addObjects(unary->getSubExpr(), found);
  } else if (auto *cast = dyn_cast<CastExpr>(lvalue)) {
    addObjects(cast->getSubExpr(), found);
  }
}

} // namespace cilk2chan
