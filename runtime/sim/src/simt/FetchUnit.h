//===- FetchUnit.h - Instructions for several cores -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All cores of kind `apu` share one L1 instruction cache (ISCA 2014, Figure 14).
// This unit stands before it:
//
//   core 0, slot 3: line A --\      waiting        L1I
//   core 5, slot 0: line B ---> [ A  B ] ---------> a line in a cycle
//   core 1, slot 7: line A --/   merged
//
// * The cache gets the lines in the order in which they were asked for first.
// * A line that waits, or that is under way, is asked for once: all that want it get
//   it at the same time.
//
// The code of each kernel has addresses of its own, behind all addresses of the
// process.  Kernels get them in the order in which they are executed first.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_FETCHUNIT_H
#define CHANSIM_SIMT_FETCHUNIT_H

#include "engine/Engine.h"
#include "engine/Fifo.h"
#include "memory/MemoryPort.h"
#include "simt/Code.h"

#include <unordered_map>

namespace chansim {
class Statistics;
}

namespace chansim::simt {

class FetchUnit final : Component {
public:
  /// A line that has come for a warp slot of the core that asks.
  struct Arrival {
    uint32_t slot;
    uint64_t line;
  };

  /// Adds itself to the engine: create it after the cache, whose consumer it becomes,
  /// and before the cores.
  FetchUnit(const Machine &machine, Engine &engine, MemoryPort &cache,
            Statistics &statistics);
  FetchUnit(const FetchUnit &) = delete;
  FetchUnit &operator=(const FetchUnit &) = delete;

  /// The number of a core that is woken when lines come for it.
  uint32_t addCore(Component &core);

  /// The address of the first instruction of a kernel.
  uint64_t baseOf(const Code &code);
  /// The address of the line in which an address lies.
  uint64_t lineOf(uint64_t address) const { return address & ~(lineBytes - 1); }

  /// Asks for a line (an address of baseOf() and lineOf()) for a slot of a core.
  void request(uint32_t core, uint32_t slot, uint64_t line);
  /// The lines that have come for the core since it asked last, in the order in which
  /// they came.  Valid until it asks again.
  std::span<const Arrival> takeArrivals(uint32_t core);

private:
  struct Want {
    uint32_t core, slot;
  };
  struct Line {
    uint64_t address;
    std::vector<Want> wanted;
  };
  struct Port {
    Component *core;
    std::vector<Arrival> arrived, taken;
  };

  Activity tick() override;
  void explain(std::string &text) const override;

  Engine &engine;
  MemoryPort &cache;
  const uint64_t lineBytes;
  const uint32_t instructionBytes;
  /// Behind the code that has addresses.
  uint64_t nextBase;
  std::unordered_map<const Code *, uint64_t> bases;
  std::vector<Port> ports;
  /// Lines that wait or are under way; those that are free; and by address.
  std::vector<Line> lines;
  std::vector<uint32_t> freeLines;
  std::unordered_map<uint64_t, uint32_t> known;
  /// Lines that the cache has not got yet.
  Fifo<uint32_t> waiting;
  struct {
    uint64_t requests = 0, merged = 0;
  } counters;
};

} // namespace chansim::simt

#endif // CHANSIM_SIMT_FETCHUNIT_H
