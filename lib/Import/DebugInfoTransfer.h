//===- DebugInfoTransfer.h - Debug information of kernels -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_DEBUGINFOTRANSFER_H
#define CILK2CHAN_LIB_IMPORT_DEBUGINFOTRANSFER_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class DILocalVariable;
class DISubprogram;
class Function;
class Module;
} // namespace llvm

namespace cilk2chan {

/// Replaces the variables that records in `copy` describe by mere numbers, the
/// indices of `original`'s in `variables`, to which they are added: MLIR keeps
/// neither a variable's type nor its identity.
void numberDebugVariables(
    const llvm::Function &original, llvm::Function &copy,
    llvm::SmallVectorImpl<llvm::DILocalVariable *> &variables);

/// Undoes that in `kernel`, whose locations belong to its own subprogram.
void restoreDebugVariables(llvm::Function &kernel,
                           llvm::ArrayRef<llvm::DILocalVariable *> variables);

/// Makes the subprograms of `kernels` part of the compile unit that `module`
/// has, so that linking the two leaves one unit.
void adoptCompileUnit(llvm::Module &module, llvm::Module &kernels);

/// Makes all locations in `function` belong to `subprogram`, keeping lines and
/// what was inlined, and gives those calls one that need it.  A null
/// `subprogram` removes them.
void rescopeLocations(llvm::Function &function, llvm::DISubprogram *subprogram);

/// Gives `function` a subprogram that is the same but begins at `line`, and the
/// calls of it that have no location that one.
void placeSubprogram(llvm::Function &function, unsigned line, unsigned column);

/// A subprogram for `kernel`, a part of `source`, or null if `source` has none.
llvm::DISubprogram *makeKernelSubprogram(const llvm::Function &kernel,
                                         const llvm::Function &source);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_DEBUGINFOTRANSFER_H
