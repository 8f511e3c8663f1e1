//===- FenceObjects.h - The end of objects on the stack ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_TARGET_HOST_FENCEOBJECTS_H
#define CILK2CHAN_LIB_TARGET_HOST_FENCEOBJECTS_H

#include "llvm/Passes/PassBuilder.h"

namespace cilk2chan {

/// Keeps loads of objects whose size is known at run time in front of where
/// their memory is given back.
void addFenceObjects(llvm::PassBuilder &builder);

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_FENCEOBJECTS_H
