//===- OutputFile.cpp - A file that a run writes --------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "results/OutputFile.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace chansim {

/// Whether `path` is the name of a regular file, or free to be one.
static bool isReplaceable(const std::string &path) {
  struct stat status;
  return lstat(path.c_str(), &status) != 0 ? errno == ENOENT
                                           : S_ISREG(status.st_mode);
}

OutputFile::OutputFile(const std::string &name)
    : owner(getpid()), path(expandPath(name, owner)) {
  const char *opened = path.c_str();
  if (isReplaceable(path)) {
    std::error_code none;
    finished = std::filesystem::absolute(path, none);
    unfinished = unfinishedName(finished, owner);
    opened = unfinished.c_str();
  }
  file = open(opened, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    throw std::runtime_error(path + ": " + std::strerror(errno));
  // A file of an earlier run must not be taken for this one's.
  if (!finished.empty())
    unlink(finished.c_str());
}

void OutputFile::note(int why) {
  if (error.empty())
    error = path + ": " + std::strerror(why);
}

OutputFile::~OutputFile() {
  if (file < 0)
    return;
  ::close(file);
  if (!unfinished.empty() && getpid() == owner)
    unlink(unfinished.c_str());
}

void OutputFile::flush() {
  std::string_view rest = buffer;
  while (!rest.empty() && error.empty()) {
    ssize_t written = ::write(file, rest.data(), rest.size());
    if (written >= 0)
      rest.remove_prefix(static_cast<size_t>(written));
    else if (errno != EINTR)
      note(errno);
  }
  buffer.clear();
}

std::string OutputFile::close() {
  flush();
  if (::close(file) != 0)
    note(errno);
  file = -1;
  if (finished.empty())
    return error;
  if (error.empty() && rename(unfinished.c_str(), finished.c_str()) != 0)
    note(errno);
  if (!error.empty())
    unlink(unfinished.c_str());
  return error;
}

} // namespace chansim
