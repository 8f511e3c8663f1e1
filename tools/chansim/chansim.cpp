//===- chansim.cpp - Run simulated programs and read their reports --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "cilk2chan/Driver/Installation.h"
#include "machine/Machine.h"
#include "machine/NearNames.h"
#include "session/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace chansim;
using cilk2chan::Installation;

namespace {

cl::OptionCategory category("chansim options");

cl::SubCommand run("run", "Run a program and report what the machine did");
cl::SubCommand report("report", "Run a program and make an HTML page with "
                                "pictures of what the machine did");
cl::SubCommand compare("compare", "Print the counters of runs side by side");
cl::SubCommand annotate("annotate", "Print where the cycles of a run went, "
                                    "by block and source line");
cl::SubCommand parameters("parameters", "Print what --set may change");
cl::SubCommand assembly("assembly", "Read kernels for a SIMT core, and print "
                                    "them in the standard form");

cl::opt<std::string>
    machine("machine",
            cl::desc("The machine: a file, or the name of one that "
                     "is installed"),
            cl::value_desc("machine"), cl::sub(run), cl::sub(report),
            cl::sub(parameters), cl::cat(category));
cl::list<std::string> set("set", cl::desc("Change a parameter of the machine"),
                          cl::value_desc("key=value"), cl::sub(run),
                          cl::sub(report), cl::sub(parameters),
                          cl::cat(category));
cl::opt<std::string>
    kernels("kernels",
            cl::desc("Run the kernels of this file instead of the program's"),
            cl::value_desc("file"), cl::sub(run), cl::sub(report),
            cl::cat(category));
cl::opt<std::string> scheduler(
    "scheduler", cl::desc("Let the aggregator run this C file's scheduler"),
    cl::value_desc("file.c"), cl::sub(run), cl::sub(report), cl::cat(category));
cl::opt<std::string> stats("stats", cl::desc("Write all counters, as JSON"),
                           cl::value_desc("file"), cl::sub(run),
                           cl::cat(category));
cl::opt<std::string> trace("trace",
                           cl::desc("Write what happened when, for "
                                    "ui.perfetto.dev"),
                           cl::value_desc("file"), cl::sub(run),
                           cl::cat(category));
cl::opt<std::string> traceCycles("trace-cycles",
                                 cl::desc("Of these cycles only"),
                                 cl::value_desc("first-last"), cl::sub(run),
                                 cl::cat(category));
cl::opt<std::string>
    timeline("timeline",
             cl::desc("Write how the counters rose during the run, as JSON"),
             cl::value_desc("file"), cl::sub(run), cl::cat(category));
cl::opt<std::string>
    lines("lines", cl::desc("Write where the cycles went, for annotate"),
          cl::value_desc("file"), cl::sub(run), cl::cat(category));
cl::opt<std::string> summary("summary",
                             cl::desc("Print the most important counters to "
                                      "stderr, or all of them"),
                             cl::value_desc("all"), cl::ValueOptional,
                             cl::sub(run), cl::cat(category));
cl::opt<std::string> progress("progress",
                              cl::desc("Print to stderr how far it is, every "
                                       "second or as often as this says"),
                              cl::value_desc("seconds"), cl::ValueOptional,
                              cl::sub(run), cl::cat(category));
cl::opt<std::string> program(cl::Positional, cl::Required, cl::desc("program"),
                             cl::sub(run), cl::sub(report), cl::cat(category));
cl::list<std::string> arguments(cl::ConsumeAfter, cl::desc("[arguments...]"),
                                cl::sub(run), cl::sub(report),
                                cl::cat(category));

cl::opt<std::string> page("o", cl::desc("The page's file"),
                          cl::value_desc("page.html"), cl::sub(report),
                          cl::cat(category));

cl::list<std::string> compared(cl::Positional, cl::OneOrMore,
                               cl::desc("a.json b.json..."), cl::sub(compare),
                               cl::cat(category));
cl::opt<bool> changed("changed", cl::desc("Only those that differ"),
                      cl::sub(compare), cl::cat(category));

cl::opt<std::string> linesFile(cl::Positional, cl::Required,
                               cl::desc("lines.json"), cl::sub(annotate),
                               cl::cat(category));
cl::opt<std::string> assemblyFile(cl::Positional, cl::Required,
                                  cl::desc("kernels.simt"), cl::sub(assembly),
                                  cl::cat(category));
cl::list<std::string> sources("source",
                              cl::desc("Look for source files there, too"),
                              cl::value_desc("directory"), cl::sub(annotate),
                              cl::cat(category));

} // namespace

/// The file of the machine; empty if the command line names none.
static Expected<std::string> findMachine(const std::string &directory) {
  std::string file = findMachineFile(machine, directory);
  if (machine.empty() || sys::fs::exists(file))
    return machine.empty() ? "" : file;
  std::vector<std::string> names = listMachines(directory);
  std::string meant = didYouMean(machine, names);
  return createStringError(
      "there is no machine '" + machine + "'" +
      (meant.empty() ? "; expected a file, or one of: " + join(names, ", ")
                     : meant));
}

static RunRequest makeRequest(const std::string &machineFile,
                              const std::string &machineDirectory,
                              const std::string &schedulerFile) {
  RunRequest request;
  auto pass = [&](const char *name, const std::string &value) {
    if (!value.empty())
      request.variables.emplace_back(name, value);
  };
  auto passFile = [&](const char *name, const std::string &file) {
    pass(name, file);
    if (!file.empty())
      request.files.push_back(file);
  };
  // One without a value.
  auto passFlag = [&](const char *name, const cl::opt<std::string> &flag) {
    pass(name, flag.getNumOccurrences() && flag.empty() ? "1" : flag.c_str());
  };
  pass(variable::machine, machineFile);
  if (!machineFile.empty())
    pass(variable::machineDirectory, machineDirectory);
  pass(variable::set, join(set, ","));
  pass(variable::kernels, kernels);
  pass(variable::scheduler, schedulerFile);
  passFile(variable::statistics, stats);
  passFile(variable::trace, trace);
  pass(variable::traceCycles, traceCycles);
  passFile(variable::timeline, timeline);
  passFile(variable::lines, lines);
  passFlag(variable::summary, summary);
  passFlag(variable::progress, progress);
  // For messages; an empty list hides that of another `chansim run` outside.
  std::vector<std::string> given;
  for (const auto &[name, value] : request.variables)
    given.push_back(name);
  request.variables.emplace_back(variable::options, join(given, ","));
  for (const std::string &name : given)
    if (name != variable::machineDirectory)
      request.others.push_back(variable::optionOf(name));
  request.command.push_back(program);
  request.command.insert(request.command.end(), arguments.begin(),
                         arguments.end());
  return request;
}

/// The status is as of waitpid().
static Expected<int> runWithScheduler(const std::string &machineFile,
                                      const Installation &installation) {
  CompiledScheduler compiled(scheduler);
  if (scheduler.getNumOccurrences() && scheduler.empty())
    return createStringError("--scheduler: there is no file's name behind "
                             "'='; give a C file, as in --scheduler=mine.c");
  if (!scheduler.empty())
    if (Error failure = compiled.compile(installation))
      return std::move(failure);
  RunRequest request =
      makeRequest(machineFile, installation.machineDirectory, compiled.file());
  return report ? reportRun(request, page) : waitForProgram(request);
}

static Expected<int> execute(const Installation &installation) {
  const std::string &machineDirectory = installation.machineDirectory;
  setMachineDirectory(machineDirectory);
  Expected<std::string> machineFile = findMachine(machineDirectory);
  if (!machineFile)
    return machineFile.takeError();
  if (run || report) {
    Expected<int> status = runWithScheduler(*machineFile, installation);
    // By then, all temporary files are gone.
    return status ? Expected<int>(endAs(*status)) : std::move(status);
  }
  auto done = [](Error error) -> Expected<int> {
    if (error)
      return std::move(error);
    return 0;
  };
  if (compare)
    return done(compareRuns(compared, changed, outs()));
  if (annotate)
    return done(annotateLines(linesFile, sources, outs()));
  if (assembly)
    return done(printAssembly(assemblyFile, outs()));
  return done(printParameters(findMachineFile(machine, machineDirectory),
                              join(set, ","), outs()));
}

int main(int argc, char **argv) {
  for (cl::SubCommand *command :
       {&run, &report, &compare, &annotate, &parameters, &assembly})
    cl::HideUnrelatedOptions(category, *command);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(
      [](raw_ostream &os) { os << "chansim version " CILK2CHAN_VERSION "\n"; });
  cl::ParseCommandLineOptions(
      argc, argv,
      "runs programs of 'cilk2chan --target=vgiw' or '--target=simt' and "
      "reads their reports\n");
  auto fail = [](Error error) {
    handleAllErrors(std::move(error), [](const ErrorInfoBase &one) {
      WithColor::error(errs(), "chansim") << one.message() << '\n';
    });
    return 1;
  };
  if (!run && !report && !compare && !annotate && !parameters && !assembly)
    return fail(createStringError(
        "no command; expected run, report, compare, annotate, parameters or "
        "assembly"));
  Expected<int> status = execute(Installation::find(argv[0]));
  if (!status)
    return fail(status.takeError());
  return *status;
}
