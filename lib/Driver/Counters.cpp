//===- Counters.cpp - Counters of profiles and coverage -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Counters.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Instrumentation/GCOVProfiler.h"
#include "llvm/Transforms/Instrumentation/InstrProfiling.h"

using namespace cilk2chan;

/// As Clang's back end has it.
static llvm::GCOVOptions gcovOptions(const clang::CodeGenOptions &options) {
  llvm::GCOVOptions gcov;
  gcov.EmitNotes = !options.CoverageNotesFile.empty();
  gcov.EmitData = !options.CoverageDataFile.empty();
  llvm::copy(options.CoverageVersion, std::begin(gcov.Version));
  gcov.NoRedZone = options.DisableRedZone;
  gcov.Filter = options.ProfileFilterFiles;
  gcov.Exclude = options.ProfileExcludeFiles;
  gcov.Atomic = true;
  return gcov;
}

static llvm::InstrProfOptions
profileOptions(const clang::CodeGenOptions &options) {
  llvm::InstrProfOptions profile;
  profile.NoRedZone = options.DisableRedZone;
  profile.InstrProfileOutput = options.InstrProfileOutput;
  profile.Atomic = true;
  return profile;
}

clang::CodeGenOptions
cilk2chan::makeCounters(llvm::Module &module,
                        const clang::CodeGenOptions &options) {
  llvm::ModulePassManager passes;
  clang::CodeGenOptions rest = options;
  llvm::GCOVOptions gcov = gcovOptions(options);
  if (gcov.EmitNotes || gcov.EmitData) {
    passes.addPass(llvm::GCOVProfilerPass(gcov));
    rest.CoverageNotesFile.clear();
    rest.CoverageDataFile.clear();
  }
  // The back end finds no intrinsics any more.
  if (options.hasProfileClangInstr())
    passes.addPass(llvm::InstrProfilingLoweringPass(profileOptions(options)));
  if (passes.isEmpty())
    return rest;

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  passes.run(module, modules);
  return rest;
}
