//===- Processor.cpp - Cores over an L2 -----------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/Processor.h"
#include "sgmf/SgmfCore.h"
#include "simt/FunctionalCore.h"
#include "simt/Multiprocessor.h"
#include "vgiw/VgiwCore.h"

namespace chansim {

Processor::Processor(const Machine &machine, Engine &engine,
                     Statistics &statistics)
    : host(machine), uncore(machine, engine, statistics) {
  std::vector<const Statistics *> counts;
  for (uint32_t number = 0; number != machine.cores; ++number) {
    Part &part = parts.emplace_back();
    makeCore(part, machine, engine, number);
    counts.push_back(part.statistics.get());
  }
  statistics.addSums(counts);
  statistics.add("host.packages", "packages", "packages of system calls",
                 host.packages());
  if (machine.cores == 1)
    return;
  for (const Part &part : parts)
    part.core->addCounters(statistics,
                           "core." + std::to_string(part.core->number()));
}

void Processor::makeCore(Part &part, const Machine &machine, Engine &engine,
                         uint32_t number) {
  Statistics &statistics = *part.statistics;
  if (machine.kind == MachineKind::simt && !machine.simt.isTimed) {
    part.core = std::make_unique<simt::FunctionalCore>(machine, engine, number,
                                                       statistics);
    return;
  }
  part.memory = std::make_unique<Memory>(machine, engine, uncore, statistics);
  if (machine.kind == MachineKind::simt)
    part.core = std::make_unique<simt::Multiprocessor>(
        machine, engine, *part.memory, host, statistics);
  else if (machine.kind == MachineKind::sgmf)
    part.core = std::make_unique<SgmfCore>(machine, engine, *part.memory, host,
                                           statistics);
  else
    part.core = std::make_unique<VgiwCore>(machine, engine, *part.memory, host,
                                           statistics);
}

} // namespace chansim
