//===- Selection.h - Which functions leave for MLIR -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_SELECTION_H
#define CILK2CHAN_LIB_IMPORT_SELECTION_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace cilk2chan {

/// The functions of `module`, its children split, that become kernels: those
/// that spawn, and those on a cycle of calls and spawns with one, so that a
/// helper between two recursive calls costs no nested drain.  Calls through
/// pointers are not followed, and helpers that cannot be split stay out.
llvm::SmallVector<llvm::Function *> selectFunctions(llvm::Module &module,
                                                    bool splitRecursion);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_SELECTION_H
