//===- CloneSymbols.h - Symbols of serial clones ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_CLONESYMBOLS_H
#define CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_CLONESYMBOLS_H

#include "cilk2chan/Dialect/Chan/Chan.h"

namespace cilk2chan {

/// The name of the batch function that runs elements of `stack`, one after the
/// other, by its serial clone.
std::string serialEntry(chan::StackOp stack);

/// The call in `clone`, of what is left to do behind its guard, that every
/// caller may have a copy of; null if there is none.
mlir::LLVM::CallOp callOfRest(mlir::LLVM::LLVMFuncOp clone);

/// The call in `clone`, of what is left to do behind its guard, that every
/// caller may have a copy of; null if there is none.
mlir::LLVM::CallOp callOfRest(mlir::LLVM::LLVMFuncOp clone);

/// Whether some processor runs elements of `stack` as batches.
bool mayBatch(chan::StackOp stack);

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_RUNTIMEINTERFACE_CLONESYMBOLS_H
