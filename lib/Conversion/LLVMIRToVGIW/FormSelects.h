//===- FormSelects.h - Branches become choices of values --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_FORMSELECTS_H
#define CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_FORMSELECTS_H

namespace llvm {
class Function;
} // namespace llvm

namespace cilk2chan {

/// Converts ifs where that costs no more firings of nodes (FormSelects.cpp).
/// REQUIRES: a legalized device function.
void formSelects(llvm::Function &kernel);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_FORMSELECTS_H
