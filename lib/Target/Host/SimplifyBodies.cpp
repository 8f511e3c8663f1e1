//===- SimplifyBodies.cpp - Simplify what loops run once more -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimplifyBodies.h"
#include "cilk2chan/Support/Markers.h"

using namespace llvm;
using namespace cilk2chan;

namespace {

class SimplifyBodies : public PassInfoMixin<SimplifyBodies> {
public:
  explicit SimplifyBodies(FunctionPassManager passes)
      : passes(std::move(passes)) {}

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (!function.getName().starts_with(BodyPrefix))
      return PreservedAnalyses::all();
    return passes.run(function, analyses);
  }

private:
  FunctionPassManager passes;
};

} // namespace

void cilk2chan::addSimplifyBodies(PassBuilder &builder) {
  builder.registerOptimizerEarlyEPCallback(
      [&builder](ModulePassManager &passes, OptimizationLevel level,
                 ThinOrFullLTOPhase phase) {
        if (level.getSpeedupLevel() >= 2)
          passes.addPass(createModuleToFunctionPassAdaptor(SimplifyBodies(
              builder.buildFunctionSimplificationPipeline(level, phase))));
      });
}
