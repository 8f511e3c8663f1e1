//===- EscapingObjects.cpp - Objects that a spawn outlives ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two walks over a function.  The first finds, for each spawn, the objects
// whose addresses it has, and the scope that each ends with.  The second
// follows control, in the manner of a dataflow analysis over the statements:
// its state is the set of such pairs that no sync has waited for yet, and those
// in it where the object's scope ends are the result.
//
//===----------------------------------------------------------------------===//

#include "EscapingObjects.h"
#include "BlockCaptures.h"
#include "Diagnostics.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace cilk2chan {
namespace {

/// A spawn that has the address of an object.
struct Pair {
  SpawnWord word;
  LocalObject object;
  const Stmt *scope; // that the object ends with
  /// What waits for the spawn at its end: the parallel loop or the spawned
  /// block around it, or null for the function.
  const Stmt *activation;
};

/// The statements around a place, from the outermost: those that end the
/// objects that they declare.
using Path = llvm::SmallVector<const Stmt *, 8>;

//===----------------------------------------------------------------------===//
// Spawns and objects
//===----------------------------------------------------------------------===//

class Finder {
public:
  Finder(const SpawnTable &table, const AddressFlow &flow)
      : table(table), flow(flow) {}

  void visit(const Stmt *node);

  llvm::SmallVector<Pair> pairs;
  /// The pairs of a spawn, by its operand or block.
  llvm::DenseMap<const Stmt *, llvm::SmallVector<unsigned, 2>> pairsOf;
  llvm::DenseMap<const LabelDecl *, Path> labels;
  /// Whether a block has a large value as the address of a copy.
  bool copies = false;

private:
  struct Scope {
    const Stmt *statement;
    /// A sync comes before its objects end.
    bool syncs;
    const Stmt *activation;
  };

  void visitChildren(const Stmt *node) {
    for (const Stmt *child : node->children())
      visit(child);
  }
  void enter(const Stmt *scope, bool syncs, const Stmt *activation) {
    path.push_back(scope);
    scopes.push_back({scope, syncs, activation});
    visitChildren(scope);
    scopes.pop_back();
    path.pop_back();
  }
  void add(const Stmt *spawn, SpawnWord word, LocalObjects objects);

  const SpawnTable &table;
  const AddressFlow &flow;
  Path path;
  llvm::SmallVector<Scope, 8> scopes;
  /// Where the objects seen so far have been declared.
  llvm::DenseMap<LocalObject, Scope> homes;
  const Stmt *activation = nullptr;
  /// The body of the innermost parallel loop, which is about to be visited.
  const Stmt *loopBody = nullptr;
};

} // namespace

void Finder::add(const Stmt *spawn, SpawnWord word, LocalObjects objects) {
  flow.addReachable(objects);
  for (LocalObject object : objects) {
    auto home = homes.find(object);
    // What is outside of the activation outlives it.
    if (home == homes.end() || home->second.syncs ||
        home->second.activation != activation)
      continue;
    pairsOf[spawn].push_back(pairs.size());
    pairs.push_back({word, object, home->second.statement, activation});
  }
}

void Finder::visit(const Stmt *node) {
  if (!node || isa<UnaryExprOrTypeTraitExpr>(node))
    return;
  if (auto *block = dyn_cast<CompoundStmt>(node)) {
    auto word = table.blockSpawn(block);
    if (word) {
      BlockCaptures captures(block, flow);
      LocalObjects objects;
      for (const VarDecl *variable : captures.variables()) {
        if (!captures.byValue(variable))
          objects.insert(variable);
        copies |= captures.byCopy(variable);
        objects.insert_range(flow.heldBy(variable));
      }
      add(block, *word, objects);
    }
    const Stmt *outer = activation;
    if (word)
      activation = block;
    bool isLoopBody = std::exchange(loopBody, nullptr) == block;
    // The function's own block is in none.
    bool syncs = word || isLoopBody || table.scope(block) || scopes.empty();
    enter(block, syncs, activation);
    activation = outer;
    return;
  }
  if (auto *loop = dyn_cast<ForStmt>(node); loop && table.parallelLoop(loop)) {
    // Each iteration is an activation; the control variable is its own.
    visit(loop->getInit());
    visit(loop->getCond());
    visit(loop->getInc());
    const Stmt *outer = std::exchange(activation, loop);
    loopBody = loop->getBody();
    visit(loop->getBody());
    activation = outer;
    return;
  }
  if (isa<ForStmt, IfStmt, SwitchStmt, WhileStmt>(node))
    return enter(node, /*syncs=*/false, activation);
  if (auto *declaration = dyn_cast<DeclStmt>(node)) {
    for (const Decl *declared : declaration->decls())
      if (auto *variable = dyn_cast<VarDecl>(declared);
          variable && variable->hasLocalStorage() && !scopes.empty())
        homes.try_emplace(LocalObject(variable), scopes.back());
  } else if (auto *literal = dyn_cast<CompoundLiteralExpr>(node)) {
    homes.try_emplace(LocalObject(literal), scopes.back());
  } else if (auto *label = dyn_cast<LabelStmt>(node)) {
    labels[label->getDecl()] = path;
  }
  visitChildren(node);
  // Behind its operand: what stands there has been seen.
  if (auto *extension = dyn_cast<UnaryOperator>(node))
    if (auto spawn = table.spawnOf(const_cast<UnaryOperator *>(extension));
        spawn && spawn->call) {
      LocalObjects objects = flow.pointees(spawn->call->getCallee());
      for (const Expr *argument : spawn->call->arguments())
        objects.insert_range(flow.pointees(argument));
      add(extension, spawn->word, objects);
    }
}

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
  Flow(const Finder &finder, const SpawnTable &table)
      : finder(finder), table(table) {}

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

  const Finder &finder;
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
    if (finder.pairs[pair].scope != scope)
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
    for (unsigned pair : finder.pairsOf.lookup(node))
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
      return finder.pairs[pair].activation != activation;
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
    Path target = finder.labels.lookup(label);
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
  auto spawn = finder.pairsOf.find(node);
  if (spawn != finder.pairsOf.end())
    for (unsigned pair : spawn->second)
      state.insert(pair);
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

EscapingObjects::EscapingObjects(const FunctionDecl *function,
                                 const SpawnTable &table,
                                 const AddressFlow &addresses) {
  Finder finder(table, addresses);
  finder.visit(function->getBody());
  copies = finder.copies;
  if (finder.pairs.empty())
    return;
  Flow flow(finder, table);
  flow.run(function->getBody());
  llvm::SmallVector<unsigned> numbers(flow.result.begin(), flow.result.end());
  llvm::sort(numbers);
  for (unsigned number : numbers) {
    const Pair &pair = finder.pairs[number];
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
