//===- Options.h - What the command line asks for ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_DRIVER_OPTIONS_H
#define CILK2CHAN_DRIVER_OPTIONS_H

#include "cilk2chan/Driver/CompilationSteps.h"
#include "cilk2chan/Frontend/FrontendOptions.h"
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
enum class KernelTarget { Host, VGIW, SIMT };

/// How each C file is compiled.
struct CompileOptions {
  KernelTarget target = KernelTarget::Host;
  FrontendOptions frontend;
  /// What --emit names; null leaves it to clang's -S, -c, -emit-llvm.
  const StepName *emission = nullptr;
  /// The steps that --dump-after names.
  llvm::SmallVector<const StepName *, 1> dumps;
  /// The passes that it names.
  std::vector<std::string> passDumps;

  /// The number of lanes of all batches; 0 leaves it to the estimate.
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
  /// Whether functions are also split into steps for whole batches, and
  /// whether those with loops that may be long are.
  bool batchForms = true;
  bool longLoops = false;
  /// Whether parents in batches evaluate the base cases of their children.
  bool hoist = true;
  /// Whether batches have join-free reductions, where a tree only combines the
  /// results.
  bool reductions = true;
  /// Whether results that an array has until after the sync are combined as
  /// they come. REQUIRES: reductions.
  bool combineResults = true;
  /// Whether lanes compute with fewer bits than C says.
  bool narrow = true;
  /// Whether lanes have stream compaction of iterations.
  bool compaction = true;
  /// Whether batches prefetch what pointers out of memory point to.
  bool prefetch = true;
  /// Whether a parameter that is the same in all elements of a batch is stored
  /// once.
  bool uniform = true;
  /// Whether batches have positional results.
  bool positional = true;
  /// Whether lanes' arrays are stored part by part.
  bool interleave = true;
  /// Whether small arrays go from activation to activation by value.
  bool byValue = true;
  /// Whether parallel loops in recursion spawn their iterations one by one.
  bool spawnIterations = true;
  /// Whether loops that are below grain are not divided.
  bool belowGrain = true;
  /// Whether spawning functions know their strands even if the file has no
  /// reducers: functions of other files may have some.
  bool strands = false;
  /// Whether calls through pointers are compared with functions of the file.
  bool promoteCalls = true;
  /// Whether serial clones begin batches for large trees.
  bool cloneBatches = true;
  /// Elements of a block, where no pragma says; 0 leaves it to the runtime.
  unsigned block = 0;

  /// The machine file, for what is for a machine.
  std::string machine;

  bool dumpsAfter(Step step) const;
  /// What kernels are for: as `emission` says if it is for a machine, else as
  /// `target` does.
  KernelTarget wantedTarget() const;
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
