//===- SpawnMarking.h - Spawns and syncs as marker calls --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_SPAWNMARKING_H
#define CILK2CHAN_LIB_FRONTEND_SPAWNMARKING_H

#include "AddressFlow.h"
#include "ChildBuilder.h"
#include "EscapingObjects.h"
#include "Jumps.h"
#include "SpawnTable.h"

namespace cilk2chan {

/// Rewrites the body of a spawning function that passed the checks: each spawn
/// becomes a call of its marker, parallel loops stand between markers, and a
/// sync is put before each return, at the ends of scopes and of the function
/// (docs/architecture/FrontEnd.md, "Markers").
class SpawnMarking {
public:
  SpawnMarking(clang::FunctionDecl *function, SpawnTable &table,
               ChildBuilder &children, const AddressFlow &flow,
               const EscapingObjects &escaping)
      : ast(function->getASTContext()), function(function), table(table),
        children(children), flow(flow), escaping(escaping),
        jumps(function->getBody(), table) {}

  void run();

private:
  using Statements = llvm::SmallVectorImpl<clang::Stmt *>;

  /// Appends what `node` becomes.
  void rewrite(clang::Stmt *node, Statements &out);
  /// What `node` becomes where there is room for one statement only.
  clang::Stmt *rewriteOne(clang::Stmt *node);
  clang::CompoundStmt *rewriteCompound(clang::CompoundStmt *node);
  void rewriteDeclaration(clang::DeclStmt *node, Statements &out);
  void rewriteFor(clang::ForStmt *node, Statements &out);
  /// `grain` and `attributes` are what stands in front of the loop.
  clang::Stmt *
  rewriteParallelLoop(clang::ForStmt *node, SpawnWord word,
                      clang::CallExpr *grain,
                      llvm::ArrayRef<const clang::Attr *> attributes);
  /// The parallel loop in `node`, rewritten, or null if there is none.
  clang::Stmt *parallelLoop(clang::Stmt *node);
  clang::CompoundStmt *withSync(clang::CompoundStmt *node,
                                clang::FunctionDecl *sync);
  /// What an explicit sync, or one at the end of a scope, calls.
  clang::FunctionDecl *syncFunction() const {
    return escaping.empty() || open ? table.syncFunction
                                    : table.releaseFunction;
  }
  /// Has CodeGen say where a local whose address a spawn has begins.
  void keep(clang::VarDecl *variable);
  clang::Expr *keep(clang::CompoundLiteralExpr *literal);
  /// The address of an object of its own with that initial value.
  clang::Expr *addressOfKept(clang::QualType type, clang::Expr *value,
                             clang::SourceLocation location);
  void rewriteReturn(clang::ReturnStmt *node, Statements &out);
  void rewriteSubstatement(clang::Stmt *node, clang::Stmt *substatement,
                           Statements &out);
  /// An expression whose value nothing uses.
  clang::Expr *rewriteDiscarded(clang::Expr *node);
  /// The assignment to `destination` of `node`, converted by `casts`.
  clang::Expr *rewriteAssigned(clang::Expr *node,
                               llvm::ArrayRef<clang::CastExpr *> casts,
                               const Destination &destination);
  /// An expression whose value is used: spawns are inside statement
  /// expressions only.
  void rewriteNested(clang::Stmt *node);
  clang::Expr *spawnBlock(clang::CompoundStmt *node, SpawnWord word);
  /// The marker of a spawn whose result, converted by `casts`, goes to
  /// `destination`.
  clang::Expr *mark(Spawn spawn, llvm::ArrayRef<clang::CastExpr *> casts,
                    const Destination &destination);
  /// A function that evaluates `tree`, a call that the runtime cannot make,
  /// called with what the parent evaluates of it.
  clang::CallExpr *outline(clang::Expr *tree, clang::SourceLocation location);

  clang::Expr *toVoid(clang::Expr *node);

  clang::ASTContext &ast;
  clang::FunctionDecl *function;
  SpawnTable &table;
  ChildBuilder &children;
  const AddressFlow &flow;
  const EscapingObjects &escaping;
  Jumps jumps;
  /// How many scopes around have objects that are kept.
  unsigned open = 0;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_SPAWNMARKING_H
