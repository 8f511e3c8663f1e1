//===- OutputFile.h - A file that a run writes ------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_OUTPUTFILE_H
#define CHANSIM_OUTPUTFILE_H

#include <string>
#include <string_view>
#include <sys/types.h>

namespace chansim {

/// What `path` is for the process of this number, which `%p` stands for.
inline std::string expandPath(const std::string &path, pid_t process) {
  std::string expanded;
  for (size_t i = 0; i != path.size(); ++i) {
    if (path.compare(i, 2, "%p") == 0) {
      expanded += std::to_string(process);
      ++i;
    } else {
      expanded += path[i];
    }
  }
  return expanded;
}

/// Where what that process writes stands until it is complete.
inline std::string unfinishedName(const std::string &expanded, pid_t process) {
  return expanded + "." + std::to_string(process) + ".part";
}

/// Written from its beginning to its end, in pieces of some size.  It has its
/// name when it is complete; if the process is killed, or a piece cannot be
/// written, there is no file of this name:
///
///   open: a.json.71.part    close: a.json    error: none
///
/// What is no regular file, such as /dev/stdout, is written in place.  One that
/// is destroyed without having been closed is left out: by the process that has
/// opened it; a forked child leaves it to its parent.
class OutputFile {
public:
  /// Opens it, empty, and removes what had its name.  `%p` in the path stands
  /// for the process's number.  Throws std::runtime_error, which names the
  /// path, if that is impossible.
  explicit OutputFile(const std::string &path);
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();

  void write(std::string_view text) {
    buffer += text;
    if (buffer.size() >= kPiece)
      flush();
  }
  /// Writes what is left.  Returns what went wrong since the beginning: ""
  /// or "PATH: reason".
  std::string close();

private:
  static constexpr size_t kPiece = 1 << 16;
  void flush();
  void note(int why);

  const pid_t owner;
  std::string path, buffer, error;
  /// Absolute, as the program may go to another directory; "" for what is
  /// written in place.
  std::string finished, unfinished;
  int file;
};

} // namespace chansim

#endif // CHANSIM_OUTPUTFILE_H
