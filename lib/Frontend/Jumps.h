//===- Jumps.h - Jumps and the regions they cross ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_JUMPS_H
#define CILK2CHAN_LIB_FRONTEND_JUMPS_H

#include "SpawnTable.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>

namespace cilk2chan {

/// The jumps of a function that enter or leave a parallel loop or a scope.
///
/// A loop can be neither entered nor left, a scope can be left only: then there
/// is a sync before the jump.
class Jumps {
public:
  Jumps(const clang::Stmt *body, const SpawnTable &table);

  /// Reports those that are not allowed.
  void check(clang::DiagnosticsEngine &diagnostics);

  /// Whether a `break`, `continue` or `goto` leaves a scope.
  bool leavesScope(const clang::Stmt *jump) const {
    return leaving.contains(jump);
  }

private:
  struct Region {
    SpawnWord word;
    bool isLoop = false;
    const Region *outer = nullptr;
  };
  /// What a statement lies in.
  struct Place {
    const Region *region = nullptr;
    /// Where `break` and `continue` lead.
    const Region *breakRegion = nullptr, *continueRegion = nullptr;
    /// The region of the innermost switch.
    const Region *switchRegion = nullptr;
  };
  enum class Problem { breakOut, returnOut, jumpOut, jumpIn };
  struct Finding {
    Problem problem;
    const clang::Stmt *jump;
    SpawnWord word;
  };

  void visit(const clang::Stmt *node, Place place);
  void visitLoop(const clang::Stmt *loop, Place place);
  void enter(SpawnWord word, bool isLoop, Place &place);
  void leave(const clang::Stmt *jump, const Region *from, const Region *to);
  static bool contains(const Region *outer, const Region *inner);

  const SpawnTable &table;
  std::deque<Region> regions;
  llvm::DenseMap<const clang::LabelDecl *, const Region *> labels;
  llvm::SmallVector<std::pair<const clang::GotoStmt *, const Region *>> gotos;
  llvm::SmallVector<Finding> findings;
  llvm::DenseSet<const clang::Stmt *> leaving;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_JUMPS_H
