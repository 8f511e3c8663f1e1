//===- KernelGroups.h - Kernels that get lanes together ------ -*- C++ -*--===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_KERNELGROUPS_H
#define CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_KERNELGROUPS_H

#include "LaneCandidates.h"

#include "cilk2chan/Dialect/Chan/Transforms/SIMD/Prepare/SplitLoop.h"

#include <memory>
#include <vector>

namespace cilk2chan {

/// The phases of a function, or the kernel that accumulates and those that it
/// is compacted into, of which `split` has the operations.
struct KernelGroup {
  std::vector<LaneCandidate> kernels, compacted;
  SplitLoop split;
  bool refills = false;
  unsigned lanes = 0;
};

/// The kernels that `symbols` name, if all can have lanes and together gain by
/// them. Else it `loses` if they could have lanes.
std::unique_ptr<KernelGroup>
considerGroup(LaneCandidates &candidates,
              llvm::ArrayRef<mlir::Attribute> symbols, bool *loses = nullptr);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CHAN_TRANSFORMS_SIMD_KERNELGROUPS_H
