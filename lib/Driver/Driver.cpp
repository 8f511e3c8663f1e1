//===- Driver.cpp - The compiler driver -----------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Driver/Driver.h"
#include "CC1.h"
#include "DeviceLink.h"
#include "InternalErrors.h"
#include "Link.h"
#include "Reproducer.h"
#include "cilk2chan/Driver/Installation.h"
#include "cilk2chan/Driver/Options.h"
#include "machine/Machine.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Tool.h"
#include "clang/Driver/ToolChain.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace cilk2chan;
using namespace clang::options;
using llvm::StringRef;

using Arguments = llvm::SmallVectorImpl<const char *>;

/// Clang takes a file by its suffix, and does not know Cilk-5's.
static void nameLanguageOfCilkFiles(Arguments &arguments,
                                    const llvm::opt::ArgList &parsed) {
  auto files = parsed.filtered(OPT_INPUT, OPT_x);
  StringRef given = "none";
  unsigned inserted = 1; // the program's name, which is not among the parsed
  for (auto it = files.begin(), end = files.end(); it != end; ++it) {
    StringRef value = (*it)->getValue();
    if ((*it)->getOption().matches(OPT_x)) {
      given = value;
    } else if (given == "none" &&
               (value.ends_with(".cilk") || value.ends_with(".cilkh"))) {
      unsigned place = (*it)->getIndex() + inserted;
      // Clang warns of an -x that nothing follows.
      if (std::next(it) != end)
        arguments.insert(arguments.begin() + place + 1, {"-x", "none"});
      arguments.insert(arguments.begin() + place, {"-x", "c"});
      inserted += std::next(it) != end ? 4 : 2;
    }
  }
}

/// What --emit means in clang's terms: which step is the last, and where the
/// result goes when -o says nothing.
static void addEmissionArguments(Arguments &arguments, const StepName &emission,
                                 bool hasOutput) {
  if (emission.form == Form::Object) {
    arguments.push_back("-c");
    return;
  }
  arguments.push_back("-S");
  if (!hasOutput)
    arguments.append({"-o", "-"});
}

static bool hasLLD(const Installation &installation) {
  llvm::SmallString<128> linker =
      llvm::sys::path::parent_path(installation.clang);
  llvm::sys::path::append(linker, "ld.lld");
  return llvm::sys::fs::can_execute(linker);
}

/// False, with a message, if the command line asks for what cannot be.
static bool addOwnArguments(CommandLine &commandLine,
                            const Installation &installation,
                            llvm::StringSaver &saver,
                            clang::DiagnosticsEngine &diagnostics) {
  Arguments &arguments = commandLine.clangArguments;
  unsigned missingIndex, missingCount;
  // Without those of clang-cl, which take a path that begins with "/w" for a
  // flag.
  llvm::opt::InputArgList parsed = clang::getDriverOptTable().ParseArgs(
      llvm::ArrayRef<const char *>(arguments).drop_front(), missingIndex,
      missingCount, llvm::opt::Visibility(ClangOption));
  // An argument that lacks its value must stay the last, for clang to say so.
  if (missingCount)
    return true;

  bool hasOutput = parsed.hasArg(OPT_o);
  bool choosesLinker = parsed.hasArg(OPT_fuse_ld_EQ, OPT_ld_path_EQ);
  nameLanguageOfCilkFiles(arguments, parsed);

  // At the front, since nothing after a "--" is an option.
  llvm::SmallVector<const char *, 8> own = {"--start-no-unused-arguments"};
  if (!choosesLinker && hasLLD(installation))
    own.push_back("-fuse-ld=lld");
  // -B lets -print-file-name=libchan.a find it.
  own.append({"-isystem", saver.save(installation.includeDirectory).data(),
              "-B", saver.save(installation.libraryDirectory).data(),
              "--end-no-unused-arguments"});
  if (commandLine.compile.workSpan)
    own.insert(own.begin() + 1, "-D__cilkscale__=1"); // as OpenCilk's
  if (const StepName *emission = commandLine.compile.emission) {
    // Clang would complain of the -o that stands for stdout.
    size_t inputs = parsed.getAllArgValues(OPT_INPUT).size();
    if (!hasOutput && emission->form != Form::Object && inputs > 1) {
      unsigned id = diagnostics.getCustomDiagID(
          clang::DiagnosticsEngine::Error,
          "'--emit=%0' takes one file at a time; there are %1");
      diagnostics.Report(id) << emission->name << unsigned(inputs);
      return false;
    }
    addEmissionArguments(own, *emission, hasOutput);
  }
  arguments.insert(arguments.begin() + 1, own.begin(), own.end());
  return true;
}

/// Whether the target is one whose kernels --emit shows; else says so.
static bool checkEmission(const CompileOptions &options,
                          clang::DiagnosticsEngine &diagnostics) {
  if (options.target == KernelTarget::Host ||
      options.wantedTarget() == options.target)
    return true;
  unsigned id = diagnostics.getCustomDiagID(
      clang::DiagnosticsEngine::Error,
      "'--emit=%0' shows kernels of '--target=%1', not of '--target=%2'");
  auto name = [](KernelTarget target) {
    return target == KernelTarget::SIMT ? "simt" : "vgiw";
  };
  diagnostics.Report(id) << options.emission->name
                         << name(options.wantedTarget())
                         << name(options.target);
  return false;
}

/// Makes the name of a machine its file.  False, with a message, if there is
/// none, whether the machine is to be used or not.
static bool findMachine(CompileOptions &options,
                        const Installation &installation,
                        clang::DiagnosticsEngine &diagnostics) {
  std::string &machine = options.machine;
  const std::string &directory = installation.machineDirectory;
  bool isDefault = machine.empty();
  std::string file = chansim::findMachineFile(
      isDefault && options.wantedTarget() == KernelTarget::SIMT
          ? "simt-functional"
          : machine,
      directory);
  if (!machine.empty() && !llvm::sys::fs::exists(file)) {
    unsigned id = diagnostics.getCustomDiagID(
        clang::DiagnosticsEngine::Error,
        "invalid value '%0' in '--machine=%0'; expected a file, or one of: %1");
    diagnostics.Report(id) << machine
                           << llvm::join(chansim::listMachines(directory),
                                         ", ");
    return false;
  }
  machine = file;
  return true;
}

static bool isTool(llvm::ArrayRef<const char *> arguments, StringRef name) {
  return !arguments.empty() && arguments[0] == name;
}

/// Cilk-5 extends the C of its day.  What its files were called is all that
/// there is to see of it, for a file that was preprocessed before too.
static void addCilk5Arguments(llvm::opt::ArgStringList &arguments,
                              const char *header) {
  auto valueOf = [&](StringRef flag) -> StringRef {
    auto found = llvm::find(arguments, flag);
    return found == arguments.end() || std::next(found) == arguments.end()
               ? ""
               : *std::next(found);
  };
  StringRef file = valueOf("-main-file-name");
  StringRef language = valueOf("-x");
  if (!(file.ends_with(".cilk") || file.ends_with(".cilkh")) ||
      !(language == "c" || language == "cpp-output"))
    return;
  llvm::SmallVector<const char *, 4> own;
  if (language == "c")
    own.append({"-D__CILK__=1", "-include", header});
  if (llvm::none_of(arguments, [](StringRef argument) {
        return argument.starts_with("-std=");
      }))
    own.push_back("-std=gnu89");
  arguments.insert(arguments.begin() + 1, own.begin(), own.end());
}

/// The compiler proper runs in this process, also where clang would start
/// another: loading LLVM once is a third of a small compilation.  Its jobs
/// begin with `flags`.  Clang's own assembler is clang's.
static void assignCompilers(clang::driver::Compilation &compilation,
                            const Installation &installation,
                            llvm::ArrayRef<const char *> flags) {
  const char *cilk5Header = compilation.getArgs().MakeArgString(
      installation.includeDirectory + "/cilk.h");
  llvm::SmallVector<clang::driver::Command *> compilers;
  for (clang::driver::Command &job : compilation.getJobs()) {
    if (isTool(job.getArguments(), "-cc1")) {
      compilers.push_back(&job);
    } else if (isTool(job.getArguments(), "-cc1as")) {
      job.replaceExecutable(installation.clang.c_str());
      job.InProcess = false;
    }
  }
  for (clang::driver::Command *job : compilers) {
    job->InProcess = true;
    // Leaving memory to the end of the process is right for the last one only.
    llvm::opt::ArgStringList arguments = job->getArguments();
    llvm::erase_if(arguments, [&](StringRef argument) {
      return job != compilers.back() && argument == "-disable-free";
    });
    addCilk5Arguments(arguments, cilk5Header);
    arguments.insert(arguments.begin() + 1, flags.begin(), flags.end());
    job->replaceArguments(std::move(arguments));
  }
}

/// What link-time optimization prints goes to a file first, by job: it may be a
/// stack dump.
using LinkMessages =
    llvm::SmallDenseMap<const clang::driver::Command *, std::string, 1>;

static LinkMessages captureLinks(clang::driver::Compilation &compilation) {
  LinkMessages files;
  for (clang::driver::Command &job : compilation.getJobs()) {
    auto isForLTO = [](StringRef argument) {
      return argument.starts_with("-plugin-opt=");
    };
    llvm::SmallString<128> file;
    if (!job.getCreator().isLinkJob() ||
        llvm::none_of(job.getArguments(), isForLTO) ||
        llvm::sys::fs::createTemporaryFile("cilk2chan-link", "txt", file))
      continue;
    compilation.addTempFile(compilation.getArgs().MakeArgString(file));
    files[&job] = file.str();
    job.setRedirectFiles({std::nullopt, std::nullopt, file.str().str()});
  }
  return files;
}

static bool isInternalError(int result) {
  return result < 0 || result == InternalErrorStatus;
}

/// Prints what a job that is a process of its own has printed, or if it crashed
/// a message instead.
static void printMessages(const LinkMessages &files,
                          const clang::driver::Command &job, int result) {
  auto buffer = llvm::MemoryBuffer::getFile(files.lookup(&job));
  StringRef text = buffer ? (*buffer)->getBuffer() : StringRef();
  constexpr int Crashed = -2; // As llvm::sys::ExecuteAndWait has it.
  if (result == Crashed)
    llvm::errs() << describeFailure(
        llvm::sys::path::filename(job.getExecutable()), text);
  else
    llvm::errs() << text;
}

/// Executes the jobs.  One in this process that fails by an internal error ends
/// it; others, such as a linker, end by a signal or with the status for it.
static int execute(clang::driver::Driver &driver,
                   clang::driver::Compilation &compilation) {
  LinkMessages links = captureLinks(compilation);
  compilation.setPostCallback(
      [&](const clang::driver::Command &job, int result) {
        printMessages(links, job, result);
      });
  for (const char *file : compilation.getTempFiles())
    llvm::sys::RemoveFileOnSignal(file);
  auto compile = [&](llvm::SmallVectorImpl<const char *> &arguments) {
    auto isThis = [&](const clang::driver::Command &job) {
      return llvm::equal(llvm::drop_begin(arguments), job.getArguments());
    };
    const auto &jobs = compilation.getJobs();
    JobInProgress job(std::distance(jobs.begin(), llvm::find_if(jobs, isThis)));
    return runCC1(arguments);
  };
  driver.CC1Main = compile;
  llvm::SmallVector<std::pair<int, const clang::driver::Command *>, 4> failing;
  int status = driver.ExecuteCompilation(compilation, failing);
  for (auto [result, job] : failing) {
    status = status ? status : result;
    if (!isInternalError(result))
      continue;
    status = InternalErrorStatus;
    if (job->getCreator().isLinkJob())
      writeReproducer(compilation, *job);
  }
  return status;
}

/// Writes the reproducer of the job with that number.
static int reproduce(clang::driver::Compilation &compilation, unsigned number) {
  const auto &jobs = compilation.getJobs();
  if (number < jobs.size())
    writeReproducer(compilation, *std::next(jobs.begin(), number));
  return InternalErrorStatus;
}

int cilk2chan::runDriver(llvm::ArrayRef<const char *> argv) {
  handleInternalErrors(argv);
  llvm::InitializeAllTargets();
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char *, 64> arguments(argv);
  auto files = llvm::vfs::getRealFileSystem();
  llvm::Error unreadable = clang::driver::expandResponseFiles(
      arguments, /*ClangCLMode=*/false, allocator, files.get());
  if (unreadable) {
    llvm::errs() << "cilk2chan: error: " << toString(std::move(unreadable))
                 << '\n';
    return 1;
  }

  if (isTool(llvm::ArrayRef(arguments).drop_front(), "-cc1"))
    return runCC1(arguments);
  Installation installation = Installation::find(argv[0]);
  // Also for links, which other processes do.
  chansim::setMachineDirectory(installation.machineDirectory);
  if (arguments.size() > 4 && StringRef(arguments[1]) == DeviceLinkMode)
    return runDeviceLink(
        DeviceLinkCommand(llvm::ArrayRef(arguments).drop_front(2)));

  // Whether another process, with the rest of these arguments, has failed.
  std::optional<unsigned> failed;
  if (arguments.size() > 2 && arguments[1] == ReproduceMode) {
    StringRef(arguments[2]).getAsInteger(10, failed.emplace());
    arguments.erase(arguments.begin() + 1, arguments.begin() + 3);
  }

  std::unique_ptr<clang::DiagnosticOptions> diagnosticOptions =
      clang::CreateAndPopulateDiagOpts(arguments);
  auto *printer =
      new clang::TextDiagnosticPrinter(llvm::errs(), *diagnosticOptions);
  printer->setPrefix("cilk2chan");
  clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(),
                                       *diagnosticOptions, printer);
  clang::ProcessWarningOptions(diagnostics, *diagnosticOptions, *files,
                               /*ReportDiags=*/false);

  CommandLine commandLine;
  if (!parseCommandLine(arguments, saver, diagnostics, commandLine))
    return 1;
  if (commandLine.help) {
    printHelp(llvm::outs());
    return 0;
  }
  if (commandLine.version)
    llvm::outs() << "cilk2chan version " CILK2CHAN_VERSION "\n";

  std::string &machine = commandLine.compile.machine;
  if (!checkEmission(commandLine.compile, diagnostics) ||
      !findMachine(commandLine.compile, installation, diagnostics))
    return 1;
  // The last one counts: a name has become a path.
  const StepName *emission = commandLine.compile.emission;
  if (emission && isForMachine(emission->step))
    commandLine.compileFlags.push_back(
        saver.save("--machine=" + machine).data());
  if (!addOwnArguments(commandLine, installation, saver, diagnostics))
    return 1;

  clang::driver::Driver driver(installation.clang,
                               llvm::sys::getDefaultTargetTriple(), diagnostics,
                               "cilk2chan", files);
  driver.ResourceDir = installation.resourceDirectory;
  // What -v, -### and -MJ print; the toolchain is found beside clang.
  driver.ClangExecutable = installation.executable;
  // What is reproduced runs in processes of its own.
  if (!failed)
    driver.CC1Main = runCC1;

  std::unique_ptr<clang::driver::Compilation> compilation(
      driver.BuildCompilation(commandLine.clangArguments));
  if (!compilation || compilation->containsError())
    return 1;
  assignCompilers(*compilation, installation, commandLine.compileFlags);
  if (!linkRuntime(*compilation, installation, commandLine.sharedRuntime,
                   diagnostics))
    return 1;
  if (commandLine.compile.target != KernelTarget::Host)
    linkSimulator(*compilation, installation,
                  commandLine.compile.target == KernelTarget::SIMT
                      ? chansim::MachineKind::simt
                      : chansim::MachineKind::vgiw,
                  machine);
  if (failed)
    return reproduce(*compilation, *failed);
  int status = execute(driver, *compilation);
  diagnostics.getClient()->finish();
  return status;
}
