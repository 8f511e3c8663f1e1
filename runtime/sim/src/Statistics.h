//===- Statistics.h - What a simulation counted -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_STATISTICS_H
#define CHANSIM_STATISTICS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace chansim {

/// The counters of all components.  A counter is a uint64_t of its component,
/// which must outlive the last call here.
class Statistics {
public:
  /// Registers a counter, such as "l1.hits".  Throws std::logic_error if there
  /// is one of that name, or one of the texts is empty.
  void add(std::string name, std::string unit, std::string description,
           const uint64_t &counter);
  /// Registers the quotient of two counters; it is 0 while `whole` is.
  void addRatio(std::string name, std::string unit, std::string description,
                const uint64_t &part, const uint64_t &whole);

  /// The value of the counter; throws std::out_of_range if there is none.
  uint64_t value(std::string_view name) const;

  /// {"format": "chansim-statistics", "version": 1, "machine": NAME,
  ///  "statistics": [{"name", "unit", "description", "value"}, ...]}
  /// in the order of registration.  The schema stays as it is within a version.
  std::string json(const std::string &machine) const;
  /// A table for people, of those that are not zero.
  std::string table() const;

private:
  struct Entry {
    std::string name, unit, description;
    const uint64_t *counter;
    /// Null unless the entry is a ratio.
    const uint64_t *whole;

    double ratio() const {
      return *whole ? double(*counter) / double(*whole) : 0;
    }
  };
  void append(Entry entry);

  std::vector<Entry> entries;
};

} // namespace chansim

#endif // CHANSIM_STATISTICS_H
