//===- SpawnChecks.h - The rules of the language ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_SPAWNCHECKS_H
#define CILK2CHAN_LIB_FRONTEND_SPAWNCHECKS_H

#include "SpawnTable.h"
#include "cilk2chan/Frontend/FrontendOptions.h"
#include "clang/AST/Decl.h"

namespace cilk2chan {

/// Reports every spawn, sync and parallel loop of the function that stands
/// where the language has none, and what a spawning function must not contain.
/// Returns whether the function contains one of them.
bool checkSpawns(clang::FunctionDecl *function, SpawnTable &table);

/// Reports a spawned call (SpawnTable::isCall) of something that cannot be a
/// child.
void checkCallee(const clang::Expr *call, const clang::ASTContext &ast);

/// Whether the runtime can make the call, through a pointer: not if it is a
/// builtin, or an operation that Clang has a node of its own for.
bool isOrdinaryCall(const clang::Expr *call, const clang::ASTContext &ast);

/// Reports an assignment by the spawn `word` whose left side is `node`, if no
/// child can do it.
void checkDestination(const clang::Expr *node, const SpawnWord &word,
                      const SpawnTable &table, clang::ASTContext &ast);

/// Reports what must not stand in a spawned block.
void checkSpawnedBlock(const clang::CompoundStmt *block,
                       clang::DiagnosticsEngine &diagnostics);

/// Reports what is wrong with the form of the function's parallel loops and
/// their grainsizes, and the jumps out of and into loops and scopes.
void checkLoops(const clang::FunctionDecl *function, const SpawnTable &table);

/// Reports what a spawning function must not contain: whatever keeps a hold on
/// its C stack frame or leaves it other than by returning.
void checkSpawningFunction(const clang::FunctionDecl *function);

/// Reports a target that there is no runtime for. Returns whether there is one.
bool checkTarget(const clang::FunctionDecl *function);

/// Reports the arguments of a spawned call that the target does not pass in a
/// way that a child can take.
void checkArguments(const clang::CallExpr *call, const clang::ASTContext &ast);

/// Reports the sanitizers for which a spawning function has no runtime.
void checkSanitizers(const clang::FunctionDecl *function);

/// Reports every spawn, and every sync with children outstanding, that a Cilk
/// lock of the same function is held across whichever way control goes.
void checkLocks(const clang::FunctionDecl *function, const SpawnTable &table);

/// Warns of spawns that are legal but do not do what they seem to.  `inCilk`:
/// in Cilk-5, which has no other way to call a procedure.
void warnOfSpawns(const clang::FunctionDecl *function, const SpawnTable &table,
                  const FrontendOptions::Warnings &warnings, bool inCilk);

/// Warns of parallel loops that step over their limit, or whose control
/// variable the body may change.
void warnOfLoops(const clang::FunctionDecl *function, const SpawnTable &table,
                 const FrontendOptions::Warning &kind);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_SPAWNCHECKS_H
