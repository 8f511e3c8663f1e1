//===- Analyses.cpp - What the import's passes know of functions ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analyses.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"

using namespace cilk2chan;

Analyses::Analyses() : analysed(&manager) {
  manager.registerPass(
      [this] { return llvm::PassInstrumentationAnalysis(&callbacks); });
  manager.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  manager.registerPass([] { return llvm::AssumptionAnalysis(); });
  manager.registerPass([] { return llvm::TargetIRAnalysis(); });
  manager.registerPass([] { return llvm::TargetLibraryAnalysis(); });
  callbacks.registerBeforeAnalysisCallback(
      [this](llvm::StringRef, llvm::Any unit) {
        analysed[llvm::any_cast<const llvm::Function *>(unit)] = true;
      });
}

/// The function has lost its blocks and its name; its address is the key.
void Analyses::ClearErased::onDelete(ExtraData manager,
                                     const llvm::Function *function) {
  manager->clear(*const_cast<llvm::Function *>(function), "");
}
