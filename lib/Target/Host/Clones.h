//===- Clones.h - Serial clones among LLVM's functions ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_TARGET_HOST_CLONES_H
#define CILK2CHAN_LIB_TARGET_HOST_CLONES_H

#include "cilk2chan/Support/Markers.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace cilk2chan {

/// Whether the worker is its first parameter (MergeBack.cpp).
inline bool isClone(const llvm::Function &function) {
  return !function.arg_empty() && function.getArg(0)->hasSwiftSelfAttr();
}

/// Whether `instruction` calls the part of a poll that may promote.
inline bool isPollCall(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("chan_") &&
         callee->getName().ends_with(QuestionSuffix);
}

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_TARGET_HOST_CLONES_H
