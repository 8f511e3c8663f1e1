//===- KeptLocals.h - Locals that children know, in LLVM IR -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_KEPTLOCALS_H
#define CILK2CHAN_LIB_FRONTEND_KEPTLOCALS_H

namespace llvm {
class Module;
} // namespace llvm

namespace cilk2chan {

/// Says where objects begin that are kept for spawns in LLVM's way
/// (`llvm.lifetime.start`), instead of by annotations.
void markObjects(llvm::Module &module);

/// A block is passed the values of variables that it may not come to read, and
/// that need not have one: its parameters may be undefined.
void allowUndefinedCaptures(llvm::Module &module);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_KEPTLOCALS_H
