//===- CoherenceBenchmark.cpp - Cycles per second of coherent caches ------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not a test.  Eight compute units and the aggregator each start an access in every
// cycle in which their caches take one:
//
//   hits     1.20 million cycles/s, 9.61 million accesses/s
//
//===----------------------------------------------------------------------===//

#include "coherence/CoherentCache.h"
#include "results/Statistics.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

using namespace chansim;

namespace {

constexpr unsigned kCaches = 9;

struct Asked {
  uint64_t address;
  Access access;
};
using Next = Asked (*)(unsigned cache, uint64_t number);

class Load : Component {
public:
  Load(unsigned self, const Machine &machine, const CacheParameters &parameters,
       Clock clock, Engine &engine, CoherentUncore &uncore, Next next)
      : self(self), next(next),
        cache(parameters, "l1", "load", clock, engine, uncore.directory,
              uncore.frames, machine, statistics) {
    engine.add(*this, clock);
    cache.setConsumer(*this);
    engine.wake(*this);
  }
  uint64_t completed = 0;

private:
  Activity tick() override {
    completed += cache.completions().size();
    Asked one = next(self, started);
    switch (cache.tryAccess({one.address, 4, one.access, Via::l1, 0, 0})) {
    case Taken::yes:
      ++started;
      return Activity::moved;
    case Taken::bankConflict:
      return Activity::waiting;
    default:
      return Activity::asleep;
    }
  }
  void explain(std::string &) const override {}

  const unsigned self;
  const Next next;
  uint64_t started = 0;
  Statistics statistics;
  CoherentCache cache;
};

void measure(const char *name, uint64_t cycles, Next next) {
  std::string error;
  std::optional<Machine> machine =
      Machine::load(SIM_MACHINES "isca14-apu.json", error);
  if (!machine) {
    std::fprintf(stderr, "%s\n", error.c_str());
    std::exit(1);
  }
  Statistics statistics;
  Engine engine(*machine);
  CoherentUncore uncore(*machine, engine, statistics);
  std::vector<std::unique_ptr<Load>> loads;
  for (unsigned i = 0; i != kCaches; ++i) {
    bool isAggregator = i + 1 == kCaches;
    loads.push_back(std::make_unique<Load>(
        i, *machine, isAggregator ? machine->aggregatorCore.l1d : machine->l1,
        isAggregator ? engine.clock(machine->clockOf.aggregator)
                     : engine.coreClock(),
        engine, uncore, next));
  }
  std::clock_t begin = std::clock();
  engine.run([&] { return engine.coreCycle() >= cycles; });
  double time = double(std::clock() - begin) / CLOCKS_PER_SEC;
  uint64_t completed = 0;
  for (const auto &load : loads)
    completed += load->completed;
  std::printf("%-10s %6.2f million cycles/s, %6.2f million accesses/s\n", name,
              double(cycles) / time / 1e6, double(completed) / time / 1e6);
}

uint64_t mix(uint64_t number) { return number * 0x9e3779b97f4a7c15 >> 38; }

} // namespace

int main() {
  constexpr uint64_t kBase = 0x7f0000000000;
  measure("hits", 1'000'000, [](unsigned cache, uint64_t i) {
    return Asked{kBase + cache * 8192 + i * 4 % 8192,
                 i % 4 ? Access::read : Access::write};
  });
  measure("stream", 300'000, [](unsigned cache, uint64_t i) {
    return Asked{kBase + cache * (1u << 24) + i * 64 % (1u << 24),
                 i % 4 ? Access::read : Access::write};
  });
  measure("in L2", 300'000, [](unsigned cache, uint64_t i) {
    return Asked{kBase + mix(i * kCaches + cache) % 524288, Access::read};
  });
  measure("shared", 300'000, [](unsigned cache, uint64_t i) {
    uint64_t number = mix(i * kCaches + cache);
    return Asked{kBase + number % 4096,
                 number >> 12 & 3 ? Access::read : Access::write};
  });
  measure("contended", 300'000,
          [](unsigned, uint64_t) { return Asked{kBase, Access::atomic}; });
}
