//===- Polls.h - Where a kernel goes on beside its children -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_CHANTOHOST_SERIALCLONES_POLLS_H
#define CILK2CHAN_CONVERSION_CHANTOHOST_SERIALCLONES_POLLS_H

#include "cilk2chan/Dialect/Chan/Chan.h"

namespace cilk2chan {

/// The operations of `body` before which it is to call chan_poll: what may take
/// long after a child was enqueued.  That is a call of a function with effects,
/// and the way into a loop that enqueues no child itself.
llvm::SmallVector<mlir::Operation *>
findPolls(mlir::Region &body,
          llvm::function_ref<bool(mlir::Operation &)> enqueuesChild);

/// The same for a kernel.
llvm::SmallVector<mlir::Operation *> findPolls(chan::KernelOp kernel);

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_CHANTOHOST_SERIALCLONES_POLLS_H
