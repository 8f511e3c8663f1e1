//===- FlatDram.cpp - DRAM with one latency and one rate ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All is known when a request is sent: it begins when the bus is free, whatever comes
// later.  For example, three lines of 3.2 cycles sent at once begin at 0, 3.2 and 6.4.
//
//===----------------------------------------------------------------------===//

#include "coherence/FlatDram.h"
#include "results/Statistics.h"

#include <cassert>

namespace chansim {

FlatDram::FlatDram(const Machine &machine, Engine &engine,
                   Statistics &statistics)
    : parameters(machine.flatDram), engine(engine),
      clock(engine.clock(machine.clockOf.dram)) {
  uint64_t ticks = machine.l2.lineBytes * clock.period();
  lineTime = {ticks / parameters.bytesPerCycle,
              ticks % parameters.bytesPerCycle};
  lineBytes = machine.l2.lineBytes;
  engine.add(*this, clock);
  statistics.add("dram.reads", "lines", "lines read", counters.reads);
  statistics.add("dram.writes", "lines", "lines written", counters.writes);
  statistics.add("dram.bytes", "bytes",
                 "bytes on the bus, of dram.bytes_per_cycle in a cycle",
                 counters.bytes);
  statistics.add("dram.wait_cycles", "cycles",
                 "whole cycles for which requests waited for the bus",
                 counters.waitCycles);
}

bool FlatDram::isFull() {
  while (!begins.empty() && begins.front() <= engine.now())
    begins.pop();
  return begins.size() >= parameters.queueEntries;
}

void FlatDram::send(uint64_t line, bool isWrite) {
  assert(!isFull());
  Tick now = engine.now();
  if (busFree.up() <= now)
    busFree = {now, 0};
  Exact begin = busFree;
  if (begin.up() > now)
    begins.push(begin.up());
  counters.waitCycles += clock.cycle(begin.tick - now);
  counters.bytes += lineBytes;
  ++(isWrite ? counters.writes : counters.reads);

  busFree.tick += lineTime.tick;
  busFree.part += lineTime.part;
  if (busFree.part >= parameters.bytesPerCycle) {
    busFree.part -= parameters.bytesPerCycle;
    ++busFree.tick;
  }
  if (isWrite)
    return;
  Tick at = begin.up() + clock.ticks(parameters.latencyCycles);
  arrivals.push({line, at});
  engine.wakeAt(*consumer, at);
}

bool FlatDram::receive(uint64_t &line) {
  if (arrivals.empty() || arrivals.front().at > engine.now())
    return false;
  line = arrivals.front().line;
  arrivals.pop();
  return true;
}

void FlatDram::explain(std::string &text) const {
  if (size_t count = arrivals.size())
    text += "  lines being read from DRAM: " + std::to_string(count) + "\n";
}

} // namespace chansim
