//===- ProgrammedAggregator.h - A program dispatches wavefronts -*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The aggregator of Orr et al. (ISCA 2014, sections 3.1 and 6): a core runs a scheduler,
// which sees channels in memory and registers of this device (chan/scheduler.h).
//
//   scheduler --loads, stores--> its L1 --> L2 <-- L1 <--kernels-- compute units
//       |                                                             ^   |
//       '--registers--> dispatcher: binds a wavefront's words --start-'   |
//                                  <--ended, yielded----------------------'
//
// The dispatcher does what the scheduler says, and refuses what cannot be: a wavefront
// for a core that is full, elements that are not ready, or that were dispatched before.
// When the scheduler returns, all elements must be done.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_PROGRAMMEDAGGREGATOR_H
#define CHANSIM_PROGRAMMEDAGGREGATOR_H

#include "aggregator/AggregatorCore.h"
#include "dispatch/ArrayChannels.h"
#include "dispatch/ArrayChecks.h"
#include "dispatch/Channels.h"
#include "dispatch/ContinuationChecks.h"
#include "dispatch/Dispatcher.h"
#include "dispatch/Processor.h"
#include "dispatch/YieldWaits.h"

#include <deque>
#include <map>
#include <memory>
#include <unordered_map>

namespace chansim {

class ProgrammedAggregator final : public Dispatcher,
                                   Component,
                                   aggregator::Device {
public:
  /// Adds itself to the engine, after the processor.  `firmware` is a RISC-V program
  /// that outlives this; `name` is what messages call it.
  ProgrammedAggregator(const Machine &machine, Engine &engine,
                       Processor &processor, Program &program,
                       std::span<const std::byte> firmware,
                       const std::string &name, Statistics &statistics);
  ~ProgrammedAggregator() override;

  void record(Trace &trace) override;
  std::string waitOf(uint64_t contextBase, bool isBack) const override;
  void run(chan_block *block) override;
  void *resolve(void *launch, void (*function)(void), uint64_t signature,
                void *otherwise) override;

private:
  /// Memory that the scheduler has got for a wavefront, and what runs there.
  struct Wave {
    chan_wave *memory;
    std::unique_ptr<Tile> tile = nullptr;
    DeviceKernel *kernel = nullptr;
    uint64_t level = 0;
    uint32_t core = 0;
    enum class State : uint8_t { free, running, yielded } state = State::free;
    bool isGivenBack = false;
    void *privateMemory = nullptr, *groupMemory = nullptr;
    uint64_t privateBytes = 0, groupBytes = 0;
    /// The channels that it uses, for checks.
    std::vector<const chan_array *> arrays = {};
    /// From which its threads come.
    const chan_array *source = nullptr;
    uint64_t startedAt = 0;
    /// The channel for which it waited last, and its tail then; when it went on, whether
    /// the channel was empty.
    const chan_array *waited = nullptr, *resumedFor = nullptr;
    uint64_t waitedAt = 0, resumedAt = 0;
    bool resumedWhenEmpty = false;
  };

  Activity tick() override;
  void explain(std::string &text) const override;

  // The registers.
  bool owns(uint64_t address) const override;
  uint64_t read(uint64_t address, unsigned bytes) override;
  void write(uint64_t address, uint64_t value, unsigned bytes) override;

  chan_wave *makeWave();
  void freeWave(Wave &wave);
  Wave &waveOf(uint64_t address, const char *what);
  void dispatch(const chan_packet &packet);
  void resume(Wave &wave);
  void start(Wave &wave, const char *what);
  void traceStart(const Wave &wave, const char *what) const;
  void makeTile(Wave &wave, const chan_packet &packet, DeviceKernel &kernel);
  void bind(Wave &wave, const chan_packet &packet, chan_array &array);
  void takeUp();
  void noteWait(Wave &wave);
  void noteRegions();
  void countIdle();

  // ProgrammedAggregatorChecks.cpp
  void checkChannel(const chan_array &array);
  void checkContinuations(const chan_packet &packet, const chan_array &part);
  void checkWavefront(const Wave &wave);
  void checkMemory();
  void checkThatItFits(const Wave &wave) const;
  void checkThatItMoves();
  void checkThatAllIsDone();
  uint64_t mostWaves() const;
  bool isRunningSince(uint64_t cycle) const;
  std::string describe(const Wave &wave) const;
  std::string listWaves(bool withAll) const;
  [[noreturn]] void refuse(const std::string &what) const;
  uint64_t contextBytes() const;

  const Machine &machine;
  Engine &engine;
  Processor &processor;
  Program &program;
  Statistics &statistics;
  const std::span<const std::byte> firmware;
  const std::string schedulerName;
  std::unique_ptr<aggregator::AggregatorCore> scheduler;

  std::unique_ptr<ArrayChannels> channels;
  Pool pool;
  std::unordered_map<const chan_wave *, std::unique_ptr<Wave>> waves;
  std::unordered_map<const Tile *, Wave *> byTile;
  std::deque<chan_wave *> ended;
  uint64_t waveBytes = 0;
  /// Memory of wavefronts that was given back, and how much was not.
  std::vector<chan_wave *> freeWaves;
  uint64_t usedWaves = 0, privateBytes = 0;
  ArrayChecks checks;
  ContinuationChecks continuations;

  bool isRunning = false;
  /// Pieces of address space that the scheduler's core knows.
  size_t regions = 0;
  /// Wavefronts on cores, and since when there are none.
  uint64_t running = 0, idleSince = 0;
  YieldWaits yieldWaits;
  /// When a wavefront last began, ended or yielded; and what was seen when the machine
  /// was last looked at.
  uint64_t lastChange = 0, lastCheck = 0, lastIssued = 0, lastYields = 0;
  /// How often the scheduler has asked for wavefronts that have ended since lastChange.
  uint64_t passes = 0;
  /// When a new wavefront began or one ended, or one that had waited for room got it.
  uint64_t lastProgress = 0;

  Trace *trace = nullptr;
  /// Dispatches, each in its cycle; and times without a wavefront on any core.
  std::unique_ptr<TraceLanes> decisions;
  Trace::Track blocked = 0;
  struct {
    uint64_t dispatches = 0, partial = 0, elements = 0, continuations = 0,
             yields = 0, levels = 0, idleCycles = 0, waves = 0, waveBytes = 0,
             privateBytes = 0, channelBytes = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_PROGRAMMEDAGGREGATOR_H
