//===- CoherenceHarness.h - Scripted requesters on coherent caches - C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   CoherentSystem system(3);             // the ISCA'14 machine with three caches
//   size_t read = system[0].read(100, address);
//   system.run();
//   system[0].records[read].latency()
//
//===----------------------------------------------------------------------===//

#ifndef SIM_COHERENCEHARNESS_H
#define SIM_COHERENCEHARNESS_H

#include "coherence/CoherentCache.h"
#include "engine/Fifo.h"
#include "results/Statistics.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace chansim {

inline Machine apuMachine(const std::vector<Override> &overrides = {}) {
  std::string error;
  std::optional<Machine> machine =
      Machine::load(SIM_MACHINES "isca14-apu.json", error);
  if (!machine || !machine->set(overrides, error)) {
    std::fprintf(stderr, "%s\n", error.c_str());
    std::abort();
  }
  return *machine;
}

/// A cache, and one that tries each access from its cycle on until it is taken.
/// Cycles are of its own clock.
template <class Cache> class RequesterOf : Component {
public:
  struct Record {
    Request request;
    Taken firstAnswer = Taken::yes;
    bool wasTried = false;
    uint64_t taken = 0, completed = 0;
    uint64_t latency() const { return completed - taken; }
  };

  RequesterOf(const Machine &machine, const CacheParameters &parameters,
              const std::string &name, Clock clock, Engine &engine,
              CoherentUncore &uncore)
      : engine(engine), clock(clock),
        cache(parameters, "l1", name, clock, engine, uncore.directory,
              uncore.frames, machine, statistics) {
    engine.add(*this, clock);
    cache.setConsumer(*this);
    engine.wake(*this);
  }

  /// Tries the access from the cycle on; cycles must not decrease.
  size_t at(uint64_t cycle, Access access, uint64_t address, uint32_t bytes = 4,
            bool isPosted = false, Order order = Order::plain) {
    auto index = static_cast<uint32_t>(records.size());
    records.push_back(
        {{address, bytes, access, Via::l1, /*requester=*/7, index, isPosted}});
    records.back().request.order = order;
    toCome.push({index, cycle});
    engine.wakeAt(*this, clock.ticks(cycle));
    return index;
  }
  size_t read(uint64_t cycle, uint64_t address, uint32_t bytes = 4) {
    return at(cycle, Access::read, address, bytes);
  }
  size_t write(uint64_t cycle, uint64_t address, uint32_t bytes = 4) {
    return at(cycle, Access::write, address, bytes);
  }
  size_t atomic(uint64_t cycle, uint64_t address, uint32_t bytes = 4) {
    return at(cycle, Access::atomic, address, bytes);
  }

  const Record &operator[](size_t index) const { return records[index]; }
  bool isDone() const { return left() == 0; }
  size_t left() const { return records.size() - completed; }
  uint64_t cycle() const { return clock.cycle(engine.now()); }
  uint64_t count(const std::string &name) const {
    return statistics.value("l1." + name);
  }

private:
  Engine &engine;
  const Clock clock;

public:
  Statistics statistics;
  Cache cache;
  std::deque<Record> records;
  /// The order in which accesses completed.
  std::vector<size_t> order;
  /// Called for each access that completes.
  std::function<void(RequesterOf &, const Request &)> onCompletion;
  /// The place of that completion among those of its cycle.
  size_t completion = 0;
  /// Called in each cycle in which this ticks.
  std::function<void()> onCycle;

private:
  struct Coming {
    uint32_t index;
    uint64_t cycle;
  };

  Activity tick() override {
    if (onCycle)
      onCycle();
    completion = 0;
    for (Completion done : cache.completions()) {
      records[done.tag].completed = cycle();
      order.push_back(done.tag);
      ++completed;
      if (onCompletion)
        onCompletion(*this, records[done.tag].request);
      ++completion;
    }
    bool mustWait = false;
    for (; !toCome.empty() && toCome.front().cycle <= cycle(); toCome.pop()) {
      Record &record = records[toCome.front().index];
      Taken answer = cache.tryAccess(record.request);
      if (!record.wasTried)
        record.firstAnswer = answer;
      record.wasTried = true;
      if (answer != Taken::yes) {
        // Of anything else, the cache says when it is over.
        mustWait = answer == Taken::bankConflict;
        break;
      }
      record.taken = cycle();
      completed += record.request.isPosted;
    }
    if (mustWait)
      return Activity::waiting;
    if (!toCome.empty() && toCome.front().cycle > cycle())
      engine.wakeAt(*this, clock.ticks(toCome.front().cycle));
    return Activity::asleep;
  }
  void explain(std::string &text) const override {
    if (left())
      text += "  a requester: " + std::to_string(left()) + " accesses\n";
  }

  Fifo<Coming> toCome;
  size_t completed = 0;
};

using Requester = RequesterOf<CoherentCache>;

class CoherentSystem {
public:
  /// So many caches of compute units, and then those of the aggregator, if wanted.
  explicit CoherentSystem(unsigned count, const Machine &machine = apuMachine(),
                          bool hasAggregator = false, uint32_t putEntries = 8)
      : engine(machine), uncore(machine, engine, statistics),
        putEntries(putEntries) {
    for (unsigned i = 0; i != count; ++i)
      add(machine, machine.l1, engine.coreClock());
    if (hasAggregator)
      add(machine, machine.aggregatorCore.l1d,
          engine.clock(machine.clockOf.aggregator));
  }
  Requester &operator[](size_t index) { return *requesters[index]; }
  size_t size() const { return requesters.size(); }

  /// Until all accesses are done, and nothing is under way.
  void run() {
    engine.run([&] {
      for (const auto &one : requesters)
        if (!one->isDone() || !one->cache.isIdle())
          return false;
      return uncore.directory.isIdle();
    });
  }
  uint64_t count(const char *name) const { return statistics.value(name); }

  Statistics statistics;
  Engine engine;
  CoherentUncore uncore;
  std::vector<std::unique_ptr<Requester>> requesters;

private:
  const uint32_t putEntries;

  void add(const Machine &machine, const CacheParameters &parameters,
           Clock clock) {
    Machine own = machine;
    own.memory.writeBackEntries = putEntries;
    requesters.push_back(std::make_unique<Requester>(
        own, parameters, "cache " + std::to_string(size()), clock, engine,
        uncore));
  }
};

} // namespace chansim

#endif // SIM_COHERENCEHARNESS_H
