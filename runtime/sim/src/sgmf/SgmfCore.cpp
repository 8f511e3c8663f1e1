//===- SgmfCore.cpp - The SGMF core ---------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sgmf/SgmfCore.h"
#include "results/Statistics.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace chansim {

SgmfCore::SgmfCore(const Machine &machine, Engine &engine, Memory &memory,
                   Host &host, Statistics &statistics)
    : Core(engine, memory.number()), memory(memory),
      parameters(machine.control),
      terminateCycles(machine.operations.terminate),
      fabric(machine, memory, host, *this, statistics),
      store(machine.control, "sgmf", statistics),
      isOneOfSeveral(machine.cores > 1) {
  engine.add(*this, engine.coreClock());
  memory.setConsumer(*this);
  statistics.add("core.tiles", "tiles", "tiles run, and run on after a yield",
                 counters.tiles);
  statistics.add("core.threads", "threads", "threads of tiles not run before",
                 counters.threads);
  auto add = [&](const char *name, const char *unit, const char *what,
                 const uint64_t &counter) {
    statistics.add(std::string("sgmf.") + name, unit, what, counter);
  };
  add("threads", "threads", "threads sent to initiators", counters.started);
  add("yields", "threads", "threads that are to begin anew", counters.yields);
  add("configurations", "kernels", "kernels configured",
      counters.configurations);
  add("cycles", "cycles", "with a tile on the core", counters.busy);
  add("cycles_fetching", "cycles", "of these, waiting for a configuration",
      counters.fetching);
  add("cycles_configuring", "cycles", "of these, reset and configuration waves",
      counters.configuring);
  add("cycles_streaming", "cycles", "of these, with threads on the fabric",
      counters.streaming);
}

void SgmfCore::record(const Recording &recording) {
  if ((trace = recording.trace))
    track = trace->addTrack(recording.core + ": kernels");
  if (recording.times)
    fabric.recordTimes();
}

void SgmfCore::addCounters(Statistics &statistics,
                           const std::string &prefix) const {
  statistics.add(prefix + ".tiles", "tiles", "of core.tiles, on this core",
                 counters.tiles);
  statistics.add(prefix + ".busy_cycles", "cycles",
                 "of sgmf.cycles, on this core", counters.busy);
}

void SgmfCore::start(Tile &newTile) {
  assert(isIdle());
  auto &own = static_cast<VgiwTile &>(newTile);
  if (!own.hasYielded)
    own.yielded.clear();
  own.check();
  tile = &own;
  memory.setPrivateWindow(tile->privateMemory);
  toSend.assign(tile->words(), ~uint64_t(0));
  if (tile->threads % 64)
    toSend.back() = (uint64_t(1) << tile->threads % 64) - 1;
  if (tile->hasYielded)
    toSend = std::exchange(tile->yielded, {}).front().bits;
  ++counters.tiles;
  counters.threads += tile->hasYielded ? 0 : tile->threads;
  tile->hasYielded = false;
  cursor = nextReplica = 0;

  uint64_t cycle = engine.coreCycle();
  starters.assign(graph().replicas.size(), {});
  ++graph().counters.runs;
  bool isThere = configured == &graph();
  configured = &graph();
  // The operands that are parameters are set even so.
  fabric.configure(graph(), *tile);
  counters.configurations += !isThere;
  enter(isThere ? State::streaming : State::fetching, cycle);
  if (!isThere)
    until = store.demand(graph(), cycle);
  engine.wake(*this);
}

void SgmfCore::flush() {
  assert(isIdle());
  memory.flush();
}

bool SgmfCore::isIdle() const { return !tile && !memory.isFlushing(); }

void SgmfCore::enter(State next, uint64_t cycle) {
  uint64_t cycles = cycle - since;
  static constexpr const char *names[] = {"", "fetch ", "configure ", ""};
  if (trace && cycles && current != State::idle)
    trace->span(track,
                names[static_cast<size_t>(current)] +
                    tile->kernel->header().name,
                since, cycle);
  counters.busy += current == State::idle ? 0 : cycles;
  if (current == State::fetching) {
    counters.fetching += cycles;
    graph().counters.fetching += cycles;
  } else if (current == State::configuring) {
    counters.configuring += cycles;
    graph().counters.configuring += cycles;
  } else if (current == State::streaming) {
    counters.streaming += cycles;
    graph().counters.streaming += cycles;
  }
  since = cycle;
  current = next;
}

//===----------------------------------------------------------------------===//
// A cycle
//
//   1. The kernel's configuration is fetched, and then configures the fabric, if
//      the fabric has another kernel.
//   2. Batches of 64 threads go to the initiators that have room, one a cycle,
//      and those sent before arrive.
//   3. The fabric goes on: tokens fire nodes, and accesses go to the memory.
//   4. If no thread is left, and steers have dropped what threads left behind,
//      the tile is finished.
//   5. If nothing moved, the core sleeps until something arrives or is over.
//   6. The aggregator is woken when the core is idle.
//===----------------------------------------------------------------------===//

Activity SgmfCore::tick() {
  // 1. to 5.
  Activity activity = tile ? runTile() : Activity::asleep;
  // 6.
  if (client && isIdle())
    engine.wake(*client);
  return activity;
}

Activity SgmfCore::runTile() {
  uint64_t cycle = engine.coreCycle();
  // 1.
  if (current == State::fetching && cycle >= until) {
    enter(State::configuring, cycle);
    until = cycle + parameters.reconfigurationCycles();
  }
  if (current == State::configuring && cycle >= until)
    enter(State::streaming, cycle);
  if (current != State::streaming) {
    engine.wakeAt(*this, until * engine.coreClock().period());
    return Activity::asleep;
  }
  // 2.
  bool moved = feed(cycle);
  // 3.
  moved |= fabric.tick(cycle);
  // 4.
  if (!threadsOnFabric && cursor == toSend.size() && fabric.isEmpty()) {
    if (cycle >= lastFinish + terminateCycles) {
      finishTile(cycle);
      return Activity::asleep;
    }
    moved = true;
  }
  // 5.
  if (moved)
    return Activity::moved;
  if (uint64_t next = fabric.wakeCycle(); next != Dataflow::kNever)
    engine.wakeAt(*this, next * engine.coreClock().period());
  return Activity::asleep;
}

/// Whether there is more to be done in the next cycle.
bool SgmfCore::feed(uint64_t cycle) {
  for (; !deliveries.empty() && deliveries.front().at <= cycle;
       deliveries.pop())
    starters[deliveries.front().replica].receive(deliveries.front().batch);
  while (cursor != toSend.size() && !toSend[cursor])
    ++cursor;
  if (cursor != toSend.size()) {
    auto replicas = static_cast<uint32_t>(starters.size());
    for (uint32_t tried = 0; tried != replicas; ++tried) {
      uint32_t replica = (nextReplica + tried) % replicas;
      if (!starters[replica].wantsBatch())
        continue;
      starters[replica].promise();
      uint64_t bits = toSend[cursor];
      deliveries.push(
          {cycle + parameters.batchCycles, replica, {cursor * 64, bits}});
      auto count = static_cast<uint64_t>(std::popcount(bits));
      threadsOnFabric += count;
      counters.started += count;
      graph().counters.threads += count;
      ++cursor;
      nextReplica = (replica + 1) % replicas;
      break;
    }
  }
  return !deliveries.empty();
}

void SgmfCore::finish(uint32_t, unsigned successor, uint32_t thread,
                      uint64_t cycle) {
  --threadsOnFabric;
  lastFinish = cycle;
  if (graph().block->successors[successor].kind == Successor::Kind::exit)
    return;
  ++counters.yields;
  if (tile->yielded.empty())
    tile->yielded.push_back({0, std::vector<uint64_t>(tile->words())});
  tile->yielded.front().bits[thread / 64] |= uint64_t(1) << thread % 64;
}

void SgmfCore::finishTile(uint64_t cycle) {
  fabric.account();
  enter(State::idle, cycle);
  tile->hasYielded = !tile->yielded.empty();
  addFinished(*std::exchange(tile, nullptr));
}

void SgmfCore::explain(std::string &text) const {
  if (!tile)
    return;
  if (isOneOfSeveral)
    text += "  core " + std::to_string(number()) + ":\n";
  text += "  kernel '" + tile->kernel->header().name + "': ";
  text += current == State::streaming
              ? std::to_string(threadsOnFabric) +
                    " threads were sent and are not back\n"
              : "is being configured\n";
  fabric.explain(text);
}

} // namespace chansim
