//===- VgiwCore.cpp - The VGIW core ---------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "vgiw/VgiwCore.h"
#include "results/Statistics.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace chansim {

VgiwCore::VgiwCore(const Machine &machine, Engine &engine, Memory &memory,
                   Host &host, Statistics &statistics)
    : Core(engine, memory.number()), memory(memory),
      scheduler(machine, statistics),
      fabric(machine, memory, host, scheduler, statistics),
      isOneOfSeveral(machine.cores > 1) {
  engine.add(*this, engine.coreClock());
  memory.setConsumer(*this);
  statistics.add("core.tiles", "tiles", "tiles run, and run on after a yield",
                 counters.tiles);
  statistics.add("core.threads", "threads", "threads of tiles not run before",
                 counters.threads);
}

void VgiwCore::record(const Recording &recording) {
  if (recording.trace)
    scheduler.record(*recording.trace, recording.core);
  if (recording.times)
    fabric.recordTimes();
}

void VgiwCore::addCounters(Statistics &statistics,
                           const std::string &prefix) const {
  statistics.add(prefix + ".tiles", "tiles", "of core.tiles, on this core",
                 counters.tiles);
  statistics.add(prefix + ".busy_cycles", "cycles",
                 "of bbs.cycles, on this core", scheduler.busyCycles());
}

/// Beside Tile::check(): the threads that go on are the tile's, each once.
static void checkYielded(const VgiwTile &tile) {
  size_t blocks = tile.image().blocks.size();
  std::vector<uint64_t> seen(tile.words());
  if (tile.threads % 64)
    seen.back() = ~uint64_t(0) << tile.threads % 64;
  for (const ThreadSet &set : tile.yielded) {
    if (set.block >= blocks || set.bits.size() != tile.words())
      tile.refuse("starts a set of threads that does not fit");
    for (uint32_t word = 0; word != tile.words(); ++word) {
      if (seen[word] & set.bits[word])
        tile.refuse("starts a thread twice, or one that it does not have");
      seen[word] |= set.bits[word];
    }
  }
}

void VgiwCore::start(Tile &newTile) {
  assert(isIdle());
  auto &own = static_cast<VgiwTile &>(newTile);
  if (!own.hasYielded)
    own.yielded.clear();
  own.check();
  checkYielded(own);
  tile = &own;
  memory.setPrivateWindow(tile->privateMemory);
  tile->hasYielded = false;
  tile->starting = std::exchange(tile->yielded, {});
  tile->liveValues.resize(size_t(tile->image().kernel().liveValues) *
                          tile->threads);
  ++counters.tiles;
  counters.threads += tile->starting.empty() ? tile->threads : 0;
  scheduler.start(*tile, engine.coreCycle());
  engine.wake(*this);
}

void VgiwCore::flush() {
  assert(isIdle());
  memory.flush();
}

bool VgiwCore::isIdle() const { return !tile && !memory.isFlushing(); }

//===----------------------------------------------------------------------===//
// A cycle
//
//   1. The scheduler goes on. If it has chosen a block, the fabric is
//      configured for that block.
//   2. If no block has threads left, the scheduler is idle, and the tile is
//      finished.
//   3. The fabric goes on: tokens fire nodes, and accesses go to the memory.
//   4. If nothing moved, the core sleeps until the scheduler or the fabric has
//      work again, or until the memory wakes it.
//   5. The aggregator is woken when the core is idle.
//===----------------------------------------------------------------------===//

Activity VgiwCore::tick() {
  // 1. to 4.
  Activity activity = tile ? runTile() : Activity::asleep;
  // 5.
  if (client && isIdle())
    engine.wake(*client);
  return activity;
}

Activity VgiwCore::runTile() {
  uint64_t cycle = engine.coreCycle();
  // 1.
  if (std::optional<uint32_t> block = scheduler.tick(cycle))
    fabric.configure(tile->image().blocks[*block], *tile);
  // 2.
  if (scheduler.state() == Scheduler::State::idle) {
    finishTile();
    return Activity::asleep;
  }
  // 3.
  if (fabric.tick(cycle) || scheduler.isBusy())
    return Activity::moved;
  // 4.
  uint64_t next = std::min(scheduler.wakeCycle(), fabric.wakeCycle());
  if (next != Scheduler::kNever)
    engine.wakeAt(*this, next * engine.coreClock().period());
  return Activity::asleep;
}

/// Where the barrier in front of a block stands in the source.
static std::string lineOfBarrier(const Kernel &kernel, uint32_t behind) {
  for (const Block &block : kernel.blocks)
    for (const Successor &to : block.successors)
      if (to.kind == Successor::Kind::barrier && to.block == behind)
        for (const Unit &unit : block.units)
          if (unit.operation->action == Action::terminate && !unit.line.empty())
            return unit.line;
  return "";
}

/// Of the first work-group whose threads wait though the others have ended.
[[noreturn]] static void refuseRace(const VgiwTile &tile) {
  uint32_t size = tile.kernel->header().groupThreads;
  uint64_t lanes = ~uint64_t(0) >> (64 - size);
  const ThreadSet &set = tile.waiting.front();
  uint32_t thread = 0;
  while (!(set.bits[thread / 64] >> thread % 64 & 1))
    ++thread;
  uint32_t group = thread / size, first = group * size, waiting = 0;
  for (const ThreadSet &each : tile.waiting)
    waiting += static_cast<uint32_t>(
        std::popcount(each.bits[first / 64] >> first % 64 & lanes));
  tile.refuseRace(group, waiting,
                  lineOfBarrier(tile.image().kernel(), set.block));
}

void VgiwCore::finishTile() {
  fabric.account();
  tile->hasYielded = !tile->yielded.empty();
  if (!tile->hasYielded && !tile->waiting.empty())
    refuseRace(*tile);
  // Threads that yielded need their live values again.
  if (!tile->hasYielded)
    memory.discardLiveValues();
  addFinished(*std::exchange(tile, nullptr));
}

void VgiwCore::explain(std::string &text) const {
  if (!tile)
    return;
  if (isOneOfSeveral)
    text += "  core " + std::to_string(number()) + ":\n";
  scheduler.explain(text);
  fabric.explain(text);
}

} // namespace chansim
