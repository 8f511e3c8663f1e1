//===- InternalErrors.cpp - When the compiler itself fails ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InternalErrors.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/FrontendDiagnostic.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <cassert>
#include <csignal>
#include <cstdlib>
#include <unistd.h>

using namespace cilk2chan;
using llvm::StringRef;

/// How long the message may take to be made: what the failure has left behind
/// may be locked.
static constexpr unsigned secondsForMessage = 10;

namespace {
/// What there is to know when something fails, which is not the time to
/// allocate memory.
struct Knowledge {
  bool handles = false;
  /// The command line of the process that reports, with room for the number of
  /// the job.
  llvm::SmallVector<const char *, 0> command;
  char job[16] = "";
  std::string file;
  clang::DiagnosticsEngine *diagnostics = nullptr;
  std::optional<PlacesInSource::Locator> locate;
};
} // namespace

static Knowledge &known() {
  static Knowledge knowledge;
  return knowledge;
}

//===----------------------------------------------------------------------===//
// The message
//===----------------------------------------------------------------------===//

namespace {
/// What the compiler was doing, and to what.
struct Activity {
  std::string what, place, symbol;
};
} // namespace

/// Reads one line of LLVM's stack of activities.
static void readEntry(StringRef entry, Activity &activity) {
  llvm::SmallVector<StringRef> parts;
  // Passes: LLVM's, and those of Compilation.cpp; and Support/WorkingOn.h.
  static const llvm::Regex pass(
      "^Running pass ['\"]([^'\"]+)['\"] on ([a-z ]+) ['\"]@?([^'\"]*)['\"]");
  // Clang's.
  static const llvm::Regex located("^([^ ]+:[0-9]+):[0-9]+[^:]*: (.*)");
  static const llvm::Regex function("^Working on function '([^']*)'");
  if (function.match(entry, &parts)) {
    if (activity.symbol.empty())
      activity.symbol = parts[1].str();
  } else if (pass.match(entry, &parts)) {
    if (activity.what.empty())
      activity.what = ("pass '" + parts[1] + "'").str();
    if (activity.symbol.empty() && parts[2] == "function")
      activity.symbol = parts[3].str();
  } else if (located.match(entry, &parts)) {
    if (activity.what.empty())
      activity.what = ("the front end (" + parts[2] + ")").str();
    if (activity.place.empty())
      activity.place = parts[1].str();
  } else if (activity.what.empty() && entry.starts_with("<eof> parser")) {
    activity.what = "the front end (at the end of the file)";
  }
}

/// What the innermost activities say.
static Activity currentActivity() {
  Activity activity;
  auto *entry = static_cast<const llvm::PrettyStackTraceEntry *>(
      llvm::SavePrettyStackState());
  for (; entry; entry = entry->getNextEntry()) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    entry->print(stream);
    readEntry(StringRef(text).rtrim(), activity);
  }
  return activity;
}

static std::string describe(StringRef reason, StringRef place) {
  Activity activity = currentActivity();
  std::string ofFunction;
  if (place.empty() && !activity.symbol.empty() && known().locate)
    ofFunction = (*known().locate)(activity.symbol);
  for (StringRef better : {StringRef(ofFunction), place})
    if (!better.empty())
      activity.place = better.str();
  if (activity.place.empty())
    activity.place = known().file;
  std::string message = "cilk2chan: error: internal error in ";
  message += !activity.what.empty() ? activity.what
             : known().file.empty() ? "the driver"
                                    : "the compiler";
  if (!activity.place.empty())
    message += ", at " + activity.place + " of your source";
  if (!reason.empty())
    message += ": " + reason.rtrim().str();
  return message + '\n';
}

std::string cilk2chan::describeFailure(StringRef tool, StringRef output) {
  auto [reason, dump] = output.split("PLEASE submit a bug report");
  // Numbered from the outermost on.
  llvm::SmallVector<StringRef> lines;
  dump.split(lines, '\n');
  Activity activity;
  for (StringRef line : llvm::reverse(lines)) {
    auto [number, entry] = line.split(".\t");
    if (llvm::all_of(number, llvm::isDigit))
      readEntry(entry, activity);
  }
  std::string message = "cilk2chan: error: internal error in ";
  if (!activity.what.empty())
    message += activity.what + " of ";
  message += ("'" + tool + "'").str();
  if (!activity.symbol.empty())
    message += ", in function '" + activity.symbol + "'";
  reason = reason.trim();
  reason.consume_front("LLVM ERROR: ");
  if (!reason.empty())
    message += ": " + reason.str();
  return message + '\n';
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

static void print(StringRef text) {
  while (!text.empty()) {
    ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0)
      return;
    text = text.drop_front(written);
  }
}

/// Leaves it to another process to write the reproducer, if there can be one.
[[noreturn]] static void finish() {
  alarm(0);
  if (*known().job)
    execv("/proc/self/exe", const_cast<char **>(known().command.data()));
  _exit(InternalErrorStatus);
}

/// What is done if the message cannot be made.
[[noreturn]] static void giveUp() {
  print("cilk2chan: error: internal error in an unknown place\n");
  finish();
}

[[noreturn]] void cilk2chan::reportInternalError(StringRef reason,
                                                 StringRef place) {
  static std::atomic_flag isReporting;
  if (isReporting.test_and_set())
    giveUp();
  signal(SIGALRM, [](int) { giveUp(); });
  alarm(secondsForMessage);
  // Unfinished output is removed.
  llvm::sys::RunInterruptHandlers();
  print(describe(reason, place));
  finish();
}

static constexpr std::pair<int, const char *> crashes[] = {
    {SIGSEGV, "segmentation fault"},  {SIGBUS, "bus error"},
    {SIGILL, "illegal instruction"},  {SIGTRAP, "trap"},
    {SIGFPE, "arithmetic exception"}, {SIGABRT, "aborted"},
};

static void handleCrash(int signal) {
  for (auto [number, name] : crashes)
    if (number == signal)
      reportInternalError(name);
}

/// Serves LLVM's `report_fatal_error`.
static void handleFatalError(void *, const char *message, bool isInternal) {
  clang::DiagnosticsEngine *diagnostics = known().diagnostics;
  if (isInternal || !diagnostics)
    reportInternalError(message);
  diagnostics->Report(clang::diag::err_fe_error_backend) << message;
  llvm::sys::RunInterruptHandlers();
  llvm::sys::Process::Exit(1);
}

static void handleLackOfMemory(void *, const char *, bool) {
  reportInternalError("out of memory");
}

void cilk2chan::handleInternalErrors(llvm::ArrayRef<const char *> argv) {
  Knowledge &knowledge = known();
  knowledge.command = {argv[0], ReproduceMode.data(), knowledge.job};
  llvm::append_range(knowledge.command, argv.drop_front());
  knowledge.command.push_back(nullptr);

  // LLVM's own handlers come first, with the stack that handlers run on and
  // the removal of files when a signal from outside ends the process.
  llvm::sys::SetOneShotPipeSignalFunction(
      llvm::sys::DefaultOneShotPipeSignalHandler);
  for (auto [number, name] : crashes) {
    struct sigaction action = {};
    action.sa_handler = handleCrash;
    // A failure in the handler comes to it again.
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    sigaction(number, &action, nullptr);
  }
  llvm::install_fatal_error_handler(handleFatalError);
  llvm::install_bad_alloc_error_handler(handleLackOfMemory);
  llvm::install_out_of_memory_new_handler();
  knowledge.handles = true;
}

/// What `assert` calls instead of the C library's.
extern "C" void __assert_fail(const char *assertion, const char *file,
                              unsigned line, const char *) noexcept {
  std::string reason = (StringRef("assertion '") + assertion + "' failed, " +
                        file + ":" + llvm::Twine(line))
                           .str();
  if (known().handles)
    reportInternalError(reason);
  print(reason + "\n");
  abort();
}

//===----------------------------------------------------------------------===//
// What is in progress
//===----------------------------------------------------------------------===//

JobInProgress::JobInProgress(unsigned number) {
  snprintf(known().job, sizeof(known().job), "%u", number);
}

JobInProgress::~JobInProgress() { *known().job = '\0'; }

PlacesInSource::PlacesInSource(Locator locate)
    : before(std::exchange(known().locate, locate)) {}

PlacesInSource::~PlacesInSource() { known().locate = before; }

FileInProgress::FileInProgress(StringRef name,
                               clang::DiagnosticsEngine &diagnostics) {
  known().file = name.str();
  known().diagnostics = &diagnostics;
}

FileInProgress::~FileInProgress() {
  known().file.clear();
  known().diagnostics = nullptr;
}
