//===- LoopObjects.h - What only a parallel loop accesses -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array that has a place for the result of each iteration is as many
// registers in the serial elision.  It is as many in the serial clone, too,
// unless the clone passes its address on.  So another worker that does a part
// of the loop does it on a copy.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_LOOPOBJECTS_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_LOOPOBJECTS_H

#include "cilk2chan/Support/TypeLayout.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"

namespace cilk2chan {

/// Whether `user` does no more with an address than to load, store, set or copy
/// what is there.  Passing the object by value is a copy.
bool isAccess(mlir::Operation *user, mlir::Value address);

/// A small local object whose address only its function has, and the loops in
/// it, which only load and store there.
struct LoopObject {
  /// Which parameter of the range's clone is the address.
  unsigned parameter;
  /// In bytes.
  uint64_t size, alignment;
};

/// What each range of a parallel loop has of them, by the name of its clone
/// that is to be inlined.  The other may run for several iterations of an outer
/// loop at the same time: it has none.
using LoopObjects = llvm::StringMap<llvm::SmallVector<LoopObject, 2>>;

/// Adds the objects of `clone` and of the loops in it.  `inlinedFor` tells the
/// clone that is to be inlined, null if there is none.  REQUIRES: no clone is
/// lowered.
void findLoopObjects(
    mlir::LLVM::LLVMFuncOp clone,
    llvm::function_ref<mlir::LLVM::LLVMFuncOp(llvm::StringRef)> inlinedFor,
    const TypeLayout &layout, LoopObjects &found);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_SERIALCLONES_LOOPOBJECTS_H
