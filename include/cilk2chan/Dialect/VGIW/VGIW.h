//===- VGIW.h - The vgiw dialect --------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_VGIW_VGIW_H
#define CILK2CHAN_DIALECT_VGIW_VGIW_H

#include "machine/Operations.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "cilk2chan/Dialect/VGIW/VGIWDialect.h.inc"
#include "cilk2chan/Dialect/VGIW/VGIWEnums.h.inc"

namespace cilk2chan::vgiw {

/// Whether a node is in the machine's list of operations.
mlir::LogicalResult verifyMachineOperation(mlir::Operation *node);

/// Whether an AddressedOpInterface has an address that a unit can compute.
mlir::LogicalResult verifyAddress(mlir::Operation *node);

} // namespace cilk2chan::vgiw

#include "cilk2chan/Dialect/VGIW/VGIWInterfaces.h.inc"

#define GET_TYPEDEF_CLASSES
#include "cilk2chan/Dialect/VGIW/VGIWTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "cilk2chan/Dialect/VGIW/VGIWAttributes.h.inc"

#define GET_OP_CLASSES
#include "cilk2chan/Dialect/VGIW/VGIW.h.inc"

namespace cilk2chan::vgiw {

/// How many operands fit an entry of a token buffer (MICRO'15 section 3.5).
inline constexpr unsigned MaxTokens = 3;

/// Whether the value is part of the configuration: no token carries it.
bool isConfigured(mlir::Value value);

/// The operands of a node that arrive as tokens, `after` included.
llvm::SmallVector<mlir::OpOperand *> tokenOperands(mlir::Operation *node);

/// What a machine must have for the address of a node.
chansim::AddressModes addressModesOf(AddressedOpInterface node);

/// The tokens of a merge, in the order of its inputs: first its operands, then
/// the values of edges back to it.
llvm::SmallVector<mlir::OpOperand *> sourcesOf(MergeOp merge);

/// Lets an OrderedOpInterface wait for more.
void addAfter(mlir::Operation *node, mlir::ValueRange tokens);

/// Whether a block is no graph instruction word, but only says that a thread
/// exits or yields: nothing is in it but a terminator without operands.
bool isMarker(mlir::Block &block);

/// Where a block stands in the source, for messages; else where its kernel
/// does.
mlir::Location locationOf(mlir::Block &block);

/// Reports that the kernel cannot run on the machine, at `where` if that has a line,
/// and else at the kernel's.
mlir::InFlightDiagnostic refuse(KernelOp kernel, mlir::Location where,
                                const llvm::Twine &reason);

/// What a unit does, in words of C: "additions, comparisons".
llvm::StringRef describe(chansim::UnitKind kind);

/// How many operands an operation of a compute unit has.
unsigned operandCount(Opcode opcode);

/// Whether it is one of special compute units.
bool isSpecial(Opcode opcode);

/// "i32", "f64".
std::string typeSuffix(mlir::Type type);

/// The size of a word in memory, in bytes.
unsigned sizeInBytes(mlir::Type type);

} // namespace cilk2chan::vgiw

#endif // CILK2CHAN_DIALECT_VGIW_VGIW_H
