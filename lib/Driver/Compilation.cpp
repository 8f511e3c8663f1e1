//===- Compilation.cpp - From markers to code -----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"
#include "Counters.h"
#include "Device.h"
#include "InternalErrors.h"
#include "PassTrace.h"
#include "Processor.h"
#include "Remarks.h"
#include "cilk2chan/Conversion/LLVMIRToVGIW.h"
#include "cilk2chan/Conversion/Versions.h"
#include "cilk2chan/Dialect/Chan/Chan.h"
#include "cilk2chan/Driver/Options.h"
#include "cilk2chan/Import/Import.h"
#include "cilk2chan/Pipelines/Pipelines.h"
#include "cilk2chan/Support/FailIfTested.h"
#include "cilk2chan/Support/Markers.h"
#include "cilk2chan/Target/Diagnostics.h"
#include "cilk2chan/Target/Dot.h"
#include "cilk2chan/Target/Host.h"
#include "cilk2chan/Target/VGIW/DeviceCode.h"
#include "cilk2chan/Target/VGIW/KernelsByHand.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendDiagnostic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Frontend/Driver/CodeGenOptions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"

using namespace cilk2chan;

namespace {

/// One file's way from markers to code.
class Compilation {
public:
  Compilation(clang::CompilerInstance &instance, clang::CodeGenerator &codeGen,
              const CompileOptions &options, llvm::Module &module)
      : instance(instance), codeGen(codeGen), options(options), module(module),
        processor(instance) {}

  void run(const clang::CodeGenOptions &backend);

private:
  using Printer = llvm::function_ref<void(llvm::raw_ostream &)>;

  /// Serves --dump-after and --emit at the end of `step`.  Returns whether the
  /// compilation ends here.
  bool leave(Step step, Printer print);

  /// The steps that are MLIR's.  Returns whether to go on.
  bool convert(const clang::CodeGenOptions &backend);
  bool convertIn(mlir::MLIRContext &context);

  /// What the command line asks of the steps that are MLIR's.
  struct Plan {
    bool optimises = false, keepLocals = false, onHost = false;
    bool serialClones = false, batchForms = false;
    /// The processors that there are versions for, besides the one of all.
    llvm::ArrayRef<ProcessorVersion> versions;
  };
  /// The graphs of other versions, in their order.
  using Versions = std::vector<mlir::OwningOpRef<mlir::ModuleOp>>;
  Plan makePlan() const;

  // The steps of convertIn, in order.  Each returns whether to go on.
  std::optional<ImportedModule> importKernels(mlir::MLIRContext &context,
                                              const Plan &plan);
  bool transformCilk(mlir::ModuleOp graph, const Plan &plan);
  bool lowerToChan(mlir::ModuleOp graph, const Plan &plan);
  bool addLanes(mlir::ModuleOp graph, const Plan &plan, unsigned bits,
                std::string name, bool reasons);
  bool addLanesForVersions(mlir::ModuleOp graph, const Plan &plan,
                           Versions &others);
  bool lowerToHost(mlir::ModuleOp graph, const Plan &plan, Versions &others);
  void merge(ImportedModule imported, const Plan &plan);

  bool runStage(mlir::ModuleOp graph,
                llvm::function_ref<void(mlir::OpPassManager &)> populate);
  bool needsMLIR() const;
  bool wantsVersions() const;

  /// Functions that are to be kernels become some.
  bool markKernels();
  /// Notes at the kernels where their functions and loops stand.
  void notePlaces();
  /// Serves --emit for a machine.
  void emitForMachine();

  bool fail(llvm::Error error);
  /// For what is not the user's fault.
  [[noreturn]] void failInternally(llvm::Error error);
  /// "FILE:LINE"; empty if that is not known.
  std::string placeOf(clang::SourceLocation location) const;
  std::string placeOf(llvm::StringRef symbol) const;
  clang::SourceLocation locatePart(llvm::StringRef symbol) const;
  void report(mlir::Diagnostic &diagnostic);
  void report(unsigned level, mlir::Location location, llvm::StringRef message);

  clang::CompilerInstance &instance;
  clang::CodeGenerator &codeGen;
  const CompileOptions &options;
  llvm::Module &module;
  const Processor processor;
};

} // namespace

bool Compilation::leave(Step step, Printer print) {
  if (options.dumpsAfter(step))
    print(llvm::errs());
  const StepName *emission = options.emission;
  if (!emission || emission->step != step)
    return false;
  if (auto output = instance.createDefaultOutputFile(/*Binary=*/false))
    print(*output);
  return true;
}

bool Compilation::fail(llvm::Error error) {
  unsigned id = instance.getDiagnostics().getCustomDiagID(
      clang::DiagnosticsEngine::Error, "%0");
  handleAllErrors(
      std::move(error),
      [&](const ImportError &refusal) {
        auto place = clang::SourceLocation::getFromRawEncoding(
            refusal.getEncodedLocation());
        if (place.isInvalid())
          place = locate(codeGen, refusal.getSymbol());
        reportLate(instance, place, id, refusal.message());
        reportLate(instance, place,
                   instance.getDiagnostics().getCustomDiagID(
                       clang::DiagnosticsEngine::Note, "%0"),
                   refusal.getAdvice());
      },
      [&](const llvm::ErrorInfoBase &other) {
        reportLate(instance, {}, id, other.message());
      });
  return false;
}

std::string Compilation::placeOf(clang::SourceLocation location) const {
  clang::PresumedLoc place =
      instance.getSourceManager().getPresumedLoc(location);
  if (place.isInvalid())
    return {};
  return (place.getFilename() + llvm::Twine(':') + llvm::Twine(place.getLine()))
      .str();
}

/// Where the function or the parallel loop stands that `symbol` is a part of.
clang::SourceLocation Compilation::locatePart(llvm::StringRef symbol) const {
  // The parts of a parallel loop have no declaration, but its marker has.
  for (llvm::StringRef part : {BodyPrefix, RangePrefix})
    if (symbol.starts_with(part)) {
      llvm::StringRef number =
          symbol.drop_front(part.size()).take_while(llvm::isDigit);
      return locate(codeGen, (ForPrefix + number).str());
    }
  return locate(codeGen, symbol);
}

std::string Compilation::placeOf(llvm::StringRef symbol) const {
  return placeOf(locatePart(symbol));
}

void Compilation::failInternally(llvm::Error error) {
  std::string reason, place;
  handleAllErrors(
      std::move(error),
      [&](const InternalError &failure) {
        reason = failure.message();
        place = placeOf(failure.getSymbol());
      },
      [&](const llvm::ErrorInfoBase &failure) { reason = failure.message(); });
  reportInternalError(reason, place);
}

void Compilation::report(unsigned level, mlir::Location location,
                         llvm::StringRef message) {
  clang::SourceLocation place = locate(instance, codeGen, location);
  clang::DiagnosticsEngine &diagnostics = instance.getDiagnostics();
  unsigned id = diagnostics.getCustomDiagID(
      static_cast<clang::DiagnosticsEngine::Level>(level), "%0");
  reportLate(instance, place, id, message.str());
}

/// Whether `message` begins as mlir::Operation::emitOpError has it.
static bool isAboutOperation(llvm::StringRef message) {
  return message.consume_front("'") &&
         message.split('\'').second.starts_with(" op ");
}

void Compilation::report(mlir::Diagnostic &diagnostic) {
  auto level = [](mlir::DiagnosticSeverity severity) {
    switch (severity) {
    case mlir::DiagnosticSeverity::Error:
      return clang::DiagnosticsEngine::Error;
    case mlir::DiagnosticSeverity::Warning:
      return clang::DiagnosticsEngine::Warning;
    case mlir::DiagnosticSeverity::Remark:
      return clang::DiagnosticsEngine::Remark;
    case mlir::DiagnosticSeverity::Note:
      return clang::DiagnosticsEngine::Note;
    }
    llvm_unreachable("no such severity");
  };
  // An error about an operation, not about C, is not the user's.
  std::string message = diagnostic.str();
  if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
      isAboutOperation(message))
    reportInternalError(
        message, placeOf(locate(instance, codeGen, diagnostic.getLocation())));
  report(level(diagnostic.getSeverity()), diagnostic.getLocation(), message);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    report(level(note.getSeverity()), note.getLocation(), note.str());
}

/// Ordinary C need not wait for MLIR to be set up.
bool Compilation::needsMLIR() const {
  auto isMLIR = [](const StepName *entry) {
    return entry->step > Step::Markers && entry->step < Step::LLVM;
  };
  return hasMarkers(module) || !options.passDumps.empty() ||
         (options.emission && isMLIR(options.emission)) ||
         llvm::any_of(options.dumps, isMLIR);
}

/// Runs a stage on `graph`.  MLIR's verifier after each pass takes a fiftieth
/// of all time: the stages have their own, which verify the finished graph. So
/// is the LLVM IR that comes of it.
bool Compilation::runStage(
    mlir::ModuleOp graph,
    llvm::function_ref<void(mlir::OpPassManager &)> populate) {
  mlir::PassManager manager(graph->getName());
  manager.enableVerifier(false);
  populate(manager);
  tracePasses(manager, options.passDumps);
  bool success = succeeded(manager.run(graph));
  if (!success && !instance.getDiagnostics().hasErrorOccurred())
    reportInternalError("it failed without a message");
  return success;
}

/// Several times the code is for speed alone, and if no processor was named.
bool Compilation::wantsVersions() const {
  return !options.namesProcessor &&
         instance.getTarget().getTargetOpts().CPU == "x86-64" &&
         processor.vectorBits() == 128 &&
         instance.getCodeGenOpts().OptimizationLevel &&
         instance.getLangOpts().Sanitize.empty();
}

/// The name in C of a parameter. Clang adds ".addr" to the name of its copy in
/// memory, which the body of a loop captures.
static std::string nameOfParameter(const llvm::Module &module,
                                   llvm::StringRef function, unsigned number) {
  const llvm::Function *known = module.getFunction(function);
  if (!known || number >= known->arg_size())
    return "";
  llvm::StringRef name = known->getArg(number)->getName();
  return name.take_front(name.find(".addr")).str();
}

Compilation::Plan Compilation::makePlan() const {
  const clang::CodeGenOptions &codegen = instance.getCodeGenOpts();
  Plan plan;
  plan.optimises = codegen.OptimizationLevel > 0;
  // A debugger may ask for any local variable anywhere, and coverage whether
  // its line ran.
  plan.keepLocals = !plan.optimises && (codegen.hasReducedDebugInfo() ||
                                        !codegen.CoverageNotesFile.empty());
  plan.onHost = options.wantedTarget() == KernelTarget::Host;
  plan.serialClones = options.serialClones && plan.onHost;
  plan.batchForms = options.batchForms && plan.onHost && plan.optimises;
  if (plan.batchForms && wantsVersions())
    plan.versions = processorVersions();
  return plan;
}

std::optional<ImportedModule>
Compilation::importKernels(mlir::MLIRContext &context, const Plan &plan) {
  llvm::PrettyStackTraceString importing("Running pass 'import' on module ''");
  failIfTested("import");
  llvm::Expected<ImportedModule> imported = importSpawning(
      module, context,
      {.keepLocals = plan.keepLocals,
       .splitRecursion = !plan.onHost,
       .inlineSmall = plan.batchForms,
       .propagate = plan.batchForms || (!plan.onHost && plan.optimises),
       .withApplies = plan.batchForms || plan.serialClones,
       .findLight = options.belowGrain && plan.onHost && plan.optimises,
       .views = plan.onHost,
       .strands = options.strands && plan.onHost,
       .promoteCalls = options.promoteCalls && plan.onHost && plan.optimises});
  if (imported)
    return std::move(*imported);
  if (!imported.errorIsA<ImportError>())
    failInternally(imported.takeError());
  fail(imported.takeError());
  return std::nullopt;
}

bool Compilation::transformCilk(mlir::ModuleOp graph, const Plan &plan) {
  TransformCilkOptions cilk;
  cilk.batchForms = plan.batchForms;
  cilk.ranges = !plan.onHost;
  cilk.groups = !plan.onHost;
  cilk.iterations = options.spawnIterations;
  cilk.combineResults = options.reductions && options.combineResults;
  cilk.arrays = options.byValue;
  cilk.longLoops = options.longLoops;
  return runStage(graph, [&](mlir::OpPassManager &passes) {
    populateTransformCilkPipeline(passes, cilk);
  });
}

bool Compilation::lowerToChan(mlir::ModuleOp graph, const Plan &plan) {
  LowerToChanOptions chan;
  chan.width = options.block;
  chan.serialClones = plan.serialClones;
  chan.countTasks = options.countClones;
  chan.batchForms = plan.batchForms;
  chan.longLoops = options.longLoops;
  chan.hoist = options.hoist;
  chan.reductions = options.reductions;
  chan.uniform = options.uniform;
  chan.positional = options.positional;
  chan.prefetch = options.prefetch;
  chan.keepLocals = plan.keepLocals;
  // Else the next stage does.
  chan.verify = !plan.batchForms;
  return runStage(graph, [&](mlir::OpPassManager &passes) {
    populateLowerToChanPipeline(passes, chan);
  });
}

bool Compilation::addLanes(mlir::ModuleOp graph, const Plan &plan,
                           unsigned bits, std::string name, bool reasons) {
  AddLanesOptions simd;
  simd.vectorBits = bits;
  simd.lanes = options.lanes;
  simd.processor = std::move(name);
  simd.reasons = reasons;
  simd.narrow = options.narrow;
  simd.compact = options.compaction;
  simd.interleave = options.interleave;
  simd.vectorLibrary = llvm::driver::convertDriverVectorLibraryToVectorLibrary(
      instance.getCodeGenOpts().getVecLib());
  return runStage(graph, [&](mlir::OpPassManager &passes) {
    populateAddLanesPipeline(passes, simd);
  });
}

bool Compilation::addLanesForVersions(mlir::ModuleOp graph, const Plan &plan,
                                      Versions &others) {
  if (!plan.batchForms)
    return true;
  if (!plan.versions.empty())
    roundProducts(graph);
  for (const ProcessorVersion &version : plan.versions) {
    others.emplace_back(graph.clone());
    processor.restrictLanes(*others.back(), version.name);
    if (!addLanes(*others.back(), plan, version.vectorBits, version.name.str(),
                  /*reasons=*/false))
      return false;
  }
  processor.restrictLanes(graph);
  if (!addLanes(graph, plan, processor.vectorBits(),
                plan.versions.empty() ? "" : instance.getTargetOpts().CPU,
                /*reasons=*/true))
    return false;
  // All versions have one descriptor.
  for (auto &other : others)
    for (auto stack : other->getOps<chan::StackOp>()) {
      auto own = graph.lookupSymbol<chan::StackOp>(stack.getSymName());
      if (!stack.getSerial())
        own.removeSerialAttr();
      if (stack.getBatch() && !own.getBatch())
        own.setOtherBatch(true);
    }
  return true;
}

bool Compilation::lowerToHost(mlir::ModuleOp graph, const Plan &plan,
                              Versions &others) {
  auto lower = [&](mlir::ModuleOp graph, const LowerToHostOptions &host) {
    return runStage(graph, [&](mlir::OpPassManager &passes) {
      populateLowerToHostPipeline(passes, host);
    });
  };
  LowerToHostOptions host;
  host.vectorBits = processor.vectorBits();
  host.gathers = processor.gathers();
  host.processor = instance.getTargetOpts().CPU;
  host.features = processor.hostFeatures();
  host.leaveTrees = options.cloneBatches;
  if (!lower(graph, host))
    return false;
  for (auto [version, other] : llvm::zip(plan.versions, others)) {
    LowerToHostOptions ofVersion;
    ofVersion.vectorBits = version.vectorBits;
    ofVersion.gathers = false;
    ofVersion.leaveTrees = false;
    if (!lower(*other, ofVersion))
      return false;
    addVersion(graph, *other, version);
  }
  return true;
}

void Compilation::merge(ImportedModule imported, const Plan &plan) {
  // What comes of it is verified in its module.
  llvm::PrettyStackTraceString entry("Running pass 'merge' on module ''");
  std::unique_ptr<llvm::Module> kernels = mlir::translateModuleToLLVMIR(
      *imported.module, module.getContext(), "LLVMDialectModule",
      /*disableVerification=*/true);
  if (!kernels)
    reportInternalError("cannot leave MLIR");
  if (!plan.versions.empty())
    chooseVersions(*kernels);
  if (llvm::Error error =
          mergeBack(module, std::move(imported), std::move(kernels)))
    failInternally(std::move(error));
}

bool Compilation::convertIn(mlir::MLIRContext &context) {
  Plan plan = makePlan();
  std::optional<ImportedModule> imported = importKernels(context, plan);
  if (!imported)
    return false;
  mlir::ModuleOp graph = *imported->module;
  // A strand belongs to one activation, so activations have no lanes.
  if (graph->hasAttr(StrandsAttribute)) {
    plan.batchForms = false;
    plan.versions = {};
  }
  auto print = [&](llvm::raw_ostream &os) {
    graph.print(os);
    os << '\n';
  };
  if (leave(Step::Import, print) ||
      !runStage(graph, populateRaiseToCilkPipeline) ||
      leave(Step::Cilk, print) || !transformCilk(graph, plan))
    return false;
  followChanges(module, *imported);
  Versions others;
  if (!lowerToChan(graph, plan) || !addLanesForVersions(graph, plan, others))
    return false;
  bool wantsDot = options.emission && options.emission->form == Form::Dot;
  auto printGraph = [&](llvm::raw_ostream &os) {
    if (!wantsDot)
      return print(os);
    emitDot(
        graph,
        [&](llvm::StringRef function, unsigned number) {
          return nameOfParameter(module, function, number);
        },
        os);
  };
  if (leave(Step::Chan, printGraph) ||
      !(plan.onHost ? lowerToHost(graph, plan, others)
                    : runStage(graph, populateLowerToVGIWPipeline)) ||
      leave(Step::Host, print))
    return false;
  if (!imported->converted.empty())
    merge(std::move(*imported), plan);
  return true;
}

bool Compilation::convert(const clang::CodeGenOptions &backend) {
  mlir::DialectRegistry registry;
  registerImportDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  // An op is no answer to a question about C.
  context.printOpOnDiagnostic(false);
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          report(diagnostic);
                                          return mlir::success();
                                        });
  reportRemarks(context, backend, instance, codeGen);
  return convertIn(context);
}

void Compilation::notePlaces() {
  for (llvm::Function &function : module) {
    llvm::StringRef source =
        function.getFnAttribute(DeviceSourceAttribute).getValueAsString();
    if (source.empty())
      continue;
    clang::SourceLocation location = locatePart(function.getName());
    if (location.isInvalid())
      location = locate(codeGen, source);
    clang::PresumedLoc place =
        instance.getSourceManager().getPresumedLoc(location);
    if (place.isInvalid())
      continue;
    llvm::SmallString<128> file(place.getFilename());
    instance.getLangOpts().remapPathPrefix(file);
    function.addFnAttr(DevicePlaceAttribute,
                       (file + llvm::Twine(':') + llvm::Twine(place.getLine()) +
                        ":" + llvm::Twine(place.getColumn()))
                           .str());
  }
}

bool Compilation::markKernels() {
  bool hasMachine = options.target != KernelTarget::Host ||
                    (options.emission && isForMachine(options.emission->step));
  unsigned id = instance.getDiagnostics().getCustomDiagID(
      clang::DiagnosticsEngine::Error, "%0");
  bool isFine = true;
  markKernelsByHand(
      module, hasMachine,
      [&](llvm::Function &function, const std::string &problem) {
        reportLate(instance, locate(codeGen, function.getName()), id,
                   "kernel '" + function.getName().str() + "': " + problem);
        isFine = false;
      });
  return isFine;
}

void Compilation::emitForMachine() {
  llvm::SmallString<0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          report(diagnostic);
                                          return mlir::success();
                                        });
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = cilk2chan::emitForMachine(
          bitcode.str(), options.machine, *options.emission, context, os,
          options.passDumps)) {
    fail(std::move(error));
    return;
  }
  if (auto output = instance.createDefaultOutputFile(/*Binary=*/false))
    *output << text;
}

void Compilation::run(const clang::CodeGenOptions &backend) {
  auto locate = [&](llvm::StringRef symbol) { return placeOf(symbol); };
  PlacesInSource places(locate);
  auto print = [&](llvm::raw_ostream &os) { module.print(os, nullptr); };
  if (leave(Step::Markers, print))
    return;
  if (options.workSpan)
    if (llvm::Error failure = measureWorkSpan(module))
      failInternally(std::move(failure));
  if (!markKernels() || (needsMLIR() && !convert(backend)))
    return;
  if (leave(Step::LLVM, print))
    return;
  bool showsMachine = options.emission && isForMachine(options.emission->step);
  if (!showsMachine && options.target == KernelTarget::Host)
    return emitForHost(instance, codeGen, backend, module);
  notePlaces();
  clang::CodeGenOptions rest = makeCounters(module, backend);
  if (showsMachine)
    return emitForMachine();
  embedDeviceCode(module);
  emitForHost(instance, codeGen, rest, module);
}

void cilk2chan::runPipeline(clang::CompilerInstance &instance,
                            clang::CodeGenerator &codeGen,
                            const clang::CodeGenOptions &backend,
                            const CompileOptions &options,
                            std::unique_ptr<llvm::Module> module) {
  Compilation(instance, codeGen, options, *module).run(backend);
}
