//===- BlockArguments.h - What branches pass to blocks ---------*- C++ -* -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_ANALYSIS_BLOCKARGUMENTS_H
#define CILK2CHAN_DIALECT_CILK_ANALYSIS_BLOCKARGUMENTS_H

#include "mlir/IR/Block.h"

namespace cilk2chan {

/// The value that `block` passes for an argument of another. Null if it passes
/// several, or if they are not known.
mlir::Value passedFrom(mlir::Block *block, mlir::BlockArgument argument);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CILK_ANALYSIS_BLOCKARGUMENTS_H
