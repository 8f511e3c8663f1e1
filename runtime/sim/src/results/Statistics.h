//===- Statistics.h - What a simulation counted -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_STATISTICS_H
#define CHANSIM_STATISTICS_H

#include "machine/Machine.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chansim {

class Statistics;

/// What a report says beside the counters.
struct RunInfo {
  Machine machine;
  /// The program's name.
  std::string program;
  /// What the simulation cost the host, which differs from run to run; may be
  /// null.
  const Statistics *host = nullptr;
  /// Why the run failed; "" if it did not.
  std::string failure = {};
};

/// The counters of all components.  A counter is a uint64_t of its component,
/// which must outlive the last call here.
class Statistics {
public:
  /// Registers a counter, such as "l1.hits".  Throws std::logic_error if there
  /// is one of that name, or one of the texts is empty.
  void add(std::string name, std::string unit, std::string description,
           const uint64_t &counter);
  /// Registers several, whose names begin with `prefix`:
  ///   statistics.addAll("l1.", {{"hits", "accesses", "that found", hits}});
  struct Counter {
    const char *name, *unit, *description;
    const uint64_t &value;
  };
  void addAll(const std::string &prefix,
              std::initializer_list<Counter> counters) {
    for (const Counter &one : counters)
      add(prefix + one.name, one.unit, one.description, one.value);
  }
  /// Registers the quotient of two counters, times `scale`; it is 0 while
  /// `whole` is.
  void addRatio(std::string name, std::string unit, std::string description,
                const uint64_t &part, const uint64_t &whole, double scale = 1);

  /// A counter that has been registered, and what each event counts for.
  struct Term {
    std::string counter;
    double weight;
  };
  /// Registers the sum of the terms, times `scale`.  Throws std::logic_error if a
  /// counter is not there.
  void addWeighted(std::string name, std::string unit, std::string description,
                   std::span<const Term> terms, double scale = 1);

  /// Registers all that the parts have, in the order of the first one, each
  /// added up over all parts.  Throws std::logic_error if one part lacks what
  /// another has.
  void addSums(std::span<const Statistics *const> parts);

  /// The value of the counter; throws std::out_of_range if there is none.
  uint64_t value(std::string_view name) const;
  /// The value of the counter, ratio or weighted sum, if there is one.
  std::optional<double> find(std::string_view name) const;
  /// The counters whose names end with `suffix`, as they are now.
  struct Named {
    std::string_view name;
    uint64_t value;
  };
  std::vector<Named> endingWith(std::string_view suffix) const;

  /// {"format": "chansim-statistics", "version": 1, "program": NAME,
  ///  "machine": NAME, "failure": TEXT, "parameters": {KEY: VALUE, ...},
  ///  "statistics": [{"name", "unit", "description", "value"}, ...],
  ///  "host": [alike]}
  /// in the order of registration.  The schema stays as it is within a version;
  /// all but "host" is the same in equal runs.  Only a run that failed has "failure".
  std::string json(const RunInfo &run) const;
  /// A table for people, of those that are not zero.
  std::string table() const;

private:
  struct Entry {
    std::string name, unit, description;
    /// Of each part.
    std::vector<const uint64_t *> counters;
    /// None unless the entry is a ratio.
    std::vector<const uint64_t *> wholes;
    double scale;
    /// Of a weighted sum: the numbers of entries, and their weights.
    std::vector<std::pair<size_t, double>> terms = {};

    bool isCounter() const { return wholes.empty() && terms.empty(); }
    uint64_t count() const { return sum(counters); }
    double ratio() const {
      uint64_t whole = sum(wholes);
      return whole ? scale * double(count()) / double(whole) : 0;
    }
  };
  /// Of a ratio or weighted sum.
  double fraction(const Entry &entry) const;
  static uint64_t sum(const std::vector<const uint64_t *> &counters);
  void append(Entry entry);

  std::vector<Entry> entries;
};

} // namespace chansim

#endif // CHANSIM_STATISTICS_H
