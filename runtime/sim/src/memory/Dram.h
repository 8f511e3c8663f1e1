//===- Dram.h - GDDR5 channels ----------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each channel has a command bus (one command a cycle), a data bus, and banks
// with one open row each.  Scheduling is FR-FCFS: the oldest request whose row
// is open and whose data the bus can take goes first; else the oldest request
// that can make its bank precharge or activate does.  A row stays open until
// another of its bank is asked for, and while a request that is queued needs
// it.
//
// A request is a line: some bursts, each with a command of its own.  Neighbouring
// banks form a group: bursts of one group are further apart than those of
// different groups, so that the bus is full only if groups take turns.  A bank
// does one request at a time.  Not modelled: refresh, tFAW.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_DRAM_H
#define CHANSIM_DRAM_H

#include "engine/Engine.h"
#include "engine/Fifo.h"

namespace chansim {

class Statistics;

class Dram : public Component {
public:
  Dram(const Machine &machine, Engine &engine, Statistics &statistics);
  void setConsumer(Component &component) { consumer = &component; }

  /// Whether the line's channel can take no more requests for now.
  bool isFull(uint64_t line) const;
  /// Sends a line's request on its way to its channel.
  void send(uint64_t line, bool isWrite);

  /// Takes the next line whose data have been read by now; false if there is
  /// none. The consumer is woken when there is one.
  bool receive(uint64_t &line);
  /// When the next line that is being read will have come.
  Tick nextArrival() const;

  Activity tick() override;
  void explain(std::string &text) const override;

private:
  struct Entry {
    uint64_t line, row;
    uint32_t bank;
    bool isWrite;
    Tick ready;
    /// To be commanded.
    uint32_t bursts;
  };
  struct Bank {
    uint64_t row = ~uint64_t(0);
    bool isOpen = false;
    /// Whether the row has been accessed since it was opened.
    bool isUsed = false;
    /// Whether some bursts of a request have been commanded, and not all.
    bool isAmid = false;
    /// The first cycles in which it may do so.
    uint64_t activate = 0, access = 0, precharge = 0;
  };
  /// The first cycles in which one of its banks may do so.
  struct Group {
    uint64_t access = 0, precharge = 0;
  };
  struct Arrival {
    uint64_t line;
    Tick at;
  };
  struct Channel {
    Fifo<Entry> path;
    std::vector<Entry> queue; // the oldest first
    std::vector<Bank> banks;
    std::vector<Group> groups;
    Fifo<Arrival> arrivals;
    uint64_t activate = 0, busFree = 0, column = 0, read = 0;
    /// No command can be issued before this cycle.
    uint64_t nextTry = 0;
  };
  /// An address within a channel.
  struct Location {
    uint32_t channel, bank;
    uint64_t row;
  };

  Location locate(uint64_t line) const;
  void admit(Channel &channel);
  bool issue(Channel &channel);
  uint64_t accessCycle(const Channel &channel, const Entry &entry) const;
  void access(Channel &channel, size_t index);
  uint32_t groupOf(uint32_t bank) const {
    return bank / (parameters.banks / parameters.bankGroups);
  }
  bool openOrClose(Channel &channel, uint64_t &earliest);

  const DramParameters parameters;
  Engine &engine;
  const Clock clock;
  Component *consumer = nullptr;
  uint32_t lineBursts;
  size_t capacity;
  std::vector<Channel> channels;
  uint64_t cycle = 0;
  struct {
    uint64_t reads = 0, writes = 0, rowHits = 0, activations = 0,
             precharges = 0, busyCycles = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_DRAM_H
