//===- PromoteObjects.h - Objects on the stack become values ----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's mem2reg and SROA, kept to the objects whose layout MLIR knows:
//
//   %x = llvm.alloca ... x i32              %x and its loads and stores become
//   llvm.store %v, %x                ->     the value %v
//   %y = llvm.alloca ... x struct<(f80, i32)>    stays: MLIR has the i32 at 12,
//                                                LLVM at 16
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_PROMOTEOBJECTS_H
#define CILK2CHAN_SUPPORT_PROMOTEOBJECTS_H

#include "cilk2chan/Support/TypeLayout.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2chan {

/// Has `objects`, all in `within`, become values where they can. Fails if none
/// can. `builder` is left at any place.
llvm::LogicalResult promoteObjects(llvm::ArrayRef<mlir::LLVM::AllocaOp> objects,
                                   mlir::Operation *within,
                                   mlir::OpBuilder &builder,
                                   const TypeLayout &layout);

/// Divides `objects` into their members where nothing else is accessed.
void divideObjects(llvm::ArrayRef<mlir::LLVM::AllocaOp> objects,
                   mlir::OpBuilder &builder, const TypeLayout &layout);

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_PROMOTEOBJECTS_H
