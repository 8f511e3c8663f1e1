//===- SpawnTable.h - Where the words of the language stand -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_SPAWNTABLE_H
#define CILK2CHAN_LIB_FRONTEND_SPAWNTABLE_H

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <utility>

namespace cilk2chan {

/// A word of the language as written.
struct SpawnWord {
  clang::SourceLocation location;
  llvm::StringRef spelling;
};

/// A spawned call, found on the AST.
struct Spawn {
  SpawnWord word;
  clang::Expr *operand = nullptr;
  /// What the child evaluates: the operand as a call, or the call around it
  /// (`carried`); null if the operand is no call.
  clang::Expr *call = nullptr;
  /// What converts the call's value, outermost first.
  llvm::SmallVector<clang::CastExpr *, 2> casts;
  /// Whether the word stands in front of an argument of `call`: that call is
  /// the child's, too.
  bool carried = false;
};

/// The spawns, syncs, parallel loops and scopes of a translation unit.
///
/// The AST has no nodes for them.  The parser reads a spawn's word as
/// `__extension__`, which leaves a UnaryOperator(UO_Extension) at the word's
/// location; a spawned block and a scope are known by the location of their
/// `{`, or of the label that stands for the word where there is none; a
/// parallel loop is a `for` at the word's location; a sync is a call of
/// `syncFunction`.  A grainsize pragma becomes
/// `if (grainFunction(n) && 0) {} else` in front of its loop.
class SpawnTable {
public:
  void addSpawn(SpawnWord word) {
    spawns[word.location] = word.spelling;
    unseen.push_back(word);
  }
  void addBlock(clang::SourceLocation brace, SpawnWord word) {
    blocks[brace] = word;
    unseen.push_back(word);
  }

  void addLoop(SpawnWord word) {
    loops[word.location] = word.spelling;
    unseen.push_back(word);
  }
  void addScope(clang::SourceLocation brace, SpawnWord word) {
    scopes[brace] = word;
    unseen.push_back(word);
  }
  /// Has a block end with a sync although the word is not there.
  void endWithSync(clang::SourceLocation brace) {
    scopes.try_emplace(brace, SpawnWord{brace, "{"});
  }
  void addSync() { unseenSyncs = true; }
  /// Something has been refused without which the function's spawns cannot be
  /// judged.
  void addRefused() { refused = true; }

  /// What stands for the whole expression, if that is a pair of parentheses, a
  /// full expression, a `_Generic` or a `__builtin_choose_expr`; else null.
  static clang::Expr *sameValue(clang::Expr *node);

  /// Whether a child can evaluate `node` with arguments that have been
  /// evaluated before: a call, or what Clang has a node of its own for, as the
  /// atomic operations.
  static bool isCall(const clang::Expr *node);

  /// Whether the node is what a spawn's word became.
  bool isSpawn(const clang::UnaryOperator *extension) const {
    return extension->getOpcode() == clang::UO_Extension &&
           spawns.contains(extension->getOperatorLoc());
  }
  /// The spawn that is the value of `value`, apart from parentheses, selections
  /// at compile time and casts, or that is an argument of the call that is.
  std::optional<Spawn> spawnOf(clang::Expr *value) const;
  /// The word in place of the label, if it is a scope's or a spawn's.
  std::optional<SpawnWord> labelled(const clang::LabelStmt *statement) const;
  /// The word in front of the block, if it is spawned.
  std::optional<SpawnWord> blockSpawn(const clang::CompoundStmt *block) const;
  bool isSync(const clang::Stmt *statement) const;
  /// The word in place of `for`, if the loop is parallel.
  std::optional<SpawnWord> parallelLoop(const clang::ForStmt *loop) const;
  /// The word in front of the block, if it is a scope.
  std::optional<SpawnWord> scope(const clang::CompoundStmt *block) const;
  /// The call of `grainFunction`, if that is what a grainsize pragma became.
  clang::CallExpr *grain(const clang::IfStmt *statement) const;

  /// Whether a spawn stands anywhere in the statement or its initialisers, but
  /// where a selection at compile time leaves it out.
  bool containsSpawn(const clang::Stmt *statement) const;

  /// The words read since the last call, in the order of the source, but
  /// syncs.
  llvm::SmallVector<SpawnWord> takeSpawns() { return std::move(unseen); }
  /// Whether a sync was read since the last call.
  bool takeSyncs() { return std::exchange(unseenSyncs, false); }

  /// Whether anything was refused since the last call.
  bool takeRefused() { return std::exchange(refused, false); }

  clang::FunctionDecl *syncFunction = nullptr;
  /// The same where none of the objects that are kept for spawns
  /// (EscapingObjects) is used any more behind it.
  clang::FunctionDecl *releaseFunction = nullptr;
  clang::FunctionDecl *grainFunction = nullptr;
  /// What SYNCHED calls.
  clang::FunctionDecl *synchedFunction = nullptr;

private:
  llvm::DenseMap<clang::SourceLocation, llvm::StringRef> spawns;
  llvm::DenseMap<clang::SourceLocation, SpawnWord> blocks;
  llvm::DenseMap<clang::SourceLocation, llvm::StringRef> loops;
  llvm::DenseMap<clang::SourceLocation, SpawnWord> scopes;
  llvm::SmallVector<SpawnWord> unseen;
  bool unseenSyncs = false;
  bool refused = false;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_SPAWNTABLE_H
