//===- RegisterAccesses.cpp - Of a von Neumann machine --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterAccesses.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace cilk2chan;

static constexpr StringLiteral mappingMetadata = "cilk2chan.mapping";

void cilk2chan::markAsMapping(Value *value) {
  if (auto *instruction = dyn_cast<Instruction>(value))
    instruction->setMetadata(mappingMetadata,
                             MDNode::get(instruction->getContext(), {}));
}

/// Whether a processor would have no instruction for it.
static bool isFree(const Instruction &instruction) {
  if (isa<PHINode, AllocaInst, FreezeInst, ExtractValueInst, FenceInst>(
          instruction) ||
      instruction.hasMetadata(mappingMetadata))
    return true;
  if (auto *cast = dyn_cast<CastInst>(&instruction))
    return cast->isNoopCast(instruction.getDataLayout());
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call && call->isAssumeLikeIntrinsic();
}

unsigned cilk2chan::countRegisterAccesses(const BasicBlock &block) {
  unsigned accesses = 0;
  for (const Instruction &instruction : block) {
    if (isFree(instruction))
      continue;
    for (const Value *operand : instruction.operands())
      accesses += isa<Instruction, Argument>(operand);
    accesses += !instruction.getType()->isVoidTy();
  }
  return accesses;
}
