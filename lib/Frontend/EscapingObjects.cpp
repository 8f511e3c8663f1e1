//===- EscapingObjects.cpp - Objects that a spawn outlives ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows control, in the manner of a dataflow analysis over the statements:
// the state is the set of spawns with the addresses of objects
// (SpawnedAddresses) that no sync has waited for yet, and those in it where the
// object's scope ends are the result.
//
//===----------------------------------------------------------------------===//

#include "EscapingObjects.h"
#include "Diagnostics.h"
#include "SpawnedAddresses.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cilk2chan {

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

namespace {

/// The numbers of the pairs that may not have been waited for.
class State {
public:
  void insert(unsigned pair) { set.insert(pair); }
  void join(const State &other) { set.insert_range(other.set); }
  void clear() { set.clear(); }
  void keepIf(llvm::function_ref<bool(unsigned)> keeps) {
    set.remove_if([&](unsigned pair) { return !keeps(pair); });
  }
  bool contains(unsigned pair) const { return set.contains(pair); }
  size_t size() const { return set.size(); }

private:
  llvm::SmallSetVector<unsigned, 4> set;
};

class Flow {
public:
  Flow(const SpawnedAddresses &spawned, const SpawnTable &table)
      : spawned(spawned), table(table) {}

  void run(const Stmt *body) {
    // Jumps backwards tell labels more, until there is no more to tell.
    do {
      jumped = false;
      State state;
      visit(body, state);
    } while (jumped);
  }

  llvm::SetVector<unsigned> result;

private:
  /// Where `break` or `continue` leads: how deep, and with what.
  struct Target {
    size_t depth;
    State state;
  };

  void visit(const Stmt *node, State &state);
  void visitChildren(const Stmt *node, State &state) {
    for (const Stmt *child : node->children())
      visit(child, state);
  }
  void loop(const Stmt *node, State &state);
  void repeat(llvm::function_ref<void(State &)> once, State &state);
  void parallelLoop(const ForStmt *node, State &state);
  void compound(const CompoundStmt *node, State &state);
  void branch(const SwitchStmt *node, State &state);
  void jump(size_t depth, State &state);
  void leave(const Stmt *scope, State &state);
  void syncedScope(const Stmt *scope, State &state);

  const SpawnedAddresses &spawned;
  const SpawnTable &table;
  Path path;
  llvm::SmallVector<Target, 4> breaks, continues;
  /// What control comes to the cases of the innermost switch with.
  State cases;
  /// What control came to the scopes around with (`cilk_scope`).
  llvm::DenseMap<const Stmt *, State> before;
  llvm::DenseMap<const LabelDecl *, State> labels;
  const Stmt *activation = nullptr;
  bool jumped = false;
};

} // namespace

/// The objects of `scope` end.
void Flow::leave(const Stmt *scope, State &state) {
  state.keepIf([&](unsigned pair) {
    if (spawned.pairs[pair].scope != scope)
      return true;
    result.insert(pair);
    return false;
  });
}

/// What was spawned in a `cilk_scope` is waited for.
void Flow::syncedScope(const Stmt *scope, State &state) {
  auto known = before.find(scope);
  if (known == before.end())
    return;
  const State &outer = known->second;
  state.keepIf([&](unsigned pair) { return outer.contains(pair); });
}

/// Ends the scopes that a jump leaves, from the innermost to the one at
/// `depth`.  The sync of a `cilk_scope` comes before the jump.
void Flow::jump(size_t depth, State &state) {
  for (size_t i = path.size(); i > depth; --i)
    syncedScope(path[i - 1], state);
  for (size_t i = path.size(); i > depth; --i)
    leave(path[i - 1], state);
}

void Flow::compound(const CompoundStmt *node, State &state) {
  if (table.blockSpawn(node)) {
    // Another activation, at whose end there is a sync.
    State inner;
    auto outerCases = std::exchange(cases, State());
    const Stmt *outer = std::exchange(activation, node);
    path.push_back(node);
    visitChildren(node, inner);
    path.pop_back();
    activation = outer;
    cases = outerCases;
    for (unsigned pair : spawned.pairsOf.lookup(node))
      state.insert(pair);
    return;
  }
  bool isScope = table.scope(node).has_value();
  if (isScope)
    before[node] = state;
  path.push_back(node);
  visitChildren(node, state);
  path.pop_back();
  if (isScope) {
    syncedScope(node, state);
    before.erase(node);
  }
  leave(node, state);
}

/// What may happen any number of times.
void Flow::repeat(llvm::function_ref<void(State &)> once, State &state) {
  for (size_t known = 0;;) {
    known = state.size();
    State after = state;
    once(after);
    state.join(after);
    if (state.size() == known)
      return;
  }
}

void Flow::loop(const Stmt *node, State &state) {
  const Stmt *body = nullptr, *condition = nullptr, *increment = nullptr;
  path.push_back(node);
  if (auto *statement = dyn_cast<ForStmt>(node)) {
    visit(statement->getInit(), state);
    visit(statement->getConditionVariableDeclStmt(), state);
    body = statement->getBody();
    condition = statement->getCond();
    increment = statement->getInc();
  } else if (auto *statement = dyn_cast<WhileStmt>(node)) {
    visit(statement->getConditionVariableDeclStmt(), state);
    body = statement->getBody();
    condition = statement->getCond();
  } else {
    body = cast<DoStmt>(node)->getBody();
  }
  breaks.push_back({path.size(), {}});
  State left;
  repeat(
      [&](State &once) {
        if (condition) {
          visit(condition, once);
          left.join(once);
        }
        continues.push_back({path.size(), {}});
        visit(body, once);
        once.join(continues.pop_back_val().state);
        if (auto *statement = dyn_cast<DoStmt>(node)) {
          visit(statement->getCond(), once);
          left.join(once);
        }
        if (increment)
          visit(increment, once);
      },
      state);
  state = left;
  state.join(breaks.pop_back_val().state);
  path.pop_back();
  leave(node, state);
}

void Flow::parallelLoop(const ForStmt *node, State &state) {
  visit(node->getInit(), state);
  visit(node->getCond(), state);
  const Stmt *outer = std::exchange(activation, node);
  State iteration = state;
  continues.push_back({path.size(), {}});
  visit(node->getBody(), iteration);
  // Each iteration ends with a sync.
  continues.pop_back();
  activation = outer;
  visit(node->getInc(), state);
}

void Flow::branch(const SwitchStmt *node, State &state) {
  path.push_back(node);
  visit(node->getInit(), state);
  visit(node->getConditionVariableDeclStmt(), state);
  visit(node->getCond(), state);
  breaks.push_back({path.size(), {}});
  State outer = std::exchange(cases, state);
  State inside;
  visit(node->getBody(), inside);
  state.join(inside);
  state.join(breaks.pop_back_val().state);
  cases = outer;
  path.pop_back();
  leave(node, state);
}

void Flow::visit(const Stmt *node, State &state) {
  if (!node || isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  if (table.isSync(node)) {
    state.keepIf([&](unsigned pair) {
      return spawned.pairs[pair].activation != activation;
    });
    return;
  }
  switch (node->getStmtClass()) {
  case Stmt::CompoundStmtClass:
    return compound(cast<CompoundStmt>(node), state);
  case Stmt::ForStmtClass:
    if (auto *statement = cast<ForStmt>(node); table.parallelLoop(statement))
      return parallelLoop(statement, state);
    return loop(node, state);
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
    return loop(node, state);
  case Stmt::SwitchStmtClass:
    return branch(cast<SwitchStmt>(node), state);
  case Stmt::IfStmtClass: {
    auto *choice = cast<IfStmt>(node);
    path.push_back(node);
    visit(choice->getInit(), state);
    visit(choice->getConditionVariableDeclStmt(), state);
    visit(choice->getCond(), state);
    State other = state;
    visit(choice->getThen(), state);
    visit(choice->getElse(), other);
    state.join(other);
    path.pop_back();
    return leave(node, state);
  }
  case Stmt::ConditionalOperatorClass: {
    auto *choice = cast<ConditionalOperator>(node);
    visit(choice->getCond(), state);
    State other = state;
    visit(choice->getTrueExpr(), state);
    visit(choice->getFalseExpr(), other);
    return state.join(other);
  }
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
    state.join(cases);
    return visit(cast<SwitchCase>(node)->getSubStmt(), state);
  case Stmt::LabelStmtClass:
    state.join(labels[cast<LabelStmt>(node)->getDecl()]);
    return visit(cast<LabelStmt>(node)->getSubStmt(), state);
  case Stmt::BreakStmtClass:
  case Stmt::ContinueStmtClass: {
    auto &targets = isa<BreakStmt>(node) ? breaks : continues;
    if (!targets.empty()) {
      jump(targets.back().depth, state);
      targets.back().state.join(state);
    }
    return state.clear();
  }
  case Stmt::GotoStmtClass: {
    const LabelDecl *label = cast<GotoStmt>(node)->getLabel();
    Path target = spawned.labels.lookup(label);
    size_t depth = 0;
    while (depth < target.size() && depth < path.size() &&
           target[depth] == path[depth])
      ++depth;
    jump(depth, state);
    State &known = labels[label];
    size_t size = known.size();
    known.join(state);
    jumped |= known.size() != size;
    return state.clear();
  }
  case Stmt::ReturnStmtClass:
    // It syncs before anything ends.
    visitChildren(node, state);
    return state.clear();
  default:
    break;
  }
  if (auto *logical = dyn_cast<BinaryOperator>(node);
      logical && logical->isLogicalOp()) {
    visit(logical->getLHS(), state);
    State other = state;
    visit(logical->getRHS(), other);
    return state.join(other);
  }
  visitChildren(node, state);
  auto spawn = spawned.pairsOf.find(node);
  if (spawn != spawned.pairsOf.end())
    for (unsigned pair : spawn->second)
      state.insert(pair);
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

EscapingObjects::EscapingObjects(const FunctionDecl *function,
                                 const SpawnTable &table,
                                 const AddressFlow &addresses) {
  SpawnedAddresses spawned(function->getBody(), table, addresses);
  copies = spawned.copies;
  if (spawned.pairs.empty())
    return;
  Flow flow(spawned, table);
  flow.run(function->getBody());
  llvm::SmallVector<unsigned> numbers(flow.result.begin(), flow.result.end());
  llvm::sort(numbers);
  for (unsigned number : numbers) {
    const AddressPair &pair = spawned.pairs[number];
    found.push_back({pair.word, pair.object});
    objects.insert(pair.object);
    scopes.insert(pair.scope);
  }
}

void EscapingObjects::warn(DiagnosticsEngine &diagnostics,
                           const FrontendOptions::Warning &kind) const {
  for (const auto &[word, object] : found) {
    if (auto *variable = dyn_cast<const VarDecl *>(object)) {
      warning(diagnostics, word.location,
              "%0, whose address this '%1' has, ends with its block, before a "
              "sync waits for the child",
              kind)
          << variable << word.spelling;
      note(diagnostics, variable->getLocation(),
           "declared here; sync before the block ends, or declare it outside");
    } else {
      auto *literal = cast<const CompoundLiteralExpr *>(object);
      warning(diagnostics, word.location,
              "a compound literal, whose address this '%0' has, ends with its "
              "block, before a sync waits for the child",
              kind)
          << word.spelling;
      note(diagnostics, literal->getLParenLoc(),
           "it stands here; sync before the block ends, or declare a variable "
           "outside");
    }
  }
}

} // namespace cilk2chan
