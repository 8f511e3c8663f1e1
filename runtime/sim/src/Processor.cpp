//===- Processor.cpp - Cores over an L2 -----------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Processor.h"

namespace chansim {

Processor::Processor(const Machine &machine, Engine &engine,
                     Statistics &statistics)
    : host(machine), uncore(machine, engine, statistics) {
  std::vector<const Statistics *> counts;
  for (uint32_t number = 0; number != machine.cores; ++number) {
    parts.push_back(std::make_unique<Part>(machine, engine, host, uncore));
    counts.push_back(&parts.back()->statistics);
  }
  statistics.addSums(counts);
  statistics.add("host.packages", "packages", "packages of system calls",
                 host.packages());
  if (machine.cores == 1)
    return;
  for (const std::unique_ptr<Part> &part : parts) {
    std::string prefix = "core." + std::to_string(part->core.number());
    statistics.add(prefix + ".tiles", "tiles", "of core.tiles, on this core",
                   part->core.tilesRun());
    statistics.add(prefix + ".busy_cycles", "cycles",
                   "of bbs.cycles, on this core",
                   part->core.bbs().busyCycles());
  }
}

} // namespace chansim
