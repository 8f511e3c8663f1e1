//===- Options.h - Settings from the environment ----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_OPTIONS_H
#define CHAN_SRC_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

namespace chan {

constexpr uint32_t kMaxWorkers = 1024;
constexpr uint32_t kMaxWidth = 1u << 20;

/// Settings from the environment.
struct Options {
  /// Threads that work on one tree, including the one that entered it.
  uint32_t workers;
  /// Processors that the process may use. Not set by the environment.
  uint32_t processors;
  /// Most pre-sync elements of one channel at one level of one worker. 0: the
  /// channel's own number.
  uint32_t width;
  /// Bytes of address space reserved for the stack of each worker.
  size_t stackBytes;
  /// Whether to write statistics, and the file for them; null: stderr.
  bool statistics = false;
  const char *statisticsFile = nullptr;
  /// The file for a trace; null: none.
  const char *traceFile = nullptr;
  /// Whether statistics have a line for each kernel at each level. Those in a
  /// file do.
  bool statisticsLevels = false;
  /// Durations of Tuning.h; null: those that stand there.
  const char *durations = nullptr;
};

/// Parses the environment.  A malformed value ends the process with a message
/// that names it and the range.  As thread-safe as getenv.
Options parseOptions();

/// A number of workers in the format of CHAN_WORKERS; 0 if `text` is none.
uint32_t parseWorkers(const char *text);

} // namespace chan

#endif
