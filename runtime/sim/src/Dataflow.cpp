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
  assert(!tokensUnderWay && computeReady.isEmpty() && accessReady.isEmpty());
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
  for (NodeSet *set : {&computeReady, &accessReady, &endReady})
    set->resize(count);

  threads.resize(image->replicas.size() * channels);
  replicas.assign(image->replicas.size(), {});
  for (ReplicaState &replica : replicas) {
    replica.freeChannels.assign((channels + 63) / 64, ~uint64_t(0));
    if (channels % 64)
      replica.freeChannels.back() = (uint64_t(1) << channels % 64) - 1;
  }
  // Results of accesses may leave later, one a cycle.
  uint32_t horizon = std::bit_ceil(image->longest + channels + 2);
  if (horizon > wheel.size())
    wheel.assign(horizon, kNone);
  wheelMask = static_cast<uint32_t>(wheel.size()) - 1;
}

//===----------------------------------------------------------------------===//
// A cycle
//===----------------------------------------------------------------------===//

template <bool timed> bool Dataflow::run(uint64_t cycle) {
  bool moved = completeAccesses<timed>(cycle);
  moved |= deliver<timed>(cycle);
  moved |= initiate<timed>(cycle);
  moved |= compute<timed>(cycle);
  moved |= access<timed>(cycle);
  moved |= terminate<timed>(cycle);
  return moved;
}

/// What the memory and the host have done leaves its unit.
template <bool timed> bool Dataflow::completeAccesses(uint64_t cycle) {
  bool moved = false;
  for (Completion done : memory.completions()) {
    complete<timed>(done.requester, done.tag, cycle);
    moved = true;
  }
  for (; wakeCycle() <= cycle; calls.pop()) {
    Call &call = calls.front();
    if (!call.isDone) {
      const ImageNode &node = image->nodes[call.node];
      auto *thunk = reinterpret_cast<void (*)(void *)>(values[node.number]);
      thunk(reinterpret_cast<void *>(operand(node, 0, call.channel)));
      call.isDone = true;
      if (wakeCycle() > cycle)
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
                       ? evaluate(node, channel)
                       : loaded[entry(index, channel)];
  uint64_t leave = std::max(cycle, state.nextLeave);
  state.nextLeave = leave + 1;
  if constexpr (timed)
    times[entry(index, channel)].leave = leave;
  send(node, channel, value, leave);
}

/// Tokens arrive in their entries; complete entries become ready.
template <bool timed> bool Dataflow::deliver(uint64_t cycle) {
  uint32_t &slot = wheel[cycle & wheelMask];
  uint32_t next = slot;
  if (next == kNone)
    return tokensUnderWay;
  slot = kNone;
  while (next != kNone) {
    Token &token = tokens[next];
    const ImageEdge &edge = image->edges[token.edge];
    values[edge.buffer + token.channel] = token.value;
    uint8_t &have = arrived[entry(edge.target, token.channel)];
    have |= edge.token;
    if (have == image->nodes[edge.target].allTokens) {
      if constexpr (timed) {
        EntryTimes &at = times[entry(edge.target, token.channel)];
        at.complete = cycle;
        at.edge = token.edge;
      }
      NodeState &state = nodes[edge.target];
      rings[(size_t(edge.target) << ringShift) + (state.tail++ & ringMask)] =
          token.channel;
      if (edge.target < image->computing)
        computeReady.add(edge.target);
      else if (edge.target < image->computing + image->accessing)
        accessReady.add(edge.target);
      else
        endReady.add(edge.target);
    }
    uint32_t after = token.next;
    token.next = freeTokens;
    freeTokens = next;
    --tokensUnderWay;
    next = after;
  }
  return true;
}

void Dataflow::send(const ImageNode &node, uint32_t channel, uint64_t value,
                    uint64_t leave) {
  for (uint32_t edge = node.firstEdge; edge != node.lastEdge; ++edge) {
    uint32_t index = freeTokens;
    if (index == kNone) {
      index = static_cast<uint32_t>(tokens.size());
      tokens.push_back({0, 0, kNone, 0});
    }
    Token &token = tokens[index];
    freeTokens = token.next;
    uint32_t &slot = wheel[(leave + image->edges[edge].delay) & wheelMask];
    token = {value, edge, slot, channel};
    slot = index;
    ++tokensUnderWay;
  }
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
  computeReady.forEach([&](uint32_t index) __attribute__((always_inline)) {
    uint32_t channel = takeReady(index, computeReady);
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

/// Each unit tries its oldest access.  Who tries first changes from cycle to
/// cycle.
template <bool timed> bool Dataflow::access(uint64_t cycle) {
  if (accessReady.isEmpty())
    return false;
  bool moved = false;
  uint32_t first =
      image->computing + static_cast<uint32_t>(cycle % image->accessing);
  accessReady.forEachFrom(first, [&](uint32_t index) {
    NodeState &state = nodes[index];
    uint32_t channel =
        rings[(size_t(index) << ringShift) + (state.head & ringMask)];
    if (!start(index, channel, cycle))
      return;
    takeReady(index, accessReady);
    if constexpr (timed)
      times[entry(index, channel)].start = cycle;
    ++firings[index];
    ++state.inFlight;
    moved = true;
  });
  return moved;
}

/// Whether the access is under way now.
bool Dataflow::start(uint32_t index, uint32_t channel, uint64_t cycle) {
  const ImageNode &node = image->nodes[index];
  if (nodes[index].inFlight == reservationEntries) {
    ++counters.noReservation;
    ++image->refusals[index][static_cast<size_t>(Taken::yes)];
    return false;
  }
  uint64_t &result = loaded[entry(index, channel)];
  if (node.action == Action::syscall) {
    calls.push({host.call(cycle), index, channel, false});
    ++counters.calls;
    result = 0;
    return true;
  }

  bool isLive =
      node.action == Action::liveLoad || node.action == Action::liveStore;
  size_t live = size_t(node.number) * tile->threads + threadOf(node, channel);
  Request request;
  request.address =
      isLive ? tile->liveBase + live * 8 : operand(node, 0, channel);
  request.bytes = node.bytes;
  request.access =
      node.action == Action::load || node.action == Action::liveLoad
          ? Access::read
      : node.action == Action::atomic ? Access::atomic
                                      : Access::write;
  request.via = isLive ? Via::lvc : Via::l1;
  request.requester = index;
  request.tag = channel;
  if (Taken taken = memory.tryAccess(request); taken != Taken::yes) {
    ++counters.refused[static_cast<size_t>(taken)];
    ++image->refusals[index][static_cast<size_t>(taken)];
    return false;
  }
  // Loads and stores are done now, atomics when L2 has answered.
  if (node.action == Action::liveLoad)
    result = tile->liveValues[live];
  else if (node.action == Action::liveStore)
    tile->liveValues[live] = operand(node, 0, channel), result = 0;
  else if (node.action != Action::atomic)
    result = evaluate(node, channel);
  return true;
}

template <bool timed> bool Dataflow::terminate(uint64_t cycle) {
  bool moved = false;
  endReady.forEach([&](uint32_t index) __attribute__((always_inline)) {
    uint32_t channel = takeReady(index, endReady);
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

bool Dataflow::isBusy() const {
  return tokensUnderWay || !computeReady.isEmpty() || !endReady.isEmpty();
}

uint64_t Dataflow::wakeCycle() const {
  return calls.empty() ? kNever : host.endOf(calls.front().made);
}

template bool Dataflow::run<false>(uint64_t);
template bool Dataflow::run<true>(uint64_t);

} // namespace chansim
