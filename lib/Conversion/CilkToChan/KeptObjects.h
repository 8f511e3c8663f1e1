//===- KeptObjects.h - Objects that are kept until a sync -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_KEPTOBJECTS_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_KEPTOBJECTS_H

#include "cilk2chan/Support/KeptObjects.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2chan {

/// Makes an object of each execution of a declaration of which a spawn has the
/// address.  A lifetime's start stands where the declaration is:
///
///     %x = alloca                     // in the entry block
///   loop:                           loop:
///     lifetime.start %x               %x = alloca {chan.kept}
///     spawn f(%x)              =>     spawn f(%x)
///
/// Where control may come to a use without passing the declaration, a variable
/// has the address of the last object, which is the one of the entry block at
/// first.  Objects that no child knows, or that control comes to once, stay as
/// they are, and no lifetime's start is left.
void makeKeptObjects(mlir::LLVM::LLVMFuncOp function);

inline bool isKept(mlir::LLVM::AllocaOp object) {
  return object->hasAttr(KeptAttribute);
}

/// Has one object do for all, in a serial clone whose children are calls: they
/// have returned when the next one is made.
void shareKeptObject(mlir::LLVM::AllocaOp object);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_KEPTOBJECTS_H
