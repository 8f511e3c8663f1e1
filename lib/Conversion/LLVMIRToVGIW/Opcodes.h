//===- Opcodes.h - LLVM's instructions as operations of units ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_OPCODES_H
#define CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_OPCODES_H

#include "cilk2chan/Dialect/VGIW/VGIW.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalValue.h"

namespace llvm {
class AtomicRMWInst;
class Instruction;
class IntrinsicInst;
} // namespace llvm

namespace cilk2chan {

/// The operation that does what the instruction does, if one unit does it; its
/// operands are the instruction's first ones.
std::optional<vgiw::Opcode> opcodeOf(const llvm::Instruction &instruction);
std::optional<vgiw::Opcode> opcodeOf(const llvm::IntrinsicInst &call);
std::optional<vgiw::AtomicKind>
atomicKindOf(const llvm::AtomicRMWInst &instruction);

/// A symbol and bytes beyond it, which are configured.
struct SymbolicAddress {
  llvm::GlobalValue *symbol;
  int64_t offset;
};
/// What `constant` is as one, a pointer or a number; none if it is not.
std::optional<SymbolicAddress> symbolicAddress(llvm::Constant &constant,
                                               const llvm::DataLayout &layout);

/// How many nodes an instruction becomes.
unsigned countNodes(const llvm::Instruction &instruction);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_OPCODES_H
