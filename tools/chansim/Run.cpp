//===- Run.cpp - Run a simulated program ----------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "results/OutputFile.h"
#include "session/Options.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace chansim;

/// A file of an earlier run must not be taken for this one's.
static void removeOld(const std::string &file) {
  if (llvm::sys::fs::is_regular_file(file))
    llvm::sys::fs::remove(file);
}

[[noreturn]] static void execute(const RunRequest &request) {
  std::vector<char *> arguments;
  for (const std::string &argument : request.command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  for (const auto &[name, value] : request.variables)
    setenv(name.c_str(), value.c_str(), /*overwrite=*/1);
  // Who ends `chansim run` means the program.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // Not execvp(), which gives a text that is no program to a shell.
  std::string program = request.command[0];
  if (program.find('/') == std::string::npos)
    if (auto found = llvm::sys::findProgramByName(program))
      program = *found;
  execv(program.c_str(), arguments.data());
  int why = errno;
  auto &os = llvm::WithColor::error(llvm::errs(), "chansim")
             << request.command[0] << ": ";
  if (why == ENOEXEC)
    os << "is no program; a text with kernels is given by --kernels\n";
  else
    os << std::strerror(why) << '\n';
  // As shells do.
  _exit(why == ENOENT ? 127 : 126);
}

/// What there is of `file` after a program that did not complete it. Part of a
/// trace is of use; other files are written at the end, and empty before.
static llvm::Error reportUnfinished(const std::string &program,
                                    const std::string &file,
                                    const std::string &unfinished, int status) {
  std::string end = WIFSIGNALED(status)
                        ? std::string("was ended by a signal (") +
                              strsignal(WTERMSIG(status)) + ")"
                        : "ended by '_exit' or 'exec'";
  uint64_t size = 0;
  llvm::sys::fs::file_size(unfinished, size);
  if (size && !llvm::sys::fs::rename(unfinished, file))
    return llvm::createStringError(program + " " + end + ": the end of " +
                                   file + " is missing");
  llvm::sys::fs::remove(unfinished);
  return llvm::createStringError(program + " " + end + ": " + file +
                                 ", to be written at the end, is not there");
}

/// An error for each file that is not what was asked for.
static llvm::Error checkFiles(const RunRequest &request, pid_t process,
                              int status) {
  llvm::Error problems = llvm::Error::success();
  auto add = [&](llvm::Error problem) {
    problems = llvm::joinErrors(std::move(problems), std::move(problem));
  };
  for (const std::string &file : request.files) {
    std::string expanded = expandPath(file, process);
    std::string unfinished = unfinishedName(expanded, process);
    if (llvm::sys::fs::exists(unfinished))
      add(reportUnfinished(request.command[0], expanded, unfinished, status));
    else if (status == 0 && file == expanded && !llvm::sys::fs::exists(file))
      add(llvm::createStringError(
          request.command[0] + " did not write " + file +
          ": it called no kernel, or was not compiled with 'cilk2chan "
          "--target=vgiw' or '--target=simt'"));
  }
  return problems;
}

namespace {

/// A file that is there until a session on a simulated machine begins.  If options ask
/// for files, these tell whether there was one.
class BeginFile {
public:
  explicit BeginFile(const RunRequest &request) : request(request) {
    if (!request.others.empty() && request.files.empty())
      // Without this file, there is no message.
      (void)llvm::sys::fs::createTemporaryFile("chansim-begin", "", path);
  }
  ~BeginFile() {
    if (!path.empty())
      llvm::sys::fs::remove(path);
  }
  BeginFile(const BeginFile &) = delete;
  BeginFile &operator=(const BeginFile &) = delete;

  /// In the program's process.
  void pass() const {
    if (!path.empty())
      setenv(variable::begin, path.str().str().c_str(), /*overwrite=*/1);
  }
  llvm::Error check() const {
    if (path.empty())
      return llvm::Error::success();
    if (!llvm::sys::fs::exists(path)) {
      // If the program is run by another `chansim run`, that wants to know as well.
      if (const char *outer = std::getenv(variable::begin))
        llvm::sys::fs::remove(outer);
      return llvm::Error::success();
    }
    return llvm::createStringError(
        request.command[0] + " ran nothing on a simulated machine, so " +
        joinNames(request.others, " and ") +
        " had no effect: it called no kernel, or was not compiled with "
        "'cilk2chan --target=vgiw' or '--target=simt'");
  }

private:
  const RunRequest &request;
  llvm::SmallString<128> path;
};

} // namespace

void chansim::reportProblem(const llvm::Twine &problem) {
  llvm::WithColor::error(llvm::errs(), "chansim") << problem << '\n';
}

llvm::Expected<int> chansim::waitForProgram(const RunRequest &request) {
  for (const std::string &file : request.files)
    removeOld(file);
  BeginFile begin(request);
  pid_t child = fork();
  if (child < 0)
    return llvm::createStringError(std::strerror(errno));
  if (child == 0) {
    begin.pass();
    execute(request);
  }

  // Keys that interrupt are for the program, which may go on.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  llvm::Error problems = checkFiles(request, child, status);
  if (status == 0)
    problems = llvm::joinErrors(std::move(problems), begin.check());
  if (status == 0 && problems)
    return std::move(problems);
  llvm::handleAllErrors(std::move(problems), [](llvm::ErrorInfoBase &problem) {
    reportProblem(problem.message());
  });
  return status;
}

int chansim::endAs(int status) {
  if (WIFSIGNALED(status)) {
    std::signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  return WEXITSTATUS(status);
}
