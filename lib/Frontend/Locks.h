//===- Locks.h - Calls that take and release locks --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_LOCKS_H
#define CILK2CHAN_LIB_FRONTEND_LOCKS_H

#include "cilk2chan/Support/LockFunctions.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/SmallVector.h"

namespace cilk2chan {

/// A lock as an expression says which: two expressions of the same form mean
/// the same one.
class Lock {
public:
  /// `expression` is the lock or a pointer to it.  Null stands for a lock that
  /// has no name.
  Lock(const clang::ASTContext &ast, const clang::Expr *expression);

  bool operator==(const Lock &other) const { return form == other.form; }

  /// The variable through which the lock is reached, if there is one.
  const clang::ValueDecl *root() const;
  /// As the program spells it.
  std::string spelling(const clang::ASTContext &ast) const;

private:
  const clang::Expr *expression;
  llvm::FoldingSetNodeID form;
};

/// What a call does to locks.
struct LockCall : LockFunction {
  llvm::SmallVector<Lock, 1> locks;
  /// Whether an attribute says so, and not what the function is called.
  bool byAttribute = false;
};

/// Knows the functions of POSIX, C11 and OpenMP, and those with Clang's
/// capability attributes.
LockCall classifyCall(const clang::ASTContext &ast,
                      const clang::CallExpr *call);

/// The locks that callers of `function` must hold, by its attributes.
llvm::SmallVector<Lock, 1> locksRequired(const clang::FunctionDecl *function);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_LOCKS_H
