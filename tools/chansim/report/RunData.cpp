//===- RunData.cpp - What a run wrote, for its page -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunData.h"

#include "Commands.h"
#include "Profile.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>

namespace chansim::report {
namespace {

std::string string(const Field &object, std::string_view key) {
  Field field = object[key];
  return std::string(field.string());
}

void readStatistics(const std::string &file, RunData &run) {
  Json report = readReport(file, "chansim-statistics");
  Field root(report);
  run.program = string(root, "program");
  run.machine = string(root, "machine");
  if (root.find("failure"))
    run.failure = string(root, "failure");
  Field parameters = root["parameters"];
  for (const auto &[key, value] : parameters.json().items())
    if (value.is_number())
      run.parameters[key] = value.get<double>();
  if (parameters.find("clock_of.cores"))
    run.megahertz =
        run.parameter("clocks." + string(parameters, "clock_of.cores"));
  Field list = root["statistics"];
  for (uint32_t i = 0; i != list.size(); ++i) {
    Field entry = list.at(i);
    Field value = entry["value"];
    if (!value.json().is_number())
      value.mustBe("a number");
    Counter counter{string(entry, "name"), string(entry, "unit"),
                    string(entry, "description"), value.json().get<double>()};
    run.values[counter.name] = counter.value;
    run.counters.push_back(std::move(counter));
  }
}

std::vector<uint64_t> readNumbers(const Field &list) {
  std::vector<uint64_t> numbers;
  for (uint32_t i = 0; i != list.size(); ++i) {
    Field element = list.at(i);
    numbers.push_back(element.number(0, std::numeric_limits<uint64_t>::max()));
  }
  return numbers;
}

void readTimeline(const std::string &file, RunData &run) {
  Json report = readReport(file, "chansim-timeline");
  Field root(report);
  Field ends = root["ends"];
  run.ends = readNumbers(ends);
  Field rises = root["rises"];
  for (const auto &item : rises.json().items()) {
    Field list = rises[item.key()];
    std::vector<uint64_t> numbers = readNumbers(list);
    if (numbers.size() != run.ends.size())
      list.refuse("has not one number for each of 'ends'");
    run.rises[item.key()] = std::move(numbers);
  }
}

LineCost lineCost(std::string place, const Cost &cost) {
  LineCost line{std::move(place)};
  for (int cause = 0; cause != Causes; ++cause)
    (cause == Yields                          ? line.yielding
     : cause == Links                         ? line.moving
     : cause >= FirstRefusal && cause <= Unit ? line.waiting
                                              : line.working) +=
        cost.causes[cause];
  return line;
}

void readLines(const std::string &file, RunData &run) {
  Profile profile = Profile::read(file);
  run.lineCycles = static_cast<double>(profile.cycles);
  for (const auto &[name, costs] : profile.files)
    for (const auto &[number, cost] : costs)
      run.lines.push_back(lineCost(name + ":" + std::to_string(number), cost));
  for (const auto &[operation, cost] : profile.others)
    run.lines.push_back(lineCost(operation, cost));
  llvm::erase_if(run.lines,
                 [](const LineCost &line) { return line.cycles() <= 0; });
  llvm::sort(run.lines, [](const LineCost &a, const LineCost &b) {
    return std::pair(b.cycles(), std::string_view(a.place)) <
           std::pair(a.cycles(), std::string_view(b.place));
  });
}

} // namespace

RunData RunData::read(const std::string &statistics,
                      const std::string &timeline, const std::string &lines) {
  RunData run;
  readStatistics(statistics, run);
  readTimeline(timeline, run);
  readLines(lines, run);
  return run;
}

} // namespace chansim::report
