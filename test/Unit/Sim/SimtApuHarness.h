//===- SimtApuHarness.h - A compute unit on a memory of a list --*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ApuHarness harness({"store.i32 [p0], 1\n"});   // kernels, each by its lines
//   harness.run(harness.makeTile(&word));           // cycles
//   harness.memory.seen                             // what L1 was asked for, and when
//
//===----------------------------------------------------------------------===//

#ifndef SIM_SIMTAPUHARNESS_H
#define SIM_SIMTAPUHARNESS_H

#include "core/Host.h"
#include "results/Statistics.h"
#include "simt/Multiprocessor.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace chansim::simt {

/// Takes all, one after the other, and records it.
class ScriptedMemory final : public MemoryPort, Component {
public:
  struct Seen {
    uint64_t cycle;
    Request request;
  };

  ScriptedMemory(Engine &engine, uint32_t latency)
      : engine(engine), latency(latency) {
    engine.add(*this, engine.coreClock());
  }

  uint32_t number() const override { return own; }
  void setConsumer(Component &component) override { consumer = &component; }
  Taken tryAccess(const Request &request) override {
    uint64_t cycle = engine.coreCycle();
    seen.push_back({cycle, request});
    if (!request.isPosted) {
      pipe.push_back({cycle + latency, {request.requester, request.tag}});
      wakeFor(pipe.front().first);
    }
    return Taken::yes;
  }
  void countRefusals(Via, Taken, uint64_t) override {}
  uint64_t place(uint64_t address, uint32_t,
                 const PrivateWindow *window) const override {
    // So that it can be seen which window was used.
    return window && window->contains(address) ? address + kMoved : address;
  }
  std::span<const Completion> completions() const override {
    if (doneAt != engine.now())
      return {};
    return done;
  }
  void acquire() override { acquired.push_back(engine.coreCycle()); }
  void flush() override {}
  bool isFlushing() const override { return false; }

  /// Requests of that kind.
  size_t count(Access access) const {
    return static_cast<size_t>(
        std::count_if(seen.begin(), seen.end(), [&](const Seen &one) {
          return one.request.access == access;
        }));
  }

  static constexpr uint64_t kMoved = uint64_t(1) << 60;
  uint32_t own = 0;
  std::vector<Seen> seen;
  /// When it was told to.
  std::vector<uint64_t> acquired;

private:
  Activity tick() override {
    done.clear();
    doneAt = engine.now();
    while (!pipe.empty() && pipe.front().first <= engine.coreCycle()) {
      done.push_back(pipe.front().second);
      pipe.erase(pipe.begin());
    }
    if (!done.empty())
      engine.wake(*consumer);
    if (!pipe.empty())
      wakeFor(pipe.front().first);
    return Activity::asleep;
  }
  void explain(std::string &) const override {}
  void wakeFor(uint64_t cycle) {
    engine.wakeAt(*this, cycle * engine.coreClock().period());
  }

  Engine &engine;
  const uint32_t latency;
  Component *consumer = nullptr;
  std::vector<std::pair<uint64_t, Completion>> pipe;
  std::vector<Completion> done;
  Tick doneAt = kNever;
};

inline Machine apu(const std::vector<Override> &overrides = {}) {
  std::string error;
  std::optional<Machine> machine =
      Machine::load(SIM_MACHINES "isca14-apu.json", error);
  EXPECT_TRUE(machine && machine->set(overrides, error)) << error;
  return *machine;
}

/// Keeps time from leaping beyond a cycle.
class Sleeper final : public Component {
public:
  explicit Sleeper(Engine &engine) : engine(engine) {
    engine.add(*this, engine.coreClock());
  }
  void sleepUntil(uint64_t cycle) {
    engine.wakeAt(*this, cycle * engine.coreClock().period());
    engine.run([&] { return engine.coreCycle() >= cycle; });
  }

private:
  Activity tick() override { return Activity::asleep; }
  void explain(std::string &) const override {}

  Engine &engine;
};

/// A core and kernels, each given by its lines.
class ApuHarness {
public:
  explicit ApuHarness(const std::vector<std::string> &kernels,
                      const Machine &machine = apu(), uint32_t latency = 4,
                      bool fetches = false, uint32_t fetchCycles = 2)
      : machine(machine), engine(machine), host(machine),
        memory(engine, latency), instructions(engine, fetchCycles),
        fetchUnit(machine, engine, instructions, statistics),
        core(machine, engine, memory, host, statistics, memory.number(),
             fetches ? &fetchUnit : nullptr),
        sleeper(engine), assembly(parse(kernels)) {
    for (const Kernel &kernel : assembly.kernels)
      codes.push_back(std::make_unique<Code>(
          kernel, symbols, tileThreads(machine), machine.simt.issueCycles));
  }

  static Assembly parse(const std::vector<std::string> &kernels) {
    std::string text, error;
    for (const std::string &lines : kernels)
      text += ".kernel k\n.parameter argument 0\n.private 64\n"
              ".registers s 16 d 8 c 3\n{\n" +
              lines + "exit\n}\n";
    auto parsed = Assembly::parse(text, "k.simt", error);
    EXPECT_TRUE(parsed) << error;
    return parsed.value();
  }

  SimtTile &makeTile(const void *argument = nullptr, uint32_t threads = 64,
                     size_t kernel = 0) {
    auto tile = std::make_unique<SimtTile>();
    tile->kernel = codes[kernel].get();
    tile->threads = threads;
    tile->parameters = {reinterpret_cast<uint64_t>(argument)};
    tile->contextBase = kContexts + tiles.size() * 16384;
    tile->contextRoom = 16384;
    tiles.push_back(std::move(tile));
    return *tiles.back();
  }
  /// Core cycles from now until the core is idle.
  uint64_t finish() {
    uint64_t before = engine.coreCycle();
    engine.run([&] { return core.isIdle(); });
    return engine.coreCycle() - before;
  }
  uint64_t run(SimtTile &tile) {
    core.start(tile);
    return finish();
  }
  void runUntil(uint64_t cycle) { sleeper.sleepUntil(cycle); }
  uint64_t count(const char *name) const { return statistics.value(name); }

  static constexpr uint64_t kContexts = uint64_t(1) << 40;

  const Machine machine;
  Statistics statistics;
  Engine engine;
  Host host;
  ScriptedMemory memory, instructions;
  FetchUnit fetchUnit;
  Multiprocessor core;
  Sleeper sleeper;
  std::vector<uint64_t> symbols;
  Assembly assembly;
  std::vector<std::unique_ptr<Code>> codes;
  std::vector<std::unique_ptr<SimtTile>> tiles;
};

} // namespace chansim::simt

#endif // SIM_SIMTAPUHARNESS_H
