//===- Harness.h - A core that issues listed accesses -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SIM_HARNESS_H
#define SIM_HARNESS_H

#include "engine/Fifo.h"
#include "memory/Memory.h"
#include "memory/Uncore.h"
#include "results/Statistics.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace chansim {

using Overrides = std::vector<Override>;

/// The machine that ships, with overrides.
inline Machine shippedMachine(const Overrides &overrides = {}) {
  std::string error;
  std::optional<Machine> machine =
      Machine::load(SIM_MACHINES "micro15-vgiw.json", error);
  if (!machine || !machine->set(overrides, error)) {
    std::fprintf(stderr, "%s\n", error.c_str());
    std::abort();
  }
  return *machine;
}

/// Keeps all components awake, and so has every cycle simulated.
class Insomnia : Component {
public:
  explicit Insomnia(Engine &engine) : engine(engine) {
    engine.add(*this, engine.coreClock());
    engine.wake(*this);
  }

private:
  Activity tick() override {
    engine.wakeAll();
    return Activity::waiting;
  }
  void explain(std::string &) const override {}

  Engine &engine;
};

/// How often the engine did something.
class StepCounter : Observer {
public:
  explicit StepCounter(Engine &engine) { engine.setObserver(*this, 1); }
  uint64_t steps = 0;

private:
  void observe() override { ++steps; }
};

/// A machine, and a core that tries each access from its cycle on until it is
/// taken.  The accesses are named by their index.
class MemoryHarness : Component {
public:
  struct Record {
    Taken firstAnswer = Taken::yes;
    uint64_t taken = 0, completed = 0;

    uint64_t latency() const { return completed - taken; }
  };

  explicit MemoryHarness(Machine machine = shippedMachine())
      : own(std::make_unique<Shared>(machine)), engine(own->engine),
        uncore(own->uncore), memory(machine, engine, uncore, statistics) {
    statistics.addSums(std::array<const Statistics *, 1>{&own->statistics});
    engine.add(*this, engine.coreClock());
    memory.setConsumer(*this);
  }
  /// Another core beside one.
  MemoryHarness(Machine machine, MemoryHarness &beside)
      : engine(beside.engine), uncore(beside.uncore),
        memory(machine, engine, uncore, statistics) {
    engine.add(*this, engine.coreClock());
    memory.setConsumer(*this);
  }

  /// Tries the access from the cycle on; cycles must not decrease.
  size_t at(uint64_t cycle, Access access, uint64_t address, uint32_t bytes = 4,
            Via via = Via::l1, bool isPosted = false) {
    uint32_t index = static_cast<uint32_t>(records.size());
    Request request{address,         bytes, access,  via,
                    /*requester=*/7, index, isPosted};
    toCome.push({cycle, false, request});
    records.emplace_back();
    return index;
  }
  size_t read(uint64_t cycle, uint64_t address, uint32_t bytes = 4) {
    return at(cycle, Access::read, address, bytes);
  }

  /// A posted write, which is over when it is taken.
  size_t post(uint64_t cycle, uint64_t address, uint32_t bytes = 4,
              Via via = Via::l1) {
    return at(cycle, Access::write, address, bytes, via, /*isPosted=*/true);
  }

  void start() { engine.wake(*this); }
  /// Until all accesses have completed.
  void run() {
    start();
    engine.run([&] { return completed == records.size() && !isFlushing; });
  }
  /// Core cycles that a flush takes.
  uint64_t flush() {
    uint64_t before = cycle();
    memory.flush();
    isFlushing = true;
    engine.run([&] { return !memory.isFlushing(); });
    isFlushing = false;
    return cycle() - before;
  }

  uint64_t cycle() const { return engine.coreCycle(); }
  uint64_t count(const char *name) const { return statistics.value(name); }
  const Record &operator[](size_t index) const { return records[index]; }

  struct Shared {
    explicit Shared(const Machine &machine)
        : engine(machine), uncore(machine, engine, statistics) {}
    Statistics statistics;
    Engine engine;
    Uncore uncore;
  };

  std::unique_ptr<Shared> own;
  Statistics statistics;
  Engine &engine;
  Uncore &uncore;
  Memory memory;
  /// The order in which accesses completed.
  std::vector<size_t> order;

private:
  struct Pending {
    uint64_t cycle;
    bool wasTried;
    Request request;
  };

  Activity tick() override {
    for (Completion done : memory.completions()) {
      records[done.tag].completed = cycle();
      order.push_back(done.tag);
      ++completed;
    }
    for (; !toCome.empty() && toCome.front().cycle <= cycle(); toCome.pop())
      due.push_back(toCome.front());
    // As a core that can try so many: the oldest.
    auto end = due.size() > 64 ? due.begin() + 64 : due.end();
    due.erase(
        std::remove_if(due.begin(), end,
                       [this](Pending &access) { return tryOnce(access); }),
        end);
    if (!due.empty())
      return Activity::waiting;
    if (!toCome.empty())
      engine.wakeAt(*this, toCome.front().cycle * engine.coreClock().period());
    return Activity::asleep;
  }
  void explain(std::string &text) const override {
    text += "  harness: " + std::to_string(records.size() - completed) +
            " accesses\n";
  }
  bool tryOnce(Pending &access) {
    Taken answer = memory.tryAccess(access.request);
    Record &record = records[access.request.tag];
    if (!std::exchange(access.wasTried, true))
      record.firstAnswer = answer;
    if (answer != Taken::yes)
      return false;
    record.taken = cycle();
    completed += access.request.isPosted;
    return true;
  }

  Fifo<Pending> toCome;
  /// Not taken yet.
  std::vector<Pending> due;
  std::vector<Record> records;
  size_t completed = 0;
  bool isFlushing = false;
};

} // namespace chansim

#endif // SIM_HARNESS_H
