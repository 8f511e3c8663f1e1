//===- Parameters.h - What all callers pass --------------------*- C++ -* -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's interprocedural propagation of constants and ranges sees calls; to it,
// a spawn is an element like any other, and a field may hold anything. So what
// is known of arguments is told before functions are split.
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_IMPORT_PARAMETERS_H
#define CILK2CHAN_LIB_IMPORT_PARAMETERS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace cilk2chan {

/// Of the functions that only `module` calls, spawns, or runs as the body of a
/// parallel loop: replaces parameters that are the same constant for all
/// callers, and gives integers that are not the range of what callers pass.
/// Returns the functions in which a constant has been used, and whether one of
/// the constants is a function.
struct UsedConstants {
  llvm::SmallVector<llvm::Function *> in;
  bool functions = false;
};
UsedConstants inferParameters(llvm::Module &module);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_IMPORT_PARAMETERS_H
