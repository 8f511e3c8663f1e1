//===- Processor.cpp - Cores over an L2 -----------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/Processor.h"
#include "coherence/CombiningCache.h"
#include "sgmf/SgmfCore.h"
#include "simt/FunctionalCore.h"
#include "simt/Multiprocessor.h"
#include "vgiw/VgiwCore.h"

namespace chansim {

SharedCaches::SharedCaches(const Machine &machine, Engine &engine,
                           Statistics &statistics)
    : uncore(machine, engine, statistics),
      instructions(machine.fetch.l1i, "l1i", "L1I",
                   engine.clock(machine.clockOf.cores), engine,
                   uncore.directory, uncore.frames, machine, statistics),
      schedulerData(machine.aggregatorCore.l1d, "aggregator.l1d",
                    "aggregator: L1D", engine.clock(machine.clockOf.aggregator),
                    engine, uncore.directory, uncore.frames, machine,
                    statistics),
      schedulerInstructions(
          machine.aggregatorCore.l1i, "aggregator.l1i", "aggregator: L1I",
          engine.clock(machine.clockOf.aggregator), engine, uncore.directory,
          uncore.frames, machine, statistics),
      fetch(machine, engine, instructions, statistics) {}

void SharedCaches::record(Trace &trace) {
  for (CoherentCache *cache :
       {&instructions, &schedulerData, &schedulerInstructions})
    cache->record(trace);
}

Processor::Processor(const Machine &machine, Engine &engine,
                     Statistics &statistics)
    : host(machine) {
  if (machine.kind == MachineKind::apu)
    shared = std::make_unique<SharedCaches>(machine, engine, statistics);
  else
    uncore = std::make_unique<Uncore>(machine, engine, statistics);
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

void Processor::recordCaches(Trace &trace) {
  for (Part &part : parts)
    if (part.memory)
      part.memory->record(trace);
  if (shared)
    shared->record(trace);
}

/// Of a compute unit.
template <class Cache>
static std::unique_ptr<MemoryPort>
makeL1(const Machine &machine, Engine &engine, uint32_t number,
       SharedCaches &shared, Statistics &statistics) {
  return std::make_unique<Cache>(
      machine.l1, "l1", "core " + std::to_string(number) + ": L1",
      engine.coreClock(), engine, shared.uncore.directory, shared.uncore.frames,
      machine, statistics);
}

void Processor::makeCore(Part &part, const Machine &machine, Engine &engine,
                         uint32_t number) {
  Statistics &statistics = *part.statistics;
  if (machine.kind == MachineKind::simt && !machine.simt.isTimed) {
    part.core = std::make_unique<simt::FunctionalCore>(machine, engine, number,
                                                       statistics);
    return;
  }
  if (machine.kind == MachineKind::apu) {
    part.memory = machine.memory.protocol == CoherenceProtocol::writeCombining
                      ? makeL1<CombiningCache>(machine, engine, number, *shared,
                                               statistics)
                      : makeL1<CoherentCache>(machine, engine, number, *shared,
                                              statistics);
    part.core = std::make_unique<simt::Multiprocessor>(
        machine, engine, *part.memory, host, statistics, number,
        &shared->fetch);
    return;
  }
  auto made = std::make_unique<Memory>(machine, engine, *uncore, statistics);
  Memory &memory = *made;
  part.memory = std::move(made);
  if (machine.kind == MachineKind::simt)
    part.core = std::make_unique<simt::Multiprocessor>(
        machine, engine, memory, host, statistics, number);
  else if (machine.kind == MachineKind::sgmf)
    part.core =
        std::make_unique<SgmfCore>(machine, engine, memory, host, statistics);
  else
    part.core =
        std::make_unique<VgiwCore>(machine, engine, memory, host, statistics);
}

} // namespace chansim
