//===- FoldPolls.cpp - Comparisons that load ------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets the polls of serial clones compare with the limit in memory, which takes
// an instruction less for each spawn:
//
//   movq 528(%r13), %rax                cmpq 528(%r13), %rsp
//   cmpq %rax, %rsp              ->     jae .promote
//   jae .promote
//
// Code generation folds no atomic load into a comparison. The pass makes the
// load an ordinary one.
//
//===----------------------------------------------------------------------===//

#include "FoldPolls.h"
#include "Clones.h"

#include "cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace cilk2chan;

namespace {
class FoldPolls : public PassInfoMixin<FoldPolls> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &);
};
} // namespace

/// Whether it loads what others write to have this worker come to them.
static bool isPoll(const LoadInst &load) {
  if (load.getOrdering() != AtomicOrdering::Monotonic)
    return false;
  APInt offset(64, 0);
  const Value *base =
      load.getPointerOperand()->stripAndAccumulateConstantOffsets(
          load.getDataLayout(), offset, /*AllowNonInbounds=*/true);
  return base == load.getFunction()->getArg(0) && offset == abi::workerPollFrom;
}

/// Code generation makes no operand of a load that is ordered among those of
/// the same place. Polls need not be: each reads the place anew, and a request
/// that one misses is seen by the next. This is the last pass, as others would
/// keep what is loaded through a loop.
PreservedAnalyses FoldPolls::run(Function &function,
                                 FunctionAnalysisManager &) {
  if (!isClone(function))
    return PreservedAnalyses::all();
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && isPoll(*load))
        load->setOrdering(AtomicOrdering::Unordered);
  return PreservedAnalyses::all();
}

void cilk2chan::addFoldPolls(PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback([](ModulePassManager &passes,
                                             OptimizationLevel level,
                                             ThinOrFullLTOPhase) {
    if (level.getSpeedupLevel() >= 1)
      passes.addPass(createModuleToFunctionPassAdaptor(FoldPolls()));
  });
}
