//===- SpawnTable.h - Where the words of the language stand -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_SPAWNTABLE_H
#define CILK2CHAN_LIB_FRONTEND_SPAWNTABLE_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <utility>

namespace cilk2chan {

/// A spawn word as written.
struct SpawnWord {
  clang::SourceLocation location;
  llvm::StringRef spelling;
};

/// A spawned call, found on the AST.
struct Spawn {
  SpawnWord word;
  clang::Expr *operand = nullptr;
  /// The operand as a call; null if it is none.
  clang::CallExpr *call = nullptr;
  /// What converts the call's value, outermost first.
  llvm::SmallVector<clang::CastExpr *, 2> casts;
};

/// The spawns and syncs of a translation unit.
///
/// The AST has no node for a spawn.  The parser reads the word as
/// `__extension__`, which leaves a UnaryOperator(UO_Extension) at the word's
/// location; a spawned block is known by the location of its `{`; a sync is a
/// call of `syncFunction`.
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

  void addSync() { unseenSyncs = true; }
  /// Something has been refused without which the function's spawns cannot be
  /// judged.
  void addRefused() { refused = true; }

  /// The spawn that is the value of `value`, apart from parentheses and casts.
  std::optional<Spawn> spawnOf(clang::Expr *value) const;
  /// The word in front of the block, if it is spawned.
  std::optional<SpawnWord> blockSpawn(const clang::CompoundStmt *block) const;
  bool isSync(const clang::Stmt *statement) const;

  /// Whether a spawn stands anywhere in the statement or its initialisers.
  bool containsSpawn(const clang::Stmt *statement) const;

  /// The spawn words read since the last call, in the order of the source.
  llvm::SmallVector<SpawnWord> takeSpawns() { return std::move(unseen); }
  /// Whether a sync was read since the last call.
  bool takeSyncs() { return std::exchange(unseenSyncs, false); }

  /// Whether anything was refused since the last call.
  bool takeRefused() { return std::exchange(refused, false); }

  clang::FunctionDecl *syncFunction = nullptr;
  /// What SYNCHED calls.
  clang::FunctionDecl *synchedFunction = nullptr;

private:
  llvm::DenseMap<clang::SourceLocation, llvm::StringRef> spawns;
  llvm::DenseMap<clang::SourceLocation, SpawnWord> blocks;
  llvm::SmallVector<SpawnWord> unseen;
  bool unseenSyncs = false;
  bool refused = false;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_SPAWNTABLE_H
