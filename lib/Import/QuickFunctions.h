//===- QuickFunctions.h - Functions that take next to no time ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_QUICKFUNCTIONS_H
#define CILK2CHAN_LIB_IMPORT_QUICKFUNCTIONS_H

#include "llvm/IR/Module.h"

namespace cilk2chan {

/// Gives those of the functions that `extracted` declares and `module` defines
/// the attribute `QuickAttribute` that are a few instructions, and call none
/// that are not. A loop is quick if it repeats an atomic operation that has
/// failed:
///
///   while (length < known && !atomic_compare_exchange_weak(&best, &known,
///                                                          length))
///     ;
///
/// Batches may call such a function for each lane.
void markQuickFunctions(const llvm::Module &module, llvm::Module &extracted);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_QUICKFUNCTIONS_H
