//===- Output.cpp - A report that is written at the end -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Output.h"
#include "Support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace chan {
namespace {

constexpr size_t kLongestPath = 4096;

int openFor(const char *path, int flag) {
  char expanded[kLongestPath];
  size_t size = 0;
  while (*path && size < sizeof expanded - 24) {
    if (path[0] == '%' && path[1] == 'p') {
      size += static_cast<size_t>(
          snprintf(expanded + size, 24, "%ld", long(getpid())));
      path += 2;
    } else {
      expanded[size++] = *path++;
    }
  }
  if (*path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  expanded[size] = '\0';
  return open(expanded, O_WRONLY | O_CREAT | O_CLOEXEC | flag, 0666);
}

void sayUnwritable(const Destination &destination, int error) {
  (Message() << "cannot write '" << destination.path << "' ("
             << destination.variable << "): " << strerror(error))
      .print();
}

/// Whether the process ends, rather than the library that holds this. When a
/// library is unloaded, its destructors run before its atexit handlers.
bool isExiting = false;

void noteExit() { isExiting = true; }

void failIfFine(int status, void *) {
  if (status == 0)
    exit(1);
}

} // namespace

void Destination::choose(const char *name, const char *file) {
  variable = name;
  chooser = getpid();
  atexit(noteExit);
  if (!file)
    return;
  char directory[kLongestPath] = "";
  bool isRelative = *file != '/' && getcwd(directory, sizeof directory);
  path = static_cast<char *>(malloc(strlen(directory) + strlen(file) + 2));
  if (path)
    sprintf(path, isRelative ? "%s/%s" : "%s%s", directory, file);
  int opened = path ? openFor(path, O_TRUNC) : -1;
  if (opened < 0) {
    if (path)
      sayUnwritable(*this, errno);
    variable = nullptr; // nor reported at the end
    fail();
  }
  close(opened);
}

bool Destination::isOwn() const {
  return isChosen() && (!path || strstr(path, "%p") || getpid() == chooser);
}

bool Destination::endsWith(const char *suffix) const {
  size_t length = path ? strlen(path) : 0, wanted = strlen(suffix);
  return length >= wanted && strcmp(path + length - wanted, suffix) == 0;
}

Output::Output(const Destination &destination, bool append)
    : destination(destination),
      file(destination.path
               ? openFor(destination.path, append ? O_APPEND : O_TRUNC)
               : STDERR_FILENO) {
  if (file < 0)
    error = errno;
}

Output::~Output() {
  flush();
  if (destination.path && file >= 0 && close(file) != 0 && !error)
    error = errno;
  if (error)
    lose();
  // Registered by a destructor, it runs after all destructors. The library that
  // holds it is no longer unloaded then.
  if (destination.isLost && isExiting)
    on_exit(failIfFine, nullptr);
}

void Output::lose() {
  if (destination.path && !destination.isLost)
    sayUnwritable(destination, error);
  destination.isLost = true;
}

void Output::flush() {
  const char *from = buffer;
  while (size && !error) {
    ssize_t written = write(file, from, size);
    if (written >= 0) {
      from += written;
      size -= static_cast<size_t>(written);
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  size = 0;
}

void Output::print(const char *format, ...) {
  if (sizeof buffer - size < kLongest)
    flush();
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(buffer + size, kLongest, format, arguments);
  va_end(arguments);
  if (length > 0)
    size += size_t(length) < kLongest ? size_t(length) : kLongest - 1;
}

void Output::printQuoted(const char *text) {
  print("\"");
  for (; *text; ++text) {
    auto byte = static_cast<unsigned char>(*text);
    if (byte < ' ' || byte >= 0x7f)
      print("\\u%04x", byte);
    else
      print(byte == '"' || byte == '\\' ? "\\%c" : "%c", byte);
  }
  print("\"");
}

void Output::printDecimal(uint64_t thousandths) {
  print("%llu.%03llu", static_cast<unsigned long long>(thousandths / 1000),
        static_cast<unsigned long long>(thousandths % 1000));
}

} // namespace chan
