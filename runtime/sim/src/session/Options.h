//===- Options.h - What the environment asks of a run -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_OPTIONS_H
#define CHANSIM_OPTIONS_H

#include "results/Trace.h"

#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>

namespace chansim {

/// The variables of the environment, which `chansim run` sets.
namespace variable {
inline constexpr char machine[] = "CHANSIM_MACHINE";
inline constexpr char machineDirectory[] = "CHANSIM_MACHINE_DIRECTORY";
inline constexpr char set[] = "CHANSIM_SET";
inline constexpr char statistics[] = "CHANSIM_STATS";
inline constexpr char trace[] = "CHANSIM_TRACE";
inline constexpr char traceCycles[] = "CHANSIM_TRACE_CYCLES";
inline constexpr char timeline[] = "CHANSIM_TIMELINE";
inline constexpr char lines[] = "CHANSIM_LINES";
inline constexpr char summary[] = "CHANSIM_SUMMARY";
inline constexpr char progress[] = "CHANSIM_PROGRESS";
inline constexpr char kernels[] = "CHANSIM_KERNELS";
inline constexpr char scheduler[] = "CHANSIM_SCHEDULER";
/// Which of these are options of `chansim run`: "CHANSIM_SET,CHANSIM_STATS".
inline constexpr char options[] = "CHANSIM_OPTIONS";
/// A file of `chansim run` that a session removes.
inline constexpr char begin[] = "CHANSIM_BEGIN";

inline constexpr std::string_view kPrefix = "CHANSIM_";
/// "--trace-cycles" for CHANSIM_TRACE_CYCLES.
inline std::string optionOf(std::string_view variable) {
  std::string option = "--";
  for (char c : variable.substr(kPrefix.size()))
    option += c == '_' ? '-' : static_cast<char>(std::tolower(c));
  return option;
}
} // namespace variable

struct Options {
  /// The machine file to be taken for the one that the program was linked for;
  /// "" for none.
  std::string machine;
  /// Where bases of that file may be (setMachineDirectory()); "" for none.
  std::string machineDirectory;
  /// "KEY=VALUE,...", as it was given.
  std::string set;
  /// The file of kernels to be taken for those of the program; "" for none.
  std::string kernels;
  /// The program that the aggregator runs, an ELF file for RISC-V; "" for the usual one.
  std::string scheduler;
  /// Files to be written; "" for none.
  std::string statistics, trace, timeline, lines;
  CycleRange traceCycles;
  /// A table on stderr at the end: of what matters most, or of all counters.
  enum class Summary : uint8_t { none, brief, all } summary = Summary::none;
  /// Seconds between lines on stderr; 0 for none.
  uint32_t progress = 0;
  /// The variables that options of `chansim run` have set, with commas.
  std::string fromOptions;
  /// A file that is removed when a session begins: so `chansim run` knows that one has
  /// read its options; "" for none.
  std::string begin;

  /// What the user gave: the option ("--set") or the variable ("CHANSIM_SET").
  std::string nameOf(std::string_view variable) const;

  /// Of an environment, as `environ`.  Throws std::runtime_error, which names
  /// the option or variable, if a value is malformed or a variable CHANSIM_* unknown.
  static Options parse(const char *const *environment);
};

} // namespace chansim

#endif // CHANSIM_OPTIONS_H
