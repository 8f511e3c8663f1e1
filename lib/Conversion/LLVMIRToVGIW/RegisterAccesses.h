//===- RegisterAccesses.h - Of a von Neumann machine ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_REGISTERACCESSES_H
#define CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_REGISTERACCESSES_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class BasicBlock;
class Value;
} // namespace llvm

namespace cilk2chan {

/// How often a thread that runs `block` would access a register file that has
/// all values: the operands and the result of each instruction (MICRO'15,
/// Figure 3). Constants and addresses of symbols are parts of instructions;
/// phis, casts that change no bit, and what says something of values only are
/// none; nor is what `markAsMapping` was called for.
unsigned countRegisterAccesses(const llvm::BasicBlock &block);

/// Says that an instruction is there because of the fabric alone.
void markAsMapping(llvm::Value *value);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_REGISTERACCESSES_H
