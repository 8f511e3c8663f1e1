//===- Braces.h - Scopes and spawns in front of any statement ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_BRACES_H
#define CILK2CHAN_LIB_FRONTEND_BRACES_H

#include "SpawnTable.h"
#include "clang/AST/Decl.h"

namespace cilk2chan {

/// Rewrites the function so that every scope and every spawned statement is a
/// block, and every spawned call has its word in front of it:
///
///   cilk_scope for (...) ...       becomes   cilk_scope { for (...) ... }
///   cilk_spawn for (...) ...       becomes   cilk_spawn { for (...) ... }
///   cilk_spawn x = f(n);           becomes   x = cilk_spawn f(n);
///
/// The first two reach the AST as labelled statements (Keywords::label).
void addBraces(clang::FunctionDecl *function, const SpawnTable &table);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_BRACES_H
