//===- Options.h - What the command line asks for ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DRIVER_OPTIONS_H
#define CILK2CHAN_DRIVER_OPTIONS_H

#include "cilk2chan/Driver/Phases.h"
#include "cilk2chan/Frontend/CilkFrontendAction.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class DiagnosticsEngine;
} // namespace clang
namespace llvm {
class StringSaver;
class raw_ostream;
} // namespace llvm

namespace cilk2chan {

/// What kernels run on.
enum class KernelTarget { Host, VGIW };

/// How each C file is compiled.
struct CompileOptions {
  KernelTarget target = KernelTarget::Host;
  FrontendOptions frontend;
  /// What --emit names; null leaves it to clang's -S, -c, -emit-llvm.
  const PhaseName *emission = nullptr;
  /// The phases that --dump-after names.
  llvm::SmallVector<const PhaseName *, 1> dumps;
  /// The passes that it names.
  std::vector<std::string> passDumps;

  /// Whether kernels may have lanes, and how many all of them have; 0 leaves
  /// it to what pays.
  bool simd = false;
  unsigned lanes = 0;
  /// Whether the program runs as its serial elision, and measures what it could
  /// do in parallel.
  bool workSpan = false;
  /// Whether spawning functions get serial clones, where code is optimised, and
  /// whether those count their tasks.
  bool serialClones = true;
  bool countClones = false;
  /// Whether -march names a processor, for which all code is then.
  bool namesProcessor = false;
  /// Whether functions are also split into phases for whole batches, and
  /// whether those with loops that may be long are.
  bool batchForms = true;
  bool longLoops = false;
  /// Whether parents in batches evaluate base cases of their children.
  bool hoist = true;
  /// Whether batches have kernels that wait for no child, where results are
  /// only combined.
  bool reductions = true;
  /// Combine children's results as they come where an array has them until
  /// after the sync; of use only with `reductions`.
  bool combineResults = true;
  /// Whether lanes have values of fewer bits than C gives them.
  bool narrow = true;
  /// Whether those compact iterations of many activations.
  bool compact = true;
  /// Whether they fetch ahead what pointers out of memory point to.
  bool prefetch = true;
  /// Whether what all elements of a batch have the same of is there once.
  bool uniform = true;
  /// Whether results are found by their place among the children.
  bool positional = true;
  /// Whether lanes have the copies of an array part by part.
  bool interleave = true;
  /// Whether small arrays go from activation to activation by value.
  bool arrays = true;
  /// Whether parallel loops in recursion spawn their iterations one by one.
  bool iterations = true;
  /// Whether loops that are over before others could help are not divided.
  bool light = true;
  /// Whether pointers to functions are compared with those they may point to.
  bool promoteCalls = true;
  /// Whether serial clones leave large trees that they begin to batches.
  bool trees = true;
  /// Elements of a block, where no pragma says; 0 leaves it to the runtime.
  unsigned block = 0;

  /// The machine file, for what is for a machine.
  std::string machine;

  bool dumpsAfter(Phase phase) const;
};

/// Takes those of cilk2chan's flags that a -cc1 job begins with, and removes
/// them from its arguments.  Reports what is wrong with them to `diagnostics`.
CompileOptions takeCompileFlags(llvm::SmallVectorImpl<const char *> &arguments,
                                clang::DiagnosticsEngine &diagnostics);

/// A command line, taken apart into what is cilk2chan's and what is clang's.
struct CommandLine {
  CompileOptions compile;
  /// The flags that say so, for the -cc1 jobs to begin with.
  llvm::SmallVector<const char *, 8> compileFlags;
  bool help = false;
  bool version = false;
  /// Link libchan.so, which a program and its libraries share.
  bool sharedRuntime = false;
  /// What clang's driver is to see, the program's name first.  Points into
  /// the arguments that were parsed.
  llvm::SmallVector<const char *, 64> clangArguments;
};

/// Parses `argv`, the program's name first, response files already expanded.
/// Reports what is wrong with cilk2chan's own flags to `diagnostics`, and
/// returns whether nothing was.  New arguments are in `saver`.
bool parseCommandLine(llvm::ArrayRef<const char *> argv,
                      llvm::StringSaver &saver,
                      clang::DiagnosticsEngine &diagnostics,
                      CommandLine &result);

/// Prints cilk2chan's own flags, and where to find clang's.
void printHelp(llvm::raw_ostream &os);

} // namespace cilk2chan

#endif // CILK2CHAN_DRIVER_OPTIONS_H
