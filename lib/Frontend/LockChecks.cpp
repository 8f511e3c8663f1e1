//===- LockChecks.cpp - Cilk locks held across spawn and sync -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a function spawns or syncs, its thread may go on with any other task.
// If that one wants a lock that the function holds, both wait for ever.
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "SpawnChecks.h"
#include "clang/AST/ASTContext.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace cilk2chan {
namespace {

/// What holds whichever way control came.
struct LockState {
  /// Locks held on every way, and where one of them was taken.
  unsigned held = 0;
  const CallExpr *taken = nullptr;
  /// Whether children may be outstanding.
  bool outstanding = false;

  bool join(const LockState &other) {
    bool changed = other.held < held || (other.outstanding && !outstanding);
    if (other.held < held) {
      held = other.held;
      taken = other.taken;
    }
    outstanding |= other.outstanding;
    return changed;
  }
};

class LockChecker {
public:
  LockChecker(const FunctionDecl *function, const SpawnTable &table)
      : function(function), table(table) {}

  void run();

private:
  /// Whether a lock is taken anywhere; else there is nothing to do.
  bool findLocks(Stmt *node, const CompoundStmt *spawnedBlock);
  void pass(const Stmt *node, LockState &state, bool report);
  void pass(const CFGBlock &block, LockState &state, bool report);
  void refuse(SourceLocation location, llvm::StringRef what,
              const LockState &state) const;

  const FunctionDecl *function;
  const SpawnTable &table;
  /// Clang's control flow graph has no node for the word itself.
  llvm::DenseMap<const Stmt *, SpawnWord> spawnedCalls;
  /// The words of parallel loops, by their conditions.
  llvm::DenseMap<const Stmt *, SpawnWord> loops;
  /// The outermost spawned block that a statement is part of.
  llvm::DenseMap<const Stmt *, const CompoundStmt *> spawnedBlocks;
  llvm::DenseSet<const CompoundStmt *> refusedBlocks;
};

} // namespace

static bool calls(const CallExpr *call, llvm::StringRef name) {
  const FunctionDecl *callee = call->getDirectCallee();
  return callee && callee->getIdentifier() && callee->getName() == name;
}

bool LockChecker::findLocks(Stmt *node, const CompoundStmt *spawnedBlock) {
  if (!node)
    return false;
  if (spawnedBlock)
    spawnedBlocks[node] = spawnedBlock;
  else if (auto *block = dyn_cast<CompoundStmt>(node);
           block && table.blockSpawn(block))
    spawnedBlock = block;
  if (auto *extension = dyn_cast<UnaryOperator>(node))
    if (auto spawn = table.spawnOf(extension); spawn && spawn->call)
      spawnedCalls[spawn->call] = spawn->word;
  if (auto *loop = dyn_cast<ForStmt>(node))
    if (auto word = table.parallelLoop(loop))
      loops[loop->getCond()] = *word;
  auto *call = dyn_cast<CallExpr>(node);
  bool found = call && calls(call, "Cilk_lock");
  for (Stmt *child : node->children())
    found |= findLocks(child, spawnedBlock);
  return found;
}

void LockChecker::refuse(SourceLocation location, llvm::StringRef what,
                         const LockState &state) const {
  DiagnosticsEngine &diagnostics = function->getASTContext().getDiagnostics();
  error(diagnostics, location, "%0 while a Cilk lock is held") << what;
  note(diagnostics, state.taken->getBeginLoc(),
       "taken here; call Cilk_unlock first");
}

void LockChecker::pass(const Stmt *node, LockState &state, bool report) {
  report = report && state.held;
  if (const CompoundStmt *block = spawnedBlocks.lookup(node)) {
    if (report && refusedBlocks.insert(block).second)
      refuse(table.blockSpawn(block)->location, "a spawned block", state);
    state.outstanding = true;
    return;
  }
  if (auto loop = loops.find(node); loop != loops.end()) {
    if (report)
      refuse(loop->second.location, ("'" + loop->second.spelling + "'").str(),
             state);
    return;
  }
  if (auto spawned = spawnedCalls.find(node); spawned != spawnedCalls.end()) {
    const SpawnWord &word = spawned->second;
    if (report)
      refuse(word.location, ("'" + word.spelling + "'").str(), state);
    // What was refused is not held against the sync as well.
    state.outstanding |= !state.held;
    return;
  }
  auto *call = dyn_cast<CallExpr>(node);
  if (!call)
    return;
  if (table.isSync(call)) {
    if (report && state.outstanding)
      refuse(call->getBeginLoc(), "a sync", state);
    state.outstanding = false;
  } else if (calls(call, "Cilk_lock")) {
    ++state.held;
    state.taken = call;
  } else if (calls(call, "Cilk_unlock") && state.held) {
    --state.held;
  }
}

void LockChecker::pass(const CFGBlock &block, LockState &state, bool report) {
  for (const CFGElement &element : block)
    if (auto statement = element.getAs<CFGStmt>())
      pass(statement->getStmt(), state, report);
}

void LockChecker::run() {
  Stmt *body = function->getBody();
  if (!findLocks(body, /*spawnedBlock=*/nullptr))
    return;
  CFG::BuildOptions options;
  options.setAllAlwaysAdd();
  std::unique_ptr<CFG> graph =
      CFG::buildCFG(function, body, &function->getASTContext(), options);
  if (!graph)
    return;
  llvm::DenseMap<const CFGBlock *, LockState> states;
  llvm::SmallVector<const CFGBlock *> work = {&graph->getEntry()};
  states[work.front()] = LockState();
  while (!work.empty()) {
    const CFGBlock *block = work.pop_back_val();
    LockState state = states[block];
    pass(*block, state, /*report=*/false);
    for (const CFGBlock *successor : block->succs()) {
      if (!successor)
        continue;
      auto [known, first] = states.try_emplace(successor, state);
      if (first || known->second.join(state))
        work.push_back(successor);
    }
  }
  for (const CFGBlock *block : *graph)
    if (auto known = states.find(block); known != states.end()) {
      LockState state = known->second;
      pass(*block, state, /*report=*/true);
    }
}

void checkLocks(const FunctionDecl *function, const SpawnTable &table) {
  LockChecker(function, table).run();
}

} // namespace cilk2chan
