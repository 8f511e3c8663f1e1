//===- Dram.cpp - GDDR5 channels ------------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memory/Dram.h"
#include "results/Statistics.h"

#include <algorithm>

namespace chansim {

Dram::Dram(const Machine &machine, Engine &engine, Statistics &statistics)
    : parameters(machine.dram), engine(engine),
      clock(engine.clock(machine.clockOf.dram)),
      lineBursts(machine.l2.lineBytes / machine.dram.burstBytes),
      // The queue, and what is on the path when it delivers as fast as it can.
      capacity(machine.dram.queueEntries +
               machine.dram.pathCycles / (lineBursts * machine.dram.ccd) + 1),
      channels(machine.dram.channels) {
  engine.add(*this, clock);
  for (Channel &channel : channels) {
    channel.banks.resize(parameters.banks);
    channel.groups.resize(parameters.bankGroups);
    channel.queue.reserve(parameters.queueEntries);
  }
  statistics.add("dram.reads", "lines", "lines read", counters.reads);
  statistics.add("dram.writes", "lines", "lines written", counters.writes);
  statistics.add("dram.row_hits", "lines",
                 "lines read or written in a row that an earlier one opened",
                 counters.rowHits);
  statistics.add("dram.activations", "commands", "rows opened",
                 counters.activations);
  statistics.add("dram.precharges", "commands", "rows closed",
                 counters.precharges);
  statistics.add("dram.data_cycles", "cycles",
                 "cycles with data on a channel's bus, of all channels",
                 counters.busyCycles);
}

Dram::Location Dram::locate(uint64_t line) const {
  uint64_t block = line / parameters.interleaveBytes;
  uint64_t local = block / parameters.channels * parameters.interleaveBytes +
                   line % parameters.interleaveBytes;
  uint64_t row = local / parameters.rowBytes;
  return {static_cast<uint32_t>(block % parameters.channels),
          static_cast<uint32_t>(row % parameters.banks),
          row / parameters.banks};
}

bool Dram::isFull(uint64_t line) const {
  const Channel &channel = channels[locate(line).channel];
  return channel.path.size() + channel.queue.size() >= capacity;
}

void Dram::send(uint64_t line, bool isWrite) {
  Location location = locate(line);
  Tick ready = clock.edge(engine.now()) + clock.ticks(parameters.pathCycles);
  channels[location.channel].path.push(
      {line, location.row, location.bank, isWrite, ready, lineBursts});
  engine.wakeAt(*this, ready);
}

bool Dram::receive(uint64_t &line) {
  for (Channel &channel : channels) {
    if (channel.arrivals.empty() || channel.arrivals.front().at > engine.now())
      continue;
    line = channel.arrivals.front().line;
    channel.arrivals.pop();
    return true;
  }
  return false;
}

Tick Dram::nextArrival() const {
  Tick next = kNever;
  for (const Channel &channel : channels)
    if (!channel.arrivals.empty())
      next = std::min(next, channel.arrivals.front().at);
  return next;
}

//===----------------------------------------------------------------------===//
// A cycle
//
// Each channel, by itself:
//   1. admits requests that have arrived, while its queue has entries;
//   2. issues at most one command, if it is time to try;
//   3. says when it has to be looked at next: when a command may be issued, or
//      when a request that waits on the path may be admitted.
// Then the DRAM sleeps until the first of these times.
//===----------------------------------------------------------------------===//

Activity Dram::tick() {
  cycle = clock.cycle(engine.now());
  Tick next = kNever;
  for (Channel &channel : channels) {
    // 1.
    admit(channel);
    // 2.
    if (!channel.queue.empty()) {
      if (channel.nextTry <= cycle)
        issue(channel);
      next = std::min(next, clock.ticks(channel.nextTry));
    }
    // 3.
    if (!channel.path.empty() &&
        channel.queue.size() != parameters.queueEntries)
      next = std::min(next, std::max(channel.path.front().ready,
                                     engine.now() + clock.period()));
  }
  if (next != kNever)
    engine.wakeAt(*this, next);
  return Activity::asleep;
}

void Dram::admit(Channel &channel) {
  while (!channel.path.empty() && channel.path.front().ready <= engine.now() &&
         channel.queue.size() != parameters.queueEntries) {
    channel.queue.push_back(channel.path.front());
    channel.path.pop();
    channel.nextTry = cycle;
  }
}

/// The first cycle in which the entry's row, which is open, can be accessed.
uint64_t Dram::accessCycle(const Channel &channel, const Entry &entry) const {
  uint64_t at = std::max({channel.banks[entry.bank].access, channel.column,
                          channel.groups[groupOf(entry.bank)].access});
  // The bus must be free when the data come.
  uint32_t delay = entry.isWrite ? parameters.wl : parameters.cl;
  if (channel.busFree > delay)
    at = std::max(at, channel.busFree - delay);
  return entry.isWrite ? at : std::max(at, channel.read);
}

/// Issues at most one command, and says when to try again.
bool Dram::issue(Channel &channel) {
  uint64_t earliest = ~uint64_t(0);
  for (size_t i = 0; i != channel.queue.size(); ++i) {
    const Entry &entry = channel.queue[i];
    const Bank &bank = channel.banks[entry.bank];
    if (!bank.isOpen || bank.row != entry.row ||
        (bank.isAmid && entry.bursts == lineBursts))
      continue;
    uint64_t at = accessCycle(channel, entry);
    if (at <= cycle) {
      access(channel, i);
      channel.nextTry = cycle + 1;
      return true;
    }
    earliest = std::min(earliest, at);
  }
  if (openOrClose(channel, earliest)) {
    channel.nextTry = cycle + 1;
    return true;
  }
  channel.nextTry = earliest;
  return false;
}

/// Commands a burst.
void Dram::access(Channel &channel, size_t index) {
  Entry &entry = channel.queue[index];
  Bank &bank = channel.banks[entry.bank];
  Group &group = channel.groups[groupOf(entry.bank)];
  uint64_t end =
      cycle + (entry.isWrite ? parameters.wl : parameters.cl) + parameters.ccd;
  channel.busFree = end;
  channel.column = cycle + parameters.ccd;
  group.access = cycle + parameters.ccdl;
  counters.busyCycles += parameters.ccd;
  if (entry.isWrite) {
    channel.read = end + parameters.wtr;
    bank.precharge = std::max(bank.precharge, end + parameters.wr);
  } else {
    group.precharge = cycle + parameters.rtpl;
    bank.precharge = std::max(bank.precharge, cycle + parameters.ccd);
  }
  if (entry.bursts == lineBursts) {
    counters.rowHits += bank.isUsed;
    bank.isUsed = true;
  }
  bank.isAmid = --entry.bursts;
  if (bank.isAmid)
    return;
  const Entry done = entry;
  channel.queue.erase(channel.queue.begin() + static_cast<ptrdiff_t>(index));
  ++(done.isWrite ? counters.writes : counters.reads);
  if (done.isWrite)
    return;
  Tick at = clock.ticks(end);
  channel.arrivals.push({done.line, at});
  engine.wakeAt(*consumer, at);
}

/// Opens a row that is needed, or closes one that no request needs.
bool Dram::openOrClose(Channel &channel, uint64_t &earliest) {
  for (const Entry &entry : channel.queue) {
    Bank &bank = channel.banks[entry.bank];
    if (bank.isOpen) {
      bool isNeeded = std::any_of(
          channel.queue.begin(), channel.queue.end(), [&](const Entry &other) {
            return other.bank == entry.bank && other.row == bank.row;
          });
      if (isNeeded)
        continue;
      uint64_t at = std::max(bank.precharge,
                             channel.groups[groupOf(entry.bank)].precharge);
      if (at <= cycle) {
        ++counters.precharges;
        bank.isOpen = false;
        bank.activate = std::max(bank.activate, cycle + parameters.rp);
        return true;
      }
      earliest = std::min(earliest, at);
      continue;
    }
    uint64_t at = std::max(bank.activate, channel.activate);
    if (at <= cycle) {
      ++counters.activations;
      bank.isOpen = true;
      bank.isUsed = false;
      bank.row = entry.row;
      bank.access = cycle + parameters.rcd;
      bank.precharge = cycle + parameters.ras;
      bank.activate = cycle + parameters.rc;
      channel.activate = cycle + parameters.rrd;
      return true;
    }
    earliest = std::min(earliest, at);
  }
  return false;
}

void Dram::explain(std::string &text) const {
  for (size_t i = 0; i != channels.size(); ++i)
    if (size_t count = channels[i].path.size() + channels[i].queue.size())
      text += "  requests to DRAM channel " + std::to_string(i) + ": " +
              std::to_string(count) + "\n";
}

} // namespace chansim
