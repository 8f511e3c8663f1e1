//===- BlockPragma.h - #pragma chan block -----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_BLOCKPRAGMA_H
#define CILK2CHAN_LIB_FRONTEND_BLOCKPRAGMA_H

#include "clang/AST/Decl.h"

#include <optional>

namespace clang {
class Preprocessor;
} // namespace clang

namespace cilk2chan {

/// The pragmas `#pragma chan block(N)`, each of which stands in front of the
/// definition of a function that spawns.
class BlockPragmas {
public:
  /// Has the preprocessor read them.
  void watch(clang::Preprocessor &preprocessor);

  /// The number that pragmas in front of `declaration`, which the parser has
  /// come to next, give it.  Reports those in other places.
  std::optional<unsigned> take(const clang::Decl *declaration, bool spawns);
  /// Reports those at the end of the file.
  void finish(clang::DiagnosticsEngine &engine);

private:
  class Handler;
  struct Pragma {
    clang::SourceLocation location;
    unsigned number;
  };
  /// In the order of the file.
  llvm::SmallVector<Pragma, 2> pending;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_BLOCKPRAGMA_H
