//===- FlatDram.h - DRAM with one latency and one rate ----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Orr et al., ISCA 2014, Table 2: 30 ns and 20 GB/s.  As gem5's simple memory: a
// request begins when the bus is free, occupies it for its line's bytes, and its data
// are there `dram.latency_cycles` after it began.  Lines of 64 bytes at 20 bytes a
// cycle begin every 3.2 cycles, exactly:
//
//   sent in cycle 0:   0, 1, 2, 3      data after 30 cycles:
//   begin:             0, 3.2, 6.4, 9.6         30, 33.2, 36.4, 39.6
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_COHERENCE_FLATDRAM_H
#define CHANSIM_COHERENCE_FLATDRAM_H

#include "engine/Engine.h"
#include "engine/Fifo.h"

namespace chansim {

class Statistics;

class FlatDram : public Component {
public:
  FlatDram(const Machine &machine, Engine &engine, Statistics &statistics);
  void setConsumer(Component &component) { consumer = &component; }

  /// Whether so many requests wait for the bus that there may be no more for now.
  bool isFull();
  /// When that is over, at the latest.  REQUIRES: isFull().
  Tick roomAt() const { return begins.front(); }
  /// Sends a request for a line.  REQUIRES: !isFull().
  void send(uint64_t line, bool isWrite);

  /// Takes the next line whose data have been read by now; false if there is
  /// none.  The consumer is woken when there is one.
  bool receive(uint64_t &line);
  /// When the next line that is being read will have come.
  Tick nextArrival() const {
    return arrivals.empty() ? kNever : arrivals.front().at;
  }

  /// Nothing happens but on requests.
  Activity tick() override { return Activity::asleep; }
  void explain(std::string &text) const override;

private:
  struct Arrival {
    uint64_t line;
    Tick at;
  };
  /// A time in ticks and parts of bytesPerCycle of a tick.
  struct Exact {
    Tick tick = 0;
    uint64_t part = 0;
    /// The first tick that is not before.
    Tick up() const { return tick + (part != 0); }
  };

  const FlatDramParameters parameters;
  Engine &engine;
  const Clock clock;
  /// What a line takes.
  Exact lineTime;
  uint32_t lineBytes;
  Component *consumer = nullptr;
  Exact busFree;
  /// When requests begin that may still wait.
  Fifo<Tick> begins;
  Fifo<Arrival> arrivals;
  struct {
    uint64_t reads = 0, writes = 0, bytes = 0, waitCycles = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_COHERENCE_FLATDRAM_H
