//===- Output.h - A report that is written at the end -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_OUTPUT_H
#define CHAN_SRC_OUTPUT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

namespace chan {

/// Where a report that an environment variable asks for is written.
///
/// The name is made absolute when the program begins to measure, and the file
/// is opened again when the report is written. So the program may change its
/// directory and its descriptors meanwhile.
struct Destination {
  /// `name` is a file, in which `%p` stands for the process's number, or null
  /// for stderr. Ends the process with a message that names `variable` if the
  /// file cannot be written.
  void choose(const char *variable, const char *name);

  bool isChosen() const { return variable != nullptr; }
  /// Whether this process is to write. A forked child writes a file of its own,
  /// or nothing.
  bool isOwn() const;
  /// Whether the file's name ends with `suffix`.
  bool endsWith(const char *suffix) const;

  const char *variable = nullptr;
  /// Null: stderr.
  char *path = nullptr;

private:
  friend class Output;
  pid_t chooser = 0;
  /// Whether writing has failed, which has been reported.
  mutable bool isLost = false;
};

/// Writes a report in pieces. An error is reported once per destination, at the
/// end. It changes the program's exit status 0 to 1.
///
/// Thread safety: one thread.
class Output {
public:
  /// Begins a file, or goes on with one.
  explicit Output(const Destination &destination, bool append = false);
  ~Output();
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  /// As printf, at most kLongest bytes.  Numbers are written without regard to
  /// the locale if the format has no floating point.
  void print(const char *format, ...) __attribute__((format(printf, 2, 3)));
  /// `text` as a JSON string.
  void printQuoted(const char *text);
  /// `thousandths` / 1000.
  void printDecimal(uint64_t thousandths);

private:
  static constexpr size_t kLongest = 512;

  void flush();
  void lose();

  const Destination &destination;
  int file, error = 0;
  size_t size = 0;
  char buffer[8192];
};

} // namespace chan

#endif
