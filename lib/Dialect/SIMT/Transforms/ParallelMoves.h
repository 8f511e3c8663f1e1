//===- ParallelMoves.h - Moves that happen at once --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_SIMT_TRANSFORMS_PARALLELMOVES_H
#define CILK2CHAN_LIB_DIALECT_SIMT_TRANSFORMS_PARALLELMOVES_H

#include "cilk2chan/Dialect/SIMT/SIMT.h"

#include "mlir/IR/Builders.h"

namespace cilk2chan {

/// Brings the operands of a branch with one successor into the registers of the
/// block's arguments. All values have their registers.
///
/// A move is possible when no other move still reads its target. What is left
/// when no move is possible are cycles; exclusive ors exchange two registers of a
/// cycle, and need no third one.
void insertMoves(mlir::Operation *branch, mlir::MutableOperandRange operands,
                 mlir::Block::BlockArgListType arguments);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_SIMT_TRANSFORMS_PARALLELMOVES_H
