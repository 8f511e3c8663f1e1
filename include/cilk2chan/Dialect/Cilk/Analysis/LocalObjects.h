//===- LocalObjects.h - Objects of an activation ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_ANALYSIS_LOCALOBJECTS_H
#define CILK2CHAN_DIALECT_CILK_ANALYSIS_LOCALOBJECTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cilk2chan {

/// The pointee type of a `byval` argument, or null.
mlir::Type byValueType(mlir::LLVM::LLVMFuncOp function, unsigned argument);

/// Whether a value is recomputed in each phase rather than kept: constants,
/// addresses of globals.
bool isRematerialized(mlir::Value value);

/// Whether the address of a local object may become known to anyone but the
/// instructions that read and write the object.
bool escapes(mlir::Value address);

/// Collects the blocks that use the object at `address`. Returns false if its
/// address may become known elsewhere.
bool collectUsers(mlir::Value address,
                  llvm::SmallPtrSetImpl<mlir::Block *> &blocks);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CILK_ANALYSIS_LOCALOBJECTS_H
