//===- ApplyFunction.h - What may assign a deferred result ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_APPLYFUNCTION_H
#define CILK2CHAN_SUPPORT_APPLYFUNCTION_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2chan {

/// Checks that `symbol`, which `op` names unless it is null, is a function of a
/// destination and a result's address.
inline mlir::LogicalResult
verifyApplyFunction(mlir::Operation *op, mlir::FlatSymbolRefAttr symbol,
                    mlir::SymbolTableCollection &tables) {
  if (!symbol)
    return mlir::success();
  auto apply =
      tables.lookupNearestSymbolFrom<mlir::LLVM::LLVMFuncOp>(op, symbol);
  if (!apply)
    return op->emitOpError("'")
           << symbol.getValue() << "' does not name a function";
  mlir::MLIRContext *context = op->getContext();
  auto pointer = mlir::LLVM::LLVMPointerType::get(context);
  auto expected = mlir::LLVM::LLVMFunctionType::get(
      mlir::LLVM::LLVMVoidType::get(context), {pointer, pointer});
  if (apply.getFunctionType() != expected)
    return op->emitOpError("applies '")
           << symbol.getValue() << "' of type " << apply.getFunctionType()
           << ", which must be " << expected;
  return mlir::success();
}

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_APPLYFUNCTION_H
