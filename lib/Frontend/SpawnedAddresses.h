//===- SpawnedAddresses.h - Objects whose address a spawn has ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_SPAWNEDADDRESSES_H
#define CILK2CHAN_LIB_FRONTEND_SPAWNEDADDRESSES_H

#include "AddressFlow.h"
#include "SpawnTable.h"

namespace cilk2chan {

/// A spawn that has the address of an object which ends with a scope inside of
/// the function, without a sync at its end: `for (...) { T x; spawn f(&x); }`.
struct AddressPair {
  SpawnWord word;
  LocalObject object;
  const clang::Stmt *scope; // that the object ends with
  /// What waits for the spawn at its end: the parallel loop or the spawned
  /// block around it, or null for the function.
  const clang::Stmt *activation;
};

/// The statements around a place, from the outermost: those that end the
/// objects that they declare.
using Path = llvm::SmallVector<const clang::Stmt *, 8>;

/// Finds the pairs of a function.
class SpawnedAddresses {
public:
  SpawnedAddresses(const clang::Stmt *body, const SpawnTable &table,
                   const AddressFlow &flow)
      : table(table), flow(flow) {
    visit(body);
  }

  llvm::SmallVector<AddressPair> pairs;
  /// The pairs of a spawn, by its operand or block.
  llvm::DenseMap<const clang::Stmt *, llvm::SmallVector<unsigned, 2>> pairsOf;
  llvm::DenseMap<const clang::LabelDecl *, Path> labels;
  /// Whether a block has a large value as the address of a copy.
  bool copies = false;

private:
  struct Scope {
    const clang::Stmt *statement;
    /// A sync comes before its objects end.
    bool syncs;
    const clang::Stmt *activation;
  };

  void visit(const clang::Stmt *node);
  void visitChildren(const clang::Stmt *node) {
    for (const clang::Stmt *child : node->children())
      visit(child);
  }
  void enter(const clang::Stmt *scope, bool syncs,
             const clang::Stmt *activation) {
    path.push_back(scope);
    scopes.push_back({scope, syncs, activation});
    visitChildren(scope);
    scopes.pop_back();
    path.pop_back();
  }
  void add(const clang::Stmt *spawn, SpawnWord word, LocalObjects objects);

  const SpawnTable &table;
  const AddressFlow &flow;
  Path path;
  llvm::SmallVector<Scope, 8> scopes;
  /// Where the objects seen so far have been declared.
  llvm::DenseMap<LocalObject, Scope> homes;
  const clang::Stmt *activation = nullptr;
  /// The body of the innermost parallel loop, which is about to be visited.
  const clang::Stmt *loopBody = nullptr;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_SPAWNEDADDRESSES_H
