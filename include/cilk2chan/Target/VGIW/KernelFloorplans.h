//===- KernelFloorplans.h - Pictures of placed kernels ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_TARGET_VGIW_KERNELFLOORPLANS_H
#define CILK2CHAN_TARGET_VGIW_KERNELFLOORPLANS_H

#include "llvm/Support/raw_ostream.h"

namespace chansim {
struct Machine;
} // namespace chansim
namespace mlir {
class ModuleOp;
} // namespace mlir

namespace cilk2chan {

/// Draws each block of each kernel of a module as an SVG image, a kernel below
/// the one before. An overview of all blocks comes first if there are several.
/// REQUIRES: all kernels are in stage `placed`, for this machine.
void emitFloorplans(mlir::ModuleOp module, const chansim::Machine &machine,
                    llvm::raw_ostream &os);

} // namespace cilk2chan

#endif // CILK2CHAN_TARGET_VGIW_KERNELFLOORPLANS_H
