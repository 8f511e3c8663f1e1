//===- StaticBounds.h - What limits placed kernels --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_TARGET_VGIW_STATICBOUNDS_H
#define CILK2CHAN_TARGET_VGIW_STATICBOUNDS_H

#include "llvm/Support/raw_ostream.h"

namespace chansim {
struct Machine;
} // namespace chansim
namespace mlir {
class ModuleOp;
} // namespace mlir

namespace cilk2chan {

/// Writes a table for each kernel: a line for each block, with its replicas,
/// what keeps it from having more, its units by kind, and how many instructions
/// all replicas can do in a cycle, beside what a streaming multiprocessor
/// issues.
/// REQUIRES: all kernels are in stage `placed`, for this machine.
void emitStaticBounds(mlir::ModuleOp module, const chansim::Machine &machine,
                      llvm::raw_ostream &os);

} // namespace cilk2chan

#endif // CILK2CHAN_TARGET_VGIW_STATICBOUNDS_H
