//===- Reductions.h - Results that are only combined ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_REDUCTIONS_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_REDUCTIONS_H

#include "PhaseBuilder.h"

namespace cilk2chan {

/// Finds the candidates, by name, whose result is a join-free reduction: the
/// combination of what an activation has by itself and of what its children
/// return, each once.  Examples are `x + y` of two children, and one plus the
/// sum of all. What a whole tree returns is then the combination of what all
/// its activations have by themselves, in any order.  So no activation needs to
/// wait for its children. A remark (`chan-batch`) says which they are.
void findReductions(llvm::MapVector<llvm::StringRef, Candidate> &candidates,
                    const mlir::SymbolTable &symbols);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_REDUCTIONS_H
