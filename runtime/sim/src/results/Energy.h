//===- Energy.h - What events cost ------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Energy is events times a table.  A machine has two tables, `horowitz` and
// `gpuwattch`, whose values are parameters (`energy.horowitz.int_add`) with
// their sources in the machine file.  Each unit of the machine gets a statistic
// for each table:
//
//   energy.horowitz.compute   = operations.int_add x energy.horowitz.int_add + ...
//   energy.horowitz.dram      = (dram.reads + dram.writes) x ...
//   energy.horowitz.total
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_ENERGY_H
#define CHANSIM_ENERGY_H

#include "machine/Operations.h"
#include "results/Statistics.h"

#include <array>

namespace chansim {

/// Operations that were performed, by what they compute: counters named
/// `operations.int_add` and so on.
class ArithmeticCounts {
public:
  void count(const Operation &operation, uint64_t times) {
    count(operation.arithmetic(), times);
  }
  void count(Arithmetic kind, uint64_t times) {
    counts[static_cast<size_t>(kind)] += times;
  }
  void addTo(Statistics &statistics) const;

private:
  std::array<uint64_t, kArithmetic> counts{};
};

/// Registers the energy of each unit by each table.  All counters of cores, L2
/// and DRAM must have been registered.
void addEnergy(const Machine &machine, Statistics &statistics);

} // namespace chansim

#endif // CHANSIM_ENERGY_H
