//===- OutputFile.cpp - A file that a run writes --------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <unistd.h>

namespace chansim {

static std::string expand(const std::string &path) {
  std::string expanded;
  for (size_t i = 0; i != path.size(); ++i) {
    if (path.compare(i, 2, "%p") == 0) {
      expanded += std::to_string(getpid());
      ++i;
    } else {
      expanded += path[i];
    }
  }
  return expanded;
}

OutputFile::OutputFile(const std::string &path) : path(expand(path)) {
  file =
      open(this->path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0)
    throw std::runtime_error(this->path + ": " + std::strerror(errno));
}

OutputFile::~OutputFile() {
  if (file >= 0)
    ::close(file);
}

void OutputFile::flush() {
  std::string_view rest = buffer;
  while (!rest.empty() && error.empty()) {
    ssize_t written = ::write(file, rest.data(), rest.size());
    if (written >= 0)
      rest.remove_prefix(static_cast<size_t>(written));
    else if (errno != EINTR)
      error = path + ": " + std::strerror(errno);
  }
  buffer.clear();
}

std::string OutputFile::close() {
  flush();
  if (::close(file) != 0 && error.empty())
    error = path + ": " + std::strerror(errno);
  file = -1;
  return error;
}

} // namespace chansim
