//===- AggregatorHarness.h - Programs for the aggregator --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An assembler for short programs, a device that remembers, and a scripted memory:
//
//   AggregatorHarness core;
//   core.load({addi(10, 0, 5), ret()});
//   core.run() == 6                       // cycles
//
//===----------------------------------------------------------------------===//

#ifndef SIM_AGGREGATORHARNESS_H
#define SIM_AGGREGATORHARNESS_H

#include "aggregator/AggregatorCore.h"
#include "results/Statistics.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace chansim::aggregator {

std::span<const std::byte> firmwareInstructions();
std::span<const std::byte> firmwarePrograms();

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

using Code = std::vector<uint32_t>;

inline uint32_t wordR(uint32_t funct7, unsigned rd, unsigned rs1, unsigned rs2,
                      uint32_t funct3, uint32_t opcode = 0x33) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
inline uint32_t wordI(unsigned rd, unsigned rs1, int32_t value, uint32_t funct3,
                      uint32_t opcode) {
  return static_cast<uint32_t>(value) << 20 | rs1 << 15 | funct3 << 12 |
         rd << 7 | opcode;
}
inline uint32_t addi(unsigned rd, unsigned rs1, int32_t value) {
  return wordI(rd, rs1, value, 0, 0x13);
}
inline uint32_t add(unsigned rd, unsigned rs1, unsigned rs2) {
  return wordR(0, rd, rs1, rs2, 0);
}
inline uint32_t mul(unsigned rd, unsigned rs1, unsigned rs2) {
  return wordR(1, rd, rs1, rs2, 0);
}
inline uint32_t divu(unsigned rd, unsigned rs1, unsigned rs2) {
  return wordR(1, rd, rs1, rs2, 5);
}
inline uint32_t ld(unsigned rd, unsigned rs1, int32_t offset) {
  return wordI(rd, rs1, offset, 3, 0x03);
}
inline uint32_t lw(unsigned rd, unsigned rs1, int32_t offset) {
  return wordI(rd, rs1, offset, 2, 0x03);
}
inline uint32_t storeWord(unsigned rs2, unsigned rs1, int32_t offset,
                          uint32_t funct3) {
  auto bits = static_cast<uint32_t>(offset);
  return (bits >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
         (bits & 31) << 7 | 0x23;
}
inline uint32_t sd(unsigned rs2, unsigned rs1, int32_t offset) {
  return storeWord(rs2, rs1, offset, 3);
}
inline uint32_t sw(unsigned rs2, unsigned rs1, int32_t offset) {
  return storeWord(rs2, rs1, offset, 2);
}
inline uint32_t branch(unsigned rs1, unsigned rs2, int32_t offset,
                       uint32_t funct3) {
  auto bits = static_cast<uint32_t>(offset);
  return (bits >> 12 & 1) << 31 | (bits >> 5 & 0x3f) << 25 | rs2 << 20 |
         rs1 << 15 | funct3 << 12 | (bits >> 1 & 15) << 8 |
         (bits >> 11 & 1) << 7 | 0x63;
}
inline uint32_t beq(unsigned rs1, unsigned rs2, int32_t offset) {
  return branch(rs1, rs2, offset, 0);
}
inline uint32_t bne(unsigned rs1, unsigned rs2, int32_t offset) {
  return branch(rs1, rs2, offset, 1);
}
inline uint32_t jal(unsigned rd, int32_t offset) {
  auto bits = static_cast<uint32_t>(offset);
  return (bits >> 20 & 1) << 31 | (bits >> 1 & 0x3ff) << 21 |
         (bits >> 11 & 1) << 20 | (bits >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}
inline uint32_t jalr(unsigned rd, unsigned rs1, int32_t offset) {
  return wordI(rd, rs1, offset, 0, 0x67);
}
inline uint32_t ret() { return jalr(0, kRa, 0); }
inline uint32_t nop() { return addi(0, 0, 0); }
inline uint32_t fenceAll() { return 0x0ff0000f; }
inline uint32_t fenceReads() { return 0x0230000f; } // fence r, rw
inline uint32_t amoaddD(unsigned rd, unsigned rs2, unsigned rs1) {
  return wordR(0, rd, rs1, rs2, 3, 0x2f);
}
inline uint32_t lrD(unsigned rd, unsigned rs1) {
  return wordR(0x02 << 2, rd, rs1, 0, 3, 0x2f);
}
inline uint32_t scD(unsigned rd, unsigned rs2, unsigned rs1) {
  return wordR(0x03 << 2, rd, rs1, rs2, 3, 0x2f);
}

/// `count` times the same word, and a return.
inline Code repeat(size_t count, uint32_t word) {
  Code code(count, word);
  code.push_back(ret());
  return code;
}

//===----------------------------------------------------------------------===//
// Device and memory
//===----------------------------------------------------------------------===//

/// Registers at 0x1000 to 0x1fff, which remember what was written.
class TestDevice : public Device {
public:
  struct Event {
    uint64_t cycle, address, value;
    unsigned bytes;
    bool isWrite;
    bool operator==(const Event &) const = default;
  };

  bool owns(uint64_t address) const override {
    return address >= 0x1000 && address < 0x2000;
  }
  uint64_t read(uint64_t address, unsigned bytes) override {
    uint64_t value = values.contains(address) ? values[address] : 0;
    events.push_back({now(), address, value, bytes, false});
    return value;
  }
  void write(uint64_t address, uint64_t value, unsigned bytes) override {
    values[address] = value;
    events.push_back({now(), address, value, bytes, true});
    if (stops && address == 0x1ff8)
      stops->stop();
  }

  std::vector<Event> events;
  std::map<uint64_t, uint64_t> values;
  const Engine *engine = nullptr;
  Tick period = 1;
  AggregatorCore *stops = nullptr;

private:
  uint64_t now() const { return engine ? engine->now() / period : 0; }
};

/// A memory in which each access takes `hit` cycles, or `miss` if nothing of its line was
/// accessed before; `ports` begin in a cycle.
class ScriptedPort : public MemoryPort, Component {
public:
  ScriptedPort(Engine &engine, const Clock &clock, uint64_t hit)
      : hit(hit), miss(hit), engine(engine), clock(clock) {
    engine.add(*this, clock);
  }

  uint64_t hit, miss;
  uint32_t ports = 4;
  /// Refuses everything until that cycle, as if it had no MSHR.
  uint64_t refusesUntil = 0;
  /// What is not counted otherwise.
  uint64_t refusals = 0;
  struct Record {
    uint64_t cycle, address;
    uint32_t bytes;
    Access access;
    bool isPosted;
  };
  std::vector<Record> records;
  bool isRecording = true;
  /// Whether it waits for its times in a way that the watchdog does not take as movement.
  bool isQuiet = false;

  uint32_t number() const override { return 0; }
  void setConsumer(Component &component) override { consumer = &component; }
  Taken tryAccess(const Request &request) override {
    uint64_t cycle = clock.cycle(engine.now());
    if (cycle < refusesUntil) {
      ++refusals;
      engine.wakeAt(*this, clock.ticks(refusesUntil));
      return Taken::noMshr;
    }
    if (cycle != lastCycle)
      used = 0;
    lastCycle = cycle;
    if (used == ports)
      return Taken::bankConflict;
    ++used;
    if (isRecording)
      records.push_back({cycle, request.address, request.bytes, request.access,
                         request.isPosted});
    bool isHit = !lines.insert(request.address / 64).second;
    if (!request.isPosted) {
      uint64_t at = cycle + (isHit ? hit : miss);
      pending.emplace(at, Completion{request.requester, request.tag});
      if (isQuiet)
        engine.wake(*this);
      else
        engine.wakeAt(*this, clock.ticks(at));
    }
    return Taken::yes;
  }
  void countRefusals(Via, Taken, uint64_t cycles) override {
    refusals += cycles;
  }
  uint64_t place(uint64_t address, uint32_t,
                 const PrivateWindow *) const override {
    return address;
  }
  std::span<const Completion> completions() const override {
    if (doneAt != engine.now())
      return {};
    return done;
  }
  void flush() override {}
  bool isFlushing() const override { return false; }

private:
  Activity tick() override {
    uint64_t cycle = clock.cycle(engine.now());
    done.clear();
    doneAt = engine.now();
    while (!pending.empty() && pending.begin()->first <= cycle) {
      done.push_back(pending.begin()->second);
      pending.erase(pending.begin());
    }
    engine.wake(*consumer);
    if (isQuiet)
      return pending.empty() ? Activity::asleep : Activity::waiting;
    if (!pending.empty())
      engine.wakeAt(*this, clock.ticks(pending.begin()->first));
    return Activity::asleep;
  }
  void explain(std::string &text) const override {
    if (!pending.empty())
      text += "  scripted memory\n";
  }

  Engine &engine;
  const Clock clock;
  Component *consumer = nullptr;
  std::multimap<uint64_t, Completion> pending;
  std::vector<Completion> done;
  Tick doneAt = kNever;
  uint64_t lastCycle = kNever;
  uint32_t used = 0;
  std::set<uint64_t> lines;
};

//===----------------------------------------------------------------------===//
// A core
//===----------------------------------------------------------------------===//

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

/// The cores of Table 5, from the simplest one.
inline std::vector<Override> tableFive(size_t core) {
  static const std::vector<Override> cores[] = {
      {{"aggregator.pipelined", "false"}, {"aggregator.width", "1"}},
      {{"aggregator.rob_entries", "8"},
       {"aggregator.queue_entries", "2"},
       {"aggregator.load_entries", "8"},
       {"aggregator.store_entries", "8"}},
      {},
      {{"aggregator.width", "4"},
       {"aggregator.rob_entries", "128"},
       {"aggregator.queue_entries", "64"},
       {"aggregator.registers", "128"},
       {"aggregator.load_entries", "64"},
       {"aggregator.store_entries", "64"}}};
  return cores[core];
}

class AggregatorHarness {
public:
  explicit AggregatorHarness(const std::vector<Override> &overrides = {})
      : machine(apuMachine(overrides)), engine(machine),
        clock(engine.clock(machine.clockOf.aggregator)), data(engine, clock, 4),
        instructions(engine, clock, 2),
        core(machine, engine, data, instructions, device, statistics) {
    device.engine = &engine;
    device.period = clock.period();
    device.stops = &core;
    core.addRegion({address(shared.data()), sizeof(shared), true, "channels"});
  }

  static uint64_t address(const void *pointer) {
    return reinterpret_cast<uint64_t>(pointer);
  }
  void load(const Code &code) { core.load(Firmware::ofCode(code)); }
  /// Returns the cycles of the program, whose first argument is the address of `shared`.
  uint64_t run(std::vector<uint64_t> arguments = {}) {
    if (arguments.empty())
      arguments = {address(shared.data())};
    uint64_t before = count("cycles");
    core.start(arguments);
    engine.run([&] { return !core.isRunning(); });
    return count("cycles") - before;
  }
  uint64_t count(const std::string &name) const {
    return statistics.value("aggregator." + name);
  }
  uint64_t result() const { return core.state().reg(kA0); }

  Machine machine;
  Engine engine;
  Clock clock;
  Statistics statistics;
  TestDevice device;
  ScriptedPort data, instructions;
  AggregatorCore core;
  /// Memory that others could access.
  alignas(64) std::array<uint64_t, 1024> shared{};
};

/// Of a program on a machine.
inline uint64_t cyclesOf(const Code &code,
                         const std::vector<Override> &overrides = {}) {
  AggregatorHarness harness(overrides);
  harness.load(code);
  harness.shared[0] = AggregatorHarness::address(harness.shared.data());
  return harness.run();
}

} // namespace chansim::aggregator

#endif // SIM_AGGREGATORHARNESS_H
