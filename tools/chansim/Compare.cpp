//===- Compare.cpp - Runs side by side ------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `chansim compare a.json b.json c.json`:
//
//   on every machine           a        b        c   b / a   c / a
//   time, us               52.64    59.30    66.39   1.126   1.261
//   ...
//   counters               a        b        c       b / a   c / a
//   run.cycles             52643    83020    92941   1.577   1.765   cycles
//
// Runs on different machines have different clocks and counters.  So their table begins
// with figures that mean the same on all machines, which this file computes.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>
#include <map>
#include <optional>

using llvm::StringRef;
using namespace chansim;

namespace {

/// A row of the table.
struct Row {
  /// Of each run; null if the run has none.
  std::vector<Json> values;
  /// Of fractions.
  unsigned decimals = 4;
  /// Whether the values are compared with the first one.
  bool hasRatios = true;
  /// Of a counter; "" for others.
  std::string unit = {};

  size_t present() const {
    return values.size() - llvm::count_if(values, isAbsent);
  }
  /// Of two runs, a value that only one has is a difference.  Of more runs, those that
  /// have a value are compared.
  bool isEqual() const {
    if (values.size() == 2 && present() != 2)
      return false;
    const Json *first = nullptr;
    for (const Json &value : values) {
      if (isAbsent(value))
        continue;
      if (first && *first != value)
        return false;
      first = &value;
    }
    return true;
  }
  bool isZero() const {
    return llvm::all_of(values, [](const Json &value) {
      return isAbsent(value) || value == 0;
    });
  }
  static bool isAbsent(const Json &value) { return value.is_null(); }
};
/// In the order of their first entries.
template <typename T>
using Named = llvm::MapVector<std::string, T, std::map<std::string, unsigned>>;
using Rows = Named<Row>;
using Values = Named<Json>;

/// A statistics file, read.
struct Run {
  Json file;
  std::string head, machine;
  Values statistics, host, parameters;
  /// Of counters, by name.
  std::map<std::string, std::string> units;

  std::optional<double> number(const std::string &name) const {
    for (const auto *values : {&statistics, &parameters})
      if (auto found = values->find(name); found != values->end())
        if (found->second.is_number())
          return found->second.get<double>();
    return std::nullopt;
  }
};

void addCounters(Run &run, Values &counters, const Field &list) {
  for (uint32_t i = 0; i != list.size(); ++i) {
    Field counter = list.at(i);
    Field name = counter["name"], value = counter["value"];
    if (!value.json().is_number())
      value.mustBe("a number");
    counters[std::string(name.string())] = value.json();
    if (std::optional<Field> unit = counter.find("unit"))
      run.units[std::string(name.string())] = unit->string();
  }
}

/// "a.json: fib on micro15-vgiw", and why the run failed.
std::string describe(const std::string &file, const Field &run) {
  Field program = run["program"], machine = run["machine"];
  std::string text = file + ": " + std::string(program.string()) + " on " +
                     std::string(machine.string());
  if (std::optional<Field> failure = run.find("failure"))
    text += ", which FAILED: " + std::string(failure->string());
  return text;
}

void addParameters(Run &run, const Field &root) {
  Field parameters = root["parameters"];
  if (!parameters.json().is_object())
    parameters.mustBe("an object");
  for (auto it = parameters.json().begin(); it != parameters.json().end(); ++it)
    run.parameters[it.key()] = *it;
}

void readRun(const std::string &file, Run &run) {
  run.file = readReport(file, "chansim-statistics");
  Field root(run.file);
  run.head = describe(file, root);
  Field machine = root["machine"];
  run.machine = machine.string();
  addParameters(run, root);
  Field counters = root["statistics"];
  addCounters(run, run.statistics, counters);
  Field ofHost = root["host"];
  addCounters(run, run.host, ofHost);
}

//===----------------------------------------------------------------------===//
// What machines can be compared by
//===----------------------------------------------------------------------===//

/// Each machine counts cycles of its own core's clock.
std::optional<double> microseconds(const Run &run) {
  auto clock = run.parameters.find("clock_of.cores");
  if (clock == run.parameters.end() || !clock->second.is_string())
    return std::nullopt;
  std::optional<double> cycles = run.number("run.cycles"),
                        megahertz = run.number(
                            "clocks." + clock->second.get<std::string>());
  if (!cycles || !megahertz || *megahertz == 0)
    return std::nullopt;
  return *cycles / *megahertz;
}

/// GDDR5 counts lines; DRAM of a latency and a rate counts bytes.
std::optional<double> dramBytes(const Run &run) {
  if (std::optional<double> bytes = run.number("dram.bytes"))
    return bytes;
  std::optional<double> reads = run.number("dram.reads"),
                        writes = run.number("dram.writes"),
                        line = run.number("l2.line_bytes");
  if (!reads || !writes || !line)
    return std::nullopt;
  return (*reads + *writes) * *line;
}

std::optional<double> scaled(std::optional<double> value, double factor) {
  if (value)
    *value *= factor;
  return value;
}

/// The tables of energy that each run has: "energy.NAME.total".
std::vector<std::string> sharedEnergies(llvm::ArrayRef<Run> runs) {
  std::vector<std::string> names;
  for (const auto &[name, value] : runs.front().statistics)
    if (StringRef(name).starts_with("energy.") &&
        StringRef(name).ends_with(".total") &&
        llvm::all_of(runs, [&](const Run &run) {
          return run.number(name).value_or(0) > 0;
        }))
      names.push_back(name);
  return names;
}

/// How many times as fast as the first run each run was; nothing if a time is missing.
std::optional<Row> speeds(const Row &times) {
  Row row;
  row.decimals = 3;
  row.hasRatios = false;
  for (const Json &time : times.values) {
    if (!time.is_number() || time == 0)
      return std::nullopt;
    row.values.emplace_back(times.values.front().get<double>() /
                            time.get<double>());
  }
  return row;
}

Rows commonRows(llvm::ArrayRef<Run> runs) {
  Rows rows;
  auto add = [&](const std::string &name, unsigned decimals, auto &&compute) {
    Row &row = rows[name];
    row.decimals = decimals;
    for (const Run &run : runs) {
      std::optional<double> value = compute(run);
      if (!value)
        row.values.emplace_back();
      else if (decimals)
        row.values.emplace_back(*value);
      else
        row.values.emplace_back(static_cast<uint64_t>(*value));
    }
  };
  auto addNumber = [&](const std::string &label, unsigned decimals,
                       const std::string &name, double factor = 1) {
    add(label, decimals,
        [&](const Run &run) { return scaled(run.number(name), factor); });
  };
  add("time, us", 2, microseconds);
  if (std::optional<Row> row = speeds(rows["time, us"]))
    rows["times as fast as the first"] = std::move(*row);
  addNumber("cores", 0, "cores");
  addNumber("threads", 0, "core.threads");
  for (const std::string &name : sharedEnergies(runs)) {
    StringRef table = StringRef(name).drop_front(strlen("energy."));
    addNumber("energy, uJ, " + table.drop_back(strlen(".total")).str(), 2, name,
              1e-6);
  }
  add("DRAM, bytes", 0, dramBytes);
  addNumber("hits in L1, %", 1, "l1.hit_rate", 100);
  addNumber("hits in L2, %", 1, "l2.hit_rate", 100);
  return rows;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// "a" for the first run.
std::string letter(size_t run) { return std::string(1, char('a' + run)); }

std::string fixed(double value, unsigned decimals) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", int(decimals), value);
  return text;
}

std::string text(const Json &value, unsigned decimals) {
  if (Row::isAbsent(value))
    return "-";
  if (value.is_string())
    return value.get<std::string>();
  if (value.is_number_float())
    return fixed(value.get<double>(), decimals);
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ratio(const Json &first, const Json &other) {
  if (Row::isAbsent(first) || Row::isAbsent(other))
    return "";
  if (first == other)
    return "=";
  if (!first.is_number() || !other.is_number() || first == 0)
    return "";
  return llvm::formatv("{0:F3}", other.get<double>() / first.get<double>())
      .str();
}

class Table {
public:
  Table(size_t runs, llvm::raw_ostream &os) : runs(runs), os(os) {}

  void head(StringRef title) {
    std::vector<std::string> values, ratios;
    for (size_t run = 0; run != runs; ++run) {
      values.push_back(letter(run));
      if (run)
        ratios.push_back(letter(run) + " / a");
    }
    line(title, values, ratios);
  }

  /// What print() prints: all rows but those that are 0 in all runs; only those that differ if `changed`.
  bool hasAny(const Rows &rows, bool changed) const {
    return llvm::any_of(rows, [&](const auto &row) {
      return isOfInterest(row.second, changed);
    });
  }
  void print(const Rows &rows, bool changed) {
    for (const auto &[name, row] : rows)
      if (isOfInterest(row, changed))
        print(name, row);
  }
  void print(StringRef name, const Row &row) {
    std::vector<std::string> values, ratios;
    for (const Json &value : row.values)
      values.push_back(text(value, row.decimals));
    for (const Json &value : llvm::drop_begin(row.values))
      if (row.hasRatios)
        ratios.push_back(ratio(row.values.front(), value));
    line(name, values, ratios, row.unit);
  }

private:
  /// What only one of many runs has cannot be compared.
  bool isOfInterest(const Row &row, bool changed) const {
    if (runs == 2)
      return !row.isEqual() || (!changed && !row.isZero());
    return row.present() > 1 && !row.isZero() && !(changed && row.isEqual());
  }
  void line(StringRef name, llvm::ArrayRef<std::string> values,
            llvm::ArrayRef<std::string> ratios, StringRef unit = "") {
    std::string row = llvm::formatv("{0,-28}", name);
    for (const std::string &value : values)
      row += llvm::formatv(" {0,18}", value);
    for (const std::string &value : ratios)
      row += llvm::formatv(" {0,9}", value);
    if (!unit.empty())
      row += "  " + unit.str();
    os << StringRef(row).rtrim() << '\n';
  }

  size_t runs;
  llvm::raw_ostream &os;
};

/// What each of the runs has of these, in the order in which names first come.
Rows rowsOf(llvm::ArrayRef<Run> runs, const Values Run::*part) {
  Rows rows;
  for (size_t i = 0; i != runs.size(); ++i)
    for (const auto &[name, value] : runs[i].*part) {
      Row &row = rows[name];
      row.values.resize(runs.size());
      row.values[i] = value;
      if (auto unit = runs[i].units.find(name); unit != runs[i].units.end())
        row.unit = unit->second;
    }
  return rows;
}

/// "cores: 8, 1, 1", if the runs differ in this: all figures are of all cores.
void noteCores(llvm::ArrayRef<Run> runs, llvm::raw_ostream &os) {
  std::vector<std::string> counts;
  for (const Run &run : runs) {
    std::optional<double> cores = run.number("cores");
    counts.push_back(cores ? fixed(*cores, 0) : "-");
  }
  if (!llvm::all_equal(counts))
    os << "The runs have different numbers of cores (cores: "
       << llvm::join(counts, ", ") << "); figures are of all cores together.\n";
}

} // namespace

llvm::Error chansim::compareRuns(llvm::ArrayRef<std::string> files,
                                 bool changed, llvm::raw_ostream &os) {
  constexpr size_t most = 'z' - 'a' + 1;
  if (files.size() < 2 || files.size() > most)
    return llvm::createStringError(
        "compare takes 2 to " + std::to_string(most) +
        " files of 'chansim run --stats=FILE', and there " +
        (files.size() == 1 ? "is 1" : "are " + std::to_string(files.size())));
  std::vector<Run> runs(files.size());
  for (size_t i = 0; i != files.size(); ++i)
    if (llvm::Error failure =
            forReport(files[i], [&] { readRun(files[i], runs[i]); }))
      return failure;
  for (size_t i = 0; i != runs.size(); ++i)
    os << letter(i) << ": " << runs[i].head << '\n';
  os << '\n';
  Table table(runs.size(), os);
  StringRef title;
  if (llvm::any_of(runs, [&](const Run &run) {
        return run.machine != runs.front().machine;
      })) {
    table.head("on every machine");
    for (const auto &[name, row] : commonRows(runs))
      table.print(name, row);
    noteCores(runs, os);
    os << '\n';
    title = runs.size() == 2 ? "counters" : "counters of two or more";
  } else {
    noteCores(runs, os);
  }
  Rows counters = rowsOf(runs, &Run::statistics);
  if (table.hasAny(counters, changed)) {
    table.head(title);
    table.print(counters, changed);
  } else {
    os << "no counter differs\n";
  }
  // How long the simulation took differs from run to run.
  if (!changed)
    table.print(rowsOf(runs, &Run::host), changed);
  Rows parameters = rowsOf(runs, &Run::parameters);
  if (llvm::all_of(parameters,
                   [](const auto &row) { return row.second.isEqual(); }))
    return llvm::Error::success();
  os << '\n';
  table.head("parameters that differ");
  table.print(parameters, /*changed=*/true);
  return llvm::Error::success();
}
