//===- InternalErrors.h - When the compiler itself fails --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A signal, a failed assertion, LLVM's fatal errors, lack of memory, and IR of
// ours that is not valid all end in one message and exit status 70:
//
//   cilk2chan: error: internal error in pass 'asan', at f.c:3 of your source:
//   segmentation fault
//   cilk2chan: note: '/tmp/f-1c0e5f.sh' reproduces it, from ...
//
// Where the compiler was is what LLVM and Clang keep for their stack dumps
// (llvm::PrettyStackTraceEntry).  The process is not to be relied on any
// more: once the message is written it becomes, by exec, another cilk2chan,
// which writes the reproducer (Reproducer.h).
//
//===----------------------------------------------------------------------===//

#ifndef CILK2CHAN_LIB_DRIVER_INTERNALERRORS_H
#define CILK2CHAN_LIB_DRIVER_INTERNALERRORS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace clang {
class DiagnosticsEngine;
} // namespace clang

namespace cilk2chan {

/// The exit status, as Clang's: EX_SOFTWARE of <sysexits.h>.
inline constexpr int InternalErrorStatus = 70;

/// The first argument of a process that reports for one that has failed; the
/// number of the job follows, then the command line.
inline constexpr llvm::StringLiteral ReproduceMode = "-reproduce";

/// Handles all that is left to chance in a process with these arguments, which
/// must outlive it.
void handleInternalErrors(llvm::ArrayRef<const char *> argv);

/// Ends the process with the message.  `place` is "FILE:LINE", if that is not
/// where the function stands that is being worked on.
[[noreturn]] void reportInternalError(llvm::StringRef reason,
                                      llvm::StringRef place = {});

/// The message for another tool, such as the linker, that has failed and
/// printed `output`, with LLVM's stack dump perhaps.
std::string describeFailure(llvm::StringRef tool, llvm::StringRef output);

/// Says, as long as it lives, which job of the command line is executed: its
/// error can be reproduced.
class JobInProgress {
public:
  explicit JobInProgress(unsigned number);
  ~JobInProgress();
};

/// Says, as long as it lives, how to find places in the source.
class PlacesInSource {
public:
  /// "FILE:LINE" of the function with that symbol; empty if it is not known.
  using Locator = llvm::function_ref<std::string(llvm::StringRef symbol)>;

  explicit PlacesInSource(Locator locate);
  ~PlacesInSource();

private:
  std::optional<Locator> before;
};

/// Says, as long as it lives, which file is compiled, and how to report what
/// LLVM calls fatal though the user is to blame.
class FileInProgress {
public:
  FileInProgress(llvm::StringRef name, clang::DiagnosticsEngine &diagnostics);
  ~FileInProgress();
};

} // namespace cilk2chan

#endif // CILK2CHAN_LIB_DRIVER_INTERNALERRORS_H
