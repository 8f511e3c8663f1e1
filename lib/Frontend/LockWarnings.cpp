//===- LockWarnings.cpp - Spawns and syncs while a lock is held -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward dataflow over Clang's control-flow graph: which locks are held on
// every path.  A child that wants a lock of its parent's may run on the
// parent's thread, before the parent goes on; and while a sync, a parallel loop
// or a call of a function that spawns waits, its thread runs other tasks, which
// may want the lock.
//
//===----------------------------------------------------------------------===//

#include "LockWarnings.h"
#include "Diagnostics.h"
#include "Locks.h"
#include "clang/AST/ASTContext.h"
#include "clang/Analysis/Analyses/PostOrderCFGView.h"
#include "clang/Analysis/CFG.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"

using namespace clang;

namespace cilk2chan {
namespace {

/// A lock that is held, and by what.
struct Held {
  Lock lock;
  /// The function itself if its callers hold it.
  SourceLocation where;
  const Stmt *call = nullptr;
  /// Whether an attribute says that it is.
  bool byAttribute = false;
};
using HeldLocks = llvm::SmallVector<Held, 2>;

/// A spawn, a sync or a parallel loop while a lock is held.
struct Finding {
  SpawnWord word;
  Held held;
};

class LockAnalysis {
public:
  LockAnalysis(const FunctionDecl *function, const SpawnTable &table)
      : ast(function->getASTContext()), function(function), table(table) {}

  void run();

  llvm::SmallVector<Finding, 0> findings;
  /// Calls while a lock is held, of whatever it may be.
  llvm::SmallVector<LockWarnings::Call, 0> calls;

private:
  void collect(const Stmt *node, const CompoundStmt *block);
  HeldLocks before(const CFGBlock &block) const;
  void through(const CFGElement &element, HeldLocks &state) const;
  void call(const CallExpr *node, HeldLocks &state) const;
  void refine(const CFGBlock &from, bool whenTrue, HeldLocks &state) const;
  void find(const CFGElement &element, const HeldLocks &state);
  bool isInside(const Stmt *node, const CompoundStmt *block) const;

  ASTContext &ast;
  const FunctionDecl *function;
  const SpawnTable &table;
  /// The calls that are spawned, which do nothing in the parent.
  llvm::DenseMap<const Stmt *, SpawnWord> spawned;
  /// The words of parallel loops, by their conditions.
  llvm::DenseMap<const Stmt *, SpawnWord> loops;
  /// The innermost spawned block that a statement, or such a block, is in.
  llvm::DenseMap<const Stmt *, const CompoundStmt *> owner;
  llvm::SmallVector<Lock> released;
  /// What holds at the end of a block; nothing for those not reached yet.
  llvm::DenseMap<const CFGBlock *, HeldLocks> after;
};

} // namespace

void LockAnalysis::collect(const Stmt *node, const CompoundStmt *block) {
  if (!node)
    return;
  if (block)
    owner[node] = block;
  if (auto *compound = dyn_cast<CompoundStmt>(node))
    if (table.blockSpawn(compound))
      block = compound;
  if (auto *extension = dyn_cast<UnaryOperator>(node))
    if (auto spawn = table.spawnOf(const_cast<UnaryOperator *>(extension)))
      spawned[spawn->call] = spawn->word;
  if (auto *loop = dyn_cast<ForStmt>(node))
    if (auto word = table.parallelLoop(loop))
      loops[loop->getCond()] = *word;
  if (auto *call = dyn_cast<CallExpr>(node))
    if (LockCall effect = classifyCall(ast, call);
        effect.kind == LockCall::release)
      released.append(effect.locks);
  for (const Stmt *child : node->children())
    collect(child, block);
}

bool LockAnalysis::isInside(const Stmt *node, const CompoundStmt *block) const {
  for (auto it = owner.find(node); it != owner.end();
       it = owner.find(it->second))
    if (it->second == block)
      return true;
  return false;
}

static bool containsRelease(const ASTContext &ast, const Stmt *node) {
  if (!node)
    return false;
  if (auto *call = dyn_cast<CallExpr>(node))
    if (classifyCall(ast, call).kind == LockCall::release)
      return true;
  return llvm::any_of(node->children(), [&](const Stmt *child) {
    return containsRelease(ast, child);
  });
}

static bool mentions(const Stmt *node, const ValueDecl *variable) {
  if (!node)
    return false;
  if (auto *reference = dyn_cast<DeclRefExpr>(node))
    return reference->getDecl() == variable;
  return llvm::any_of(node->children(), [&](const Stmt *child) {
    return mentions(child, variable);
  });
}

void LockAnalysis::call(const CallExpr *node, HeldLocks &state) const {
  if (spawned.contains(node) || table.isSync(node))
    return;
  LockCall effect = classifyCall(ast, node);
  auto drop = [&](const Lock &lock) {
    size_t before = state.size();
    llvm::erase_if(state, [&](const Held &held) { return held.lock == lock; });
    return state.size() != before;
  };
  switch (effect.kind) {
  case LockCall::acquire:
    for (const Lock &lock : effect.locks)
      if (!effect.semaphore || llvm::is_contained(released, lock)) {
        drop(lock);
        state.push_back({lock, node->getBeginLoc(), node, effect.byAttribute});
      }
    return;
  case LockCall::release:
    // What it releases may have been taken under another name.
    for (const Lock &lock : effect.locks)
      if (!drop(lock))
        state.clear();
    return;
  case LockCall::attempt:
  case LockCall::neutral:
    return;
  case LockCall::unknown:
    break;
  }
  const FunctionDecl *callee = node->getDirectCallee();
  const FunctionDecl *definition = nullptr;
  if (callee && callee->hasBody(definition)) {
    if (containsRelease(ast, definition->getBody()))
      state.clear();
    return;
  }
  // It is given something through which it could release the lock.
  llvm::erase_if(state, [&](const Held &held) {
    const ValueDecl *root = held.lock.root();
    return root && llvm::any_of(node->arguments(), [&](const Expr *argument) {
             return mentions(argument, root);
           });
  });
}

void LockAnalysis::through(const CFGElement &element, HeldLocks &state) const {
  // A variable's attribute `cleanup`: how programs release locks by scope.
  if (element.getKind() == CFGElement::CleanupFunction)
    state.clear();
  auto statement = element.getAs<CFGStmt>();
  if (!statement)
    return;
  if (auto *node = dyn_cast<CallExpr>(statement->getStmt()))
    call(node, state);
}

/// Applies what it means for a lock that the condition at the end of `from`,
/// which tests whether it was acquired, came out as `whenTrue`.
void LockAnalysis::refine(const CFGBlock &from, bool whenTrue,
                          HeldLocks &state) const {
  const Expr *condition = from.getLastCondition();
  bool nonzero = whenTrue;
  const CallExpr *tested = nullptr;
  while (condition) {
    condition = condition->IgnoreParenImpCasts();
    if ((tested = dyn_cast<CallExpr>(condition)))
      break;
    auto *binary = dyn_cast<BinaryOperator>(condition);
    if (auto *unary = dyn_cast<UnaryOperator>(condition);
        unary && unary->getOpcode() == UO_LNot) {
      nonzero = !nonzero;
      condition = unary->getSubExpr();
    } else if (binary && binary->getOpcode() == BO_Assign) {
      condition = binary->getRHS();
    } else if (binary && binary->isEqualityOp()) {
      auto isZero = [&](const Expr *side) {
        Expr::EvalResult result;
        return side->EvaluateAsInt(result, ast) && result.Val.getInt().isZero();
      };
      nonzero ^= binary->getOpcode() == BO_EQ;
      condition = isZero(binary->getRHS())   ? binary->getLHS()
                  : isZero(binary->getLHS()) ? binary->getRHS()
                                             : nullptr;
    } else {
      condition = nullptr;
    }
  }
  if (!tested)
    return;
  LockCall effect = classifyCall(ast, tested);
  bool success = nonzero != effect.zeroIsSuccess;
  for (const Lock &lock : effect.locks) {
    if (effect.kind == LockCall::attempt && success &&
        (!effect.semaphore || llvm::is_contained(released, lock)))
      state.push_back(
          {lock, tested->getBeginLoc(), tested, effect.byAttribute});
    else if (effect.kind == LockCall::acquire && !success)
      llvm::erase_if(state,
                     [&](const Held &held) { return held.lock == lock; });
  }
}

/// What is held at the end of all predecessors that have been reached.
HeldLocks LockAnalysis::before(const CFGBlock &block) const {
  std::optional<HeldLocks> state;
  for (const CFGBlock *from : block.preds()) {
    auto found = from ? after.find(from) : after.end();
    if (found == after.end())
      continue;
    // Both ways out of a branch may lead here.
    for (unsigned way = 0; way < from->succ_size(); ++way) {
      if (from->succ_begin()[way].getReachableBlock() != &block)
        continue;
      HeldLocks arriving = found->second;
      if (from->succ_size() == 2)
        refine(*from, /*whenTrue=*/way == 0, arriving);
      if (!state) {
        state = std::move(arriving);
        continue;
      }
      llvm::erase_if(*state, [&](const Held &held) {
        return llvm::none_of(arriving, [&](const Held &other) {
          return other.lock == held.lock;
        });
      });
    }
  }
  if (state)
    return *state;
  HeldLocks required;
  if (block.pred_empty())
    for (const Lock &lock : locksRequired(function))
      required.push_back(
          {lock, function->getLocation(), nullptr, /*byAttribute=*/true});
  return required;
}

void LockAnalysis::find(const CFGElement &element, const HeldLocks &state) {
  auto statement = element.getAs<CFGStmt>();
  if (!statement || state.empty())
    return;
  const Stmt *node = statement->getStmt();
  // A spawned block begins with the first of its statements.
  HeldLocks inside = state;
  for (auto it = owner.find(node); it != owner.end();
       it = owner.find(it->second)) {
    SpawnWord word = *table.blockSpawn(it->second);
    auto isAround = [&](const Held &held) {
      return !isInside(held.call, it->second);
    };
    for (const Held &held : state)
      if (isAround(held))
        findings.push_back({word, held});
    llvm::erase_if(inside, isAround);
  }
  // The graph has no element for the spawn, only for its call.
  if (auto spawn = spawned.find(node); spawn != spawned.end()) {
    for (const Held &held : state)
      findings.push_back({spawn->second, held});
  } else if (auto loop = loops.find(node); loop != loops.end()) {
    for (const Held &held : state)
      findings.push_back({loop->second, held});
  } else if (table.isSync(node)) {
    const SourceManager &sources = ast.getSourceManager();
    SourceLocation location = node->getBeginLoc();
    StringRef word = Lexer::getSourceText(
        CharSourceRange::getTokenRange(sources.getSpellingLoc(location)),
        sources, ast.getLangOpts());
    for (const Held &held : state)
      findings.push_back({{location, word}, held});
  } else if (auto *call = dyn_cast<CallExpr>(node);
             call && call->getDirectCallee()) {
    // Under locks that llvm-to-cilk knows no call is split.
    for (const Held &held : inside)
      if (held.byAttribute)
        calls.push_back({call->getBeginLoc(), call->getDirectCallee(), function,
                         held.lock.spelling(ast), held.where});
  }
}

void LockAnalysis::run() {
  collect(function->getBody(), nullptr);
  CFG::BuildOptions options;
  options.AddImplicitDtors = true;
  std::unique_ptr<CFG> graph =
      CFG::buildCFG(function, function->getBody(), &ast, options);
  if (!graph)
    return;
  // Locks only leave the states, so that this ends.
  PostOrderCFGView order(graph.get());
  for (bool changed = true; changed;) {
    changed = false;
    for (const CFGBlock *block : order) {
      HeldLocks state = before(*block);
      for (const CFGElement &element : *block)
        through(element, state);
      auto [known, isNew] = after.try_emplace(block, state);
      changed |= isNew || known->second.size() != state.size();
      known->second = std::move(state);
    }
  }
  for (const CFGBlock *block : order) {
    HeldLocks state = before(*block);
    for (const CFGElement &element : *block) {
      find(element, state);
      through(element, state);
    }
  }
}

/// Says how `function` came to hold the lock.
static void explain(const FunctionDecl *function, SourceLocation acquired) {
  DiagnosticsEngine &diagnostics = function->getASTContext().getDiagnostics();
  if (acquired != function->getLocation())
    note(diagnostics, acquired,
         "acquired here; release it before, or take it in the children");
  else
    note(diagnostics, acquired, "the caller of %0 holds it") << function;
}

void LockWarnings::check(const FunctionDecl *function,
                         const SpawnTable &table) {
  spawning.insert(function->getCanonicalDecl());
  LockAnalysis analysis(function, table);
  analysis.run();
  calls.append(analysis.calls);
  ASTContext &ast = function->getASTContext();
  // In the order of the source; a block's statements all find its spawn.
  auto isBefore = [&](SourceLocation a, SourceLocation b) {
    return ast.getSourceManager().isBeforeInTranslationUnit(a, b);
  };
  llvm::sort(analysis.findings, [&](const Finding &a, const Finding &b) {
    return a.word.location == b.word.location
               ? isBefore(a.held.where, b.held.where)
               : isBefore(a.word.location, b.word.location);
  });
  llvm::DenseSet<std::pair<SourceLocation, SourceLocation>> reported;
  for (const auto &[word, held] : analysis.findings) {
    if (!reported.insert({word.location, held.where}).second)
      continue;
    std::string name = held.lock.spelling(ast);
    warning(ast.getDiagnostics(), word.location,
            "'%0' while lock %select{|'%2' }1is held", kind)
        << word.spelling << !name.empty() << name;
    explain(function, held.where);
  }
}

void LockWarnings::finish(const ASTContext &ast) {
  for (const Call &call : calls) {
    const FunctionDecl *definition = nullptr;
    if (!spawning.contains(call.callee->getCanonicalDecl()) ||
        !call.callee->hasBody(definition) ||
        containsRelease(ast, definition->getBody()))
      continue;
    warning(ast.getDiagnostics(), call.where,
            "call of %0, which spawns, while lock %select{|'%2' }1is held",
            kind)
        << call.callee << !call.lock.empty() << call.lock;
    explain(call.caller, call.acquired);
  }
}

} // namespace cilk2chan
