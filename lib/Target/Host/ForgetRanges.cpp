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
//   f.serial.body(i32 range(2, 64) %n)   ->   f.serial.body(i32 %n)
//
// The check divides a clone into `f.serial` and `f.serial.body`, so `n` becomes
// a parameter with a range. With that range, LLVM makes masked vectors of loops
// of a few iterations, whose loads wait for the stores of single results. The
// serial elision is not divided, and LLVM does not see the range there.
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
