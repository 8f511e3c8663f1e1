//===- PeelBodyLoops.cpp - Peel what loops run once more ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Peels the loops in bodies of parallel loops a second time, so that what is
// left has no conditions and becomes vectors:
//
//   for (x = 0; x < w; x++)           b[0] = a[w - 1] + a[1];
//     b[x] = a[x ? x - 1 : w - 1] +   for (x = 1; x < w - 1; x++)
//            a[x < w - 1 ? x + 1 : 0];  b[x] = a[x - 1] + a[x + 1];
//                                     b[w - 1] = a[w - 2] + a[0];
//
// LLVM peels the first or the last iteration at a time. The loops of the serial
// elision are peeled twice: in their function, and where that is inlined.
//
//===----------------------------------------------------------------------===//

#include "PeelBodyLoops.h"
#include "cilk2chan/Support/Markers.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;
using namespace cilk2chan;

namespace {

class PeelBodyLoops : public PassInfoMixin<PeelBodyLoops> {
public:
  explicit PeelBodyLoops(OptimizationLevel level) {
    peel.addPass(createFunctionToLoopPassAdaptor(
        LoopFullUnrollPass(level.getSpeedupLevel())));
    // What is used of the variable behind the loop is a constant now. LLVM
    // makes no vectors for the rest of a loop whose variable is used.
    cleanUp.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
    cleanUp.addPass(InstCombinePass());
    cleanUp.addPass(SimplifyCFGPass());
  }

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (!function.getName().starts_with(BodyPrefix))
      return PreservedAnalyses::all();
    PreservedAnalyses preserved = peel.run(function, analyses);
    if (!preserved.areAllPreserved())
      preserved.intersect(cleanUp.run(function, analyses));
    preserved.intersect(EarlyCSEPass().run(function, analyses));
    return preserved;
  }

private:
  FunctionPassManager peel, cleanUp;
};

} // namespace

void cilk2chan::addPeelBodyLoops(PassBuilder &builder) {
  builder.registerOptimizerEarlyEPCallback([](ModulePassManager &passes,
                                              OptimizationLevel level,
                                              ThinOrFullLTOPhase) {
    if (level.getSpeedupLevel() >= 2)
      passes.addPass(createModuleToFunctionPassAdaptor(PeelBodyLoops(level)));
  });
}
