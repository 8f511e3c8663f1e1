//===- DebugInfo.h - Debug information of kernels ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_FRONTEND_IMPORT_DEBUGINFO_H
#define CILK2CHAN_LIB_FRONTEND_IMPORT_DEBUGINFO_H

namespace llvm {
class DISubprogram;
class Function;
class Module;
} // namespace llvm

namespace cilk2chan {

/// Removes the records that describe variables, which the split would make
/// wrong; locations stay.
void dropDebugVariables(llvm::Function &function);

/// Makes the subprograms of `kernels` part of the compile unit that `module`
/// has, so that linking the two leaves one unit.
void adoptCompileUnit(llvm::Module &module, llvm::Module &kernels);

/// Makes all locations in `function` belong to `subprogram`, keeping lines and
/// what was inlined, and gives those calls one that need it.  A null
/// `subprogram` removes them.
void rescopeLocations(llvm::Function &function, llvm::DISubprogram *subprogram);

/// A subprogram for `kernel`, a part of `source`, or null if `source` has none.
llvm::DISubprogram *makeKernelSubprogram(const llvm::Function &kernel,
                                         const llvm::Function &source);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_FRONTEND_IMPORT_DEBUGINFO_H
