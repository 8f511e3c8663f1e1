//===- ForgetRanges.h - Ranges of what base-case checks compute -*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_TARGET_HOST_FORGETRANGES_H
#define CILK2CHAN_LIB_TARGET_HOST_FORGETRANGES_H

#include "llvm/Passes/PassBuilder.h"

namespace cilk2chan {

/// Takes the ranges away that LLVM finds for what the base-case check of a
/// serial clone has computed and passes on: in the serial elision, where it is
/// no parameter, loop passes do not see them. They make vectors of loops of a
/// few iterations for them, with masks, whose loads wait for the stores of
/// single results.
void addForgetRanges(llvm::PassBuilder &builder);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_FORGETRANGES_H
