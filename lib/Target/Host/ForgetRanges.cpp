//===- ForgetRanges.cpp - Ranges of what base-case checks compute ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes away the ranges of parameters that LLVM derives from the base-case
// check of a serial clone:
//
//   f.serial.rest(i32 range(2, 64) %n)   ->   f.serial.rest(i32 %n)
//
// In the serial elision the value is no parameter, and loop passes do not see
// its range. With it they make vectors of loops of a few iterations, with
// masks, whose loads wait for the stores of single results.
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
    if (!function.getAttributes().hasParamAttr(number, GuardedAttribute) ||
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
