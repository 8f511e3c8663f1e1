//===- PromoteCalls.h - Pointers to spawning functions ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_PROMOTECALLS_H
#define CILK2CHAN_LIB_IMPORT_PROMOTECALLS_H

#include "Finding.h"

namespace cilk2chan {

/// Compares the pointer of each call and spawn through one, in functions that
/// spawn and in bodies of loops, with those spawning
/// functions of `module` of this type whose address is known elsewhere, and is
/// this definition's whatever the linker says, if they
/// are few, and none is of this type that does not spawn: what is one of them
/// is called, or spawned, by its name, and else through the pointer as before
/// (indirect call promotion).  So its kernels and its clone are known.
///
/// Calls of weak functions with a definition are taken for calls through a
/// pointer that may be to that: it gets a name of its own.
llvm::SmallVector<Finding> promoteCalls(llvm::Module &module);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_PROMOTECALLS_H
