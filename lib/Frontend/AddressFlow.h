//===- AddressFlow.h - Where addresses of locals go -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_ADDRESSFLOW_H
#define CILK2CHAN_LIB_FRONTEND_ADDRESSFLOW_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PointerUnion.h"
#include "llvm/ADT/SetVector.h"

namespace cilk2chan {

/// An object of a function that C allocates for it: a variable or a compound
/// literal.
using LocalObject = llvm::PointerUnion<const clang::VarDecl *,
                                       const clang::CompoundLiteralExpr *>;
using LocalObjects = llvm::SmallSetVector<LocalObject, 4>;

/// Which local objects a value may point into, by what a function assigns to
/// its own variables, in whatever order:
///
///   struct board next;
///   struct task t = {.board = &next};   // t holds the address of next
///   int *q = next.q + 1;                // so does q
///
/// Addresses that go through globals, unknown memory or a call's result are
/// not followed.
class AddressFlow {
public:
  explicit AddressFlow(const clang::Stmt *body);

  /// The objects that `value` may point into.
  LocalObjects pointees(const clang::Expr *value) const;
  /// The objects that a pointer in `variable` may point into.
  LocalObjects heldBy(const clang::VarDecl *variable) const {
    return held.lookup(variable);
  }
  /// Adds all that can be reached from `objects` by way of pointers in them.
  void addReachable(LocalObjects &objects) const;

private:
  /// A value, and the variable or lvalue that it is assigned to.
  struct Assignment {
    const clang::VarDecl *variable;
    const clang::Expr *lvalue;
    const clang::Expr *value;
  };

  void collect(const clang::Stmt *node);
  bool apply(const Assignment &assignment);
  void addValue(const clang::Expr *value, LocalObjects &found) const;
  /// What a pointer stored at `lvalue` may point into.
  void addLoaded(const clang::Expr *lvalue, LocalObjects &found) const;
  /// What `lvalue` may be a part of.
  void addObjects(const clang::Expr *lvalue, LocalObjects &found) const;

  llvm::SmallVector<Assignment> assignments;
  llvm::DenseMap<const clang::VarDecl *, LocalObjects> held;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_ADDRESSFLOW_H
