//===- EscapingObjects.h - Objects that a spawn outlives --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_ESCAPINGOBJECTS_H
#define CILK2CHAN_LIB_FRONTEND_ESCAPINGOBJECTS_H

#include "AddressFlow.h"
#include "SpawnTable.h"
#include "cilk2chan/Frontend/FrontendOptions.h"
#include "llvm/ADT/DenseSet.h"

namespace cilk2chan {

/// The objects of inner scopes whose address a spawn has that no sync waits for
/// before the scope ends:
///
///   for (int i = 0; i < n; i++) {
///     struct board next = *board;         // ends with each iteration
///     found[i] = cilk_spawn queens(&next);
///   }                                     // the child may not have begun
///   cilk_sync;
///
/// Such an object is kept until the sync: each iteration has one of its own.
/// Where a sync is sure to come first, as at the end of a function, of a
/// spawned block, of a scope or of an iteration of a parallel loop, nothing
/// needs to be kept.
class EscapingObjects {
public:
  EscapingObjects(const clang::FunctionDecl *function, const SpawnTable &table,
                  const AddressFlow &flow);

  /// Whether nothing is kept.
  bool empty() const { return found.empty() && !copies; }
  bool contains(LocalObject object) const { return objects.contains(object); }
  /// Whether one of the objects ends with the statement.
  bool endWith(const clang::Stmt *scope) const {
    return scopes.contains(scope);
  }

  void warn(clang::DiagnosticsEngine &diagnostics,
            const FrontendOptions::Warning &kind) const;

private:
  /// A spawn that has the address of an object.
  struct Escape {
    SpawnWord word;
    LocalObject object;
  };

  llvm::SmallVector<Escape> found;
  /// Whether a spawned block has the address of a copy of its own.
  bool copies = false;
  llvm::DenseSet<LocalObject> objects;
  llvm::DenseSet<const clang::Stmt *> scopes;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_ESCAPINGOBJECTS_H
