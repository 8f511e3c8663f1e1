//===- MemoryOrder.h - What must follow what in memory ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_MEMORYORDER_H
#define CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_MEMORYORDER_H

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/BasicBlock.h"

namespace cilk2chan {

/// Whether an instruction is a memory operation of the fabric or orders some.
bool isMemoryOperation(const llvm::Instruction &instruction);

/// For each memory operation of a block the earlier ones in the block that must
/// be done before it starts, in their order: one of the two writes, and LLVM's
/// alias analysis does not show that they are apart; or one is a fence or has
/// an ordering of its own. What follows from other pairs, or from the flow of
/// data, is left out.
using MemoryOrder =
    llvm::DenseMap<const llvm::Instruction *,
                   llvm::SmallVector<const llvm::Instruction *, 4>>;

MemoryOrder findMemoryOrder(llvm::BasicBlock &block,
                            llvm::BatchAAResults &aliases);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_MEMORYORDER_H
