//===- ParallelLoop.h - The parts of a cilk_for -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_PARALLELLOOP_H
#define CILK2CHAN_LIB_FRONTEND_PARALLELLOOP_H

#include "SpawnTable.h"
#include "cilk2chan/Support/LoopForm.h"
#include "clang/AST/ASTContext.h"

namespace cilk2chan {

/// A loop with one control variable, whose number of iterations is known before
/// it starts.
struct ParallelLoop {
  clang::ForStmt *statement = nullptr;
  SpawnWord word;
  clang::VarDecl *variable = nullptr;
  /// Whether the variable is declared before the loop and outlives it.
  bool declaredBefore = false;
  /// The side of the condition that is the variable, and the other one, both
  /// converted to the type in which they are compared.
  clang::Expr *compared = nullptr;
  clang::Expr *limit = nullptr;
  /// Where the increment has its stride, before conversions; null if it is one.
  clang::Stmt **stride = nullptr;
  LoopForm form;

  clang::Expr *strideValue() const {
    return stride ? llvm::cast<clang::Expr>(*stride) : nullptr;
  }
  bool isPointer() const { return variable->getType()->isPointerType(); }
};

/// The parts of a parallel loop.  What is wrong with them is reported, and then
/// there are none; what has been checked before is right.
std::optional<ParallelLoop> analyzeLoop(clang::ForStmt *loop, SpawnWord word,
                                        clang::ASTContext &ast);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_PARALLELLOOP_H
