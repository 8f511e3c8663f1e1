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

/// Gives a serial clone's last call of itself a return of its own, with the
/// little that is done before it: of such a call LLVM makes a loop. The
/// base-case check in front of the call (BaseCaseCheck.cpp), which the serial elision
/// does not have there, gives two ways to the common return.
void addDuplicateReturns(llvm::PassBuilder &builder);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_DUPLICATERETURNS_H
