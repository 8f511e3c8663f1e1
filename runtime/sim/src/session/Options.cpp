//===- Options.cpp - What the environment asks of a run -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "session/Options.h"

#include <charconv>
#include <stdexcept>
#include <string_view>

namespace chansim {
namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view value,
                         const std::string &why) {
  throw std::runtime_error(std::string(name) + "='" + std::string(value) +
                           "' " + why);
}

bool parseNumber(std::string_view text, uint64_t &number) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

CycleRange parseCycles(std::string_view name, std::string_view value) {
  CycleRange range;
  size_t dash = value.find('-');
  bool isRange = dash != value.npos &&
                 parseNumber(value.substr(0, dash), range.first) &&
                 parseNumber(value.substr(dash + 1), range.last) &&
                 range.first <= range.last;
  if (!isRange)
    refuse(name, value, "is no range of cycles, such as 1000-2000");
  return range;
}

uint32_t parseSeconds(std::string_view name, std::string_view value) {
  uint64_t seconds;
  if (!parseNumber(value, seconds) || seconds > 86400)
    refuse(name, value, "is not a number of seconds from 0 to 86400");
  return static_cast<uint32_t>(seconds);
}

Options::Summary parseSummary(std::string_view name, std::string_view value) {
  if (value == "0")
    return Options::Summary::none;
  if (value == "1")
    return Options::Summary::brief;
  if (value == "all")
    return Options::Summary::all;
  refuse(name, value, "is none of 0, 1 and all");
}

/// False if there is no such variable.  An empty one says nothing.
bool assign(Options &options, std::string_view name, std::string_view value) {
  bool isGiven = !value.empty();
  if (name == variable::machine)
    options.machine = value;
  else if (name == variable::machineDirectory)
    options.machineDirectory = value;
  else if (name == variable::set)
    options.set = value;
  else if (name == variable::statistics)
    options.statistics = value;
  else if (name == variable::trace)
    options.trace = value;
  else if (name == variable::traceCycles)
    options.traceCycles = isGiven ? parseCycles(name, value) : CycleRange{};
  else if (name == variable::lines)
    options.lines = value;
  else if (name == variable::summary)
    options.summary =
        isGiven ? parseSummary(name, value) : Options::Summary::none;
  else if (name == variable::progress)
    options.progress = isGiven ? parseSeconds(name, value) : 0;
  else
    return false;
  return true;
}

} // namespace

Options Options::parse(const char *const *environment) {
  Options options;
  for (; *environment; ++environment) {
    std::string_view entry = *environment;
    size_t equals = entry.find('=');
    if (!entry.starts_with("CHANSIM_") || equals == entry.npos)
      continue;
    std::string_view name = entry.substr(0, equals);
    if (!assign(options, name, entry.substr(equals + 1)))
      throw std::runtime_error(
          std::string(name) +
          " is no option of the simulator; there are CHANSIM_MACHINE, "
          "CHANSIM_MACHINE_DIRECTORY, CHANSIM_SET, CHANSIM_STATS, "
          "CHANSIM_TRACE, CHANSIM_TRACE_CYCLES, CHANSIM_LINES, "
          "CHANSIM_SUMMARY and CHANSIM_PROGRESS");
  }
  return options;
}

} // namespace chansim
