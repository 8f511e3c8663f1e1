//===- LockWarnings.h - Spawns and syncs while a lock is held ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_LOCKWARNINGS_H
#define CILK2CHAN_LIB_FRONTEND_LOCKWARNINGS_H

#include "SpawnTable.h"
#include "cilk2chan/Frontend/FrontendOptions.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseSet.h"
#include <string>

namespace cilk2chan {

/// Warns of spawns, syncs, parallel loops and calls of spawning functions that
/// a lock is held across on every path of a spawning function.
class LockWarnings {
public:
  explicit LockWarnings(const FrontendOptions::Warning &kind) : kind(kind) {}

  /// Takes a spawning function, before its spawns are rewritten.
  void check(const clang::FunctionDecl *function, const SpawnTable &table);

  /// Warns of the calls, now that all spawning functions are known.
  void finish(const clang::ASTContext &ast);

  /// A call while a lock is held.
  struct Call {
    clang::SourceLocation where;
    const clang::FunctionDecl *callee, *caller;
    std::string lock;
    /// The caller itself if its callers hold it.
    clang::SourceLocation acquired;
  };

private:
  const FrontendOptions::Warning &kind;
  llvm::DenseSet<const clang::FunctionDecl *> spawning;
  llvm::SmallVector<Call, 0> calls;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_LOCKWARNINGS_H
