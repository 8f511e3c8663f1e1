//===- Callbacks.h - Copies for what a recursion calls ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_CALLBACKS_H
#define CILK2CHAN_LIB_IMPORT_CALLBACKS_H

#include "Finding.h"

namespace cilk2chan {

/// Copies functions that spawn themselves, pass on a pointer as they have it,
/// and call the function that it points to: a copy for each function that it
/// may be, where that is called by its name, and so inlined. A caller
/// that passes a function's address calls or spawns the copy for it. A caller
/// that passes another pointer compares it with the addresses of functions of
/// that type that are known in the module, if these are few.
llvm::SmallVector<Finding> specializeCallbacks(llvm::Module &module);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_CALLBACKS_H
