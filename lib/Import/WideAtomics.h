//===- WideAtomics.h - Atomic accesses that MLIR has no form for -*- C++
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_IMPORT_WIDEATOMICS_H
#define CILK2CHAN_LIB_FRONTEND_IMPORT_WIDEATOMICS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace cilk2chan {

/// Moves each atomic access of an `__int128`, or of another object that is not
/// of 1, 2, 4 or 8 bytes, out of `functions` into a function of its own, which
/// stays LLVM IR and is inlined again at the end:
///
///   %old = atomicrmw add ptr %p, i128 %v seq_cst
///
///   %old = call i128 @__cilk_atomic(ptr %p, i128 %v)
void outlineWideAtomics(llvm::ArrayRef<llvm::Function *> functions);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_IMPORT_WIDEATOMICS_H
