//===- ChildBuilder.h - The child's part of a spawn -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_CHILDBUILDER_H
#define CILK2CHAN_LIB_FRONTEND_CHILDBUILDER_H

#include "SpawnTable.h"
#include "clang/AST/ASTContext.h"

namespace cilk2chan {

/// Where a child's result goes.
struct Destination {
  /// An lvalue of the parent; null if the result is discarded.
  clang::Expr *lvalue = nullptr;
  /// The assignment as written, if it is compound.
  clang::CompoundAssignOperator *compound = nullptr;
};

/// Builds AST nodes and functions the way Sema would, for code that has been
/// checked already.
///
/// Working below Sema repeats exactly the conversions that it chose, reports
/// nothing twice, and needs no scope.
class ChildBuilder {
public:
  explicit ChildBuilder(clang::ASTContext &ast) : ast(ast) {}

  /// Makes the child function and the marker of the spawn of an ordinary call,
  /// and returns the marker's call, an expression of type void.  `casts`,
  /// outermost first, convert the call's value to what is assigned.
  clang::Expr *spawn(clang::FunctionDecl *parent, const Spawn &spawn,
                     llvm::ArrayRef<clang::CastExpr *> casts,
                     const Destination &destination);

  /// `destination op= value`.
  clang::Expr *assign(const Destination &destination, clang::Expr *lvalue,
                      clang::Expr *value, clang::SourceLocation location);

  /// The conversions of `casts`, outermost first, applied to `value`.
  clang::Expr *convert(llvm::ArrayRef<clang::CastExpr *> casts,
                       clang::Expr *value);

  clang::FunctionDecl *function(llvm::StringRef name,
                                llvm::ArrayRef<clang::QualType> parameters,
                                clang::StorageClass storage,
                                clang::SourceLocation location,
                                clang::QualType result);
  /// Of a function that returns nothing.
  clang::FunctionDecl *function(llvm::StringRef name,
                                llvm::ArrayRef<clang::QualType> parameters,
                                clang::StorageClass storage,
                                clang::SourceLocation location) {
    return function(name, parameters, storage, location, ast.VoidTy);
  }
  clang::CompoundStmt *compound(llvm::ArrayRef<clang::Stmt *> statements,
                                clang::SourceLocation location);
  clang::Expr *reference(clang::ValueDecl *declaration,
                         clang::SourceLocation location);
  clang::Expr *integer(clang::QualType type, uint64_t value,
                       clang::SourceLocation location);
  clang::Expr *load(clang::Expr *lvalue);
  clang::Expr *addressOf(clang::Expr *lvalue);
  clang::Expr *dereference(clang::Expr *pointer,
                           clang::SourceLocation location);
  clang::Expr *decay(clang::FunctionDecl *function,
                     clang::SourceLocation location);
  clang::Expr *call(clang::FunctionDecl *function,
                    llvm::ArrayRef<clang::Expr *> arguments,
                    clang::SourceLocation location);

  /// The functions defined since the last call, for CodeGen.
  llvm::SmallVector<clang::FunctionDecl *> takeFunctions() {
    return std::move(defined);
  }
  /// Gives `function` a body and hands it to CodeGen.
  void define(clang::FunctionDecl *function, clang::Stmt *body);

  /// Has CodeGen treat `function` as the one that its code was written in.
  void inheritCodeGen(clang::FunctionDecl *function,
                      clang::FunctionDecl *parent);

  unsigned nextNumber() { return number++; }

  /// The type in which a value crosses from the parent to the child.  A type
  /// that depends on a variable means nothing in another function; the values
  /// that have one are pointers.
  clang::QualType parameterType(clang::QualType type) const;
  /// `value` in a type that differs in qualifiers, or is another pointer's.
  clang::Expr *castTo(clang::QualType type, clang::Expr *value);

private:
  struct Slot;
  Slot slotFor(const Destination &destination);

  clang::ASTContext &ast;
  llvm::SmallVector<clang::FunctionDecl *> defined;
  unsigned number = 0;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_CHILDBUILDER_H
