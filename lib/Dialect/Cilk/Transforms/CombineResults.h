//===- CombineResults.h - Results that are kept only to be combined -*- C++
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_COMBINERESULTS_H
#define CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_COMBINERESULTS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cilk2chan {

/// Does what cilk-combine-results does to results to what children leave at the
/// address that is their argument `parameter`: instead of elements of an array
/// they get an object with ReductionAttribute, which holds what makes no
/// difference. They are to combine what they leave with what is there.
void combineWhatIsLeft(mlir::LLVM::LLVMFuncOp function, unsigned parameter);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DIALECT_CILK_TRANSFORMS_COMBINERESULTS_H
