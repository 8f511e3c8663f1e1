//===- Memory.cpp - The memory hierarchy ----------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "AddressMap.h"
#include "Statistics.h"
#include "Uncore.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace chansim {
namespace {

/// An access that waits for two things: a part in each of two lines.
constexpr uint32_t kSplit = ~uint32_t(0);
/// An access without a completion.
constexpr uint32_t kPosted = ~uint32_t(0) - 1;
/// What a request or an atomic's response takes on the link: an address or
/// word.
constexpr uint32_t kWordBytes = 8;

/// A table of things under way, with stable numbers.
template <class T> class Slots {
public:
  uint32_t add(const T &value) {
    if (free.empty()) {
      free.push_back(static_cast<uint32_t>(all.size()));
      all.emplace_back();
    }
    uint32_t slot = free.back();
    free.pop_back();
    all[slot] = value;
    return slot;
  }
  T &operator[](uint32_t slot) { return all[slot]; }
  void remove(uint32_t slot) { free.push_back(slot); }
  size_t size() const { return all.size() - free.size(); }

private:
  std::vector<T> all;
  std::vector<uint32_t> free;
};

/// L1 or LVC: tags, and what is on its way through them to the core.
struct FirstLevel {
  FirstLevel(const CacheParameters &parameters, const std::string &name,
             L2::Kind kind, Statistics &statistics)
      : cache(parameters, name, parameters.writePolicy == WritePolicy::validate,
              statistics),
        hasMasks(parameters.writePolicy == WritePolicy::validate),
        writesThrough(parameters.writePolicy == WritePolicy::through),
        hitCycles(parameters.hitCycles), kind(kind) {}

  struct Due {
    Tick at;
    Completion access;
  };

  Cache cache;
  bool hasMasks, writesThrough;
  uint32_t hitCycles;
  L2::Kind kind;
  /// Each takes hit_cycles, so that they are due in order.
  Fifo<Due> pipe;
};

} // namespace

struct Memory::State : Component {
  State(const Machine &machine, Engine &engine, Uncore &uncore,
        Statistics &statistics);

  Taken tryAccess(Request request);
  Taken tryThrough(FirstLevel &level, const Request &request, uint64_t address);
  Taken refuse(Cache::Outcome outcome);
  Taken refuseForRoom();
  bool hasRoom(uint32_t lines = 1);
  void writeBack(const FirstLevel &level,
                 const std::optional<Cache::WriteBack> &line);
  Taken tryAtomic(const Request &request, uint64_t address);
  Taken trySplit(FirstLevel &level, const Request &request);
  void begin(FirstLevel &level, const Cache::Found &found, uint64_t address,
             uint32_t bytes, bool isWrite, Cache::Target target);

  Activity tick() override;
  void explain(std::string &text) const override;
  void takeResponses();
  void complete(FirstLevel &level);
  void flushLine();
  Tick nextWork() const;

  void enter(FirstLevel &level, Completion access);
  Tick send(uint64_t line, L2::Kind kind, uint32_t slot, uint32_t bytes,
            const ByteMask &mask = {});
  Tick linkTicks(uint32_t bytes) const {
    return (bytes + linkBytes - 1) / linkBytes *
           engine.period(Clock::interconnect);
  }

  Engine &engine;
  L2 &l2;
  const uint32_t port;
  /// "core 1: " if there are several.
  const std::string label;
  FirstLevel l1;
  /// Of VGIW.
  std::optional<FirstLevel> lvc;
  AddressMap map;
  Component *consumer = nullptr;
  uint32_t lineBytes, linkBytes, writeBackEntries;
  Tick corePeriod;
  bool flushInvalidates;

  /// When the link can carry the next message up and down.
  Tick upFree = 0, downFree = 0;
  /// When the link has carried each of the lines that are being written back.
  Fifo<Tick> writeBacks;
  Slots<Completion> atomics;
  struct Split {
    Completion access;
    uint32_t partsLeft;
  };
  Slots<Split> splits;

  std::vector<Completion> completions;
  Tick completedAt = kNever;
  /// Whether an access waits for a line to come.
  bool isRefusing = false;
  /// Whether an access, or a line that has come, waits for room for a line to be
  /// written back.
  bool isRefusingForRoom = false, isLineWaiting = false;
  bool isFlushing = false;
  uint32_t flushCursor = 0;
  struct {
    uint64_t atomics = 0, splits = 0, flushes = 0, flushedLines = 0,
             flushCycles = 0, noRoom = 0;
  } counters;
};

Memory::State::State(const Machine &machine, Engine &engine, Uncore &uncore,
                     Statistics &statistics)
    : engine(engine), l2(uncore.l2), port(l2.connect(*this)),
      label(machine.cores > 1 ? "core " + std::to_string(port) + ": " : ""),
      l1(machine.l1, "l1", L2::Kind::readForL1, statistics),
      map(uncore.frames, port), lineBytes(machine.l1.lineBytes),
      linkBytes(machine.memory.linkBytes),
      writeBackEntries(machine.memory.writeBackEntries),
      corePeriod(engine.period(Clock::core)),
      flushInvalidates(machine.memory.flushInvalidates) {
  if (machine.kind == MachineKind::vgiw)
    lvc.emplace(machine.lvc, "lvc", L2::Kind::readForLvc, statistics);
  engine.add(*this, Clock::core);
  statistics.add("memory.atomics", "accesses", "atomic operations sent to L2",
                 counters.atomics);
  statistics.add("memory.split_accesses", "accesses",
                 "accesses that crossed from one line into the next",
                 counters.splits);
  statistics.add("memory.flushes", "flushes", "flushes of L1",
                 counters.flushes);
  statistics.add("memory.flushed_lines", "lines",
                 "dirty lines that flushes wrote back", counters.flushedLines);
  statistics.add("memory.write_back_full", "refusals",
                 "tries that found no room for a line to be written back",
                 counters.noRoom);
  statistics.add("memory.flush_cycles", "cycles",
                 "core cycles in which L1 was being flushed",
                 counters.flushCycles);
}

//===----------------------------------------------------------------------===//
// Starting an access
//===----------------------------------------------------------------------===//

Taken Memory::State::tryAccess(Request request) {
  assert(request.bytes && request.bytes <= lineBytes);
  bool isL1 = request.via == Via::l1;
  if (isL1) {
    if (isFlushing)
      return Taken::flushing;
    if (!request.isPlaced)
      map.place(request);
  }
  uint64_t inLine = request.address & (lineBytes - 1);
  FirstLevel &level = isL1 ? l1 : *lvc;
  if (request.access == Access::atomic) {
    assert(isL1);
    // Beyond the line is a misaligned atomic, which no compiler makes.
    return tryAtomic(request, map.physical(request.address, request.via));
  }
  if (inLine + request.bytes > lineBytes)
    return trySplit(level, request);

  uint64_t address = map.physical(request.address, request.via);
  if (!level.cache.areBanksFree(address, request.bytes, engine.now()))
    return Taken::bankConflict;
  if (level.writesThrough && request.access == Access::write)
    return tryThrough(level, request, address);
  Cache::Found found =
      level.cache.find(address, request.bytes, request.access == Access::write);
  if (found.outcome == Cache::Outcome::noMshr ||
      found.outcome == Cache::Outcome::noTarget)
    return refuse(found.outcome);
  if (found.outcome == Cache::Outcome::validated &&
      level.cache.displaces(found) && !hasRoom())
    return refuseForRoom();
  begin(level, found, address, request.bytes, request.access == Access::write,
        {request.isPosted ? kPosted : request.requester, request.tag});
  return Taken::yes;
}

/// A store to the L2, by which the cache's copy of the line is out of date.  But
/// a line of private memory that is in the cache is written there.
Taken Memory::State::tryThrough(FirstLevel &level, const Request &request,
                                uint64_t address) {
  Cache &cache = level.cache;
  uint64_t line = cache.lineOf(address);
  if (cache.isDirty(line) ||
      (map.isPrivate(request.address) && cache.holds(line))) {
    begin(level, cache.find(address, request.bytes, /*isStore=*/true), address,
          request.bytes, /*isWrite=*/true,
          {request.isPosted ? kPosted : request.requester, request.tag});
    return Taken::yes;
  }
  if (!hasRoom())
    return refuseForRoom();
  cache.occupyBanks(address, request.bytes, engine.now() + corePeriod);
  cache.remove(line);
  cache.countPassed();
  ByteMask mask = request.isPlaced ? request.written
                                   : ByteMask(address - line, request.bytes);
  writeBacks.push(send(line, L2::Kind::writeBack, 0, mask.count(), mask));
  enter(level, {request.isPosted ? kPosted : request.requester, request.tag});
  return Taken::yes;
}

/// Until a line comes.
Taken Memory::State::refuse(Cache::Outcome outcome) {
  isRefusing = true;
  return outcome == Cache::Outcome::noMshr ? Taken::noMshr : Taken::noTarget;
}

/// Until the link has carried a line.
Taken Memory::State::refuseForRoom() {
  isRefusingForRoom = true;
  ++counters.noRoom;
  engine.wakeAt(*this, writeBacks.front());
  return Taken::noWriteBack;
}

/// For lines to be written back.
bool Memory::State::hasRoom(uint32_t lines) {
  while (!writeBacks.empty() && writeBacks.front() <= engine.now())
    writeBacks.pop();
  return writeBacks.size() + lines <= writeBackEntries;
}

void Memory::State::begin(FirstLevel &level, const Cache::Found &found,
                          uint64_t address, uint32_t bytes, bool isWrite,
                          Cache::Target target) {
  level.cache.occupyBanks(address, bytes, engine.now() + corePeriod);
  if (found.outcome == Cache::Outcome::validated)
    writeBack(level, level.cache.validate(found, address, bytes));
  else
    level.cache.access(found, address, bytes, isWrite, target);
  if (found.outcome == Cache::Outcome::hit ||
      found.outcome == Cache::Outcome::validated)
    enter(level, {target.requester, target.tag});
  else if (found.outcome == Cache::Outcome::miss)
    send(level.cache.lineOf(address), level.kind, 0, kWordBytes);
}

/// Both parts start in this cycle or neither.
Taken Memory::State::trySplit(FirstLevel &level, const Request &request) {
  uint32_t inFirst = lineBytes - (request.address & (lineBytes - 1));
  struct Part {
    uint64_t address;
    uint32_t bytes;
  };
  std::array<Part, 2> parts = {
      {{map.physical(request.address, request.via), inFirst},
       {map.physical(request.address + inFirst, request.via),
        request.bytes - inFirst}}};

  bool isWrite = request.access == Access::write;
  bool mayMiss = level.cache.haveTwoMshrs();
  unsigned misses = 0, validated = 0;
  for (const Part &part : parts) {
    if (!level.cache.areBanksFree(part.address, part.bytes, engine.now()))
      return Taken::bankConflict;
    Cache::Outcome outcome =
        level.cache.find(part.address, part.bytes, isWrite).outcome;
    if (outcome == Cache::Outcome::noTarget ||
        outcome == Cache::Outcome::noMshr)
      return refuse(outcome);
    misses += outcome == Cache::Outcome::miss;
    validated += outcome == Cache::Outcome::validated;
  }
  if (misses == 2 && !mayMiss) {
    level.cache.countRefusals(Cache::Outcome::noMshr, 1);
    return refuse(Cache::Outcome::noMshr);
  }
  // Whether a part displaces a line may depend on what the other displaces.
  if (validated && !hasRoom(validated))
    return refuseForRoom();
  Cache::Target target{kPosted, 0};
  if (!request.isPosted)
    target = {kSplit, splits.add({{request.requester, request.tag}, 2})};
  ++counters.splits;
  for (const Part &part : parts)
    begin(level, level.cache.find(part.address, part.bytes, isWrite),
          part.address, part.bytes, isWrite, target);
  return Taken::yes;
}

/// An atomic operation passes L1, which gives up its copy of the line.
Taken Memory::State::tryAtomic(const Request &request, uint64_t address) {
  Cache &cache = l1.cache;
  uint64_t line = cache.lineOf(address);
  uint32_t bytes = static_cast<uint32_t>(
      std::min<uint64_t>(request.bytes, line + lineBytes - address));
  if (!cache.areBanksFree(address, bytes, engine.now()))
    return Taken::bankConflict;
  if (cache.isDirty(line) && !hasRoom())
    return refuseForRoom();
  cache.occupyBanks(address, bytes, engine.now() + corePeriod);
  ++counters.atomics;
  writeBack(l1, cache.remove(line));
  send(line, L2::Kind::atomic, atomics.add({request.requester, request.tag}),
       kWordBytes);
  return Taken::yes;
}

/// The access completes in hit_cycles, unless it is a posted write.
void Memory::State::enter(FirstLevel &level, Completion access) {
  if (access.requester == kPosted)
    return;
  Tick at = engine.now() + level.hitCycles * corePeriod;
  level.pipe.push({at, access});
  engine.wakeAt(*this, at);
}

/// Over the link, which is free for the next message at the time that this
/// returns.
Tick Memory::State::send(uint64_t line, L2::Kind kind, uint32_t slot,
                         uint32_t bytes, const ByteMask &mask) {
  Tick start = std::max(engine.now(), downFree);
  downFree = start + linkTicks(bytes);
  l2.send({line, kind, port, slot, start, mask});
  return downFree;
}

/// The link carries only the bytes that were written, if the cache knows them.
void Memory::State::writeBack(const FirstLevel &level,
                              const std::optional<Cache::WriteBack> &line) {
  if (!line)
    return;
  ByteMask mask = line->mask;
  if (!level.hasMasks && lineBytes <= kMaskBytes)
    mask = ByteMask(0, lineBytes);
  writeBacks.push(send(line->line, L2::Kind::writeBack, 0, line->bytes, mask));
}

//===----------------------------------------------------------------------===//
// A cycle
//
//   1. Accesses that have gone through the pipeline of L1 or LVC are complete.
//   2. Responses of the L2 come over the link: lines fill a cache, and the
//      accesses that wait for them go on.  A line that displaces another waits
//      for room for that.
//   3. While the caches are flushed, one more line is written back.
//   4. The core is woken if accesses are complete, or if what was refused may
//      find room now.
//   5. The memory sleeps until there is work again.
//===----------------------------------------------------------------------===//

Activity Memory::State::tick() {
  completions.clear();
  completedAt = engine.now();
  // 1.
  complete(l1);
  if (lvc)
    complete(*lvc);
  // 2.
  takeResponses();
  // 3.
  if (isFlushing)
    flushLine();
  // 4.
  bool foundRoom = isRefusingForRoom && hasRoom();
  if (foundRoom)
    isRefusingForRoom = false;
  if (!completions.empty() || foundRoom)
    engine.wake(*consumer);
  // 5.
  if (Tick next = nextWork(); next != kNever)
    engine.wakeAt(*this, next);
  return Activity::asleep;
}

void Memory::State::complete(FirstLevel &level) {
  while (!level.pipe.empty() && level.pipe.front().at <= engine.now()) {
    Completion access = level.pipe.front().access;
    level.pipe.pop();
    if (access.requester == kSplit) {
      uint32_t slot = access.tag;
      if (--splits[slot].partsLeft)
        continue;
      access = splits[slot].access;
      splits.remove(slot);
    }
    completions.push_back(access);
  }
}

void Memory::State::takeResponses() {
  isLineWaiting = false;
  while (upFree <= engine.now()) {
    const L2::Message *oldest = l2.response(port);
    if (!oldest)
      return;
    L2::Message response = *oldest;
    FirstLevel &level = response.kind == L2::Kind::readForLvc ? *lvc : l1;
    if (response.kind != L2::Kind::atomic &&
        level.cache.fillDisplaces(response.line) && !hasRoom()) {
      isLineWaiting = true;
      return;
    }
    bool isAtomic = response.kind == L2::Kind::atomic;
    upFree = engine.now() + linkTicks(isAtomic ? kWordBytes : lineBytes);
    l2.take(oldest, upFree);
    if (isAtomic) {
      enter(l1, atomics[response.slot]);
      atomics.remove(response.slot);
      continue;
    }
    Cache::Filled filled = level.cache.fill(response.line);
    for (const Cache::Target &target : filled.targets)
      enter(level, {target.requester, target.tag});
    writeBack(level, filled.writeBack);
    if (isRefusing)
      engine.wake(*consumer);
    isRefusing = false;
  }
}

/// One dirty line as soon as the link is free; the flush is over when it is
/// free and no line is left.  Posted writes may still wait for their lines.
void Memory::State::flushLine() {
  ++counters.flushCycles;
  if (downFree > engine.now() || l1.cache.linesUnderWay())
    return;
  if (std::optional<Cache::WriteBack> line = l1.cache.cleanNext(flushCursor)) {
    ++counters.flushedLines;
    writeBack(l1, line);
    return;
  }
  isFlushing = false;
  if (flushInvalidates)
    l1.cache.invalidate();
  engine.wake(*consumer);
}

Tick Memory::State::nextWork() const {
  Tick next = kNever;
  if (!l1.pipe.empty())
    next = l1.pipe.front().at;
  if (lvc && !lvc->pipe.empty())
    next = std::min(next, lvc->pipe.front().at);
  if (isLineWaiting)
    next = std::min(next, writeBacks.front());
  else if (Tick response = l2.responseAt(port); response != kNever)
    next = std::min(next, std::max(response, upFree));
  if (isRefusingForRoom)
    next = std::min(next, writeBacks.front());
  if (isFlushing)
    next = std::min(next, engine.now() + corePeriod);
  return next;
}

void Memory::State::explain(std::string &text) const {
  auto add = [&](const char *what, size_t count) {
    if (count)
      text +=
          "  " + label + what + " under way: " + std::to_string(count) + "\n";
  };
  add("lines from L2 to L1", l1.cache.linesUnderWay());
  if (lvc)
    add("lines from L2 to LVC", lvc->cache.linesUnderWay());
  add("atomic operations in L2", atomics.size());
}

//===----------------------------------------------------------------------===//
// The port
//===----------------------------------------------------------------------===//

Memory::Memory(const Machine &machine, Engine &engine, Uncore &uncore,
               Statistics &statistics)
    : state(std::make_unique<State>(machine, engine, uncore, statistics)) {}
Memory::~Memory() = default;

uint32_t Memory::number() const { return state->port; }

void Memory::setConsumer(Component &consumer) { state->consumer = &consumer; }

Taken Memory::tryAccess(const Request &request) {
  return state->tryAccess(request);
}

uint64_t Memory::place(uint64_t address, uint32_t bytes) const {
  Request request{};
  request.address = address;
  request.bytes = bytes;
  request.via = Via::l1;
  state->map.place(request);
  return state->map.inFrames(request.address);
}

void Memory::countRefusals(Via via, Taken why, uint64_t cycles) {
  if (why == Taken::noWriteBack)
    state->counters.noRoom += cycles;
  if (why != Taken::noMshr && why != Taken::noTarget)
    return;
  (via == Via::l1 ? state->l1 : *state->lvc)
      .cache.countRefusals(why == Taken::noMshr ? Cache::Outcome::noMshr
                                                : Cache::Outcome::noTarget,
                           cycles);
}

std::span<const Completion> Memory::completions() const {
  if (state->completedAt != state->engine.now())
    return {};
  return state->completions;
}

void Memory::setPrivateWindow(const std::optional<PrivateWindow> &window) {
  state->map.setWindow(window);
}

void Memory::flush() {
  assert(!state->isFlushing);
  state->isFlushing = true;
  state->flushCursor = 0;
  ++state->counters.flushes;
  state->engine.wake(*state);
}
bool Memory::isFlushing() const { return state->isFlushing; }

void Memory::discardLiveValues() {
  state->lvc->cache.invalidate();
  state->lvc->cache.forgetWritesUnderWay();
}

} // namespace chansim
