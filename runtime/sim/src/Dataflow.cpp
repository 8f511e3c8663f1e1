//===- Dataflow.cpp - Tokens on the configured fabric ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dataflow.h"
#include "Scheduler.h"
#include "Statistics.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace chansim {

Dataflow::Dataflow(const Machine &machine, Memory &memory, Host &host,
                   Scheduler &scheduler, Statistics &statistics)
    : memory(memory), host(host), scheduler(scheduler),
      channels(machine.fabric.tokenBufferEntries),
      reservationEntries(machine.fabric.reservationEntries),
      hopCycles(machine.fabric.hopCycles),
      postedStores(machine.memory.postedStores),
      ringMask(std::bit_ceil(channels) - 1),
      ringShift(static_cast<uint32_t>(std::countr_zero(ringMask + 1))) {
  static constexpr const char *kinds[kUnitKinds] = {"fpu_alu", "scu", "ldst",
                                                    "lvu",     "sju", "cvu"};
  std::array<uint32_t, kUnitKinds> units = machine.fabric.countUnits();
  for (unsigned kind = 0; kind != kUnitKinds; ++kind) {
    std::string prefix = std::string("fabric.") + kinds[kind];
    std::string name(unitName(static_cast<UnitKind>(kind)));
    statistics.add(prefix + "_firings", "operations",
                   "operations started by " + name + " units",
                   counters.firings[kind]);
    statistics.addRatio(
        prefix + "_utilisation", "starts/cycle",
        "operations started in a cycle with a tile by one of the " +
            std::to_string(units[kind]) + " " + name + " units",
        counters.firings[kind], scheduler.busyCycles(), 1.0 / units[kind]);
  }
  auto add = [&](const char *name, const char *unit, const char *what,
                 const uint64_t &counter) {
    statistics.add(std::string("fabric.") + name, unit, what, counter);
  };
  add("tokens", "tokens", "tokens sent from unit to unit", counters.tokens);
  add("hops", "hops", "links that tokens took", counters.hops);
  add("no_channel", "tries", "an initiator had a thread and no virtual channel",
      counters.noChannel);
  add("no_reservation", "tries", "an access met a full reservation buffer",
      counters.noReservation);
  static constexpr const char *reasons[] = {"", "bank_conflict", "no_mshr",
                                            "no_target", "flushing"};
  for (unsigned reason = 1; reason != 5; ++reason)
    statistics.add(std::string("fabric.refused_") + reasons[reason], "tries",
                   "a cache refused an access", counters.refused[reason]);
  add("syscalls", "calls", "system calls", counters.calls);
}

void Dataflow::configure(BlockImage &newImage, Tile &newTile) {
  assert(!tokensUnderWay && readyOf(NodeGroup::computing).isEmpty() &&
         readyOf(NodeGroup::accessing).isEmpty());
  account();
  image = &newImage;
  tile = &newTile;
  uint32_t count = static_cast<uint32_t>(image->nodes.size());
  // D3: what is there of the last block's entries is empty.
  values.resize(
      std::max(values.size(), image->constants.size() + 1 +
                                  size_t(count) * kTokens * channels));
  std::copy(image->constants.begin(), image->constants.end(), values.begin());
  for (const BlockImage::Bound &bound : image->bound)
    values[bound.constant] = tile->parameters[bound.parameter] + bound.offset;
  arrived.resize(std::max(arrived.size(), entry(count, 0)));
  loaded.resize(arrived.size());
  rings.resize(std::max(rings.size(), size_t(count) << ringShift));
  nodes.assign(count, {});
  if (isTimed) {
    times.resize(arrived.size());
    image->times.resize(count);
  }
  firings.assign(count, 0);
  for (NodeSet &set : ready)
    set.resize(count);

  threads.resize(image->replicas.size() * channels);
  replicas.assign(image->replicas.size(), {});
  for (ReplicaState &replica : replicas) {
    replica.freeChannels.assign((channels + 63) / 64, ~uint64_t(0));
    if (channels % 64)
      replica.freeChannels.back() = (uint64_t(1) << channels % 64) - 1;
  }
  // Results of accesses may leave later, one a cycle.
  uint32_t horizon = std::bit_ceil(image->longest + channels + 2);
  wheel.resize(std::max<size_t>(wheel.size(), horizon));
  wheelMask = horizon - 1;
  tokens.resize(std::max(tokens.size(), horizon * image->edges.size()));
}

//===----------------------------------------------------------------------===//
// A cycle (VGIW, section 3.5)
//
//   1. What happened in the cycles left out is counted.
//   2. Results of the memory and of system calls leave their units.
//   3. Tokens that have come over the links fill the operands of their nodes.
//   4. Initiators let threads in, as far as virtual channels are free.
//   5. Units compute nodes that have all operands.
//   6. Units send accesses to the memory, each its oldest.
//   7. Terminators send thread batches to the scheduler.
// It says whether anything moved.
//===----------------------------------------------------------------------===//

template <bool timed> bool Dataflow::run(uint64_t cycle) {
  // 1.
  if (uint64_t leftOut = cycle - lastCycle - 1)
    countLeftOut(leftOut);
  lastCycle = cycle;
  // 2. to 7.
  bool moved = completeAccesses<timed>(cycle);
  moved |= deliver<timed>(cycle);
  moved |= initiate<timed>(cycle);
  moved |= compute<timed>(cycle);
  moved |= access<timed>(cycle);
  moved |= terminate<timed>(cycle);
  return moved;
}

/// In these cycles the same would have been refused as in the last one.
void Dataflow::countLeftOut(uint64_t cycles) {
  const std::vector<Initiator> &initiators = scheduler.initiators();
  for (uint32_t replica = 0; replica != initiators.size(); ++replica)
    if (initiators[replica].hasThread() && isFull(replica))
      counters.noChannel += cycles;
  readyOf(NodeGroup::accessing).forEach([&](uint32_t index) {
    countRefusal(index, cycles);
    memory.countRefusals(image->nodes[index].via, nodes[index].refusal, cycles);
  });
}

/// Whether no virtual channel is free.
bool Dataflow::isFull(uint32_t replica) const {
  const std::vector<uint64_t> &free = replicas[replica].freeChannels;
  return std::none_of(free.begin(), free.end(),
                      [](uint64_t word) { return word; });
}

/// What the memory and the host have done leaves its unit.
template <bool timed> bool Dataflow::completeAccesses(uint64_t cycle) {
  bool moved = false;
  for (Completion done : memory.completions()) {
    complete<timed>(done.requester, done.tag, cycle);
    moved = true;
  }
  for (; callCycle() <= cycle; calls.pop()) {
    Call &call = calls.front();
    if (!call.isDone) {
      const ImageNode &node = image->nodes[call.node];
      auto *thunk = reinterpret_cast<void (*)(void *)>(values[node.number]);
      thunk(reinterpret_cast<void *>(operand(node, 0, call.channel)));
      call.isDone = true;
      if (callCycle() > cycle)
        break;
    }
    complete<timed>(call.node, call.channel, cycle);
    moved = true;
  }
  return moved;
}

template <bool timed>
void Dataflow::complete(uint32_t index, uint32_t channel, uint64_t cycle) {
  const ImageNode &node = image->nodes[index];
  NodeState &state = nodes[index];
  --state.inFlight;
  uint64_t value = node.action == Action::atomic
                       ? evaluateAccess(node, channel)
                       : loaded[entry(index, channel)];
  uint64_t leave = std::max(cycle, state.nextLeave);
  state.nextLeave = leave + 1;
  if constexpr (timed)
    times[entry(index, channel)].leave = leave;
  send(node, channel, value, leave);
}

/// Tokens arrive in their entries; complete entries become ready.
template <bool timed> bool Dataflow::deliver(uint64_t cycle) {
  uint64_t now = cycle & wheelMask;
  uint32_t count = wheel[now];
  if (!count)
    return false;
  wheel[now] = 0;
  tokensUnderWay -= count;
  // In registers: bytes that are written could be anything.
  const ImageEdge *edges = image->edges.data();
  const Token *first = &tokens[now * image->edges.size()];
  uint64_t *words = values.data();
  uint8_t *have = arrived.data();
  for (const Token *token = first + count; token-- != first;) {
    const ImageEdge &edge = edges[token->edge];
    uint32_t channel = token->channel;
    words[edge.buffer + channel] = token->value;
    uint8_t &bits = have[edge.entries + channel];
    uint8_t all = bits | edge.token;
    bool isComplete = all == edge.allTokens;
    bits = all;
    if (!isComplete)
      continue;
    if constexpr (timed) {
      EntryTimes &at = times[edge.entries + channel];
      at.complete = cycle;
      at.edge = token->edge;
    }
    NodeState &state = nodes[edge.target];
    rings[(size_t(edge.target) << ringShift) + (state.tail++ & ringMask)] =
        channel;
    readyOf(edge.group).add(edge.target);
  }
  return true;
}

inline void Dataflow::send(const ImageNode &node, uint32_t channel,
                           uint64_t value, uint64_t leave) {
  const ImageEdge *edges = image->edges.data();
  size_t most = image->edges.size();
  for (uint32_t edge = node.firstEdge; edge != node.lastEdge; ++edge) {
    uint64_t arrival = (leave + edges[edge].delay) & wheelMask;
    tokens[arrival * most + wheel[arrival]++] = {value, edge, channel};
  }
  tokensUnderWay += node.lastEdge - node.firstEdge;
}

/// A thread a cycle and replica, if a virtual channel is free.
template <bool timed> bool Dataflow::initiate(uint64_t cycle) {
  bool moved = false;
  std::vector<Initiator> &initiators = scheduler.initiators();
  for (uint32_t replica = 0; replica != initiators.size(); ++replica) {
    Initiator &initiator = initiators[replica];
    if (!initiator.hasThread())
      continue;
    std::vector<uint64_t> &free = replicas[replica].freeChannels;
    auto word =
        std::find_if(free.begin(), free.end(), [](uint64_t w) { return w; });
    if (word == free.end()) {
      ++counters.noChannel;
      continue;
    }
    uint32_t channel = static_cast<uint32_t>((word - free.begin()) * 64 +
                                             std::countr_zero(*word));
    *word &= *word - 1;
    uint32_t thread = initiator.take();
    threads[replica * channels + channel] = thread;
    uint32_t index = image->replicas[replica].initiator;
    const ImageNode &node = image->nodes[index];
    ++firings[index];
    if constexpr (timed)
      times[entry(index, channel)] = {cycle, cycle, cycle + node.latency,
                                      kNone};
    send(node, channel, thread, cycle + node.latency);
    moved = true;
  }
  return moved;
}

/// The channel whose entry was complete first.
uint32_t Dataflow::takeReady(uint32_t node, NodeSet &set) {
  NodeState &state = nodes[node];
  uint32_t channel =
      rings[(size_t(node) << ringShift) + (state.head++ & ringMask)];
  if (state.head == state.tail)
    set.remove(node);
  arrived[entry(node, channel)] = 0;
  return channel;
}

template <bool timed> bool Dataflow::compute(uint64_t cycle) {
  bool moved = false;
  NodeSet &set = readyOf(NodeGroup::computing);
  set.forEach([&](uint32_t index) __attribute__((always_inline)) {
    uint32_t channel = takeReady(index, set);
    const ImageNode &node = image->nodes[index];
    ++firings[index];
    if constexpr (timed) {
      times[entry(index, channel)].start = cycle;
      times[entry(index, channel)].leave = cycle + node.latency;
    }
    send(node, channel, evaluate(node, channel), cycle + node.latency);
    moved = true;
  });
  return moved;
}

/// Each unit tries its oldest access.  The unit that tries first changes from
/// cycle to cycle.
template <bool timed> bool Dataflow::access(uint64_t cycle) {
  NodeSet &set = readyOf(NodeGroup::accessing);
  if (set.isEmpty())
    return false;
  bool moved = false;
  uint32_t first =
      image->computing + static_cast<uint32_t>(cycle % image->accessing);
  set.forEachFrom(first, [&](uint32_t index) {
    NodeState &state = nodes[index];
    uint32_t channel =
        rings[(size_t(index) << ringShift) + (state.head & ringMask)];
    if (!start(index, channel, cycle))
      return;
    takeReady(index, set);
    if constexpr (timed)
      times[entry(index, channel)].start = cycle;
    ++firings[index];
    moved = true;
    const ImageNode &node = image->nodes[index];
    if (!isPosted(node)) {
      ++state.inFlight;
      return;
    }
    // In the next cycle, as no other result leaves this unit.
    if constexpr (timed)
      times[entry(index, channel)].leave = cycle + 1;
    send(node, channel, 0, cycle + 1);
  });
  return moved;
}

/// Whether the access is under way now.
bool Dataflow::start(uint32_t index, uint32_t channel, uint64_t cycle) {
  const ImageNode &node = image->nodes[index];
  if (nodes[index].inFlight == reservationEntries) {
    nodes[index].refusal = Taken::yes;
    countRefusal(index, 1);
    return false;
  }
  uint64_t &result = loaded[entry(index, channel)];
  if (node.action == Action::syscall) {
    calls.push({host.call(cycle), index, channel, false});
    ++counters.calls;
    result = 0;
    return true;
  }

  bool isLive = node.via == Via::lvc;
  size_t live = size_t(node.number) * tile->threads + threadOf(node, channel);
  Request request;
  request.address =
      isLive ? tile->liveBase + live * 8 : addressOf(node, channel);
  request.bytes = node.bytes;
  request.access = node.access;
  request.via = node.via;
  request.requester = index;
  request.tag = channel;
  request.isPosted = isPosted(node);
  if (Taken taken = memory.tryAccess(request); taken != Taken::yes) {
    nodes[index].refusal = taken;
    countRefusal(index, 1);
    return false;
  }
  // Loads and stores are done now, atomics when L2 has answered.
  if (node.action == Action::liveLoad)
    result = tile->liveValues[live];
  else if (node.action == Action::liveStore)
    tile->liveValues[live] = operand(node, 0, channel), result = 0;
  else if (node.action != Action::atomic)
    result = evaluateAccess(node, channel);
  return true;
}

void Dataflow::countRefusal(uint32_t index, uint64_t times) {
  Taken why = nodes[index].refusal;
  (why == Taken::yes ? counters.noReservation
                     : counters.refused[static_cast<size_t>(why)]) += times;
  image->refusals[index][static_cast<size_t>(why)] += times;
}

template <bool timed> bool Dataflow::terminate(uint64_t cycle) {
  bool moved = false;
  NodeSet &set = readyOf(NodeGroup::ending);
  set.forEach([&](uint32_t index) __attribute__((always_inline)) {
    uint32_t channel = takeReady(index, set);
    const ImageNode &node = image->nodes[index];
    ++firings[index];
    if constexpr (timed)
      attribute(index, channel, cycle);
    bool isSecond =
        image->block->successors.size() == 2 && !operand(node, 0, channel);
    replicas[node.replica].freeChannels[channel / 64] |= uint64_t(1)
                                                         << channel % 64;
    scheduler.finish(node.replica, isSecond, threadOf(node, channel), cycle);
    moved = true;
  });
  return moved;
}

/// A thread has gone through the block: its time is that of the nodes on its
/// longest way, which is found from its end, by the tokens that came last.
void Dataflow::attribute(uint32_t terminator, uint32_t channel,
                         uint64_t cycle) {
  times[entry(terminator, channel)].start = cycle;
  times[entry(terminator, channel)].leave = cycle;
  uint32_t initiator =
      image->replicas[image->nodes[terminator].replica].initiator;
  for (uint32_t index = terminator;;) {
    const EntryTimes &at = times[entry(index, channel)];
    image->times[index].queued += at.start - at.complete;
    image->times[index].working += at.leave - at.start;
    if (index == initiator)
      return;
    index = image->edgeSources[at.edge];
    image->times[index].moving += image->edges[at.edge].delay;
  }
}

/// When the host is done with the oldest system call.
uint64_t Dataflow::callCycle() const {
  return calls.empty() ? kNever : host.endOf(calls.front().made);
}

uint64_t Dataflow::wakeCycle() const {
  uint64_t next = callCycle();
  if (!tokensUnderWay)
    return next;
  uint64_t arrival = lastCycle + 1;
  while (!wheel[arrival & wheelMask])
    ++arrival;
  return std::min(next, arrival);
}

template bool Dataflow::run<false>(uint64_t);
template bool Dataflow::run<true>(uint64_t);

} // namespace chansim
