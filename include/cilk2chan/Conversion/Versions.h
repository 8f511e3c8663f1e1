//===- Versions.h - Kernels for several processors --------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the command line names no processor, kernels with lanes are compiled
// for several, and the dynamic linker takes those for the one that it runs on.
// Of the phases of batches, it is the runtime that does so: all of a form are
// for the same number of lanes.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_CONVERSION_VERSIONS_H
#define CILK2CHAN_CONVERSION_VERSIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace cilk2chan {

/// An instruction set of x86-64-vN, N being its level.
struct ProcessorVersion {
  llvm::StringLiteral name;
  unsigned level, vectorBits;
};

/// What there are versions for besides the processor that all have, the best
/// last.
llvm::ArrayRef<ProcessorVersion> processorVersions();

/// Decides for all versions of `graph` alike how a * b + c is rounded where the
/// program leaves that to the processor (`llvm.fmuladd`): twice, as by one that
/// has no fused multiply-add.
void roundProducts(mlir::ModuleOp graph);

/// Moves the kernels with lanes and batch forms of `other`, lowered to the llvm
/// dialect for `version`, into `graph`, under names of their own.  The versions
/// come in the order above.
void addVersion(mlir::ModuleOp graph, mlir::ModuleOp other,
                const ProcessorVersion &version);

/// Has the symbol of each kernel in `module` that has versions chosen when the
/// program is loaded.
void chooseVersions(llvm::Module &module);

} // namespace cilk2chan

#endif // CILK2CHAN_CONVERSION_VERSIONS_H
