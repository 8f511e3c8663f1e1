//===- CC1.cpp - The compiler proper, in this process ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CC1.h"
#include "Compilation.h"
#include "InternalErrors.h"
#include "PassTrace.h"
#include "cilk2chan/Driver/Options.h"
#include "cilk2chan/Frontend/CilkFrontendAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendDiagnostic.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/FrontendTool/Utils.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/Timer.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include <algorithm>
#include <sys/resource.h>

using namespace cilk2chan;
using llvm::StringRef;

static bool emitsCode(clang::frontend::ActionKind action) {
  switch (action) {
  case clang::frontend::EmitAssembly:
  case clang::frontend::EmitBC:
  case clang::frontend::EmitLLVM:
  case clang::frontend::EmitLLVMOnly:
  case clang::frontend::EmitCodeGenOnly:
  case clang::frontend::EmitObj:
    return true;
  default:
    return false;
  }
}

static bool reads(clang::Language language,
                  const clang::FrontendOptions &frontend) {
  if (frontend.Inputs.size() != 1)
    return false;
  clang::InputKind kind = frontend.Inputs[0].getKind();
  return kind.getLanguage() == language &&
         kind.getFormat() == clang::InputKind::Source;
}

/// Whether the job compiles a file that may contain spawns.
static bool isOurs(const clang::FrontendOptions &frontend) {
  return !frontend.ShowHelp && !frontend.ShowVersion &&
         reads(clang::Language::C, frontend) &&
         !frontend.Inputs[0].getKind().isHeader() &&
         (emitsCode(frontend.ProgramAction) ||
          frontend.ProgramAction == clang::frontend::ParseSyntaxOnly);
}

static bool asksTheAnalyser(const clang::AnalyzerOptions &options) {
  return options.ShowCheckerHelp || options.ShowCheckerHelpAlpha ||
         options.ShowCheckerHelpDeveloper || options.ShowCheckerOptionList ||
         options.ShowCheckerOptionAlphaList ||
         options.ShowCheckerOptionDeveloperList ||
         options.ShowEnabledCheckerList;
}

/// Whether an action of clang's own reads a source in that language.
static bool inspects(clang::Language language,
                     clang::CompilerInstance &instance) {
  const clang::FrontendOptions &frontend = instance.getFrontendOpts();
  return !frontend.ShowHelp && !frontend.ShowVersion &&
         reads(language, frontend) &&
         !asksTheAnalyser(instance.getAnalyzerOpts());
}

/// Writes what -ftime-trace recorded, if it did.
static bool writeTimeTrace(clang::CompilerInstance &instance) {
  if (!llvm::timeTraceProfilerEnabled())
    return true;
  if (!instance.hasFileManager())
    instance.createFileManager();
  auto output = instance.createOutputFile(
      instance.getFrontendOpts().TimeTracePath, /*Binary=*/false,
      /*RemoveFileOnSignal=*/false, /*UseTemporary=*/false);
  bool success = output != nullptr;
  if (success) {
    llvm::timeTraceProfilerWrite(*output);
    output.reset();
    instance.clearOutputFiles(/*EraseFiles=*/false);
  }
  llvm::timeTraceProfilerCleanup();
  return success;
}

/// Has the back end print the processors that it knows.
static bool printProcessors(clang::CompilerInstance &instance) {
  const std::string &triple = instance.getTargetOpts().Triple;
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(llvm::Triple(triple), error);
  if (!target) {
    instance.getDiagnostics().Report(clang::diag::err_target_unknown_triple)
        << triple;
    return false;
  }
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(llvm::Triple(triple), "", "+cpuhelp",
                                  llvm::TargetOptions(), std::nullopt));
  return true;
}

/// Loads and sets what an action may need.  False if that failed.
static bool prepare(clang::CompilerInstance &instance) {
  instance.LoadRequestedPlugins();
  parseLLVMOptions(instance.getFrontendOpts().LLVMArgs);
  return !instance.getDiagnostics().hasErrorOccurred();
}

/// For a picture: parameters have their names, and instructions their lines.
static void keepNamesAndLines(clang::CodeGenOptions &codegen) {
  codegen.DiscardValueNames = false;
  if (codegen.getDebugInfo() == llvm::codegenoptions::NoDebugInfo)
    codegen.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
}

static bool compile(clang::CompilerInstance &instance,
                    const CompileOptions &options) {
  clang::FrontendOptions &frontend = instance.getFrontendOpts();
  // The back end is to see what the user asked for; the action changes it.
  const clang::CodeGenOptions backend = instance.getCodeGenOpts();

  if (options.emission && options.emission->form == Form::Dot)
    keepNamesAndLines(instance.getCodeGenOpts());

  llvm::LLVMContext context;
  bool checksOnly = frontend.ProgramAction == clang::frontend::ParseSyntaxOnly;
  auto consume = [&](clang::CodeGenerator &codeGen,
                     std::unique_ptr<llvm::Module> module) {
    if (!checksOnly)
      runPipeline(instance, codeGen, backend, options, std::move(module));
  };
  CilkFrontendAction action(context, options.frontend, consume);
  return instance.ExecuteAction(action);
}

static bool inspect(clang::CompilerInstance &instance,
                    const CompileOptions &options) {
  auto clangs = clang::CreateFrontendAction(instance);
  if (!clangs)
    return false;
  if (instance.getLangOpts().CPlusPlus) {
    CxxAction action(std::move(clangs));
    return instance.ExecuteAction(action);
  }
  CilkInspectAction action(std::move(clangs), options.frontend);
  return instance.ExecuteAction(action);
}

static bool runAction(clang::CompilerInstance &instance,
                      const CompileOptions &options) {
  if (isOurs(instance.getFrontendOpts()))
    return prepare(instance) && compile(instance, options);
  if (inspects(clang::Language::C, instance) ||
      inspects(clang::Language::CXX, instance))
    return prepare(instance) && inspect(instance, options);
  return clang::ExecuteCompilerInvocation(&instance);
}

/// The checks recurse over expressions, which may be as deep as the parser's
/// patience; Clang goes on on another stack there.
static void raiseStackLimit() {
  // Linux leaves 128 MiB for a stack that grows.
  constexpr rlim_t Wanted = 100 << 20;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= Wanted)
    return;
  limit.rlim_cur = std::min(limit.rlim_max, Wanted);
  setrlimit(RLIMIT_STACK, &limit);
}

int cilk2chan::runCC1(llvm::SmallVectorImpl<const char *> &arguments) {
  raiseStackLimit();
  // LLVM's options are global, and a job before this one may have set them.
  llvm::cl::ResetAllOptionOccurrences();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();

  // Diagnostics about the arguments wait until they say how to print them.
  auto *buffer = new clang::TextDiagnosticBuffer;
  clang::DiagnosticOptions bufferOptions;
  clang::DiagnosticsEngine early(clang::DiagnosticIDs::create(), bufferOptions,
                                 buffer);
  llvm::SmallVector<const char *> clangs(llvm::drop_begin(arguments, 2));
  CompileOptions options = takeCompileFlags(clangs, early);
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  bool valid = clang::CompilerInvocation::CreateFromArgs(*invocation, clangs,
                                                         early, arguments[0]);
  valid &= !early.hasErrorOccurred();

  auto instance =
      std::make_unique<clang::CompilerInstance>(std::move(invocation));
  instance->createVirtualFileSystem(llvm::vfs::getRealFileSystem(), buffer);
  instance->createDiagnostics();
  if (!instance->hasDiagnostics())
    return 1;
  buffer->FlushDiagnostics(instance->getDiagnostics());
  if (!valid) {
    instance->getDiagnosticClient().finish();
    return 1;
  }

  const clang::FrontendOptions &frontend = instance->getFrontendOpts();
  FileInProgress file(frontend.Inputs.empty() ? ""
                                              : frontend.Inputs[0].getFile(),
                      instance->getDiagnostics());
  if (frontend.PrintSupportedCPUs)
    return !printProcessors(*instance);
  if (!frontend.TimeTracePath.empty())
    llvm::timeTraceProfilerInitialize(frontend.TimeTraceGranularity,
                                      arguments[0], frontend.TimeTraceVerbose);
  llvm::Timer *timer = nullptr;
  if (instance->getCodeGenOpts().TimePasses) {
    instance->createFrontendTimer();
    timer = &instance->getFrontendTimer();
    // Others take over from it and give back to it.
    timer->startTimer();
  }
  bool success = runAction(*instance, options);
  if (timer && timer->isRunning())
    timer->stopTimer();
  llvm::TimerGroup::printAll(llvm::errs());
  llvm::TimerGroup::clearAll();
  success &= writeTimeTrace(*instance);
  if (frontend.DisableFree)
    llvm::BuryPointer(std::move(instance));
  return !success;
}
