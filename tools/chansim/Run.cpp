//===- Run.cpp - Run a simulated program ----------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
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
  execvp(arguments[0], arguments.data());
  int why = errno;
  llvm::WithColor::error(llvm::errs(), "chansim")
      << request.command[0] << ": " << std::strerror(why) << '\n';
  // As shells do.
  _exit(why == ENOENT ? 127 : 126);
}

llvm::Expected<int> chansim::runProgram(const RunRequest &request) {
  for (const std::string &file : request.files)
    removeOld(file);
  pid_t child = fork();
  if (child < 0)
    return llvm::createStringError(std::strerror(errno));
  if (child == 0)
    execute(request);

  // Keys that interrupt are for the program, which may go on.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED(status)) {
    std::signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  if (WEXITSTATUS(status))
    return WEXITSTATUS(status);
  for (const std::string &file : request.files)
    if (file.find("%p") == file.npos && !llvm::sys::fs::exists(file))
      return llvm::createStringError(
          request.command[0] + " did not write " + file +
          ": it called no kernel, or was not compiled with 'cilk2chan "
          "--target=vgiw'");
  return 0;
}
