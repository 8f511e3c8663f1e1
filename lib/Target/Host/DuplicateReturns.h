//===- DuplicateReturns.h - Return behind a recursive call ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_TARGET_HOST_DUPLICATERETURNS_H
#define CILK2CHAN_LIB_TARGET_HOST_DUPLICATERETURNS_H

#include "llvm/Passes/PassBuilder.h"

namespace cilk2chan {

/// Has each serial clone do what it does behind its last call of itself, and
/// return, once more where it does not come from that call: LLVM makes a loop
/// of a call behind which there is but a return. In the serial elision there is
/// no guard in front of the call (Guard.cpp), which gives two ways to the
/// return.
void addDuplicateReturns(llvm::PassBuilder &builder);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_DUPLICATERETURNS_H
