//===- CallsFromClones.h - What serial clones leave to batches --*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_CHANTOHOST_SERIALCLONES_CALLSFROMCLONES_H
#define CILK2CHAN_CONVERSION_CHANTOHOST_SERIALCLONES_CALLSFROMCLONES_H

#include "cilk2chan/Dialect/Chan/Chan.h"

namespace cilk2chan {

/// Whether some processor runs elements of `stack` as batches.
bool mayBatch(chan::StackOp stack);

/// Has serial clones of functions without a batch form ask the runtime, where
/// they call one that has some, whether a batch is to begin there.
void leaveTreesToBatches(mlir::ModuleOp module);

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_CHANTOHOST_SERIALCLONES_CALLSFROMCLONES_H
