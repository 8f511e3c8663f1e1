//===- Chan.h - The chan dialect --------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_CHAN_CHAN_H
#define CILK2CHAN_DIALECT_CHAN_CHAN_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "cilk2chan/Dialect/Chan/ChanDialect.h.inc"
#include "cilk2chan/Dialect/Chan/ChanEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "cilk2chan/Dialect/Chan/ChanTypes.h.inc"

#define GET_OP_CLASSES
#include "cilk2chan/Dialect/Chan/Chan.h.inc"

namespace cilk2chan::chan {

// Names of fields that stand for parts of a call: where an entry element's
// result goes, the function that an element of a stack for calls through
// pointers is to call, and a continuation's frame.
inline constexpr llvm::StringLiteral ResultField = "ret";
inline constexpr llvm::StringLiteral CalleeField = "callee";
inline constexpr llvm::StringLiteral FrameField = "frame";

/// On the spawns of a site, and on the result handler's `chan.destination`, of
/// kernels that are to have lanes: how many bytes further each lane's
/// destination is than that of the one before. One address says where all are.
inline constexpr llvm::StringLiteral StrideAttribute = "chan.stride";

/// The integer of `width` bits that makes no difference to what it is combined
/// with.
llvm::APInt identityOf(Combination combination, unsigned width);

/// How an atomic update combines its operand with what is in memory; nothing if
/// it does so in no such way.
std::optional<Combination> combinationOf(mlir::LLVM::AtomicBinOp update);

/// The atomic update that combines so, if there is one.
std::optional<mlir::LLVM::AtomicBinOp> updateBy(Combination combination);

/// `op` if it updates what a whole tree combines (ReductionAttribute); else
/// null.
mlir::LLVM::AtomicRMWOp reductionOf(mlir::Operation *op);
mlir::LLVM::AtomicRMWOp createReduction(mlir::OpBuilder &builder,
                                        mlir::Location loc,
                                        mlir::LLVM::AtomicBinOp by,
                                        mlir::Value address, mlir::Value value);

/// The mask of the lanes whose elements `element` stands for; null if it is one
/// element.
mlir::Value maskOf(mlir::Value element);

/// The field of the parameter at `index`.
inline std::string parameterField(unsigned index) {
  return "a" + std::to_string(index);
}

} // namespace cilk2chan::chan

#endif // CILK2CHAN_DIALECT_CHAN_CHAN_H
