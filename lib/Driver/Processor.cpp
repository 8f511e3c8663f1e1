//===- Processor.cpp - What code for the host may use ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Processor.h"

#include "cilk2chan/Dialect/Chan/Passes.h"
#include "cilk2chan/Support/FunctionAttributes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

using namespace cilk2chan;
using llvm::StringRef;

/// LLVM's description; null if it knows no such target.
static std::unique_ptr<llvm::MCSubtargetInfo>
describe(const clang::TargetOptions &target, StringRef cpu,
         StringRef features) {
  llvm::Triple triple(target.Triple);
  std::string error;
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error);
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      found ? found->createMCSubtargetInfo(triple, cpu, features) : nullptr);
}

unsigned Processor::vectorBits() const {
  unsigned preferred = 0;
  StringRef(instance.getCodeGenOpts().PreferVectorWidth)
      .getAsInteger(10, preferred);
  const auto &features = instance.getTarget().getTargetOpts().FeatureMap;
  unsigned present = features.lookup("avx512f") ? 512
                     : features.lookup("avx2")  ? 256
                                                : 128;
  return preferred >= 128 ? std::min(preferred, present) : present;
}

bool Processor::gathers() const {
  // Others are refused the question.
  if (!instance.getTarget().getTargetOpts().FeatureMap.lookup("avx2"))
    return false;
  const clang::TargetOptions &target = instance.getTargetOpts();
  auto processor = describe(
      target, target.TuneCPU.empty() ? target.CPU : target.TuneCPU, "");
  return processor && processor->checkFeatures("+fast-gather");
}

std::string Processor::hostFeatures() const {
  const clang::TargetInfo &target = instance.getTarget();
  if (target.getTriple().getArch() != llvm::Triple::x86_64)
    return {};
  llvm::StringMap<bool> ofAll;
  target.initFeatureMap(ofAll, instance.getDiagnostics(), "x86-64", {});
  std::vector<StringRef> more;
  for (auto &[feature, isPresent] : target.getTargetOpts().FeatureMap)
    if (isPresent && !ofAll.lookup(feature))
      more.push_back(feature);
  llvm::sort(more);
  return llvm::join(more, ",");
}

/// As LLVM IR has them: "+sse2,-avx".
static std::string featuresOf(mlir::LLVM::LLVMFuncOp function) {
  auto features = function.getTargetFeatures();
  return features ? features->getFeaturesString() : std::string();
}

void Processor::restrictLanes(mlir::ModuleOp graph, StringRef version) const {
  if (!instance.getTarget().getTriple().isX86())
    return;
  const clang::TargetOptions &target = instance.getTargetOpts();
  auto wanted = version.empty() ? describe(target, target.CPU,
                                           llvm::join(target.Features, ","))
                                : describe(target, version, "");
  // Many functions have the same.
  llvm::StringMap<bool> sufficient;
  auto mayUseAll = [&](mlir::LLVM::LLVMFuncOp function) {
    if (hasFunctionAttribute(function, "noimplicitfloat"))
      return false;
    std::string features = featuresOf(function);
    auto [known, isNew] = sufficient.try_emplace(features, false);
    if (isNew) {
      auto present = describe(
          target, version.empty() ? StringRef(target.CPU) : version, features);
      known->second =
          wanted && present && present->checkFeatures("+sse2,-soft-float") &&
          (wanted->getFeatureBits() & ~present->getFeatureBits()).none();
    }
    return known->second;
  };
  for (auto kernel : graph.getOps<chan::KernelOp>()) {
    auto source = kernel.getSourceAttr();
    auto function =
        source ? graph.lookupSymbol<mlir::LLVM::LLVMFuncOp>(source) : nullptr;
    if (function && !mayUseAll(function))
      kernel.setWithoutLanes(true);
  }
}
