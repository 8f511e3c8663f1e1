//===- Frequencies.h - How often code of a kernel runs ------- -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_FREQUENCIES_H
#define CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_FREQUENCIES_H

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneShapes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace cilk2chan {

/// How often the arms of choices are taken, for one element of a kernel in
/// structured form: an estimate from the body alone.
class Frequencies {
public:
  Frequencies(chan::KernelOp kernel, const LaneShapes &shapes);

  /// How often each arm is taken, of once.
  llvm::SmallVector<double> sharesOf(mlir::Operation &choice) const;
  /// Takes arms that spawn for so seldom that an element has one child, where
  /// it would have `children`: in a tree all nodes but the first are the child
  /// of one. Whether there are such arms.
  bool spawnLess(mlir::Operation &choice, llvm::MutableArrayRef<double> shares,
                 double children) const;
  /// How many children an element has if no arm is taken less often than
  /// others; infinitely many if a loop spawns that has no constant end.
  double childrenOf(mlir::Region &region) const;

  /// Finds the arms behind which one element leaves a loop.
  void enter(mlir::scf::WhileOp loop);
  /// Whether lanes that leave a loop before the others leave the loop around it
  /// as well, as a search does that has found what it looks for: then they wait
  /// for the others behind that one, and only there.
  ///
  ///   for (i...) for (j...) if (a[i] == a[j]) return 0;
  ///
  /// The loop around it has been entered.
  bool leavesTogether(mlir::scf::WhileOp loop) const;

  /// Whether it depends on which iteration it is of an unrolled loop, and on
  /// nothing else.
  bool isOfIteration(mlir::Value value) const {
    return unrolled.contains(value);
  }
  /// Whether it is a constant in each iteration.
  bool isUnrolled(mlir::Value value) const;

private:
  void findUnrolled(chan::KernelOp kernel);
  void findLeaving(mlir::Value more);
  bool isRare(mlir::Region &arm) const;

  const LaneShapes &shapes;
  llvm::SmallPtrSet<mlir::Region *, 8> leaving;
  llvm::SmallPtrSet<mlir::Value, 8> unrolled;
};

/// Whether the parents of all elements of a batch, or of all but the first,
/// have run the arm.
bool isHoistedToParents(mlir::Region &arm);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_ANALYSIS_FREQUENCIES_H
