//===- SystemCalls.h - What the host does for a kernel ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_SYSTEMCALLS_H
#define CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_SYSTEMCALLS_H

namespace llvm {
class Function;
} // namespace llvm

namespace cilk2chan {

/// Turns calls of functions, and instructions on values that no unit holds,
/// into system-level operations: the operands go to a record in private memory,
/// a function of the host (`__vgiw_thunk.N`) does the work there, and the
/// result is read from it.
void makeSystemCalls(llvm::Function &kernel);

/// Lets a thread yield instead of wait for a lock, and where the program
/// yields. The host does one call after another, and the thread that holds the
/// lock may be one of the same tile.
void yieldWhileBlocked(llvm::Function &kernel);

/// Objects whose size is computed, or that a loop makes, are allocated by the
/// runtime and freed when the thread ends.
void lowerDynamicObjects(llvm::Function &kernel);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_SYSTEMCALLS_H
