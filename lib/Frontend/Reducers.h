//===- Reducers.h - Variables with a view for each strand -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_REDUCERS_H
#define CILK2CHAN_LIB_FRONTEND_REDUCERS_H

#include "ChildBuilder.h"
#include "SpawnTable.h"
#include "clang/AST/Attr.h"

namespace cilk2chan {

/// What the word `cilk_reducer` becomes: the annotation of a type, whose
/// arguments are the identity function and the reduce function.
inline constexpr llvm::StringLiteral ReducerAnnotation = "cilk_reducer";

/// Whether the word modifies this type: `long cilk_reducer(zero, add)`, and not
/// an array of these, or a pointer to one.
bool isReducer(clang::QualType type, clang::ASTContext &ast);

/// Gives each use of a reducer the view that the present strand has of it, and
/// tells the runtime where local reducers begin and end:
///
///   long cilk_reducer(zero, add) sum = 0;
///   sum += n;
///
/// becomes
///
///   long sum = 0;
///   CLEANUP(chan_reducer_forget) void *_ = chan_reducer_declare(&sum, 8, 1);
///   *(long *)chan_reducer_view(&sum, 8, 8, 0, zero, add) += n;
class Reducers {
public:
  Reducers(clang::ASTContext &ast, ChildBuilder &builder);

  /// Checks the reducers that a declaration declares, and the types in it.
  void check(clang::Decl *declaration);
  /// Checks and rewrites the body of a function. If the function spawns, scopes
  /// that declare reducers end with a sync.
  void rewrite(clang::FunctionDecl *function, SpawnTable &table, bool spawns);

private:
  /// The functions of a reducer; null if they do not fit.
  struct Kind {
    clang::Expr *identity = nullptr, *reduce = nullptr;
  };
  /// Reducers within an object: `count` of them, at these distances in bytes.
  struct Run {
    uint64_t offset, stride, count;
  };

  const Kind &kindOf(const clang::AnnotateTypeAttr *attribute);
  void checkType(clang::QualType type, clang::SourceLocation location);
  void rewriteStatement(clang::Stmt *node, SpawnTable &table, bool spawns);
  clang::Expr *view(clang::Expr *lvalue);
  clang::VarDecl *declare(clang::VarDecl *variable, const Run &run);
  llvm::SmallVector<Run> runsIn(clang::QualType type);
  clang::Expr *size(uint64_t value, clang::SourceLocation location);

  clang::ASTContext &ast;
  ChildBuilder &builder;
  clang::QualType identityType, reduceType;
  clang::FunctionDecl *viewFunction, *declareFunction, *forgetFunction;
  clang::FunctionDecl *function = nullptr; // that is rewritten
  llvm::DenseMap<const clang::AnnotateTypeAttr *, Kind> kinds;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_REDUCERS_H
