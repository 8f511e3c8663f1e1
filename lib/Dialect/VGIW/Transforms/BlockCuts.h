//===- BlockCuts.h - Where to divide a block --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_VGIW_TRANSFORMS_BLOCKCUTS_H
#define CILK2CHAN_LIB_DIALECT_VGIW_TRANSFORMS_BLOCKCUTS_H

#include "cilk2chan/Dialect/VGIW/VGIW.h"
#include "machine/Machine.h"

namespace cilk2chan::vgiw {

/// Whether making the value again in another block costs less than to store and
/// load it.
bool isRematerialized(mlir::Value value);

/// Before which node to divide a block of a graph so that fewest live values
/// are stored and loaded for that, and among equals, so that the parts' replicas
/// need fewest cycles for a thread. Both parts have no more nodes of a kind than
/// the machine has units, if there is such a place. Null if it has only one
/// node.
mlir::Operation *findCut(mlir::Block &block, const chansim::Machine &machine);

} // namespace cilk2chan::vgiw

#endif // CILK2CHAN_LIB_DIALECT_VGIW_TRANSFORMS_BLOCKCUTS_H
