//===- FenceObjects.cpp - The end of objects on the stack -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts a fence that is no instruction in front of each place where memory of
// variable-length arrays is given back:
//
//   x = a[i];                           x = a[i];
//   llvm.stackrestore(p)         ->     asm volatile("" ::: "memory");
//                                       llvm.stackrestore(p)
//
// LLVM 22's code generation knows the end of such an array as a copy to the
// stack pointer, which no access depends on (LLVM's issue 131671). Its
// MachineSink moves loads past that, and past the stores of the next iteration
// to an array that lies where the first one did.
//
//===----------------------------------------------------------------------===//

#include "FenceObjects.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace cilk2chan;

namespace {
class FenceObjects : public PassInfoMixin<FenceObjects> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &);
};
} // namespace

/// Puts assembly of no instruction there, which may access any memory.  This is
/// the last pass: others know the intrinsic for what it is.
PreservedAnalyses FenceObjects::run(Function &function,
                                    FunctionAnalysisManager &) {
  auto *fence = InlineAsm::get(
      FunctionType::get(Type::getVoidTy(function.getContext()), false), "",
      "~{memory}", /*hasSideEffects=*/true);
  bool changed = false;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (auto *end = dyn_cast<IntrinsicInst>(&instruction);
          end && end->getIntrinsicID() == Intrinsic::stackrestore) {
        IRBuilder<>(end).CreateCall(fence)->setDoesNotThrow();
        changed = true;
      }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

void cilk2chan::addFenceObjects(PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](ModulePassManager &passes,
                                             OptimizationLevel level,
                                             ThinOrFullLTOPhase) {
    if (level.getSpeedupLevel() >= 1)
      passes.addPass(createModuleToFunctionPassAdaptor(FenceObjects()));
  });
}
