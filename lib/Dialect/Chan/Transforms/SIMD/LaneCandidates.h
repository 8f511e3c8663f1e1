//===- LaneCandidates.h - Kernels that may have lanes -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_LANECANDIDATES_H
#define CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_LANECANDIDATES_H

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneCost.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/LaneShapes.h"
#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Analysis/VectorMath.h"

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/TypeLayout.h"

#include "llvm/ADT/BitVector.h"

#include <optional>
#include <string>

namespace cilk2chan {

/// The options of chan-simd (Passes.td).
struct LaneOptions {
  unsigned vectorBits, lanes;
  std::string processor;
  bool reasons, narrow, compact, interleave;

  /// In front of a reason that need not hold on another processor.
  std::string onProcessor() const {
    return processor.empty() ? "" : "on " + processor + ", ";
  }
  /// With narrower values come more lanes. Only where elements are compressed
  /// in registers is that no more code: with SSE2 each lane's fields are stored
  /// one by one.
  bool mayNarrow() const { return narrow && (lanes || vectorBits >= 256); }
};

/// A phase kernel that may have lanes.
struct LaneCandidate {
  chan::KernelOp kernel;
  mlir::OwningOpRef<chan::KernelOp> lifted;
  std::optional<LaneShapes> shapes = {};
  /// Values that lanes have in fewer bits than C does, and the cycles of one
  /// element by itself, which has them as they are.
  unsigned narrowed = 0;
  double cyclesOfOne = 0;
  /// Of what goes through an iteration queue, what lanes have each.
  llvm::BitVector varyingQueued = {};
};

/// Finds which kernels may have lanes and what these cost, and makes their
/// code.
class LaneCandidates {
public:
  LaneCandidates(mlir::ModuleOp module, const LaneOptions &options,
                 const TypeLayout &layout, const VectorMath &math)
      : module(module), options(options), layout(layout), math(math) {}

  /// The phase kernel, if it can have lanes.
  std::optional<LaneCandidate> consider(chan::KernelOp kernel);
  /// Finds how values differ in the phases of a function, which have the same
  /// locals.
  void analyze(llvm::MutableArrayRef<LaneCandidate> candidates);
  /// What `count` lanes cost, and that many elements one by one, with a remark.
  LaneCost estimate(LaneCandidate &candidate, unsigned count) const;
  /// What lanes cost; the elements one by one are those of the narrowed form.
  LaneCost costOf(LaneCandidate &candidate, unsigned count) const;
  /// Whether lanes are faster by the factor `least`; if not, a remark says why.
  bool pays(chan::KernelOp kernel, const LaneCost &cost, unsigned count,
            double least) const;
  /// Whether the code is small enough; if not, a remark says so.
  bool fits(chan::KernelOp kernel, const LaneCost &cost, unsigned count) const;
  /// Gives the kernel its lanes.
  void convert(LaneCandidate &candidate, unsigned count);

  /// A remark that `kernel` has no lanes, and the reason.
  std::nullopt_t sayMissed(chan::KernelOp kernel, mlir::Location at,
                           const llvm::Twine &reason) const;
  /// The fields of which a batch has the same value in all elements.
  llvm::SmallVector<llvm::StringRef> uniformFields(chan::KernelOp phase);

  mlir::ModuleOp getModule() const { return module; }
  const LaneOptions &getOptions() const { return options; }
  const TypeLayout &getLayout() const { return layout; }

private:
  void findShapes(llvm::MutableArrayRef<LaneCandidate> candidates);
  bool findStride(LaneCandidate &handler,
                  llvm::MutableArrayRef<LaneCandidate> candidates);

  mlir::ModuleOp module;
  const LaneOptions &options;
  const TypeLayout &layout;
  const VectorMath &math;
};

/// Whether LLVM compiles the code of these lanes in reasonable time.
bool isSmall(const LaneCost &cost);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_LANECANDIDATES_H
