//===- Compare.cpp - Two runs side by side --------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// A row of the table; what only one run has is null in the other.
struct Pair {
  const json::Value *a = nullptr, *b = nullptr;

  bool isEqual() const { return a && b && *a == *b; }
};
using Rows = llvm::MapVector<StringRef, Pair>;

void addCounters(Rows &rows, const json::Object &run, StringRef list,
                 const json::Value *Pair::*side) {
  const json::Array *counters = run.getArray(list);
  if (!counters)
    return;
  for (const json::Value &counter : *counters) {
    const json::Object *object = counter.getAsObject();
    std::optional<StringRef> name =
        object ? object->getString("name") : std::nullopt;
    if (name)
      rows[*name].*side = object->get("value");
  }
}

void addParameters(Rows &rows, const json::Object &run,
                   const json::Value *Pair::*side) {
  for (StringRef key : {"program", "machine"})
    rows[key].*side = run.get(key);
  const json::Object *parameters = run.getObject("parameters");
  if (!parameters)
    return;
  for (const auto &[key, value] : *parameters)
    rows[StringRef(key)].*side = &value;
}

std::string text(const json::Value *value) {
  if (!value)
    return "-";
  if (std::optional<StringRef> string = value->getAsString())
    return string->str();
  if (std::optional<int64_t> integer = value->getAsInteger())
    return std::to_string(*integer);
  if (std::optional<double> number = value->getAsNumber())
    return llvm::formatv("{0:F4}", *number).str();
  return llvm::formatv("{0}", *value).str();
}

std::string ratio(const Pair &pair) {
  if (pair.isEqual())
    return "=";
  std::optional<double> a = pair.a ? pair.a->getAsNumber() : std::nullopt;
  std::optional<double> b = pair.b ? pair.b->getAsNumber() : std::nullopt;
  if (!a || !b || *a == 0)
    return "";
  return llvm::formatv("{0:F3}", *b / *a).str();
}

class Table {
public:
  Table(bool changed, llvm::raw_ostream &os) : changed(changed), os(os) {}

  void print(const Rows &rows, bool changedOnly) {
    for (const auto &[name, pair] : rows)
      if (!pair.isEqual() || (!changedOnly && !changed && !isZero(pair.a)))
        line(name, text(pair.a), text(pair.b), ratio(pair));
  }
  void line(StringRef name, StringRef a, StringRef b, StringRef last) {
    std::string row =
        llvm::formatv("{0,-28} {1,18} {2,18} {3,9}", name, a, b, last);
    os << StringRef(row).rtrim() << '\n';
  }

private:
  static bool isZero(const json::Value *value) {
    return value->getAsNumber() == 0.0;
  }

  bool changed;
  llvm::raw_ostream &os;
};

} // namespace

llvm::Error chansim::compareRuns(StringRef a, StringRef b, bool changed,
                                 llvm::raw_ostream &os) {
  llvm::Expected<json::Value> first = readReport(a, "chansim-statistics");
  if (!first)
    return first.takeError();
  llvm::Expected<json::Value> second = readReport(b, "chansim-statistics");
  if (!second)
    return second.takeError();

  Rows parameters, statistics, host;
  for (auto [run, side] :
       {std::pair(&*first, &Pair::a), std::pair(&*second, &Pair::b)}) {
    const json::Object &object = *run->getAsObject();
    addParameters(parameters, object, side);
    addCounters(statistics, object, "statistics", side);
    addCounters(host, object, "host", side);
  }
  os << "a: " << a << "\nb: " << b << "\n\n";
  Table table(changed, os);
  table.line("", "a", "b", "b / a");
  table.print(parameters, /*changedOnly=*/true);
  table.print(statistics, /*changedOnly=*/false);
  table.print(host, /*changedOnly=*/false);
  return llvm::Error::success();
}
