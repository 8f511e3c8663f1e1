//===- LockHelpers.h - Functions that take locks for others -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_LOCKHELPERS_H
#define CILK2CHAN_LIB_IMPORT_LOCKHELPERS_H

#include "llvm/IR/Module.h"

namespace cilk2chan {

/// Gives those of the functions that `extracted` declares and `module` defines
/// the attribute `LockAttribute` that take locks for their callers, or release
/// their callers'.
void markLockHelpers(const llvm::Module &module, llvm::Module &extracted);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_LOCKHELPERS_H
