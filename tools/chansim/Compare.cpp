//===- Compare.cpp - Two runs side by side --------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <tuple>

using llvm::StringRef;
using namespace chansim;

namespace {

/// A row of the table; what only one run has is null in the other.
struct Pair {
  const Json *a = nullptr, *b = nullptr;

  bool isEqual() const { return a && b && *a == *b; }
};
using Rows = llvm::MapVector<StringRef, Pair>;

void addCounters(Rows &rows, const Field &list, const Json *Pair::*side) {
  for (uint32_t i = 0; i != list.size(); ++i) {
    Field counter = list.at(i);
    Field name = counter["name"], value = counter["value"];
    if (!value.json().is_number())
      value.mustBe("a number");
    rows[name.string()].*side = &value.json();
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

void addParameters(Rows &rows, const Field &run, const Json *Pair::*side) {
  Field parameters = run["parameters"];
  if (!parameters.json().is_object())
    parameters.mustBe("an object");
  for (auto it = parameters.json().begin(); it != parameters.json().end(); ++it)
    rows[it.key()].*side = &*it;
}

std::string text(const Json *value) {
  if (!value)
    return "-";
  if (value->is_string())
    return value->get<std::string>();
  if (value->is_number_float())
    return llvm::formatv("{0:F4}", value->get<double>()).str();
  return value->dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ratio(const Pair &pair) {
  if (pair.isEqual())
    return "=";
  if (!pair.a || !pair.b || !pair.a->is_number() || !pair.b->is_number() ||
      *pair.a == 0)
    return "";
  return llvm::formatv("{0:F3}", pair.b->get<double>() / pair.a->get<double>())
      .str();
}

class Table {
public:
  explicit Table(llvm::raw_ostream &os) : os(os) {}

  void head(StringRef title) { line(title, "a", "b", "b / a"); }
  /// All rows but those that are 0 in both runs; only those that differ if `changed`.
  void print(const Rows &rows, bool changed) {
    for (const auto &[name, pair] : rows)
      if (!pair.isEqual() || (!changed && !isZero(pair.a)))
        line(name, text(pair.a), text(pair.b), ratio(pair));
  }

private:
  void line(StringRef name, StringRef a, StringRef b, StringRef last) {
    std::string row =
        llvm::formatv("{0,-28} {1,18} {2,18} {3,9}", name, a, b, last);
    os << StringRef(row).rtrim() << '\n';
  }
  static bool isZero(const Json *value) { return *value == 0; }

  llvm::raw_ostream &os;
};

} // namespace

llvm::Error chansim::compareRuns(const std::string &a, const std::string &b,
                                 bool changed, llvm::raw_ostream &os) {
  Rows parameters, statistics, host;
  Json runs[2];
  std::string heads[2];
  for (auto [file, run, head, side] :
       {std::tuple(&a, &runs[0], &heads[0], &Pair::a),
        std::tuple(&b, &runs[1], &heads[1], &Pair::b)})
    if (llvm::Error failure = forReport(*file, [&] {
          *run = readReport(*file, "chansim-statistics");
          Field root(*run);
          *head = describe(*file, root);
          addParameters(parameters, root, side);
          Field counters = root["statistics"];
          addCounters(statistics, counters, side);
          Field ofHost = root["host"];
          addCounters(host, ofHost, side);
        }))
      return failure;
  os << "a: " << heads[0] << "\nb: " << heads[1] << "\n\n";
  Table table(os);
  table.head("");
  table.print(statistics, changed);
  table.print(host, changed);
  if (llvm::all_of(parameters,
                   [](const auto &row) { return row.second.isEqual(); }))
    return llvm::Error::success();
  os << '\n';
  table.head("parameters that differ");
  table.print(parameters, /*changed=*/true);
  return llvm::Error::success();
}
