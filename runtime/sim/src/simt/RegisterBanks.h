//===- RegisterBanks.h - The register file of a SIMT core -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register of 32 bits of all lanes is a row of one bank, which a bank reads or
// writes in `bank_cycles`.  An instruction that has been issued waits in an
// operand collector until all its rows have been read:
//
//   add.i32 s2, s0, s1 of warp 5       bank (0 + 5) % 16, bank (1 + 5) % 16
//
// A register of 64 bits is two rows, in neighbouring banks.  Registers of class c
// are not in the banks.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_REGISTERBANKS_H
#define CHANSIM_SIMT_REGISTERBANKS_H

#include "machine/Machine.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace chansim::simt {

class RegisterBanks {
public:
  explicit RegisterBanks(const SimtParameters &parameters)
      : bankCycles(parameters.bankCycles), bankFree(parameters.registerBanks),
        collectorFree(parameters.collectors) {}

  /// Whether a collector is free.
  bool hasCollector(uint64_t cycle) const {
    return *std::min_element(collectorFree.begin(), collectorFree.end()) <=
           cycle;
  }
  /// When a collector is.
  uint64_t collectorAt() const {
    return *std::min_element(collectorFree.begin(), collectorFree.end());
  }

  /// Reads the rows of a warp for an instruction that is issued now, and returns
  /// when all have been read.  REQUIRES: hasCollector(cycle).
  uint64_t read(uint64_t cycle, uint32_t warp, std::span<const uint16_t> rows) {
    uint64_t done = cycle;
    for (uint16_t row : rows)
      done = std::max(done, access(cycle, warp, row));
    reads += rows.size();
    *std::min_element(collectorFree.begin(), collectorFree.end()) = done;
    return done;
  }
  /// Writes the rows of a result, which occupies banks and delays nothing else.
  void write(uint64_t cycle, uint32_t warp, std::span<const uint16_t> rows) {
    for (uint16_t row : rows)
      access(cycle, warp, row);
    writes += rows.size();
  }

  /// Rows read and written, and cycles for which reads waited for their banks.
  uint64_t reads = 0, writes = 0, conflictCycles = 0;

private:
  uint64_t access(uint64_t cycle, uint32_t warp, uint16_t row) {
    uint64_t &free = bankFree[(row + warp) % bankFree.size()];
    uint64_t start = std::max(cycle, free);
    conflictCycles += start - cycle;
    return free = start + bankCycles;
  }

  const uint32_t bankCycles;
  std::vector<uint64_t> bankFree, collectorFree;
};

} // namespace chansim::simt

#endif // CHANSIM_SIMT_REGISTERBANKS_H
