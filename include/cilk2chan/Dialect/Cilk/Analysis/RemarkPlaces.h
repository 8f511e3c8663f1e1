//===- RemarkPlaces.h - What remarks call things, and where -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_ANALYSIS_REMARKPLACES_H
#define CILK2CHAN_DIALECT_CILK_ANALYSIS_REMARKPLACES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Remarks.h"

namespace cilk2chan {

/// Why something is not done, and the operation that is why.
struct Obstacle {
  std::string what;
  mlir::Operation *op;
};

/// `'f'`, or what C calls the part of a function that has no name there: the
/// body of a cilk_for, a cilk_for, or a spawned block.
std::string describe(mlir::LLVM::LLVMFuncOp function);

/// Whether the operation has a place of its own.  What a pass has added has
/// that of its function.
bool hasPlace(mlir::Operation *op);

/// Where a remark about `op` stands, and its options with the function if the
/// place is that function's: an operation has its own place if it has a line,
/// a function in C that of its name, and what has no name in C that of what
/// spawns or calls it.
std::pair<mlir::Location, mlir::remark::RemarkOpts>
placeRemark(mlir::Operation *op, mlir::remark::RemarkOpts options);

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_CILK_ANALYSIS_REMARKPLACES_H
