//===- BaseOf.h - What an address lies in -----------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_SUPPORT_BASEOF_H
#define CILK2CHAN_SUPPORT_BASEOF_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2chan {

/// The object, or parameter, or whatever else has an address, that `address`
/// lies in.
inline mlir::Value baseOf(mlir::Value address) {
  while (auto gep = address.getDefiningOp<mlir::LLVM::GEPOp>())
    address = gep.getBase();
  return address;
}

} // namespace cilk2chan

#endif // CILK2CHAN_SUPPORT_BASEOF_H
