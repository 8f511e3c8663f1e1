//===- SpawningFunctions.cpp - What is known of a spawning function -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/SpawningFunctions.h"

using namespace mlir;
using namespace cilk2chan;

bool cilk2chan::isInterposable(LLVM::LLVMFuncOp function) {
  switch (function.getLinkage()) {
  case LLVM::Linkage::Weak:
  case LLVM::Linkage::Linkonce:
  case LLVM::Linkage::ExternWeak:
    return true;
  default:
    return false;
  }
}
