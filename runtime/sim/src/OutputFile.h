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

namespace chansim {

/// Written from its beginning to its end, in pieces of some size.  One that is
/// destroyed without having been closed lacks what has been written last: so a
/// forked child does not write what its parent will write, too.
class OutputFile {
public:
  /// Opens it, empty.  `%p` in the path stands for the process's number.
  /// Throws std::runtime_error, which names the path, if that is impossible.
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

  std::string path, buffer, error;
  int file;
};

} // namespace chansim

#endif // CHANSIM_OUTPUTFILE_H
