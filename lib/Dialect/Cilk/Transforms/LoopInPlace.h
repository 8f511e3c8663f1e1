//===- LoopInPlace.h - A parallel loop's body in its place ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_LOOPINPLACE_H
#define CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_LOOPINPLACE_H

#include "Iterations.h"

#include "cilk2chan/Support/TypeLayout.h"

namespace cilk2chan {

/// Puts a nest where `loop` is, with a spawn for the call.  What is computed of
/// the results is computed by a second loop, in front of `after`.
void runHere(cilk::ForOp loop, llvm::ArrayRef<Level> nest,
             mlir::Operation *after, mlir::SymbolTable &symbols);

/// Makes values of the locals whose address only a body of `function` had.
void promoteLocals(mlir::LLVM::LLVMFuncOp function, const TypeLayout &layout);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_LOOPINPLACE_H
