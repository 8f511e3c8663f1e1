//===- Options.cpp - What the command line asks for -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cilk2chan/Driver/Options.h"
#include "cilk2chan/Pipelines/Pipelines.h"
#include "cilk2chan/Support/Markers.h"
#include "clang/Basic/Diagnostic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace cilk2chan;
using llvm::StringRef;

bool CompileOptions::dumpsAfter(Step step) const {
  return llvm::any_of(
      dumps, [&](const StepName *entry) { return entry->step == step; });
}

KernelTarget CompileOptions::wantedTarget() const {
  if (!emission || !isForMachine(emission->step))
    return target;
  return emission->step == Step::SIMT ? KernelTarget::SIMT : KernelTarget::VGIW;
}

namespace {

class Parser {
public:
  Parser(clang::DiagnosticsEngine &diagnostics, CommandLine &result)
      : diagnostics(diagnostics), result(result) {}

  /// Takes `argument` if it says how to compile.
  bool consumeForCompilation(StringRef argument);
  /// Takes `argument` if it is the driver's, and cilk2chan's alone.
  bool consumeForDriver(StringRef argument);

  bool failed = false;

private:
  void setEmission(StringRef value);
  void addDumps(StringRef values);
  bool consumeTarget(StringRef value);
  bool consumeSwitch(StringRef argument);
  void setLanes(StringRef value);
  void setBlock(StringRef value);
  void setTool(StringRef value);

  template <unsigned N> auto error(const char (&format)[N]) {
    failed = true;
    return diagnostics.Report(
        diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, format));
  }

  clang::DiagnosticsEngine &diagnostics;
  CommandLine &result;
};

} // namespace

void Parser::setEmission(StringRef value) {
  result.compile.emission = findEmission(value);
  if (!result.compile.emission)
    error("invalid value '%0' in '--emit=%0'; expected one of: %1")
        << value << listEmissions(", ");
}

void Parser::addDumps(StringRef values) {
  for (StringRef value : llvm::split(values, ',')) {
    if (const StepName *entry = findDump(value))
      result.compile.dumps.push_back(entry);
    else if (llvm::is_contained(pipelinePassNames(), value))
      result.compile.passDumps.push_back(value.str());
    else
      error("invalid value '%0' in '--dump-after=%0'; expected one of: %1; or "
            "the name of a pass: %2")
          << value << listDumps(", ") << llvm::join(pipelinePassNames(), ", ");
  }
}

bool Parser::consumeTarget(StringRef value) {
  if (value == "host")
    result.compile.target = KernelTarget::Host;
  else if (value == "vgiw")
    result.compile.target = KernelTarget::VGIW;
  else if (value == "simt")
    result.compile.target = KernelTarget::SIMT;
  else if (llvm::Triple(value).getArch() != llvm::Triple::UnknownArch)
    return false; // A target triple, which is for Clang.
  else
    error("invalid value '%0' in '--target=%0'; expected 'host', 'vgiw', "
          "'simt', or a target triple")
        << value;
  return true;
}

void Parser::setLanes(StringRef value) {
  unsigned &lanes = result.compile.lanes;
  if (value.getAsInteger(10, lanes) || !llvm::isPowerOf2_32(lanes) ||
      lanes < 2 || lanes > 64)
    error("invalid value '%0' in '-fchan-lanes=%0'; expected a power of two "
          "from 2 to 64")
        << value;
}

void Parser::setBlock(StringRef value) {
  unsigned &block = result.compile.block;
  if (value.getAsInteger(10, block) || block < 1 || block > MaxBlock)
    error("invalid value '%0' in '-fchan-block=%0'; expected a number from 1 "
          "to %1")
        << value << MaxBlock;
}

void Parser::setTool(StringRef value) {
  if (value == "cilkscale")
    result.compile.workSpan = true;
  else if (value == "cilksan")
    error("there is no '-fcilktool=cilksan'; '-fsanitize=thread' finds races");
  else
    error("invalid value '%0' in '-fcilktool=%0'; expected 'cilkscale'")
        << value;
}

namespace {

/// `-fchan-NAME`, `-fno-chan-NAME`, and what they set.
struct Switch {
  llvm::StringLiteral name;
  /// A name that it had before, which works as well; or "".
  llvm::StringLiteral alias;
  bool CompileOptions::*option;
  /// What --help says of the one that changes the default.
  llvm::StringLiteral help;
};

} // namespace

static constexpr Switch switches[] = {
    {"below-grain", "light", &CompileOptions::belowGrain,
     "Divide every cilk_for, also a very short one."},
    {"by-value", "arrays", &CompileOptions::byValue,
     "Pass small arrays by address, not by value."},
    {"call-promotion", "promote", &CompileOptions::promoteCalls,
     "Do not compare called pointers with functions."},
    {"clone-batches", "trees", &CompileOptions::cloneBatches,
     "Begin no batches in serial clones."},
    {"combine-results", "results", &CompileOptions::combineResults,
     "Keep results that stand in an array until the sync."},
    {"compaction", "compact", &CompileOptions::compaction,
     "Let lanes wait for the one with most iterations."},
    {"hoist", "peel", &CompileOptions::hoist,
     "Create tasks for base cases in batches, too."},
    {"interleave", "", &CompileOptions::interleave,
     "Store the arrays of lanes one behind the other."},
    {"narrow", "", &CompileOptions::narrow,
     "Compute in lanes with as many bits as C says."},
    {"positional", "order", &CompileOptions::positional,
     "Store the address of each result, not its position."},
    {"prefetch", "", &CompileOptions::prefetch,
     "Do not prefetch what children go through."},
    {"reductions", "accumulate", &CompileOptions::reductions,
     "Keep each result, also if only their sum is used."},
    {"serial-clones", "serial", &CompileOptions::serialClones,
     "Make no serial clones of spawning functions."},
    {"spawn-iterations", "iterations", &CompileOptions::spawnIterations,
     "Divide a cilk_for in recursion as any other."},
    {"uniform", "", &CompileOptions::uniform,
     "Store what all elements share in each of them."},
    {"stats", "", &CompileOptions::countClones,
     "Let serial clones count tasks, for CHAN_STATS."},
};

bool Parser::consumeSwitch(StringRef argument) {
  bool value = !argument.consume_front("-fno-chan-");
  if (value && !argument.consume_front("-fchan-"))
    return false;
  for (const Switch &entry : switches)
    if (argument == entry.name ||
        (!entry.alias.empty() && argument == entry.alias)) {
      result.compile.*entry.option = value;
      return true;
    }
  return false;
}

bool Parser::consumeForCompilation(StringRef argument) {
  FrontendOptions &frontend = result.compile.frontend;
  if (argument == "-fcilk-serialize")
    return frontend.serialize = true;
  if (argument == "-fno-cilk-serialize") {
    frontend.serialize = false;
    return true;
  }
  if (argument == "-fcilk-reducers")
    return result.compile.strands = true;
  if (argument == "-fno-cilk-reducers") {
    result.compile.strands = false;
    return true;
  }
  if (argument.consume_front("-fcilktool=")) {
    setTool(argument);
    return true;
  }
  if (argument == "-fcilk-keywords")
    return frontend.keywords = true;
  if (argument == "-fno-cilk-keywords") {
    frontend.keywords = false;
    return true;
  }
  if (argument.starts_with("-march="))
    return result.compile.namesProcessor = true;
  if (argument.consume_front("-fchan-lanes=")) {
    setLanes(argument);
    return true;
  }
  if (argument.consume_front("-fchan-block=")) {
    setBlock(argument);
    return true;
  }
  if (argument == "-fchan-batch")
    return result.compile.batchForms = result.compile.longLoops = true;
  // The second is its former name.
  if (argument == "-fno-chan-batch" || argument == "-fno-chan-simd") {
    result.compile.batchForms = result.compile.longLoops = false;
    return true;
  }
  if (consumeSwitch(argument))
    return true;
  if (frontend.parseWarningFlag(argument))
    return true;
  if (argument.consume_front("--emit=")) {
    setEmission(argument);
    return true;
  }
  if (argument.consume_front("--dump-after=")) {
    addDumps(argument);
    return true;
  }
  if (argument.consume_front("--target="))
    return consumeTarget(argument);
  if (argument.consume_front("--machine=")) {
    result.compile.machine = argument.str();
    return true;
  }
  return false;
}

bool Parser::consumeForDriver(StringRef argument) {
  if (argument == "--help" || argument == "-help") {
    result.help = true;
    return true;
  }
  if (argument == "--version") {
    // Clang's driver goes on to name the LLVM it is built on.
    result.version = true;
    return false;
  }
  // They switch on in OpenCilk, Cilk Plus and Tapir what is always on here, and
  // name the runtime whose place libchan takes.
  if (llvm::is_contained({"-fopencilk", "-fcilkplus", "-ftapir", "-fdetach",
                          "-ftapir=cilk", "-ftapir=opencilk", "-lcilkrts",
                          "-lopencilk"},
                         argument))
    return true;
  if (argument == "-shared-libchan")
    return result.sharedRuntime = true;
  if (argument == "-static-libchan") {
    result.sharedRuntime = false;
    return true;
  }
  return false;
}

CompileOptions
cilk2chan::takeCompileFlags(llvm::SmallVectorImpl<const char *> &arguments,
                            clang::DiagnosticsEngine &diagnostics) {
  CommandLine result;
  Parser parser(diagnostics, result);
  auto *rest = llvm::find_if_not(arguments, [&](const char *argument) {
    return parser.consumeForCompilation(argument);
  });
  arguments.erase(arguments.begin(), rest);
  return std::move(result.compile);
}

/// Whether a value may follow as the next argument, not only behind a "=".
static bool takesNext(StringRef argument) {
  return llvm::is_contained({"--emit", "--dump-after", "--target", "--machine"},
                            argument);
}

bool cilk2chan::parseCommandLine(llvm::ArrayRef<const char *> argv,
                                 llvm::StringSaver &saver,
                                 clang::DiagnosticsEngine &diagnostics,
                                 CommandLine &result) {
  Parser parser(diagnostics, result);
  result.clangArguments.assign(argv.begin(), argv.begin() + 1);
  bool verbatim = false;
  for (size_t i = 1; i < argv.size(); ++i) {
    const char *argument = argv[i];
    // Response files leave null where a line ended.
    bool ours = argument && !verbatim;
    if (ours && takesNext(argument)) {
      const char *value = i + 1 < argv.size() ? argv[i + 1] : nullptr;
      i += value != nullptr;
      argument =
          saver.save(StringRef(argument) + "=" + (value ? value : "")).data();
    }
    if (ours && parser.consumeForCompilation(argument)) {
      result.compileFlags.push_back(argument);
      // Clang is to see this one as well.
      StringRef flag = argument;
      ours = flag != "-Weverything" && flag != "-Wno-everything" &&
             !flag.starts_with("-march=");
    } else if (ours) {
      ours = parser.consumeForDriver(argument);
    }
    if (!ours)
      result.clangArguments.push_back(argument);
    // These hand the next argument to another tool, or name a file.
    verbatim = argument && !verbatim &&
               llvm::StringSwitch<bool>(argument)
                   .Cases({"-Xclang", "-Xlinker", "-Xassembler",
                           "-Xpreprocessor", "-mllvm", "-o"},
                          true)
                   .Default(false);
  }
  return !parser.failed;
}

namespace {

/// Prints options and their meanings in two columns of together 80 characters.
class HelpPrinter {
public:
  explicit HelpPrinter(llvm::raw_ostream &os) : os(os) {}

  void title(StringRef text) { os << '\n' << text << ":\n"; }
  void option(StringRef flag, StringRef meaning) {
    os << "  " << llvm::left_justify(flag, kFlag) << ' ';
    size_t column = 0;
    for (StringRef word : llvm::split(meaning, ' ')) {
      if (column && column + word.size() >= kMeaning) {
        os << '\n' << llvm::indent(kFlag + 3);
        column = 0;
      }
      os << (column ? " " : "") << word;
      column += word.size() + (column ? 1 : 0);
    }
    os << '\n';
  }
  /// A value of the option before.
  void value(StringRef name, StringRef meaning) {
    os << llvm::indent(6) << llvm::left_justify(name, kFlag - 3) << meaning
       << '\n';
  }

private:
  static constexpr unsigned kFlag = 26, kMeaning = 80 - kFlag - 3;
  llvm::raw_ostream &os;
};

} // namespace

static void printSwitches(HelpPrinter &help) {
  const CompileOptions defaults;
  for (const Switch &entry : switches)
    help.option(
        ((defaults.*entry.option ? "-fno-chan-" : "-fchan-") + entry.name)
            .str(),
        entry.help);
}

void cilk2chan::printHelp(llvm::raw_ostream &os) {
  os << "OVERVIEW: a C compiler for fork-join programs (cilk_spawn, cilk_sync, "
        "cilk_for)\n\n"
        "USAGE: cilk2chan [options] file...\n";
  HelpPrinter help(os);
  help.title("OUTPUT");
  help.option("--emit=<what>",
              "Write one of these, to stdout or to -o's file:");
  for (const StepName &entry : stepNames())
    if (entry.emits)
      help.value(entry.name, entry.summary);
  help.option("--dump-after=<step>",
              "Print the program after this step, to stderr: " +
                  listDumps(", ") + ", or the name of a pass.");
  help.title("MACHINE");
  help.option("--target=host",
              "Run on the processors of this machine (default).");
  help.option("--target=vgiw", "Run on the simulated VGIW machine.");
  help.option("--target=simt", "Run on a simulated SIMT machine.");
  help.option("--machine=<file>", "Read the description of that machine here.");
  help.option("-shared-libchan", "Link libchan.so, not libchan.a.");
  help.title("LANGUAGE");
  help.option("-fcilk-serialize", "Compile the serial elision.");
  help.option("-fcilk-reducers",
              "Let functions of other files have views of reducers.");
  help.option("-fcilktool=cilkscale",
              "Compile it so that it measures work and span.");
  help.option("-fno-cilk-keywords",
              "Accept cilk_spawn and cilk_sync, not spawn, sync.");
  help.option("-Wno-cilk", "Do not warn of spawns that gain or mean little.");
  help.title("BATCHES AND SIMD LANES (-O1 and up)");
  help.option("-fchan-batch",
              "Run batches also where activations may be long.");
  help.option("-fno-chan-batch", "Run no batches, and so use no SIMD lanes.");
  help.option("-fchan-lanes=<n>",
              "Give n lanes to every batch that can have lanes.");
  help.option("-fchan-block=<n>", "Let at most n elements wait in a channel.");
  help.title("ONE OPTIMISATION LESS, to compare (man cilk2chan)");
  printSwitches(help);
  help.title("OTHER");
  help.option("-fopencilk",
              "Ignored, as are -fcilkplus, -ftapir, -fdetach, -lcilkrts and "
              "-lopencilk.");
  help.option("--help", "Print this text.");
  help.option("--version", "Print the versions of cilk2chan and Clang.");
  os << "Clang's options work as well (-c -S -o -I -O ...); clang --help "
        "lists them.\n";
  help.title("ENVIRONMENT of the compiled program");
  help.option("CHAN_WORKERS",
              "The number of workers (default: one for each CPU).");
  help.option("CHAN_WIDTH", "Most elements that wait in a channel (4096).");
  help.option("CHAN_STACK", "The stack of each worker: 256K to 1024G (1G).");
  help.option("CHAN_STATS", "1: print where time went. levels, a file: all.");
  help.option("CHAN_TRACE",
              "A file: write when each worker ran what, for ui.perfetto.dev.");
  help.option("CILKSCALE_OUT",
              "A file: write what -fcilktool=cilkscale measures.");
}
