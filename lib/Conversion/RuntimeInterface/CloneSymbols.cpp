//===- CloneSymbols.cpp - Symbols of serial clones ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Conversion/RuntimeInterface/CloneSymbols.h"

#include "cilk2chan/Support/FunctionAttributes.h"
#include "cilk2chan/Support/Markers.h"

using namespace mlir;
using namespace cilk2chan;

std::string cilk2chan::serialEntry(chan::StackOp stack) {
  return (stack.getSymName() + SerialSuffix).str();
}

LLVM::CallOp cilk2chan::callOfRest(LLVM::LLVMFuncOp clone) {
  std::string name = (clone.getName() + BodySuffix).str();
  auto rest =
      clone->getParentOfType<ModuleOp>().lookupSymbol<LLVM::LLVMFuncOp>(name);
  LLVM::CallOp found;
  // One that is not small keeps its rest for itself.
  if (rest && !rest.getNoInline())
    clone.walk([&](LLVM::CallOp call) {
      if (call.getCallee() == StringRef(name))
        found = call;
    });
  return found;
}

bool cilk2chan::mayBatch(chan::StackOp stack) {
  return stack.getBatch() || stack.getOtherBatch();
}
