//===- ChanSIMD.cpp - Kernels that treat W elements at a time -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Has kernels treat W elements at a time, in the lanes of vector registers,
// where the estimate says that this is faster.
//
//   chan.kernel @f.batch.0 consumes @f.entry frame 0 phase 0 {
//     %e = chan.deq : <@f.entry>
//     %n = chan.get "n" of %e : <@f.entry> -> i32
//     %m = llvm.add %n, %n : i32
// to
//   chan.kernel @f.batch.0 consumes @f.entry frame 0 phase 0 lanes 8 {
//     %e, %live = chan.deq : <@f.entry> mask vector<8xi1>
//     %n = chan.get "n" of %e : <@f.entry> -> vector<8xi32>
//     %m = llvm.add %n, %n : vector<8xi32>
//
// Each step is a class or a function: BatchFormSelection chooses the batch forms,
// KernelGroups the kernels that get lanes together, and LaneCandidates
// considers one kernel. Prepare/ rewrites a copy of it, Analysis/ finds how its
// values differ between lanes and what that costs, and Emit/ writes the new
// body.
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Chan/Passes.h"

#include "BatchFormSelection.h"
#include "LaneCandidates.h"

namespace cilk2chan {
#define GEN_PASS_DEF_CHANSIMD
#include "cilk2chan/Dialect/Chan/Passes.h.inc"
} // namespace cilk2chan

using namespace mlir;
using namespace cilk2chan;

namespace {

struct ChanSIMD : public cilk2chan::impl::ChanSIMDBase<ChanSIMD> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (lanes && (!llvm::isPowerOf2_32(lanes) || lanes < 2 || lanes > 64)) {
      module.emitError("the number of lanes must be a power of two from 2 to "
                       "64, not ")
          << lanes.getValue();
      return signalPassFailure();
    }
    LaneOptions options{vectorBits, lanes,   processor, reasons,
                        narrow,     compact, interleave};
    VectorMath math(module, vectorLibrary, vectorBits);
    LaneCandidates candidates(module, options, getAnalysis<TypeLayout>(), math);
    BatchFormSelection(candidates).convert();
  }
};

} // namespace
