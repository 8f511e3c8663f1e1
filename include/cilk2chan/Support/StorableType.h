//===- StorableType.h - Types that lie in memory ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_STORABLETYPE_H
#define CILK2CHAN_SUPPORT_STORABLETYPE_H

#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/ADT/STLExtras.h"

namespace cilk2chan {

/// Whether the compiler knows how many bytes a value takes, so that it can lie
/// in an element or a frame.  Not so scalable vectors, LLVM's labels, tokens
/// and target types, and the types of other dialects.
inline bool isStorable(mlir::Type type) {
  using namespace mlir;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && integer.getWidth() != 0;
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return isStorable(array.getElementType());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return !structure.isOpaque() &&
           llvm::all_of(structure.getBody(), isStorable);
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getRank() == 1 && !vector.isScalable() &&
           isStorable(vector.getElementType());
  return isa<LLVM::LLVMPointerType>(type) ||
         LLVM::isCompatibleFloatingPointType(type);
}

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_STORABLETYPE_H
