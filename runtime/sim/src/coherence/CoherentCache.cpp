//===- CoherentCache.cpp - A first-level cache under the directory --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The life of a line that a write asks for (hit_cycles = 4):
//
//   cycle 0   write: miss, MSHR, getM
//         26  data: modified; unblock; the write is in the pipe
//         27  fwdGetM of another cache: waits
//         30  the write is done; the forward is answered: invalid
//
//===----------------------------------------------------------------------===//

#include "coherence/CoherentCache.h"
#include "results/Statistics.h"

#include <algorithm>
#include <cassert>

namespace chansim {

using moesi::Kind;
using moesi::Message;
using moesi::State;

/// In place of a requester: a part of a split access, whose tag is its slot.
static constexpr uint32_t kSplit = ~uint32_t(0);

CoherentCache::CoherentCache(const CacheParameters &parameters,
                             const std::string &counterPrefix,
                             const std::string &label, Clock clock,
                             Engine &engine, Directory &directory,
                             FrameTable &frames, const Machine &machine,
                             Statistics &statistics)
    : DirectoryClient(parameters, label, clock, engine, directory, frames,
                      machine),
      putEntries(machine.memory.writeBackEntries), ways(tags.size()),
      mshrs(mshrCount), targets(size_t(mshrCount) * parameters.mshrTargets) {
  assert(ways.size() > 1 && putEntries > 1);
  puts.reserve(putEntries);

  statistics.addAll(
      counterPrefix + ".",
      {{"accesses", "accesses", "lookups that were not refused",
        counters.accesses},
       {"reads", "accesses", "of these, reads", counters.reads},
       {"writes", "accesses", "of these, writes", counters.writes},
       {"atomics", "accesses", "of these, atomic operations", counters.atomics},
       {"hits", "accesses",
        "accesses that found their line in the state needed", counters.hits},
       {"misses", "accesses", "accesses that asked for a line",
        counters.misses},
       {"upgrades", "accesses",
        "accesses that found their line, and asked to be its owner",
        coherence.upgrades},
       {"merged", "accesses", "accesses that waited for a line under way",
        counters.merged}});
  statistics.addRatio(counterPrefix + ".hit_rate", "hits/access",
                      "hits of all accesses", counters.hits, counters.accesses);
  statistics.addAll(
      counterPrefix + ".",
      {{"split_accesses", "accesses",
        "accesses that crossed from one line into the next", coherence.splits},
       {"bank_conflicts", "refusals", "tries that met an occupied bank",
        counters.bankConflicts},
       {"mshr_full", "refusals", "tries that found no free MSHR or way",
        counters.noMshr},
       {"targets_full", "refusals", "tries too many for one MSHR",
        counters.noTarget},
       {"write_back_full", "refusals",
        "tries that found no room for a line to be given up", counters.noPut},
       {"lines_from_l2", "lines", "lines that came from the L2",
        counters.fromHome},
       {"cache_to_cache", "lines", "lines that came from another cache",
        coherence.cacheToCache},
       {"forwards", "lines", "lines sent to another cache or for a recall",
        coherence.forwards},
       {"invalidations", "lines", "lines given up for another cache",
        coherence.invalidations},
       {"recalls", "lines", "lines given up because the L2 wanted them",
        coherence.recalls},
       {"write_backs", "lines", "dirty lines given up for others of this cache",
        coherence.writeBacks},
       {"clean_puts", "lines", "clean lines given up for others of this cache",
        coherence.cleanPuts},
       {"delayed_probes", "messages", "probes that waited for writes",
        coherence.delayedProbes},
       {"probe_delay", "cycles", "cycles for which they waited",
        coherence.delayCycles}});
}

//===----------------------------------------------------------------------===//
// Starting an access
//===----------------------------------------------------------------------===//

static bool isRefusal(auto outcome) {
  using Outcome = decltype(outcome);
  return outcome == Outcome::noMshr || outcome == Outcome::noTarget ||
         outcome == Outcome::noPut;
}

Taken CoherentCache::tryAccess(const Request &given) {
  assert(given.via == Via::l1);
  assert(given.bytes && given.bytes <= parameters.lineBytes);
  Request request = given;
  if (!request.isPlaced)
    map.place(request, nullptr);
  uint32_t toEnd =
      parameters.lineBytes - (request.address & (parameters.lineBytes - 1));
  Part part{map.physical(request.address, Via::l1), request.bytes};
  if (request.bytes <= toEnd)
    return tryOne(request, part);
  part.bytes = toEnd;
  return trySplit(
      request, part,
      {map.physical(request.address + toEnd, Via::l1), request.bytes - toEnd});
}

Taken CoherentCache::tryOne(const Request &request, const Part &part) {
  if (!areBanksFree(part))
    return Taken::bankConflict;
  Found found = find(tags.lineOf(part.address), request.access != Access::read);
  if (isRefusal(found.outcome))
    return refuse(found.outcome);
  begin(found, part, request.access,
        {request.isPosted ? kPosted : request.requester, request.tag});
  return Taken::yes;
}

/// Both parts start or neither.
Taken CoherentCache::trySplit(const Request &request, const Part &first,
                              const Part &second) {
  if (!areBanksFree(first) || !areBanksFree(second))
    return Taken::bankConflict;
  bool isWrite = request.access != Access::read;
  uint64_t lines[] = {tags.lineOf(first.address), tags.lineOf(second.address)};
  Found found[] = {find(lines[0], isWrite), find(lines[1], isWrite)};
  unsigned requests = 0, misses = 0, evictions = 0;
  for (const Found &one : found) {
    if (isRefusal(one.outcome))
      return refuse(one.outcome);
    bool isMiss = one.outcome == Outcome::miss;
    misses += isMiss;
    evictions += isMiss && tags.lineAt(one.way) != TagArray::kNone;
    requests += isMiss || one.outcome == Outcome::upgrade;
  }
  if (requests > freeMshrs.size())
    return refuse(Outcome::noMshr);
  // Lines of one set must not displace one another.
  if (misses && tags.firstWay(lines[0]) == tags.firstWay(lines[1])) {
    uint32_t begin = tags.firstWay(lines[0]);
    unsigned mayBeTaken = 0;
    for (uint32_t way = begin; way != begin + parameters.ways; ++way)
      mayBeTaken += mayLeave(way) && tags.lineAt(way) != lines[0] &&
                    tags.lineAt(way) != lines[1];
    if (misses > mayBeTaken) {
      retryAt = std::min(retryAt, engine.now() + period);
      engine.wakeAt(*this, retryAt);
      return refuse(Outcome::noMshr);
    }
  }
  // Whether a part displaces a line may depend on what the other displaces.
  if ((evictions || misses == 2) && puts.size() + misses > putEntries)
    return refuse(Outcome::noPut);
  ++coherence.splits;
  // The first part must not displace the second part's line.
  for (const Found &one : found)
    if (one.outcome != Outcome::miss)
      tags.touch(one.way);
  Target target{kPosted, 0};
  if (!request.isPosted)
    target = {kSplit, splits.add({{request.requester, request.tag}, 2})};
  begin(find(lines[0], isWrite), first, request.access, target);
  begin(find(lines[1], isWrite), second, request.access, target);
  return Taken::yes;
}

/// What an access to the line would come to.  Changes nothing.
CoherentCache::Found CoherentCache::find(uint64_t line, bool isWrite) {
  uint32_t way = tags.wayOf(line);
  if (way != TagArray::kAbsent) {
    const Way &there = ways[way];
    if (isWrite ? moesi::isWritable(there.state) && !there.isLeaving
                : moesi::isReadable(there.state))
      return {Outcome::hit, way};
    if (there.mshr != kNone)
      return {mshrs[there.mshr].targets == parameters.mshrTargets
                  ? Outcome::noTarget
                  : Outcome::merged,
              way};
    return {freeMshrs.empty() ? Outcome::noMshr : Outcome::upgrade, way};
  }
  if (freeMshrs.empty())
    return {Outcome::noMshr, 0};
  way = tags.leastRecent(line, [this](uint32_t way) { return mayLeave(way); });
  if (way == TagArray::kAbsent) {
    // A line will come, or a write will be done.
    uint32_t first = tags.firstWay(line);
    for (way = first; way != first + parameters.ways; ++way)
      if (ways[way].mshr == kNone)
        retryAt = std::min(retryAt, ways[way].writtenAt);
    if (retryAt != kNever)
      engine.wakeAt(*this, retryAt);
    return {Outcome::noMshr, 0};
  }
  if (tags.lineAt(way) != TagArray::kNone && puts.size() >= putEntries)
    return {Outcome::noPut, 0};
  return {Outcome::miss, way};
}

/// The consumer will be woken when it may try again.
Taken CoherentCache::refuse(Outcome why) {
  isRefusing = true;
  switch (why) {
  case Outcome::noMshr:
    ++counters.noMshr;
    return Taken::noMshr;
  case Outcome::noTarget:
    ++counters.noTarget;
    return Taken::noTarget;
  default:
    ++counters.noPut;
    return Taken::noWriteBack;
  }
}

void CoherentCache::begin(const Found &found, const Part &part, Access access,
                          Target target) {
  assert(!isRefusal(found.outcome));
  occupy(part);
  count(access);
  Way &way = ways[found.way];
  switch (found.outcome) {
  case Outcome::hit:
    ++counters.hits;
    tags.touch(found.way);
    perform(way, access, target, engine.now());
    return;
  case Outcome::merged:
    ++counters.merged;
    wait(way.mshr, access, target);
    return;
  case Outcome::upgrade:
    ++coherence.upgrades;
    break;
  default:
    ++counters.misses;
    if (tags.lineAt(found.way) != TagArray::kNone)
      evict(found.way);
    tags.put(found.way, tags.lineOf(part.address));
    way = {};
  }
  way.mshr = addMshr(found.way);
  wait(way.mshr, access, target);
  request(way.mshr);
}

/// Performs the access, whose line is here in the state needed, and says when it is
/// done.
Tick CoherentCache::perform(Way &way, Access access, Target target,
                            Tick earliest) {
  Tick at = earliest + hitTicks;
  if (access != Access::read) {
    way.state = State::modified;
    way.writtenAt = std::max(way.writtenAt, at);
  }
  enter(target, at);
  return at;
}

bool CoherentCache::areBanksFree(const Part &part) {
  if (parameters.banks == 1) {
    if (bankFree[0] <= engine.now())
      return true;
    ++counters.bankConflicts;
    return false;
  }
  uint64_t end = part.address + part.bytes;
  for (uint64_t at = part.address & ~uint64_t(parameters.bankBytes - 1);
       at < end; at += parameters.bankBytes)
    if (bankFree[tags.bankOf(at)] > engine.now()) {
      ++counters.bankConflicts;
      return false;
    }
  return true;
}

void CoherentCache::occupy(const Part &part) {
  Tick until = engine.now() + period;
  uint64_t end = part.address + part.bytes;
  for (uint64_t at = part.address & ~uint64_t(parameters.bankBytes - 1);
       at < end; at += parameters.bankBytes)
    bankFree[tags.bankOf(at)] = until;
}

State CoherentCache::stateOf(uint64_t address) {
  uint32_t way = tags.wayOf(lineOf(address));
  return way == TagArray::kAbsent ? State::invalid : ways[way].state;
}

//===----------------------------------------------------------------------===//
// Requests and puts
//===----------------------------------------------------------------------===//

/// Whether the way may be given to another line.
bool CoherentCache::mayLeave(uint32_t way) const {
  return ways[way].mshr == kNone && ways[way].writtenAt <= engine.now() &&
         !ways[way].isLeaving;
}

uint32_t CoherentCache::addMshr(uint32_t way) {
  uint32_t number = takeMshr();
  mshrs[number] = {way, 0, 0, false, {}, engine.coreCycle()};
  return number;
}

void CoherentCache::wait(uint32_t number, Access access, Target target) {
  Mshr &mshr = mshrs[number];
  targets[size_t(number) * parameters.mshrTargets + mshr.targets++] = {target,
                                                                       access};
  mshr.writes += access != Access::read;
}

/// Sends the request, unless it must wait for the line to be gone.
void CoherentCache::request(uint32_t number) {
  Mshr &mshr = mshrs[number];
  uint64_t line = tags.lineAt(mshr.way);
  mshr.isSent = !ways[mshr.way].isLeaving && !putOf(line);
  if (!mshr.isSent)
    return;
  mshr.wanted = moesi::Wanted(mshr.writes ? Kind::getM : Kind::getS);
  post({line, mshr.wanted.kind(), self, moesi::kHome, self}, engine.now());
}

CoherentCache::Put *CoherentCache::putOf(uint64_t line) {
  for (Put &put : puts)
    if (put.line == line)
      return &put;
  return nullptr;
}

/// The way's line is given up.
void CoherentCache::evict(uint32_t way) {
  uint64_t line = tags.lineAt(way);
  State state = ways[way].state;
  puts.push_back({line, state});
  ++(moesi::isDirty(state) ? coherence.writeBacks : coherence.cleanPuts);
  post({line, moesi::putOf(state), self, moesi::kHome, self}, engine.now());
}

//===----------------------------------------------------------------------===//
// A cycle
//
//   1. Accesses that have gone through the pipe are done.
//   2. Probes that waited for them are answered.
//   3. Messages are taken: lines serve what waits for them, probes are answered.
//   4. What is due leaves on the link.
//   5. The consumer is woken if accesses are done, or if what was refused may be taken.
//   6. The cache sleeps until there is work again.
//===----------------------------------------------------------------------===//

Activity CoherentCache::tick() {
  Tick now = engine.now();
  done.clear();
  doneAt = now;
  // 1.
  complete();
  // 2.
  while (delayed.isDue(now)) {
    Message probe = delayed.take().message;
    answerProbe(tags.wayOf(probe.line), probe);
  }
  // 3.
  while (inbox.isDue(now))
    take(inbox.take().message);
  // 4.
  link.drain(network, now);
  // 5.
  if (retryAt <= now) {
    retryAt = kNever;
    roomHasCome();
  }
  if (!done.empty())
    engine.wake(*consumer);
  // 6.
  Tick next =
      std::min({pipe.empty() ? kNever : pipe.front().at, delayed.nextDue(),
                inbox.nextDue(), link.nextDue(), retryAt});
  if (next != kNever)
    engine.wakeAt(*this, next);
  return Activity::asleep;
}

void CoherentCache::complete() {
  while (!pipe.empty() && pipe.front().at <= engine.now()) {
    Target target = pipe.front().target;
    pipe.pop();
    Completion access{target.requester, target.tag};
    if (target.requester == kSplit) {
      if (--splits[target.tag].partsLeft)
        continue;
      access = splits[target.tag].access;
      splits.remove(target.tag);
    }
    done.push_back(access);
  }
}

void CoherentCache::take(const Message &message) {
  switch (message.kind) {
  case Kind::data:
  case Kind::grant:
  case Kind::ack:
    return takeAnswer(message);
  case Kind::putAck:
    return takePutAck(message.line);
  default:
    return takeProbe(message);
  }
}

/// For the trace.
static const char *whatCame(const Message &answer) {
  if (answer.kind == Kind::grant)
    return "upgrade";
  if (answer.from != moesi::kHome)
    return "from another cache";
  return answer.isFromDram ? "from DRAM" : "from L2";
}

void CoherentCache::takeAnswer(const Message &message) {
  uint32_t way = tags.wayOf(message.line);
  assert(way != TagArray::kAbsent && ways[way].mshr != kNone);
  Mshr &mshr = mshrs[ways[way].mshr];
  assert(mshr.isSent);
  if (message.kind == Kind::data)
    ++(message.from == moesi::kHome ? counters.fromHome
                                    : coherence.cacheToCache);
  if (message.kind != Kind::ack)
    mshr.came = whatCame(message);
  mshr.wanted.receive(message);
  if (mshr.wanted.isDone())
    fill(ways[way].mshr);
}

/// The line is there, in the state that was granted.  Reads and writes that wait are
/// served at once, atomic operations one a cycle.  If the line came for reads only,
/// writes go on waiting, and ask for it again.
void CoherentCache::fill(uint32_t number) {
  Mshr &mshr = mshrs[number];
  Way &way = ways[mshr.way];
  uint64_t line = tags.lineAt(mshr.way);
  way.state = mshr.wanted.granted();
  post(mshr.wanted.unblock(line, self), engine.now());
  tags.touch(mshr.way);
  trace(mshr.came, mshr.since, line, moesi::nameOf(mshr.wanted.kind()),
        mshr.targets);
  // If writes go on waiting, that is another miss.
  mshr.since = engine.coreCycle();

  const bool servesWrites = moesi::isWritable(way.state);
  Waiting *waiting = &targets[size_t(number) * parameters.mshrTargets];
  Tick &free = bankFree[tags.bankOf(line)];
  uint32_t left = 0;
  for (uint32_t i = 0; i != mshr.targets; ++i) {
    const Waiting one = waiting[i];
    if (one.access == Access::read) {
      enter(one.target, engine.now() + hitTicks);
    } else if (!servesWrites) {
      waiting[left++] = one;
    } else if (one.access == Access::write) {
      perform(way, one.access, one.target, engine.now());
    } else {
      free = std::max(free, engine.now());
      perform(way, one.access, one.target, free);
      free += period;
    }
  }
  mshr.targets = mshr.writes = left;
  if (left) {
    request(number);
  } else {
    way.mshr = kNone;
    freeMshrs.push_back(number);
  }
  roomHasCome();
}

void CoherentCache::takeProbe(const Message &message) {
  uint32_t way = tags.wayOf(message.line);
  if (way != TagArray::kAbsent && moesi::isReadable(ways[way].state)) {
    if (ways[way].writtenAt <= engine.now())
      return answerProbe(way, message);
    ways[way].isLeaving = true;
    delayed.add(message, ways[way].writtenAt);
    ++coherence.delayedProbes;
    coherence.delayCycles += (ways[way].writtenAt - engine.now()) / period;
    return;
  }
  // The line has left, but not arrived.
  Put *put = putOf(message.line);
  assert(put);
  moesi::Reply reply = moesi::probe(put->state, message);
  put->state = reply.next;
  bool isLine = moesi::carriesLine(reply.message.kind);
  coherence.forwards += isLine;
  post(reply.message, engine.now() + (isLine ? hitTicks : period));
}

/// Probes go before accesses.  A line leaves after `hit_cycles`, an ack in the next
/// cycle.
void CoherentCache::answerProbe(uint32_t number, const Message &message) {
  Way &way = ways[number];
  moesi::Reply reply = moesi::probe(way.state, message);
  bool isLine = moesi::carriesLine(reply.message.kind);
  Tick &free = bankFree[tags.bankOf(message.line)];
  free = std::max(free, engine.now()) + period;
  coherence.forwards += isLine;
  post(reply.message, engine.now() + (isLine ? hitTicks : period));

  way.state = reply.next;
  way.isLeaving = false;
  if (way.state == State::invalid) {
    ++(message.requester == moesi::kHome ? coherence.recalls
                                         : coherence.invalidations);
    if (way.mshr == kNone)
      tags.clear(number);
  }
  if (way.mshr != kNone && !mshrs[way.mshr].isSent)
    request(way.mshr);
}

void CoherentCache::takePutAck(uint64_t line) {
  std::erase_if(puts, [line](const Put &put) { return put.line == line; });
  uint32_t way = tags.wayOf(line);
  if (way != TagArray::kAbsent && ways[way].mshr != kNone)
    request(ways[way].mshr);
  roomHasCome();
}

//===----------------------------------------------------------------------===//
// For the watchdog
//===----------------------------------------------------------------------===//

void CoherentCache::explain(std::string &text) const {
  for (uint32_t way = 0; way != ways.size(); ++way) {
    if (ways[way].mshr == kNone)
      continue;
    const Mshr &mshr = mshrs[ways[way].mshr];
    text += "  " + label + ": line " + hex(tags.lineAt(way)) + " (" +
            std::string(moesi::nameOf(ways[way].state)) +
            "): " + std::to_string(mshr.targets) + " accesses wait for ";
    if (!mshr.isSent)
      text += "it to leave\n";
    else
      text += std::string(moesi::nameOf(mshr.wanted.kind())) +
              (mshr.wanted.hasAnswer()
                   ? ": " + std::to_string(mshr.wanted.missingAcks()) +
                         " acks are missing\n"
                   : "\n");
  }
  for (const Put &put : puts)
    text += "  " + label + ": line " + hex(put.line) + " (" +
            std::string(moesi::nameOf(put.state)) + ") waits for a putAck\n";
}

} // namespace chansim
