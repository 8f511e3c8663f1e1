//===- FunctionalCore.cpp - An untimed SIMT core --------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/FunctionalCore.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>
#include <utility>

namespace chansim::simt {

FunctionalCore::FunctionalCore(const Machine &machine, Engine &engine,
                               uint32_t number, Statistics &statistics)
    : Core(engine, number), parameters(machine.simt) {
  engine.add(*this, engine.coreClock());
  statistics.add("core.tiles", "tiles", "tiles run, and run on after a yield",
                 counters.tiles);
  statistics.add("core.threads", "threads", "threads of tiles not run before",
                 counters.threads);
  statistics.add("simt.instructions", "instructions",
                 "instructions that warps executed", counters.instructions);
  statistics.add("simt.lane_operations", "operations",
                 "of these, summed over the lanes that took part",
                 counters.laneOperations);
  statistics.addRatio(
      "simt.lane_share", "lanes",
      "share of a warp's lanes that take part in an instruction",
      counters.laneOperations, counters.instructions, 1.0 / parameters.lanes);
  statistics.add("simt.separations", "times",
                 "lanes went on from a point of reconvergence without others",
                 counters.separations);
  statistics.add("simt.barriers", "groups",
                 "work-groups that have passed a barrier", counters.barriers);
  statistics.add("simt.barrier_cycles", "cycles",
                 "of warps all of whose threads waited at barriers",
                 counters.barrierCycles);
  statistics.add("simt.syscalls", "calls", "system calls", counters.calls);
  statistics.add("simt.heap_calls", "calls",
                 "allocations and releases of memory", counters.heapCalls);
}

void FunctionalCore::record(const Recording &recording) {
  trace = recording.trace;
  if (trace)
    track = trace->addTrack(recording.core);
}

void FunctionalCore::addCounters(Statistics &statistics,
                                 const std::string &prefix) const {
  statistics.add(prefix + ".tiles", "tiles", "of core.tiles, on this core",
                 counters.tiles);
  statistics.add(prefix + ".busy_cycles", "cycles",
                 "in which this core had a tile", counters.busyCycles);
}

void FunctionalCore::start(Tile &newTile) {
  assert(isIdle());
  auto &own = static_cast<SimtTile &>(newTile);
  bool isNew = !own.hasYielded;
  std::vector<SimtTile::Beginning> beginnings = own.begin(parameters.lanes);
  tile = &own;
  Code &code = tile->code();
  counters.threads += isNew ? tile->threads : 0;
  context = {&code, tile, tile->registers.data()};
  warps.clear();
  running.clear();
  for (const SimtTile::Beginning &beginning : beginnings) {
    Warp &warp = warps.emplace_back(context, beginning.warp, parameters);
    beginning.addTo(warp);
    if (warp.isRunning())
      running.push_back(static_cast<uint32_t>(warps.size() - 1));
  }
  blockedSince.assign(warps.size(), engine.coreCycle());
  ++counters.tiles;
  ++code.counters.runs;
  turn = 0;
  begin = engine.coreCycle();
  engine.wake(*this);
}

void FunctionalCore::count(const Warp::Executed &executed) {
  auto lanes = static_cast<uint64_t>(std::popcount(executed.lanes));
  ++counters.instructions;
  counters.laneOperations += lanes;
  ++tile->code().counters.executed[executed.pc];
  if (executed.instruction->action == Action::syscall)
    counters.calls += lanes;
  if (executed.instruction->action == Action::heapCall)
    counters.heapCalls += lanes;
}

/// Lanes whose barrier is complete go on, of this warp and of others.
void FunctionalCore::release(Warp &warp, const Warp::Executed &executed) {
  uint64_t before = tile->groups.barriers;
  for (const WorkGroups::Released &released :
       tile->groups.note(warp.number, executed)) {
    auto other = std::find_if(warps.begin(), warps.end(), [&](const Warp &one) {
      return one.number == released.warp;
    });
    bool wasBlocked = !other->isRunning();
    other->release(released.lanes);
    if (!wasBlocked || &*other == &warp)
      continue;
    auto index = static_cast<uint32_t>(other - warps.begin());
    counters.barrierCycles += engine.coreCycle() - blockedSince[index];
    running.push_back(index);
  }
  counters.barriers += tile->groups.barriers - before;
  warp.settle();
}

//===----------------------------------------------------------------------===//
// A cycle
//
//   1. The warp whose turn it is executes an instruction.
//   2. If no lane of it can go on, it is left out until a barrier is complete.
//   3. If no warp can, the tile is finished, or its threads have yielded.
//   4. The aggregator is woken when the core is idle.
//===----------------------------------------------------------------------===//

Activity FunctionalCore::tick() {
  if (tile) {
    // 1.
    if (turn >= running.size())
      turn = 0;
    uint32_t index = running[turn];
    Warp &warp = warps[index];
    Warp::Executed executed = warp.step();
    count(executed);
    release(warp, executed);
    // 2.
    if (warp.isRunning()) {
      ++turn;
    } else {
      blockedSince[index] = engine.coreCycle();
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(turn));
    }
    // 3.
    if (!running.empty())
      return Activity::moved;
    finishTile();
  }
  // 4.
  if (client)
    engine.wake(*client);
  return Activity::asleep;
}

void FunctionalCore::finishTile() {
  uint64_t cycle = engine.coreCycle();
  counters.busyCycles += cycle + 1 - begin;
  for (uint32_t index = 0; index != warps.size(); ++index) {
    const Warp &warp = warps[index];
    tile->keep(warp);
    counters.separations += warp.separations;
    if (!warp.isDone())
      counters.barrierCycles += cycle - blockedSince[index];
  }
  if (trace)
    trace->span(track, tile->kernel->header().name, begin, cycle + 1,
                {{"threads", tile->threads}});
  tile->hasYielded = !tile->yielded.empty();
  addFinished(*std::exchange(tile, nullptr));
}

void FunctionalCore::explain(std::string &text) const {
  if (tile)
    text += "  core " + std::to_string(number()) + ": " +
            std::to_string(running.size()) + " warps run kernel '" +
            tile->kernel->header().name + "'\n";
}

} // namespace chansim::simt
