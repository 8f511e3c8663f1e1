//===- QuickFunctions.cpp - Functions that take next to no time -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuickFunctions.h"
#include "Tuning.h"

#include "cilk2chan/Support/FunctionAttributes.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace cilk2chan;

/// Whether each loop is one that tries again what another thread has prevented.
static bool onlyRetries(const llvm::Function &function) {
  llvm::CycleInfo cycles;
  cycles.compute(const_cast<llvm::Function &>(function));
  for (const llvm::Cycle *outer : cycles.toplevel_cycles())
    for (const llvm::Cycle *cycle : llvm::depth_first(outer))
      if (llvm::none_of(cycle->blocks(), [](const llvm::BasicBlock *block) {
            return llvm::any_of(*block, llvm::IsaPred<llvm::AtomicCmpXchgInst>);
          }))
        return false;
  return true;
}

/// Adds the instructions of `function` to `count`; false if it is not quick.
static bool addFunction(const llvm::Function &function, unsigned depth,
                        unsigned &count) {
  if (function.isDeclaration() || function.isInterposable() ||
      depth > tuning::deepestQuick || !onlyRetries(function))
    return false;
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    if (instruction.isDebugOrPseudoInst() ||
        llvm::isa<llvm::AllocaInst>(instruction))
      continue;
    if (++count > tuning::mostQuick)
      return false;
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call))
      continue;
    const llvm::Function *callee = call->getCalledFunction();
    if (!callee || !addFunction(*callee, depth + 1, count))
      return false;
  }
  return true;
}

void cilk2chan::markQuickFunctions(const llvm::Module &module,
                                   llvm::Module &extracted) {
  for (llvm::Function &declared : extracted) {
    const llvm::Function *function = module.getFunction(declared.getName());
    unsigned count = 0;
    if (declared.isDeclaration() && function && !declared.isIntrinsic() &&
        addFunction(*function, 0, count))
      declared.addFnAttr(QuickAttribute);
  }
}
