//===- GraphPreparation.h - Control flow that is fit for one graph -*- C++ -*- ===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_VGIW_TRANSFORMS_GRAPHPREPARATION_H
#define CILK2CHAN_LIB_DIALECT_VGIW_TRANSFORMS_GRAPHPREPARATION_H

#include "cilk2chan/Dialect/VGIW/VGIW.h"

namespace cilk2chan::vgiw {

/// Whether it accesses memory; all but loads may change something.
inline bool isMemory(mlir::Operation &op) {
  return llvm::isa<OrderedOpInterface>(op) && !llvm::isa<JoinOp>(op) &&
         !op.hasTrait<mlir::OpTrait::IsTerminator>();
}
inline bool mayChange(mlir::Operation &op) {
  return isMemory(op) && !llvm::isa<LoadOp>(op);
}

/// Gives a kernel of the stage `graph` control flow of which one graph can be
/// made. Returns the block in which all threads end; null, after an error, if
/// there is no such graph.
mlir::Block *prepareForGraph(KernelOp kernel);

} // namespace cilk2chan::vgiw

#endif // CILK2CHAN_LIB_DIALECT_VGIW_TRANSFORMS_GRAPHPREPARATION_H
