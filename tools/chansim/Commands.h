//===- Commands.h - What chansim does ---------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_COMMANDS_H
#define CHANSIM_COMMANDS_H

#include "machine/Json.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace cilk2chan {
struct Installation;
} // namespace cilk2chan

namespace chansim {

/// What a run is to be asked for: variables of the environment and their
/// values; and which of these files it writes.
struct RunRequest {
  std::vector<std::pair<std::string, std::string>> variables;
  std::vector<std::string> files;
  /// Options without files that were given, such as "--set": they are lost on a program
  /// that runs nothing on a simulated machine.
  std::vector<std::string> others;
  /// The program and its arguments.
  std::vector<std::string> command;
};

/// Prints an error to stderr.
void reportProblem(const llvm::Twine &problem);

/// Runs the program and returns its status as of waitpid(). An error if a file was
/// not written, or if options were lost.
llvm::Expected<int> waitForProgram(const RunRequest &request);
/// The exit status of a program; if a signal has ended it, raises that.
int endAs(int status);

/// Runs the program as waitForProgram() does, and makes the file `output` of it: an HTML
/// page with pictures of what the machine did.
llvm::Expected<int> reportRun(const RunRequest &request,
                              const std::string &output);

/// A program for the aggregator, in a temporary folder that is removed with it.
class CompiledScheduler {
public:
  /// Of the C file `source`, which stays as it is.
  explicit CompiledScheduler(const std::string &source) : source(source) {}
  ~CompiledScheduler();
  CompiledScheduler(const CompiledScheduler &) = delete;
  CompiledScheduler &operator=(const CompiledScheduler &) = delete;

  /// Compiles a C file with a scheduler (chan/scheduler.h).  Messages of the compiler are
  /// on stderr.
  llvm::Error compile(const cilk2chan::Installation &installation);
  /// The ELF file, whose name is that of the C file with ".elf"; "" before compile().
  const std::string &file() const { return elf; }

private:
  llvm::Error checkSource() const;
  llvm::Error runCompiler(llvm::ArrayRef<llvm::StringRef> arguments) const;
  std::string inFolder(llvm::StringRef name) const;

  std::string source, folder, elf;
};

/// The counters of two runs or more side by side; only those that differ if `changed`.
llvm::Error compareRuns(llvm::ArrayRef<std::string> files, bool changed,
                        llvm::raw_ostream &os);

/// Where a run's cycles went, by block and by source line. Sources are looked
/// for in `directories`.
llvm::Error annotateLines(const std::string &file,
                          llvm::ArrayRef<std::string> directories,
                          llvm::raw_ostream &os);

/// All parameters of a machine, with values, units and descriptions.
llvm::Error printParameters(const std::string &machineFile,
                            const std::string &overrides,
                            llvm::raw_ostream &os);

/// The kernels of an assembly file (docs/SIMT.md), in the standard form.
llvm::Error printAssembly(const std::string &file, llvm::raw_ostream &os);

/// The JSON of a report. Throws Refusal or Json::exception if it cannot be read
/// or is none of this format and version 1.
Json readReport(const std::string &file, std::string_view format);

/// Calls `read`, which reads from `file`. An error, which names the file, of
/// what it throws.
llvm::Error forReport(const std::string &file, llvm::function_ref<void()> read);

} // namespace chansim

#endif // CHANSIM_COMMANDS_H
