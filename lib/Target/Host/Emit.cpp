//===- Emit.cpp - Code for the machine itself -----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Has Clang and LLVM optimise the merged module and write it: object, assembly,
// IR or bitcode. This project's passes on LLVM IR hook into LLVM's pipeline
// here; each is a file of this folder. Kernels that only move elements get
// three of LLVM's passes:
//
//   @f.0 {chan.minimally-optimised}    a few passes
//   @f.serial, @f.batch.0              LLVM's pipeline and the passes of this
//                                      folder
//
//===----------------------------------------------------------------------===//

#include "BackendDiagnostics.h"
#include "DuplicateReturns.h"
#include "FenceObjects.h"
#include "FoldPolls.h"
#include "ForgetRanges.h"
#include "FormRotations.h"
#include "InlineClones.h"
#include "PeelBodyLoops.h"
#include "SeparateSlowPaths.h"
#include "UnrollClones.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Target/Host.h"
#include "clang/CodeGen/BackendUtil.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendOptions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

using namespace cilk2chan;

namespace {
struct Output {
  clang::BackendAction action;
  bool binary;
  llvm::StringRef extension;
};
} // namespace

static Output outputOf(clang::frontend::ActionKind action) {
  switch (action) {
  case clang::frontend::EmitAssembly:
    return {clang::Backend_EmitAssembly, false, "s"};
  case clang::frontend::EmitLLVM:
    return {clang::Backend_EmitLL, false, "ll"};
  case clang::frontend::EmitBC:
    return {clang::Backend_EmitBC, true, "bc"};
  case clang::frontend::EmitObj:
    return {clang::Backend_EmitObj, true, "o"};
  case clang::frontend::EmitCodeGenOnly:
    return {clang::Backend_EmitMCNull, true, ""};
  default:
    return {clang::Backend_EmitNothing, true, ""};
  }
}

/// The function that a pass would run on; null if it is for more than one.
static const llvm::Function *functionOf(const llvm::Any &unit) {
  if (auto *function = llvm::any_cast<const llvm::Function *>(&unit))
    return *function;
  if (auto *loop = llvm::any_cast<const llvm::Loop *>(&unit))
    return (*loop)->getHeader()->getParent();
  return nullptr;
}

/// Kernels that are but glue need no more than this.  The rest of -O3 takes a
/// sixth of the time of a file of short functions; the code is as large
/// without, and 3 % slower where nothing else runs.
static bool isForGlue(llvm::StringRef pass) {
  return pass == "SROAPass" || pass == "EarlyCSEPass" ||
         pass == "SimplifyCFGPass";
}

/// What has lanes has nothing for passes that look for vectors, which take a
/// thirtieth of the time of a file of such functions, and is made without what
/// the others look for: of seventy programs they change none, in a fortieth
/// of the time.
static bool findsNothingInLanes(llvm::StringRef pass) {
  static const llvm::StringSet<> names = {"SLPVectorizerPass",
                                          "LoopVectorizePass",
                                          "LoopDistributePass",
                                          "LoopLoadEliminationPass",
                                          "LoopIdiomRecognizePass",
                                          "LoopDeletionPass",
                                          "LoopInstSimplifyPass",
                                          "InstSimplifyPass",
                                          "ConstraintEliminationPass",
                                          "CorrelatedValuePropagationPass",
                                          "SCCPPass",
                                          "ADCEPass",
                                          "BDCEPass"};
  return names.contains(pass);
}

/// Whether what has lanes needs the run of InstCombine that is number `run`.
/// Those between the second one and the one behind unrolling find next to
/// nothing, in a twentieth of the time.
static bool combinesMuch(unsigned run) { return run < 2 || run > 6; }

/// Whether a function may be `optnone`: LLVM has that exclude these, which say
/// that its code is to be small, or good to debug.
static bool canBeUnoptimized(const llvm::Function &function) {
  return !function.hasOptSize() &&
         !function.hasFnAttribute(llvm::Attribute::OptimizeForDebugging) &&
         !function.hasFnAttribute(llvm::Attribute::AlwaysInline);
}

namespace {
/// Has glue selected and allocated as without optimization, which takes a
/// fourteenth less for a file of short functions.
class LeaveGlue : public llvm::PassInfoMixin<LeaveGlue> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &) {
    for (llvm::Function &function : module)
      if (function.hasFnAttribute(MinimallyOptimizedAttribute) &&
          canBeUnoptimized(function)) {
        function.addFnAttr(llvm::Attribute::NoInline);
        function.addFnAttr(llvm::Attribute::OptimizeNone);
      }
    return llvm::PreservedAnalyses::all();
  }
};
} // namespace

static void sparePasses(llvm::PassBuilder &builder) {
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel,
         llvm::ThinOrFullLTOPhase) { passes.addPass(LeaveGlue()); });
  // Of InstCombine, by function.
  auto runs = std::make_shared<llvm::DenseMap<const llvm::Function *, int>>();
  builder.getPassInstrumentationCallbacks()
      ->registerShouldRunOptionalPassCallback(
          [runs](llvm::StringRef pass, const llvm::Any &unit) {
            const llvm::Function *function = functionOf(unit);
            if (!function)
              return true;
            if (function->hasFnAttribute(MinimallyOptimizedAttribute))
              return isForGlue(pass);
            if (!function->hasFnAttribute(LanesAttribute))
              return true;
            if (pass == "InstCombinePass")
              return combinesMuch((*runs)[function]++);
            return !findsNothingInLanes(pass);
          });
}

void cilk2chan::emitForHost(clang::CompilerInstance &instance,
                            clang::CodeGenerator &codeGen,
                            const clang::CodeGenOptions &options,
                            llvm::Module &module) {
  auto [action, binary, extension] =
      outputOf(instance.getFrontendOpts().ProgramAction);
  std::unique_ptr<llvm::raw_pwrite_stream> os;
  if (!extension.empty()) {
    os = instance.createDefaultOutputFile(binary, "", extension);
    if (!os)
      return;
  }

  clang::CodeGenOptions ownOptions = options;
  ownOptions.PassBuilderCallbacks.push_back(sparePasses);
  ownOptions.PassBuilderCallbacks.push_back(addFormRotations);
  ownOptions.PassBuilderCallbacks.push_back(addDuplicateReturns);
  ownOptions.PassBuilderCallbacks.push_back(addSeparateSlowPaths);
  ownOptions.PassBuilderCallbacks.push_back(addPeelBodyLoops);
  ownOptions.PassBuilderCallbacks.push_back(addInlineClones);
  ownOptions.PassBuilderCallbacks.push_back(addUnrollClones);
  ownOptions.PassBuilderCallbacks.push_back(addForgetRanges);
  ownOptions.PassBuilderCallbacks.push_back(addFoldPolls);
  ownOptions.PassBuilderCallbacks.push_back(addFenceObjects);
  llvm::LLVMContext &context = module.getContext();
  auto previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(
      std::make_unique<BackendDiagnostics>(instance, codeGen, ownOptions));
  clang::emitBackendOutput(
      instance, ownOptions, instance.getTarget().getDataLayoutString(), &module,
      action, instance.getFileManager().getVirtualFileSystemPtr(),
      std::move(os));
  context.setDiagnosticHandler(std::move(previous));
}
