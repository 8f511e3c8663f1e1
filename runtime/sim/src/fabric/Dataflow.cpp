//===- Dataflow.cpp - Tokens on the configured fabric ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fabric/Dataflow.h"
#include "results/Statistics.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace chansim {

/// The word of the heap on which heap calls are atomic operations.  No object of
/// a process is there, and live values are higher.
static constexpr uint64_t kHeapWord = uint64_t(1) << 62;

Dataflow::Dataflow(const Machine &machine, Memory &memory, Host &host,
                   ThreadSource &scheduler, Statistics &statistics)
    : memory(memory), host(host), scheduler(scheduler),
      channels(machine.fabric.tokenBufferEntries),
      reservationEntries(machine.fabric.reservationEntries),
      hopCycles(machine.fabric.hopCycles),
      postedStores(machine.memory.postedStores),
      isWindow(machine.fabric.channelRelease == ChannelRelease::window),
      hostAllocates(machine.host.allocates),
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
    if (!units[kind])
      continue;
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
  add("wire", "pitches",
      "length of these links, in distances between neighbouring units",
      counters.pitches);
  add("no_channel", "tries", "an initiator had a thread and no virtual channel",
      counters.noChannel);
  add("no_entry", "operations",
      "operations that waited for a free entry at a consumer",
      counters.noEntry);
  add("no_reservation", "tries", "an access met a full reservation buffer",
      counters.noReservation);
  static constexpr const char *reasons[] = {
      "", "bank_conflict", "no_mshr", "no_target", "flushing", "no_write_back"};
  for (unsigned reason = 1; reason != std::size(reasons); ++reason)
    statistics.add(std::string("fabric.refused_") + reasons[reason], "tries",
                   "a cache refused an access", counters.refused[reason]);
  if (machine.kind == MachineKind::sgmf) {
    add("steered", "operations", "steers that gave no result",
        counters.dropped);
    add("taken", "tries", "a token found its place in a buffer taken",
        counters.waits);
  }
  add("syscalls", "calls", "system calls", counters.calls);
  add("heap_calls", "calls", "allocations and releases without the host",
      counters.heapCalls);
  arithmetic.addTo(statistics);
}

void Dataflow::configure(BlockImage &newImage, VgiwTile &newTile) {
  assert(isEmpty());
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
    freeRecords.clear();
    recordCount = 0;
  }
  firings.assign(count, 0);
  drops.assign(count, 0);
  for (NodeSet &set : ready)
    set.resize(count);

  if (isWindow) {
    fired.assign(arrived.size(), 0);
    known.assign(arrived.size(), 0);
    isWaiting.assign(arrived.size(), 0);
    credits.clear();
    // On a way through the block each node holds one thread at most.
    windowMask = std::bit_ceil(count) - 1;
    windowShift = static_cast<uint32_t>(std::countr_zero(windowMask + 1));
  }
  threads.resize((image->replicas.size() * channels) << windowShift);
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
//   1. What happened in the cycles left out is counted.  With a window, sources
//      learn which entries became free in the last cycle.
//   2. Results of the memory and of system calls leave their units.
//   3. Tokens that have come over the links fill the operands of their nodes.
//   4. Initiators let threads in, as far as virtual channels are free.
//   5. Units compute nodes that have all operands.
//   6. Units send accesses to the memory, each its oldest.
//   7. Terminators send thread batches to the scheduler.
// It says whether anything moved.
//===----------------------------------------------------------------------===//

template <bool timed, bool window> bool Dataflow::run(uint64_t cycle) {
  // 1.
  if (uint64_t leftOut = cycle - lastCycle - 1)
    countLeftOut(leftOut);
  lastCycle = cycle;
  if constexpr (window)
    returnCredits();
  // 2. to 7.
  bool moved = completeAccesses<timed, window>(cycle);
  moved |= deliver<timed, window>(cycle);
  moved |= initiate<timed, window>(cycle);
  moved |= compute<timed, window>(cycle);
  moved |= access<timed, window>(cycle);
  moved |= terminate<timed, window>(cycle);
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

void Dataflow::callThunk(const ImageNode &node, uint32_t channel) const {
  auto *thunk = reinterpret_cast<void (*)(void *)>(values[node.number]);
  thunk(reinterpret_cast<void *>(operand(node, 0, channel)));
}

/// What the memory and the host have done leaves its unit.
template <bool timed, bool window>
bool Dataflow::completeAccesses(uint64_t cycle) {
  bool moved = false;
  for (Completion done : memory.completions()) {
    complete<timed, window>(done.requester, done.tag, cycle);
    moved = true;
  }
  for (; callCycle() <= cycle; calls.pop()) {
    Call &call = calls.front();
    if (!call.isDone) {
      callThunk(image->nodes[call.node], call.channel);
      call.isDone = true;
      if (callCycle() > cycle)
        break;
    }
    complete<timed, window>(call.node, call.channel, cycle);
    moved = true;
  }
  return moved;
}

template <bool timed, bool window>
void Dataflow::complete(uint32_t index, uint32_t channel, uint64_t cycle) {
  const ImageNode &node = image->nodes[index];
  NodeState &state = nodes[index];
  --state.inFlight;
  // Not if the host has done it.
  if (node.action == Action::heapCall && !hostAllocates)
    callThunk(node, channel);
  uint64_t value = node.action == Action::atomic
                       ? evaluateAccess(node, channel)
                       : loaded[entry(index, channel)];
  uint64_t leave = std::max(cycle, state.nextLeave);
  state.nextLeave = leave + 1;
  bool isLate = releasesLate(node);
  if constexpr (timed)
    timesOf(index, channel, /*earlier=*/isLate ? 0 : 1).leave = leave;
  send(node, channel, value, leave);
  if (window && isLate)
    release(index, channel);
}

/// A token fills its operand, if that is free.
template <bool timed, bool window>
[[gnu::always_inline]] inline void Dataflow::arrive(const Token &token,
                                                    uint64_t cycle) {
  const ImageEdge &edge = image->edges[token.edge];
  uint32_t channel = token.channel;
  uint8_t &bits = arrived[edge.entries + channel];
  if (bits & edge.token) [[unlikely]] {
    waiting.push_back(token);
    return;
  }
  values[edge.buffer + channel] = token.value;
  bits |= edge.token;
  if (bits != edge.allTokens)
    return;
  if constexpr (timed) {
    EntryTimes &at = timesOf(edge.target, channel);
    at.complete = cycle;
    at.edge = token.edge;
  }
  if constexpr (window)
    if (!hasRoom(edge.target, channel)) {
      ++counters.noEntry;
      isWaiting[edge.entries + channel] = 1;
      return;
    }
  makeReady(edge.target, channel, edge.group);
}

/// Tokens arrive in their entries; complete entries become ready.
template <bool timed, bool window> bool Dataflow::deliver(uint64_t cycle) {
  uint64_t now = cycle & wheelMask;
  uint32_t count = wheel[now];
  if (!count && waiting.empty())
    return false;
  if (!waiting.empty()) {
    stillWaiting.swap(waiting);
    for (const Token &token : stillWaiting)
      arrive<timed, window>(token, cycle);
    stillWaiting.clear();
    counters.waits += waiting.size();
    if (!count)
      return false;
  }
  wheel[now] = 0;
  tokensUnderWay -= count;
  const Token *first = &tokens[now * image->edges.size()];
  for (const Token *token = first + count; token-- != first;)
    arrive<timed, window>(*token, cycle);
  return true;
}

inline void Dataflow::makeReady(uint32_t node, uint32_t channel,
                                NodeGroup group) {
  NodeState &state = nodes[node];
  rings[(size_t(node) << ringShift) + (state.tail++ & ringMask)] = channel;
  readyOf(group).add(node);
}

//===----------------------------------------------------------------------===//
// The window
//===----------------------------------------------------------------------===//

/// Whether the thread for which the node fires next finds its entries free.
inline bool Dataflow::hasRoom(uint32_t node, uint32_t channel) const {
  uint32_t ordinal = fired[entry(node, channel)];
  const ImageNode &from = image->nodes[node];
  for (uint32_t edge = from.firstEdge; edge != from.lastEdge; ++edge)
    if (known[image->edges[edge].entries + channel] != ordinal)
      return false;
  return true;
}

/// The entry becomes free.
inline void Dataflow::release(uint32_t node, uint32_t channel) {
  ++fired[entry(node, channel)];
  credits.push_back({node, channel});
}

/// What waited for entries that have become free can start.
void Dataflow::returnCredits() {
  for (Credit credit : credits)
    ++known[entry(credit.node, credit.channel)];
  for (auto [node, channel] : credits)
    for (uint32_t i = image->sourcesBegin[node];
         i != image->sourcesBegin[node + 1]; ++i) {
      uint32_t source = image->sources[i];
      const ImageNode &from = image->nodes[source];
      bool isInitiator = from.action == Action::initiate;
      if (!(isInitiator || isWaiting[entry(source, channel)]) ||
          !hasRoom(source, channel))
        continue;
      if (isInitiator) {
        replicas[from.replica].freeChannels[channel / 64] |= uint64_t(1)
                                                             << channel % 64;
        continue;
      }
      isWaiting[entry(source, channel)] = 0;
      makeReady(source, channel,
                source < image->computing ? NodeGroup::computing
                                          : NodeGroup::accessing);
    }
  credits.clear();
}

/// Room for the times of a thread.
void Dataflow::takeRecord(size_t place) {
  records.resize(threads.size());
  if (freeRecords.empty()) {
    freeRecords.push_back(recordCount++);
    times.resize(std::max(times.size(), size_t(recordCount) * nodes.size()));
  }
  records[place] = freeRecords.back();
  freeRecords.pop_back();
}

//===----------------------------------------------------------------------===//
// Starting and ending operations
//===----------------------------------------------------------------------===//

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

/// The first channel that is free, or with a window the next one; kNone if none
/// is.
template <bool window> uint32_t Dataflow::takeChannel(ReplicaState &replica) {
  std::vector<uint64_t> &free = replica.freeChannels;
  auto firstOf = [&](uint32_t index, uint64_t word) {
    auto channel = static_cast<uint32_t>(index * 64 + std::countr_zero(word));
    free[index] &= ~(uint64_t(1) << channel % 64);
    if constexpr (window)
      replica.nextChannel = (channel + 1) % channels;
    return channel;
  };
  auto count = static_cast<uint32_t>(free.size());
  uint32_t first = window ? replica.nextChannel / 64 : 0;
  if constexpr (window)
    if (uint64_t later = free[first] & ~uint64_t(0) << replica.nextChannel % 64)
      return firstOf(first, later);
  for (uint32_t i = window ? 1 : 0; i != count; ++i)
    if (uint32_t index = (first + i) % count; free[index])
      return firstOf(index, free[index]);
  if (window && free[first])
    return firstOf(first, free[first]);
  return kNone;
}

/// A thread a cycle and replica, if a virtual channel is free.
template <bool timed, bool window> bool Dataflow::initiate(uint64_t cycle) {
  bool moved = false;
  std::vector<Initiator> &initiators = scheduler.initiators();
  for (uint32_t replica = 0; replica != initiators.size(); ++replica) {
    Initiator &initiator = initiators[replica];
    if (!initiator.hasThread())
      continue;
    uint32_t channel = takeChannel<window>(replicas[replica]);
    if (channel == kNone) {
      ++counters.noChannel;
      continue;
    }
    uint32_t thread = initiator.take();
    uint32_t index = image->replicas[replica].initiator;
    const ImageNode &node = image->nodes[index];
    size_t place = placeOf(node, channel);
    threads[place] = thread;
    ++firings[index];
    if constexpr (timed) {
      if constexpr (window)
        takeRecord(place);
      timesOf(index, channel) = {cycle, cycle, cycle + node.latency, kNone};
    }
    send(node, channel, tile->delivered(thread), cycle + node.latency);
    if constexpr (window)
      ++fired[entry(index, channel)];
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

template <bool timed, bool window> bool Dataflow::compute(uint64_t cycle) {
  bool moved = false;
  NodeSet &set = readyOf(NodeGroup::computing);
  set.forEach([&](uint32_t index) __attribute__((always_inline)) {
    uint32_t channel = takeReady(index, set);
    const ImageNode &node = image->nodes[index];
    ++firings[index];
    if constexpr (timed) {
      timesOf(index, channel).start = cycle;
      timesOf(index, channel).leave = cycle + node.latency;
    }
    if (node.action == Action::steer &&
        (operand(node, 1, channel) & 1) != node.number)
      ++drops[index];
    else
      send(node, channel, evaluate(node, channel), cycle + node.latency);
    if constexpr (window)
      release(index, channel);
    moved = true;
  });
  return moved;
}

/// Each unit tries its oldest access.  The unit that tries first changes from
/// cycle to cycle.
template <bool timed, bool window> bool Dataflow::access(uint64_t cycle) {
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
      timesOf(index, channel).start = cycle;
    ++firings[index];
    moved = true;
    const ImageNode &node = image->nodes[index];
    if (!isPosted(node)) {
      ++state.inFlight;
      if (window && !releasesLate(node))
        release(index, channel);
      return;
    }
    // In the next cycle, as no other result leaves this unit.
    if constexpr (timed)
      timesOf(index, channel).leave = cycle + 1;
    send(node, channel, 0, cycle + 1);
    if constexpr (window)
      release(index, channel);
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
  bool isHeapCall = node.action == Action::heapCall;
  if (node.action == Action::syscall || (isHeapCall && hostAllocates)) {
    calls.push({host.call(cycle), index, channel, false});
    ++counters.calls;
    result = 0;
    return true;
  }

  bool isLive = node.via == Via::lvc;
  size_t live = size_t(node.number) * tile->threads + threadOf(node, channel);
  Request request;
  request.address =
      isLive ? tile->stateBase + live * kLiveBytes : addressOf(node, channel);
  if (isHeapCall)
    request.address = kHeapWord;
  request.bytes = isHeapCall ? sizeof(uint64_t) : node.bytes;
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
  else if (isHeapCall)
    result = 0, ++counters.heapCalls;
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

template <bool timed, bool window> bool Dataflow::terminate(uint64_t cycle) {
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
    scheduler.finish(node.replica, isSecond, threadOf(node, channel), cycle);
    if constexpr (window)
      release(index, channel);
    else
      replicas[node.replica].freeChannels[channel / 64] |= uint64_t(1)
                                                           << channel % 64;
    moved = true;
  });
  return moved;
}

/// A thread has gone through the block: its time is that of the nodes on its
/// longest way, which is found from its end, by the tokens that came last.  Of
/// loops only the last iteration is known: the way ends where it comes again.
void Dataflow::attribute(uint32_t terminator, uint32_t channel,
                         uint64_t cycle) {
  uint32_t record =
      isWindow ? records[placeOf(image->nodes[terminator], channel)] : 0;
  auto of = [&](uint32_t index) -> EntryTimes & {
    return times[isWindow ? size_t(record) * nodes.size() + index
                          : entry(index, channel)];
  };
  of(terminator).start = cycle;
  of(terminator).leave = cycle;
  uint32_t initiator =
      image->replicas[image->nodes[terminator].replica].initiator;
  uint32_t steps = 0;
  for (uint32_t index = terminator; steps++ != nodes.size();) {
    const EntryTimes &at = of(index);
    image->times[index].queued += at.start - at.complete;
    image->times[index].working += at.leave - at.start;
    if (index == initiator)
      break;
    index = image->edgeSources[at.edge];
    image->times[index].moving += image->edges[at.edge].delay;
  }
  if (isWindow)
    freeRecords.push_back(record);
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

template bool Dataflow::run<false, false>(uint64_t);
template bool Dataflow::run<true, false>(uint64_t);
template bool Dataflow::run<false, true>(uint64_t);
template bool Dataflow::run<true, true>(uint64_t);

} // namespace chansim
