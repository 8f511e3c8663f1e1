//===- Cilk.h - The cilk dialect --------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CILK_CILK_H
#define CILK2CHAN_DIALECT_CILK_CILK_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "cilk2chan/Dialect/Cilk/CilkDialect.h.inc"

#define GET_OP_CLASSES
#include "cilk2chan/Dialect/Cilk/Cilk.h.inc"

namespace cilk2chan::cilk {

/// Whether the function holds an op of this dialect, and so has to be split.
bool isSpawning(mlir::LLVM::LLVMFuncOp function);

} // namespace cilk2chan::cilk

#endif // CILK2CHAN_DIALECT_CILK_CILK_H
