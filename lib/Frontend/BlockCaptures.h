//===- BlockCaptures.h - What a spawned block has of its parent -*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_BLOCKCAPTURES_H
#define CILK2CHAN_LIB_FRONTEND_BLOCKCAPTURES_H

#include "AddressFlow.h"
#include "llvm/ADT/DenseSet.h"

namespace cilk2chan {

/// The locals of the enclosing function that a spawned block uses:
///
///   int i; long sum = 0, out[8];
///   for (i = 0; i < 8; i++)
///     cilk_spawn { out[i] = i * i; }      // i by value, out by reference
///   cilk_spawn { sum += 1; }              // sum by reference
///
/// A scalar (vectors are scalars) that a block does nothing with but read it is
/// captured with its value at the spawn, wherever it is declared.  All else is
/// captured by reference.
class BlockCaptures {
public:
  BlockCaptures(const clang::Stmt *block, const AddressFlow &flow);

  llvm::ArrayRef<clang::VarDecl *> variables() const { return captured; }
  bool byValue(const clang::VarDecl *variable) const;
  /// Whether the value is passed as the address of a copy: how a large vector
  /// or `_BitInt` is passed depends on the target.
  bool byCopy(const clang::VarDecl *variable) const;

  /// Replaces each use in the block by `make(index of the variable, use)`.
  void
  replace(clang::Stmt *block,
          llvm::function_ref<clang::Expr *(size_t, clang::Expr *)> make) const;

private:
  void collectOwn(const clang::Stmt *node);
  void collect(const clang::Stmt *node, bool isRead);
  clang::VarDecl *outer(const clang::Stmt *node) const;

  /// What the block declares itself.
  llvm::DenseSet<const clang::Decl *> own;
  llvm::DenseMap<const clang::VarDecl *, size_t> index;
  /// Those that are used otherwise than to read them, or may be.
  llvm::DenseSet<const clang::VarDecl *> changed;
  llvm::SmallVector<clang::VarDecl *, 8> captured;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_BLOCKCAPTURES_H
