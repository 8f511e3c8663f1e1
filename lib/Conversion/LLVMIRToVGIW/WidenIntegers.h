//===- WidenIntegers.h - Integers that units compute with -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_WIDENINTEGERS_H
#define CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_WIDENINTEGERS_H

#include "llvm/IR/Function.h"

namespace cilk2chan {

/// Has integers of other widths than 1, 8, 16, 32 and 64, which LLVM's passes
/// compute with now and then (the number of iterations modulo four, say), be in
/// the next larger ones, zero-extended.
void widenIntegers(llvm::Function &function);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_LLVMIRTOVGIW_WIDENINTEGERS_H
