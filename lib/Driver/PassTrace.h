//===- PassTrace.h - Which of MLIR's passes runs ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM says for each of its passes, on the stack of activities that
// InternalErrors.h reads, that it runs and on what; MLIR does not:
//
//   Running pass 'cilk-to-chan' on module ''
//   Running pass 'vgiw-place-blocks' on function 'fib.0'
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_PASSTRACE_H
#define CILK2CHAN_LIB_DRIVER_PASSTRACE_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace mlir {
class PassManager;
} // namespace mlir

namespace cilk2chan {

/// Sets the options of LLVM, MLIR and our passes that `-mllvm` has given
/// (-mlir-print-ir-after-all, and the constants of each Tuning.h). LLVM ends the
/// process with a message if there is no such option.
void parseLLVMOptions(llvm::ArrayRef<std::string> options);

/// Has the passes of `manager`, which runs in one thread, say so.  Prints the
/// module to stderr after each pass that `dumps` names, and what
/// -mlir-print-ir-after-all and its like ask for.
void tracePasses(mlir::PassManager &manager,
                 llvm::ArrayRef<std::string> dumps = {});

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_PASSTRACE_H
