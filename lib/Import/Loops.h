//===- Loops.h - Outlining of parallel loops --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_LOOPS_H
#define CILK2CHAN_LIB_IMPORT_LOOPS_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace cilk2chan {

/// Turns what lies between the markers of each cilk_for into a function
/// `__cilk_body.N`, and the loop into a call of `__cilk_for_abi.N`
/// (docs/architecture/Import.md, "Outlining").  Bodies may assume what Bounds.h
/// says, with captures that settleBounds removes, if `tellBounds`.
llvm::Error outlineLoops(llvm::Module &module, bool tellBounds = false);

/// Tells LLVM which iterations the bodies of loops of constant length may have
/// to do: of the loops in them it may know how often they run, as in the serial
/// elision.
void tellRanges(llvm::Module &module);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_LOOPS_H
