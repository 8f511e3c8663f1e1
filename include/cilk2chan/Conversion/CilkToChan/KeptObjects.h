//===- KeptObjects.h - Objects that are kept until a sync -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_CILKTOCHAN_KEPTOBJECTS_H
#define CILK2CHAN_CONVERSION_CILKTOCHAN_KEPTOBJECTS_H

#include "cilk2chan/Support/KeptObjects.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2chan {

/// Whether each execution of the alloca makes another object, which is kept
/// until a sync that releases it (`chan-kept-objects`).
inline bool isKept(mlir::LLVM::AllocaOp object) {
  return object->hasAttr(KeptAttribute);
}

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_CILKTOCHAN_KEPTOBJECTS_H
