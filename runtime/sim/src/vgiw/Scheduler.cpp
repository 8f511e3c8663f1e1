//===- Scheduler.cpp - The basic block scheduler --------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "vgiw/Scheduler.h"
#include "fabric/Image.h"
#include "results/Statistics.h"

#include <algorithm>
#include <bit>

namespace chansim {

Scheduler::Scheduler(const Machine &machine, Statistics &statistics)
    : parameters(machine.control),
      terminateCycles(machine.operations.terminate), table(machine.control),
      configurations(machine.control, "bbs", statistics) {
  auto add = [&](const char *name, const char *unit, const char *what,
                 const uint64_t &counter) {
    statistics.add(std::string("bbs.") + name, unit, what, counter);
  };
  add("blocks", "blocks", "blocks configured and run", counters.blocks);
  add("threads", "threads", "threads sent to initiators", counters.threads);
  add("batches_sent", "batches", "batches sent to initiators",
      counters.batches);
  add("batches_received", "batches", "batches received from terminators",
      counters.batchesBack);
  add("yields", "threads", "threads that yielded", counters.yields);
  add("barriers", "groups", "work-groups that have passed a barrier",
      counters.barriers);
  add("cycles", "cycles", "with a tile on the core", counters.busy);
  add("cycles_fetching", "cycles", "of these, waiting for a configuration",
      counters.fetching);
  add("cycles_configuring", "cycles", "of these, reset and configuration waves",
      counters.configuring);
  add("cycles_streaming", "cycles", "of these, with threads on the fabric",
      counters.streaming);
  statistics.addRatio("bbs.fetching_share", "cycles/cycle",
                      "waiting for a configuration, of cycles with a tile",
                      counters.fetching, counters.busy);
  statistics.addRatio("bbs.configuring_share", "cycles/cycle",
                      "reconfiguring, of cycles with a tile (VGIW, 3.2: 0.0018 "
                      "on average)",
                      counters.configuring, counters.busy);
  statistics.add("cvt.reads", "words", "words read and reset", counters.reads);
  statistics.add("cvt.writes", "words", "words updated", counters.writes);
  statistics.add("cvt.conflicts", "cycles",
                 "updates that waited for their bank, a cycle each",
                 counters.conflicts);
  statistics.add("rows.sent", "rows",
                 "rows of 32 threads that blocks were run for", counters.rows);
  statistics.add("rows.lvc_accesses", "accesses",
                 "live values loaded and stored, one for each row",
                 counters.liveRows);
  statistics.add("rows.register_accesses", "accesses",
                 "of a von Neumann machine's register file for the same work: "
                 "operands and results, one for each row",
                 counters.registerRows);
  statistics.addRatio("rows.lvc_share", "accesses/access",
                      "LVC accesses of register-file accesses (VGIW, Figure 3: "
                      "about 0.1)",
                      counters.liveRows, counters.registerRows);
}

void Scheduler::record(Trace &newTrace, const std::string &core) {
  trace = &newTrace;
  blockTrack = trace->addTrack(core + ": blocks");
  configurationTrack = trace->addTrack(core + ": configuration");
}

void Scheduler::start(VgiwTile &newTile, uint64_t cycle) {
  tile = &newTile;
  const std::vector<uint32_t> &behind = tile->image().behindBarriers;
  table.partition(static_cast<uint32_t>(tile->image().blocks.size()),
                  static_cast<uint32_t>(behind.size()), tile->words());
  // The runtime's doing, not charged: setting the vectors (VGIW, 3.2).
  if (tile->starting.empty())
    for (uint32_t word = 0; word != tile->words(); ++word) {
      uint32_t left = tile->threads - word * 64;
      table.set(0, word, left < 64 ? (uint64_t(1) << left) - 1 : ~uint64_t(0));
    }
  for (const ThreadSet &set : tile->starting)
    for (uint32_t word = 0; word != tile->words(); ++word)
      table.set(set.block, word, set.bits[word]);
  for (const ThreadSet &set : tile->waiting)
    for (uint32_t word = 0; word != tile->words(); ++word)
      table.set(waitingVector(set.block), word, set.bits[word]);
  tile->waiting.clear();
  block.reset();
  configurations.forgetFollowers();
  enter(State::choosing, cycle);
}

BlockImage &Scheduler::runningImage() const {
  return tile->image().blocks[*block];
}

const Block &Scheduler::runningBlock() const { return *runningImage().block; }

void Scheduler::enter(State next, uint64_t cycle) {
  uint64_t cycles = cycle - since;
  counters.busy += current == State::idle ? 0 : cycles;
  if (current == State::fetching) {
    counters.fetching += cycles;
    runningImage().counters.fetching += cycles;
  } else if (current == State::configuring) {
    counters.configuring += cycles;
    runningImage().counters.configuring += cycles;
  } else if (current == State::streaming) {
    counters.streaming += cycles;
    runningImage().counters.streaming += cycles;
    runningImage().counters.threads += counters.threads - threadsBefore;
  }
  if (trace && cycles)
    traceState(cycle);
  since = cycle;
  current = next;
}

/// Writes what has been going on since the state was entered.
void Scheduler::traceState(uint64_t cycle) const {
  std::string name;
  if (block)
    name = tile->kernel->header().name + ":" + std::to_string(*block);
  if (current == State::fetching)
    trace->span(configurationTrack, "fetch " + name, since, cycle);
  else if (current == State::configuring)
    trace->span(configurationTrack, "configure " + name, since, cycle);
  else if (current == State::streaming)
    trace->span(blockTrack, name, since, cycle,
                {{"threads", counters.threads - threadsBefore},
                 {"replicas", runningBlock().replicas}});
}

//===----------------------------------------------------------------------===//
// A cycle (VGIW, section 3)
//
//   1. Thread batches that terminators have sent come back: those that yielded
//      are kept with the tile, the others wait to be written.
//   2. The control vector table is written, each bank once.
//   3. Thread batches that have been sent arrive at the initiators.
//   4. A block whose threads have all left it, and have been written, is over.
//   5. The next block is chosen: the first one that has threads. If there is
//      none, the scheduler is idle.
//   6. Its configuration is fetched, and then configures the fabric.
//   7. Its threads are streamed: words of the table go to the initiators.
//===----------------------------------------------------------------------===//

std::optional<uint32_t> Scheduler::tick(uint64_t cycle) {
  // 1.
  takeUpdates(cycle);
  // 2.
  writeVectors(cycle);
  // 3.
  for (; !deliveries.empty() && deliveries.front().at <= cycle;
       deliveries.pop())
    starters[deliveries.front().replica].receive(deliveries.front().batch);

  std::optional<uint32_t> configured;
  // 4.
  if (current == State::streaming && !threadsInBlock && table.isEmpty(*block) &&
      drain(cycle))
    enter(State::choosing, cycle);
  // 5.
  if (current == State::choosing)
    configured = choose(cycle);
  // 6.
  if (current == State::fetching && cycle >= until) {
    enter(State::configuring, cycle);
    until = cycle + parameters.reconfigurationCycles();
  }
  if (current == State::configuring && cycle >= until) {
    enter(State::streaming, cycle);
    prefetch(cycle);
  }
  // 7.
  if (current == State::streaming)
    stream(cycle);
  return configured;
}

void Scheduler::takeUpdates(uint64_t cycle) {
  for (; !updates.empty() && updates.front().at <= cycle; updates.pop()) {
    ++counters.batchesBack;
    if (updates.front().to.kind == Successor::Kind::yield)
      writeYielded(updates.front());
    else
      toWrite.push_back(updates.front());
  }
}

/// Each bank is written once a cycle: the second write waits.
void Scheduler::writeVectors(uint64_t cycle) {
  toWrite.insert(toWrite.end(), released.begin(), released.end());
  released.clear();
  if (toWrite.empty())
    return;
  std::erase_if(toWrite, [&](const Update &update) {
    if (update.to.kind == Successor::Kind::barrier)
      return writeWaiting(update, cycle);
    if (!table.orInto(update.to.block, update.batch.base / 64,
                      update.batch.bits, cycle)) {
      ++counters.conflicts;
      return false;
    }
    ++counters.writes;
    return true;
  });
}

uint32_t Scheduler::waitingVector(uint32_t behind) const {
  const std::vector<uint32_t> &all = tile->image().behindBarriers;
  auto found = std::lower_bound(all.begin(), all.end(), behind);
  return table.blocks() + static_cast<uint32_t>(found - all.begin());
}

bool Scheduler::writeWaiting(const Update &update, uint64_t cycle) {
  uint32_t word = update.batch.base / 64;
  if (!table.orInto(waitingVector(update.to.block), word, update.batch.bits,
                    cycle)) {
    ++counters.conflicts;
    return false;
  }
  ++counters.writes;
  releaseGroups(word);
  return true;
}

/// Groups of the word all of whose threads wait go on.
void Scheduler::releaseGroups(uint32_t word) {
  const std::vector<uint32_t> &behind = tile->image().behindBarriers;
  uint64_t waiting = 0;
  for (uint32_t to : behind)
    waiting |= table.peek(waitingVector(to), word);
  uint32_t size = tile->kernel->header().groupThreads;
  uint64_t complete = 0;
  for (uint32_t first = 0; first != 64; first += size) {
    uint64_t group = (~uint64_t(0) >> (64 - size)) << first;
    if ((waiting & group) == group) {
      complete |= group;
      ++counters.barriers;
    }
  }
  for (uint32_t to : behind)
    if (uint64_t bits = table.peek(waitingVector(to), word) & complete) {
      table.clear(waitingVector(to), word, bits);
      released.push_back({0, {Successor::Kind::block, to}, {word * 64, bits}});
    }
}

/// For a tile that is to be run on.
void Scheduler::keepWaiting() {
  for (uint32_t to : tile->image().behindBarriers) {
    if (table.isEmpty(waitingVector(to)))
      continue;
    ThreadSet &set = tile->waiting.emplace_back(
        ThreadSet{to, std::vector<uint64_t>(tile->words())});
    for (uint32_t word = 0; word != tile->words(); ++word)
      set.bits[word] = table.peek(waitingVector(to), word);
  }
}

void Scheduler::writeYielded(const Update &update) {
  auto it = std::find_if(
      tile->yielded.begin(), tile->yielded.end(),
      [&](const ThreadSet &set) { return set.block == update.to.block; });
  if (it == tile->yielded.end())
    it = tile->yielded.insert(
        it, {update.to.block, std::vector<uint64_t>(tile->words())});
  it->bits[update.batch.base / 64] |= update.batch.bits;
  counters.yields += static_cast<uint64_t>(std::popcount(update.batch.bits));
}

std::optional<uint32_t> Scheduler::choose(uint64_t cycle) {
  std::optional<uint32_t> chosen = table.first();
  if (!chosen) {
    keepWaiting();
    enter(State::idle, cycle);
    return std::nullopt;
  }
  ++counters.blocks;
  block = chosen;
  ++runningImage().counters.runs;
  threadsBefore = counters.threads;
  cursor = nextReplica = 0;
  starters.assign(runningBlock().replicas, {});
  enders.assign(runningBlock().replicas, {});

  until = configurations.demand(runningImage(), cycle);
  enter(State::fetching, cycle);
  return block;
}

//===----------------------------------------------------------------------===//
// Streaming
//===----------------------------------------------------------------------===//

/// Reads words, one from each bank, and sends those with threads to initiators
/// that have room, to each in turn.
void Scheduler::stream(uint64_t cycle) {
  uint32_t replicas = static_cast<uint32_t>(starters.size());
  uint32_t passed = 0;
  while (!table.isEmpty(*block) && passed != replicas) {
    if (!starters[nextReplica].wantsBatch()) {
      nextReplica = (nextReplica + 1) % replicas;
      ++passed;
      continue;
    }
    std::optional<uint64_t> bits = table.readAndReset(*block, cursor, cycle);
    if (!bits)
      return;
    ++counters.reads;
    if (*bits) {
      starters[nextReplica].promise();
      deliveries.push(
          {cycle + parameters.batchCycles, nextReplica, {cursor * 64, *bits}});
      uint64_t threads = static_cast<uint64_t>(std::popcount(*bits));
      threadsInBlock += threads;
      counters.threads += threads;
      ++counters.batches;
      uint64_t rows = (static_cast<uint32_t>(*bits) != 0) + (*bits >> 32 != 0);
      counters.rows += rows;
      counters.liveRows += rows * runningImage().liveAccesses;
      counters.registerRows += rows * runningImage().registerAccesses;
      nextReplica = (nextReplica + 1) % replicas;
      passed = 0;
    }
    cursor = (cursor + 1) % table.wordsPerVector();
  }
}

void Scheduler::finish(uint32_t replica, unsigned successor, uint32_t thread,
                       uint64_t cycle) {
  --threadsInBlock;
  lastFinish = cycle;
  const Successor &to = runningBlock().successors[successor];
  if (to.kind == Successor::Kind::exit)
    return;
  if (Batch sent = enders[replica].add(successor, thread); sent.bits)
    send(to, sent, cycle + terminateCycles + parameters.batchCycles);
}

/// No thread is left: terminators send what they have, a batch a cycle.  True
/// when all has been written.
bool Scheduler::drain(uint64_t cycle) {
  if (cycle < lastFinish + terminateCycles)
    return false;
  for (Terminator &ender : enders)
    for (unsigned i = 0; i != runningBlock().successors.size(); ++i)
      if (Batch batch = ender.flush(i); batch.bits) {
        send(runningBlock().successors[i], batch,
             cycle + parameters.batchCycles);
        break;
      }
  return updates.empty() && toWrite.empty() && released.empty();
}

void Scheduler::send(const Successor &to, const Batch &batch, uint64_t at) {
  updates.push({at, to, batch});
}

//===----------------------------------------------------------------------===//
// Prefetching
//===----------------------------------------------------------------------===//

/// Whether the block may be chosen next, as far as one can know.
bool Scheduler::mayFollow(uint32_t candidate) const {
  if (candidate == *block)
    return false;
  const std::vector<Successor> &next = runningBlock().successors;
  return !table.isEmpty(candidate) ||
         std::any_of(next.begin(), next.end(), [&](const Successor &to) {
           return (to.kind == Successor::Kind::block ||
                   to.kind == Successor::Kind::barrier) &&
                  to.block == candidate;
         });
}

/// Fills the FIFO with the smallest blocks that have threads or may get some
/// from this block.
void Scheduler::prefetch(uint64_t cycle) {
  const std::vector<BlockImage> &blocks = tile->image().blocks;
  // What can no longer be next makes room.
  configurations.keepFollowers([&](const BlockImage &entry) {
    return mayFollow(static_cast<uint32_t>(&entry - blocks.data()));
  });
  for (uint32_t candidate = 0;
       candidate != table.blocks() && configurations.hasRoom(); ++candidate)
    if (mayFollow(candidate))
      configurations.prefetch(blocks[candidate], cycle);
}

//===----------------------------------------------------------------------===//
// When to tick
//===----------------------------------------------------------------------===//

bool Scheduler::isBusy() const {
  if (!updates.empty() || !toWrite.empty() || !released.empty() ||
      !deliveries.empty() || current == State::choosing)
    return true;
  if (current != State::streaming)
    return false;
  if (!threadsInBlock)
    return true;
  if (table.isEmpty(*block))
    return false;
  return std::any_of(
      starters.begin(), starters.end(),
      [](const Initiator &starter) { return starter.wantsBatch(); });
}

uint64_t Scheduler::wakeCycle() const {
  return current == State::fetching || current == State::configuring ? until
                                                                     : kNever;
}

void Scheduler::explain(std::string &text) const {
  if (current == State::idle)
    return;
  text += "  BBS: kernel '" + tile->kernel->header().name + "'";
  if (!block) {
    text += " is to start\n";
    return;
  }
  text += " block " + std::to_string(*block) + ": ";
  if (current == State::streaming)
    text += std::to_string(threadsInBlock) +
            " threads were sent and are not back\n";
  else
    text += "is being configured\n";
}

} // namespace chansim
