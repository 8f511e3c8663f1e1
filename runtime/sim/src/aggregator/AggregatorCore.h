//===- AggregatorCore.h - The timing of the aggregator ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The core that runs the aggregator's program: one of those of Table 5 of "Fine-grain
// Task Aggregation and Coordination on GPUs" (ISCA 2014), whose resources
// Machine::aggregatorCore has.
//
//   L1I -> FrontEnd -> dispatch -> issue queue -> units, loads -> commit -> stores
//                         |        (out of order)    |     (in order)    |
//                        Hart                       L1D                 L1D
//
// **Functional first.**  Dispatch executes an instruction (Hart.h), in the order of the
// program; what comes behind is only time.  So an instruction reads memory when it is
// dispatched, and writes it then, although the access goes to L1D later:
//
//   * A loop that polls a word sees it as it was up to a reorder buffer's worth of
//     instructions before a real core would read it, and others see a store as much
//     earlier.  Each run is still one order of all accesses.
//   * Addresses are known: a load waits for no store but those whose bytes it reads.
//   * Nothing of a wrong path is executed.  After a branch that was predicted wrongly,
//     dispatch waits until it is resolved.
//
// **Devices.**  A read is done in dispatch, when all earlier writes have come to the
// device, and takes `deviceCycles`.  A write comes to the device `deviceCycles` after it
// has committed.
//
// **Memory.**  Stores leave in order after they have committed, one in a cycle, and are
// posted.  LR, SC and AMO begin when they are the oldest instruction and no store is
// left; a fence that orders stores waits alike.  Loads behind a fence, or behind an
// atomic operation that acquires, wait for it.
//
// A core that is not pipelined (`simple`) fetches, executes, and ends each instruction
// before it fetches the next one, and waits for stores.
//
// Use:
//
//   core.load(Firmware::load(bytes));
//   core.addRegion({base, bytes, true, "channel 3"});
//   core.start({{argument}});                     // main's
//   engine.run([&] { return !core.isRunning(); });   // until main returns
//
// The core counts as moving, for the engine's watchdog, while its program writes to a
// device or to memory that is not its own, or has done so a short while ago.  A program
// that polls a device forever thus does not hide that the machine has stalled.  One that
// polls memory does, as each of its accesses moves the cache: for it there is isPolling().
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_AGGREGATOR_AGGREGATORCORE_H
#define CHANSIM_AGGREGATOR_AGGREGATORCORE_H

#include "aggregator/Device.h"
#include "aggregator/Firmware.h"
#include "aggregator/FrontEnd.h"
#include "aggregator/Hart.h"
#include "aggregator/Regions.h"
#include "engine/Engine.h"
#include "memory/MemoryPort.h"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace chansim {
class Statistics;
} // namespace chansim

namespace chansim::aggregator {

class AggregatorCore : public Component {
public:
  // Open.
  /// From the start of an instruction to its result; the divider does one at a time.
  static constexpr uint64_t kAluCycles = 1, kMultiplyCycles = 3,
                            kDivideCycles = 20;
  /// From a load's start to its result, if it reads what a store before it writes.
  static constexpr uint64_t kForwardCycles = 1;
  /// Instructions without an effect on others after which the program only polls.
  static constexpr uint64_t kQuietInstructions = 10000;

  /// Adds itself to the engine, with the clock machine.clockOf.aggregator: create it after
  /// the memories, whose clock is the same.  All must outlive it.  Its counters are named
  /// `aggregator.instructions` and so on.
  AggregatorCore(const Machine &machine, Engine &engine, MemoryPort &data,
                 MemoryPort &instructions, Device &device,
                 Statistics &statistics);
  AggregatorCore(const AggregatorCore &) = delete;
  AggregatorCore &operator=(const AggregatorCore &) = delete;

  /// The program.  Not while the core runs.
  void load(Firmware firmware);
  /// Memory that the program may access beside its own, at any time.  See Regions.
  void addRegion(Region region) { regions.add(std::move(region)); }
  void removeRegion(uint64_t base) { regions.remove(base); }

  /// Runs the program from its beginning, from the next cycle on; `arguments` are those of
  /// main, eight at most.  The data of the program stay as they are.  REQUIRES: load().
  void start(std::span<const uint64_t> arguments = {});
  /// Ends the program where it is.  Instructions that are under way are forgotten.
  void stop();
  /// Whether the program has neither returned from main nor been stopped.
  bool isRunning() const { return running; }

  /// Whether the program has had no effect on others for kQuietInstructions.
  bool isPolling() const { return running && isQuiet(); }

  /// The registers of the program, and where it is.  REQUIRES: load().
  const Hart &state() const { return *hart; }
  const Firmware &program() const { return *firmware; }

private:
  static constexpr uint64_t kUnknown = ~uint64_t(0);
  static constexpr uint32_t kNoLink = ~uint32_t(0);
  /// An instruction waits for its two registers, a store and a barrier at most.
  static constexpr uint32_t kSources = 4;

  /// Why nothing was dispatched in a cycle.
  enum class Stall : uint8_t {
    none,
    fetch,
    rob,
    queue,
    registers,
    memoryQueue,
    device
  };
  static constexpr size_t kStalls = 7;

  /// An instruction between dispatch and commit.
  struct Entry {
    const Instruction *instruction;
    uint64_t pc, address;
    /// When it can begin, if it waits for no others; and its result is there.
    uint64_t readyAt, doneAt;
    /// Instructions that it waits for, and the first link of those that wait for it.
    uint32_t waits, dependents;
    /// The store that it reads from or must wait for, or its own (a number).
    uint64_t store;
    bool isDevice, isFailed;
    /// Whether it reads all its bytes from that store.
    bool isForwarded;
    /// Whether its access has been taken by the memory.
    bool isAsked;
  };
  struct Store {
    uint64_t address;
    uint32_t bytes;
    uint64_t entry;
  };
  struct DeviceWrite {
    uint64_t address, value;
    uint32_t bytes;
    uint64_t effectAt;
  };

  Activity tick() override;
  void explain(std::string &text) const override;
  void addCounters(Statistics &statistics);

  void chargeSleep();
  bool takeCompletions();
  bool writeDevice();
  bool commit();
  void retire(Entry &entry);
  bool issue();
  bool tryIssue(uint64_t number);
  bool tryLoad(Entry &entry, uint64_t number);
  bool tryAtHead(Entry &entry, uint64_t number);
  bool ask(Entry &entry, uint64_t number, Access access);
  bool drainStores();
  bool dispatch();
  Stall whyNot(const Instruction &instruction) const;
  void dispatchOne(const Instruction &instruction, uint64_t predicted);
  void enterMemory(Entry &entry, uint64_t number, const Executed &executed);
  void waitFor(uint64_t number, uint32_t source, uint64_t producer);
  void finish(uint64_t number, uint64_t doneAt);
  Activity rest(bool moved);
  uint64_t nextCycle() const;
  void countExecuted(const Executed &executed);
  bool isDrained() const;
  bool isQuiet() const {
    return counters.instructions - lastEffect > kQuietInstructions;
  }

  // The core that is not pipelined (SimpleCore.cpp).
  bool tickSimple();
  void executeSimple();
  bool accessSimple();

  Request requestOf(const Entry &entry, Access access) const;
  Entry &at(uint64_t number) { return entries[number % entries.size()]; }
  const Entry &at(uint64_t number) const {
    return entries[number % entries.size()];
  }

  Engine &engine;
  const AggregatorCoreParameters parameters;
  const Clock clock;
  MemoryPort &data, &instructions;
  /// Of loads and atomic operations, of stores, and of fetch if it is not pipelined.
  Requester loadRequester, storeRequester, fetchRequester;
  Device &device;
  Regions regions;
  std::optional<Firmware> firmware;
  std::optional<Hart> hart;
  FrontEnd frontEnd;

  bool running = false;
  /// Counts starts, so that completions of an earlier one are known.
  uint32_t runNumber = 0;
  uint64_t cycle = 0;
  /// That of the last tick, if there was one since the start.
  std::optional<uint64_t> lastCycle;
  /// The instruction that had an effect on others last.
  uint64_t lastEffect = 0;

  /// The reorder buffer: instructions `head` to `tail`, by number.
  std::vector<Entry> entries;
  uint64_t head = 0, tail = 0;
  /// Link `number % entries * kSources + source` is of that source of the instruction, and
  /// is the next one that waits for the same producer.
  std::vector<uint32_t> links;
  /// The instruction that writes each register, if it is not known to have committed.
  std::array<uint64_t, 32> writers{};
  /// The last fence or atomic operation that acquires.
  uint64_t barrier = 0;
  /// Instructions that wait for no others, by number.
  std::vector<uint64_t> ready;
  uint32_t queued = 0, renamed = 0, loads = 0, stores = 0;
  uint64_t dividerFreeAt = 0;
  /// The store queue: stores `storeBegin` to `storeEnd`, by number; those before
  /// `storeCommitted` have committed.
  std::vector<Store> storeQueue;
  uint64_t storeBegin = 0, storeCommitted = 0, storeEnd = 0;
  /// In order; those that have committed have a time.
  std::deque<DeviceWrite> deviceWrites;
  /// The branch that was predicted wrongly and is not resolved.
  std::optional<uint64_t> wrongBranch;
  Stall stall = Stall::none;
  bool isHeadWaiting = false;
  /// Whether a load was refused in this cycle.
  bool isRefused = false;

  /// Of the core that is not pipelined.
  enum class Phase : uint8_t { fetch, fetching, access, accessing, busy };
  Phase phase = Phase::fetch;
  uint64_t busyUntil = 0;
  Entry current{};

  struct {
    uint64_t cycles = 0, instructions = 0, loads = 0, stores = 0, atomics = 0,
             branches = 0, mispredictions = 0, deviceReads = 0,
             deviceWrites = 0, forwarded = 0, memoryAtHead = 0;
    std::array<uint64_t, kStalls> stalls{};
  } counters;
};

} // namespace chansim::aggregator

#endif // CHANSIM_AGGREGATOR_AGGREGATORCORE_H
