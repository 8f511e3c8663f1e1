//===- Register.h - The dialects that printed IR uses ----------*- C++ -* -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DIALECT_REGISTER_H
#define CILK2CHAN_DIALECT_REGISTER_H

#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Dialect/Cilk/Cilk.h"
#include "cilk2chan/Dialect/SIMT/SIMT.h"
#include "cilk2chan/Dialect/VGIW/VGIW.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/DialectRegistry.h"

namespace cilk2chan {

/// Registers what a tool needs that reads the IR of `cilk2chan --emit`.
inline void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::LLVM::LLVMDialect, mlir::DLTIDialect, cilk::CilkDialect,
                  chan::ChanDialect, vgiw::VGIWDialect, simt::SIMTDialect>();
}

} // namespace cilk2chan

#endif // CILK2CHAN_DIALECT_REGISTER_H
