//===- BlockArguments.cpp - What branches pass to blocks
//--------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Dialect/Cilk/Analysis/BlockArguments.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;

Value cilk2chan::passedFrom(Block *block, BlockArgument argument) {
  auto branch =
      block ? dyn_cast<BranchOpInterface>(block->getTerminator()) : nullptr;
  Value passed;
  for (unsigned i = 0; branch && i < branch->getNumSuccessors(); ++i) {
    if (branch->getSuccessor(i) != argument.getOwner())
      continue;
    Value value = branch.getSuccessorOperands(i)[argument.getArgNumber()];
    if (passed && passed != value)
      return {};
    passed = value;
  }
  return passed;
}
