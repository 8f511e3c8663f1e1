//===- BatchFormSelection.h - Which batch forms have lanes ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_BATCHFORMSELECTION_H
#define CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_BATCHFORMSELECTION_H

#include "KernelGroups.h"

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/ElementCounts.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace cilk2chan {

/// Gives the phases of a function lanes, or erases them: they go with those of
/// what they spawn. So do the kernels of join-free reductions.
class BatchFormSelection {
public:
  explicit BatchFormSelection(LaneCandidates &candidates);

  void convert();

private:
  using Groups = llvm::MapVector<llvm::StringRef, std::unique_ptr<KernelGroup>>;
  using IsSo = llvm::function_ref<bool(llvm::StringRef)>;

  // What becomes of each function (BatchFormSelection.cpp).
  void considerAll();
  void removeThoseWithoutChildren(Groups &groups) const;
  bool allChildren(KernelGroup &group, IsSo isSo) const;
  void findLoneTrees();
  void leaveToChildren();
  void keepJoinFree();
  /// Leaves no batch form or kernel without lanes.
  void eraseOthers();

  bool beginsTrees(chan::StackOp stack);
  bool spawnsOnly(chan::StackOp stack, IsSo isSo);
  void leaveToChildren(chan::StackOp stack);
  chan::KernelOp firstPhase(chan::StackOp stack);
  bool isInLanes(llvm::StringRef stack) const {
    return phases.contains(stack) || joinFree.contains(stack);
  }
  void forEach(llvm::function_ref<void(LaneCandidate &, unsigned)> action);

  LaneCandidates &candidates;
  const LaneOptions &options;
  mlir::ModuleOp module;
  ElementCounts elements;

  /// By stack: those with lanes in their phases, and in the kernel of the
  /// join-free reduction; `sums` may become such.
  Groups phases, sums, joinFree;
  /// Stacks whose join-free reductions cannot have lanes, and whether they lose
  /// by them.
  llvm::StringMap<bool> refused;
  /// Stacks that begin trees of other functions, and those whose trees fill the
  /// lanes by themselves.
  llvm::SmallVector<chan::StackOp> first, lone;
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_BATCHFORMSELECTION_H
