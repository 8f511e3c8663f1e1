//===- Iterations.h - What iterations of a loop end with --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_ITERATIONS_H
#define CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_ITERATIONS_H

#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Support/TypeLayout.h"

#include "mlir/IR/SymbolTable.h"

namespace cilk2chan {

/// What the iterations of a loop end with: a call, and where its result is
/// stored, if it is; or another loop.
struct Level {
  mlir::LLVM::LLVMFuncOp body;
  mlir::Operation *last = nullptr;
  mlir::LLVM::StoreOp store;
  /// What is computed of the result and stored in its place, in order.
  llvm::SmallVector<mlir::Operation *> computed;
  /// Whether that is done as the result comes, and not by a second loop.
  bool applies = false;
  /// Objects of each iteration that it passes to the call, or whose size is
  /// known at run time.
  llvm::SmallVector<mlir::LLVM::AllocaOp> objects;
};

/// A loop, and those that its iterations end with, down to the call.
using Nest = llvm::SmallVector<Level, 2>;

/// Finds what is nested in `loop`.  Returns what is against that, or nothing.
std::string findNest(cilk::ForOp loop, const mlir::SymbolTable &symbols,
                     const TypeLayout &layout, Nest &nest);

/// What the branch at the end of `from` passes to `argument`.
mlir::MutableOperandRange
passed(mlir::Block *from, mlir::BlockArgument argument, unsigned successor);

/// Removes an argument of a block that only `next` may use, which
/// is passed for it only.
void removeArgument(mlir::BlockArgument argument,
                    mlir::Operation *next = nullptr);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_ITERATIONS_H
