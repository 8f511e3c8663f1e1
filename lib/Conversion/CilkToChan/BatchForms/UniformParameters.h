//===- UniformParameters.h - What a whole batch has the same of -*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_UNIFORMPARAMETERS_H
#define CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_UNIFORMPARAMETERS_H

#include "PhaseBuilder.h"

namespace cilk2chan {

/// Finds the parameters of the candidates, by name, that all elements of a
/// batch have the same of if its first elements do: all that spawns in a batch
/// passes on what it has been passed, or something computed of that, like the
/// depth of a recursion.  With `onlyNeeded`, only those that a batch has to
/// have one of: addresses of shared reduction variables.
void findUniformParameters(
    llvm::MapVector<llvm::StringRef, Candidate> &candidates, bool onlyNeeded);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_CONVERSION_CILKTOCHAN_BATCHFORMS_UNIFORMPARAMETERS_H
