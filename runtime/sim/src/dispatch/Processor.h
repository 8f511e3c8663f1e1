//===- Processor.h - Cores over an L2 ---------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All components of a machine but the one that gives the cores their tiles.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_PROCESSOR_H
#define CHANSIM_PROCESSOR_H

#include "coherence/CoherentCache.h"
#include "core/Core.h"
#include "core/Host.h"
#include "memory/Memory.h"
#include "memory/Uncore.h"
#include "results/Statistics.h"
#include "simt/FetchUnit.h"

#include <memory>
#include <vector>

namespace chansim {

/// What the cores of a machine of kind `apu` share, and the caches of its aggregator
/// (Orr et al., ISCA 2014, Figure 14).
struct SharedCaches {
  SharedCaches(const Machine &machine, Engine &engine, Statistics &statistics);

  CoherentUncore uncore;
  /// Of the instructions of all cores.
  CoherentCache instructions;
  CoherentCache schedulerData, schedulerInstructions;
  simt::FetchUnit fetch;

  void record(Trace &trace);
};

class Processor {
public:
  /// Adds its components to the engine.  Counters of cores are registered as
  /// sums over all; those of one, such as `core.0.tiles`, only if there are
  /// several.
  Processor(const Machine &machine, Engine &engine, Statistics &statistics);
  Processor(const Processor &) = delete;
  Processor &operator=(const Processor &) = delete;

  uint32_t coreCount() const { return static_cast<uint32_t>(parts.size()); }
  Core &core(uint32_t number) { return *parts[number].core; }
  /// Shows the misses of all caches that can do that.
  void recordCaches(Trace &trace);

  /// Of the machine's memory.
  FrameTable &frames() {
    return shared ? shared->uncore.frames : uncore->frames;
  }

  Host host;
  /// Of a machine of kind `apu`.
  std::unique_ptr<SharedCaches> shared;

private:
  /// A core, its caches and their counters.
  struct Part {
    std::unique_ptr<Statistics> statistics = std::make_unique<Statistics>();
    std::unique_ptr<MemoryPort> memory;
    std::unique_ptr<Core> core;
  };
  void makeCore(Part &part, const Machine &machine, Engine &engine,
                uint32_t number);
  /// Of all other machines.
  std::unique_ptr<Uncore> uncore;
  std::vector<Part> parts;
};

} // namespace chansim

#endif // CHANSIM_PROCESSOR_H
