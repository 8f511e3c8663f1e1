//===- Options.cpp - What the environment asks of a run -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "session/Options.h"
#include "machine/NearNames.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>

namespace chansim {
namespace {

using variable::kPrefix;

/// `name` is that of the option or variable.
[[noreturn]] void refuse(const std::string &name, std::string_view value,
                         const std::string &why) {
  throw std::runtime_error(name + "='" + std::string(value) + "' " + why);
}

bool parseNumber(std::string_view text, uint64_t &number) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

CycleRange parseCycles(const std::string &name, std::string_view value) {
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

uint32_t parseSeconds(const std::string &name, std::string_view value) {
  uint64_t seconds;
  if (!parseNumber(value, seconds) || seconds > 86400)
    refuse(name, value, "is not a number of seconds from 0 to 86400");
  return static_cast<uint32_t>(seconds);
}

Options::Summary parseSummary(const std::string &name, std::string_view value) {
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
  const std::string given = options.nameOf(name);
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
    options.traceCycles = isGiven ? parseCycles(given, value) : CycleRange{};
  else if (name == variable::timeline)
    options.timeline = value;
  else if (name == variable::kernels)
    options.kernels = value;
  else if (name == variable::scheduler)
    options.scheduler = value;
  else if (name == variable::options)
    options.fromOptions = value;
  else if (name == variable::begin)
    options.begin = value;
  else if (name == variable::lines)
    options.lines = value;
  else if (name == variable::summary)
    options.summary =
        isGiven ? parseSummary(given, value) : Options::Summary::none;
  else if (name == variable::progress)
    options.progress = isGiven ? parseSeconds(given, value) : 0;
  else
    return false;
  return true;
}

/// Calls visit(name, value) for each variable CHANSIM_*.
template <class Visit>
void forEachVariable(const char *const *environment, Visit &&visit) {
  for (; *environment; ++environment) {
    std::string_view entry = *environment;
    size_t equals = entry.find('=');
    if (entry.starts_with(kPrefix) && equals != entry.npos)
      visit(entry.substr(0, equals), entry.substr(equals + 1));
  }
}

[[noreturn]] void refuseUnknown(std::string_view name) {
  std::vector<std::string> names;
  for (std::string_view known :
       {variable::machine, variable::machineDirectory, variable::set,
        variable::kernels, variable::scheduler, variable::statistics,
        variable::trace, variable::traceCycles, variable::timeline,
        variable::lines, variable::summary, variable::progress})
    names.emplace_back(known.substr(kPrefix.size()));
  std::vector<std::string> meant =
      nearNames(name.substr(kPrefix.size()), names);
  const bool isNear = !meant.empty();
  if (!isNear)
    meant = std::move(names);
  for (std::string &one : meant)
    one.insert(0, kPrefix);
  throw std::runtime_error(
      std::string(name) + " is no option of the simulator; " +
      (isNear ? "did you mean " + joinNames(meant, " or ") + "?"
              : "there are " + joinNames(meant, " and ")));
}

} // namespace

std::string Options::nameOf(std::string_view variable) const {
  for (std::string_view rest = fromOptions; !rest.empty();) {
    std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    if (one != variable || !one.starts_with(kPrefix))
      continue;
    return variable::optionOf(one);
  }
  return std::string(variable);
}

Options Options::parse(const char *const *environment) {
  Options options;
  // Messages about the others need this one.
  forEachVariable(environment,
                  [&](std::string_view name, std::string_view value) {
                    if (name == variable::options)
                      options.fromOptions = value;
                  });
  forEachVariable(environment,
                  [&](std::string_view name, std::string_view value) {
                    if (!assign(options, name, value))
                      refuseUnknown(name);
                  });
  return options;
}

} // namespace chansim
