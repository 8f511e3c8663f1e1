//===- ArraysByAddress.h - What lanes have by value, as C has it *- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_CILKTOCHAN_ARRAYSBYADDRESS_H
#define CILK2CHAN_CONVERSION_CILKTOCHAN_ARRAYSBYADDRESS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace cilk2chan {

/// Whether cilk-arrays-by-value has made `function`.
bool hasArraysByValue(mlir::LLVM::LLVMFuncOp function);

/// Has such a function pass on addresses, as in C: it calls the function as it
/// was. That is what one activation at a time does best.
void takeArraysByAddress(mlir::LLVM::LLVMFuncOp function,
                         const mlir::SymbolTable &symbols);

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_CILKTOCHAN_ARRAYSBYADDRESS_H
