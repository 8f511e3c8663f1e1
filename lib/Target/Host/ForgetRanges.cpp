//===- ForgetRanges.cpp - What a guard has computed -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForgetRanges.h"

#include "cilk2chan/Support/Markers.h"

using namespace llvm;
using namespace cilk2chan;

namespace {
class ForgetRanges : public PassInfoMixin<ForgetRanges> {
public:
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &);
};
} // namespace

PreservedAnalyses ForgetRanges::run(Function &function,
                                    FunctionAnalysisManager &) {
  bool changed = false;
  for (Argument &argument : function.args()) {
    unsigned number = argument.getArgNo();
    if (!function.getAttributes().hasParamAttr(number, CheckedAttribute) ||
        !argument.hasAttribute(Attribute::Range))
      continue;
    argument.removeAttr(Attribute::Range);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

void cilk2chan::addForgetRanges(PassBuilder &builder) {
  builder.registerPeepholeEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) {
        passes.addPass(ForgetRanges());
      });
}
