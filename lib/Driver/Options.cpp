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

using namespace cilk2chan;
using llvm::StringRef;

bool CompileOptions::dumpsAfter(Phase phase) const {
  return llvm::any_of(
      dumps, [&](const PhaseName *entry) { return entry->phase == phase; });
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
    if (const PhaseName *entry = findDump(value))
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
  if (value == "simt")
    error("target '%0' is not supported yet; use '--target=host'") << value;
  else if (value == "host")
    result.compile.target = KernelTarget::Host;
  else if (value == "vgiw")
    result.compile.target = KernelTarget::VGIW;
  else
    return false;
  return true;
}

void Parser::setLanes(StringRef value) {
  unsigned &lanes = result.compile.lanes;
  if (value.getAsInteger(10, lanes) || !llvm::isPowerOf2_32(lanes) ||
      lanes < 2 || lanes > 64)
    error("invalid value '%0' in '-fchan-lanes=%0'; expected a power of two "
          "from 2 to 64")
        << value;
  result.compile.simd = true;
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

/// `-fchan-NAME`, `-fno-chan-NAME`, and what they set.  The old names of some
/// switches stay; no document has them.
static constexpr std::pair<llvm::StringLiteral, bool CompileOptions::*>
    switches[] = {
        {"accumulate", &CompileOptions::reductions}, // old
        {"arrays", &CompileOptions::arrays},
        {"compact", &CompileOptions::compact},
        {"hoist", &CompileOptions::hoist},
        {"interleave", &CompileOptions::interleave},
        {"iterations", &CompileOptions::iterations},
        {"light", &CompileOptions::light},
        {"narrow", &CompileOptions::narrow},
        {"order", &CompileOptions::positional}, // old
        {"peel", &CompileOptions::hoist},       // old
        {"positional", &CompileOptions::positional},
        {"prefetch", &CompileOptions::prefetch},
        {"promote", &CompileOptions::promoteCalls},
        {"reductions", &CompileOptions::reductions},
        {"results", &CompileOptions::combineResults},
        {"serial", &CompileOptions::serialClones},
        {"stats", &CompileOptions::countClones},
        {"trees", &CompileOptions::trees},
        {"uniform", &CompileOptions::uniform},
};

bool Parser::consumeSwitch(StringRef argument) {
  bool value = !argument.consume_front("-fno-chan-");
  if (value && !argument.consume_front("-fchan-"))
    return false;
  for (auto [name, option] : switches)
    if (argument == name) {
      result.compile.*option = value;
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
  if (argument == "-fchan-simd")
    return result.compile.simd = true;
  if (argument == "-fno-chan-simd") {
    result.compile.simd = false;
    result.compile.lanes = 0;
    result.compile.batchForms = result.compile.longLoops = false;
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
  if (argument == "-fno-chan-batch") {
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

void cilk2chan::printHelp(llvm::raw_ostream &os) {
  os << "OVERVIEW: C with cilk_spawn and cilk_sync becomes a channel-flow "
        "graph\n\n"
        "USAGE: cilk2chan [options] file...\n\n"
        "OPTIONS:\n";
  auto option = [&](StringRef flag, StringRef meaning) {
    os << "  " << llvm::left_justify(flag, 21) << ' ' << meaning << '\n';
  };
  option("--emit=<what>", "Write this, to stdout or what -o names:");
  for (const PhaseName &entry : phaseNames())
    if (entry.emits)
      os << llvm::indent(26) << llvm::left_justify(entry.name, 10)
         << entry.summary << '\n';
  option("--dump-after=<phase>", "Print what it leaves to stderr:");
  option("", "  " + listDumps(", ") + ", or a pass");
  option("--target=host", "Run on this machine's cores (default)");
  option("--target=vgiw", "Run on the simulated VGIW machine");
  option("--machine=<file>", "The description of that machine");
  option("-fcilk-serialize", "Compile the serial elision");
  option("-fcilktool=cilkscale", "The same, which measures work and span");
  option("-fno-cilk-keywords",
         "Know cilk_spawn and cilk_sync, not spawn, sync, cilk");
  option("-fchan-simd", "Treat several elements at a time in SIMD lanes");
  option("-fchan-lanes=<n>", "The same with this many, whether it pays or not");
  option("-fno-chan-simd", "Use no lanes: neither these nor batches");
  option("-fchan-batch", "Run batches in lanes, also where loops may be long");
  option("-fno-chan-batch",
         "Run no batches in lanes; -O1 does where it is safe");
  option("-fno-chan-hoist", "Have batches run base cases of a recursion, too");
  option("-fno-chan-reductions",
         "Have batches keep each result, also where sums will do");
  option("-fno-chan-narrow", "Have lanes compute with as many bits as C says");
  option("-fno-chan-compact",
         "Have lanes wait for the one with the most iterations");
  option("-fno-chan-<what>",
         "Leave something else out, to compare: man cilk2chan");
  option("-fno-chan-arrays",
         "Pass arrays, and leave totals, at addresses only");
  option("-fchan-block=<n>",
         "Elements of a block: most that wait in a channel");
  option("-fno-chan-serial", "Make no serial clones of spawning functions");
  option("-fchan-stats",
         "Have serial clones count their tasks, for CHAN_STATS");
  option("-shared-libchan", "Link libchan.so, not libchan.a");
  option("-Wno-cilk", "Do not warn of spawns that gain or mean little");
  option("--version", "Print the versions of cilk2chan and Clang");
  os << "Clang's options work as well (-c -S -o -I -O ...); clang --help "
        "lists them.\n\n"
        "ENVIRONMENT of the compiled program:\n";
  option("CHAN_WORKERS", "Worker threads (default: the CPUs it may use)");
  option("CHAN_WIDTH", "Most elements that wait in a channel (default 4096)");
  option("CHAN_STACK", "Stack of each worker: 256K to 1024G (default 1G)");
  option("CHAN_STATS", "1, or a file (.json?): what each kernel did");
  option("CHAN_TRACE", "A file: who did what when, for ui.perfetto.dev");
  option("CILKSCALE_OUT", "A file for work and span (-fcilktool=cilkscale)");
}
