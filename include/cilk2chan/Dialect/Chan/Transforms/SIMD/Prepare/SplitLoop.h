//===- SplitLoop.h - A kernel's loop as a kernel of its own -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_PREPARE_SPLITLOOP_H
#define CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_PREPARE_SPLITLOOP_H

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Support/TypeLayout.h"

#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace cilk2chan {

/// A kernel in two: up to an iteration of its loop that spawns, and one
/// iteration with what comes after the loop.
struct SplitLoop {
  mlir::OwningOpRef<chan::KernelOp> enter, iterate;
  /// Why there are none; empty as well if there is no such loop.
  std::string obstacle;
};

/// Splits `kernel`, which accumulates and has no lanes yet, at the edge into an
/// iteration, and marks that in the kernel itself by `chan.trip`.
SplitLoop splitLoop(chan::KernelOp kernel, const TypeLayout &layout);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CHAN_TRANSFORMS_SIMD_PREPARE_SPLITLOOP_H
