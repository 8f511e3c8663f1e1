//===- SourcePlaces.h - Clang's source locations through MLIR ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_SOURCEPLACES_H
#define CILK2CHAN_LIB_IMPORT_SOURCEPLACES_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cilk2chan {

/// Has the translations from and to LLVM IR keep the metadata `srcloc`.  It
/// takes effect when the cilk dialect is loaded.
void registerSourcePlaces(mlir::DialectRegistry &registry);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_SOURCEPLACES_H
