//===- StatisticsRows.h - Rows that the statistics add up -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_STATISTICSROWS_H
#define CHAN_SRC_STATISTICSROWS_H

#include "Profile.h"

namespace chan {

using Number = unsigned long long;

/// Sum of rows of all workers.
struct Sum {
  const Row *row = nullptr;
  uint64_t elements = 0, calls = 0, lanes = 0, yields = 0, stolen = 0;
  uint64_t bytes = 0, ticks = 0, tasks = 0, uncounted = 0;

  void add(const Row &more);
  uint64_t nanoseconds() const { return Profile::nanoseconds(ticks); }
  /// Thousandths of the lanes that had an element. REQUIRES: lanes != 0.
  uint64_t occupancy() const { return (elements * 1000 + lanes / 2) / lanes; }
};

/// By kernel and form, and by level if `withLevel`.
int compareRows(const Row &a, const Row &b, bool withLevel);

/// All rows of all workers, in order.
class Rows {
public:
  Rows();
  ~Rows();
  Rows(const Rows &) = delete;
  Rows &operator=(const Rows &) = delete;

  /// Calls `use` with sums of the rows [begin, end). Each sum is of rows that
  /// are equal, or that differ only in the level.
  template <typename Use>
  void forEach(size_t begin, size_t end, bool withLevel, Use use) const {
    for (size_t last; begin != end; begin = last) {
      Sum sum;
      for (last = begin;
           last != end && !compareRows(*rows[begin], *rows[last], withLevel);
           ++last)
        sum.add(*rows[last]);
      use(sum, begin, last);
    }
  }

  Row **rows = nullptr;
  size_t count = 0;
};

/// Number of activations, by the form that they ran in.
struct Tasks {
  uint64_t kernels = 0, batches = 0, clones = 0, cloneCalls = 0, uncounted = 0;

  explicit Tasks(const Rows &rows);
  /// Millionths of `part`.
  Number share(uint64_t part) const;
};

/// The form's name, as reports print it.
void nameForm(char (&text)[24], const Form &form);

} // namespace chan

#endif
