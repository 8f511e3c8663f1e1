//===- BaseCaseHoisting.h - Base cases that parents evaluate ----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_BASECASEHOISTING_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_BASECASEHOISTING_H

#include "PhaseBuilder.h"

namespace cilk2chan {

/// Decides at which sites of `candidate` the parent evaluates base cases of
/// `callee`, which are then no elements of a batch.
void hoistBaseCases(Candidate &candidate, mlir::LLVM::LLVMFuncOp callee,
                    const mlir::SymbolTable &symbols);

/// Says of each spawn, where it stands, whether parents evaluate its child's
/// base cases.
void remarkOnHoisting(const Candidate &candidate,
                      const mlir::SymbolTable &symbols);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_BASECASEHOISTING_H
