//===- SpawnTable.cpp - Where the words of the language stand -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpawnTable.h"

using namespace clang;

namespace cilk2chan {

Expr *SpawnTable::sameValue(Expr *node) {
  // Not IgnoreParens, which looks through __extension__ as well.
  if (auto *paren = dyn_cast<ParenExpr>(node))
    return paren->getSubExpr();
  if (auto *full = dyn_cast<FullExpr>(node))
    return full->getSubExpr();
  if (auto *selection = dyn_cast<GenericSelectionExpr>(node))
    return selection->isResultDependent() ? nullptr
                                          : selection->getResultExpr();
  if (auto *choice = dyn_cast<ChooseExpr>(node))
    return choice->isConditionDependent() ? nullptr
                                          : choice->getChosenSubExpr();
  return nullptr;
}

bool SpawnTable::isCall(const Expr *node) {
  return isa<CallExpr, AtomicExpr, ShuffleVectorExpr, ConvertVectorExpr>(node);
}

/// What `value` is, apart from what has the same value and from casts, which
/// are added to `casts`.
static Expr *stripped(Expr *value, llvm::SmallVectorImpl<CastExpr *> &casts) {
  while (value) {
    if (Expr *same = SpawnTable::sameValue(value)) {
      value = same;
    } else if (isa<ImplicitCastExpr, CStyleCastExpr>(value)) {
      casts.push_back(cast<CastExpr>(value));
      value = casts.back()->getSubExpr();
    } else {
      break;
    }
  }
  return value;
}

std::optional<Spawn> SpawnTable::spawnOf(Expr *value) const {
  if (spawns.empty())
    return std::nullopt;
  Spawn spawn;
  value = stripped(value, spawn.casts);
  if (!value)
    return std::nullopt;
  if (auto *extension = dyn_cast<UnaryOperator>(value)) {
    if (!isSpawn(extension))
      return std::nullopt;
    SourceLocation location = extension->getOperatorLoc();
    spawn.word = {location, spawns.lookup(location)};
    spawn.operand = extension->getSubExpr();
    Expr *operand = stripped(spawn.operand, spawn.casts);
    spawn.call = isCall(operand) ? operand : nullptr;
    return spawn;
  }
  if (!isCall(value))
    return std::nullopt;
  auto *call = dyn_cast<CallExpr>(value);
  for (Stmt *part : value->children()) {
    auto *argument = dyn_cast_or_null<Expr>(part);
    if (!argument || (call && argument == call->getCallee()))
      continue;
    if (auto inner = spawnOf(argument)) {
      spawn.word = inner->word;
      spawn.operand = spawn.call = value;
      spawn.carried = true;
      return spawn;
    }
  }
  return std::nullopt;
}

std::optional<SpawnWord> SpawnTable::labelled(const LabelStmt *label) const {
  for (const auto *words : {&blocks, &scopes})
    if (auto found = words->find(label->getIdentLoc()); found != words->end())
      return found->second;
  return std::nullopt;
}

std::optional<SpawnWord>
SpawnTable::blockSpawn(const CompoundStmt *block) const {
  auto found = blocks.find(block->getLBracLoc());
  if (found == blocks.end())
    return std::nullopt;
  return found->second;
}

bool SpawnTable::isSync(const Stmt *statement) const {
  auto *call = dyn_cast_or_null<CallExpr>(statement);
  return call && call->getDirectCallee() == syncFunction;
}

std::optional<SpawnWord> SpawnTable::parallelLoop(const ForStmt *loop) const {
  auto found = loops.find(loop->getForLoc());
  if (found == loops.end())
    return std::nullopt;
  return SpawnWord{found->first, found->second};
}

std::optional<SpawnWord> SpawnTable::scope(const CompoundStmt *block) const {
  auto found = scopes.find(block->getLBracLoc());
  if (found == scopes.end())
    return std::nullopt;
  return found->second;
}

CallExpr *SpawnTable::grain(const IfStmt *statement) const {
  auto *condition = dyn_cast_or_null<BinaryOperator>(statement->getCond());
  auto *call = condition ? dyn_cast<CallExpr>(condition->getLHS()) : nullptr;
  return call && call->getDirectCallee() == grainFunction
             ? const_cast<CallExpr *>(call)
             : nullptr;
}

bool SpawnTable::containsSpawn(const Stmt *statement) const {
  if (!statement)
    return false;
  if (auto *extension = dyn_cast<UnaryOperator>(statement))
    if (isSpawn(extension))
      return true;
  if (auto *block = dyn_cast<CompoundStmt>(statement))
    if (blockSpawn(block))
      return true;
  if (isa<GenericSelectionExpr, ChooseExpr>(statement))
    if (Expr *same = sameValue(cast<Expr>(const_cast<Stmt *>(statement))))
      return containsSpawn(same);
  return llvm::any_of(statement->children(),
                      [&](const Stmt *child) { return containsSpawn(child); });
}

} // namespace cilk2chan
