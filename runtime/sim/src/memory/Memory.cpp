//===- Memory.cpp - The memory hierarchy ----------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memory/Memory.h"
#include "memory/Uncore.h"
#include "results/Statistics.h"

#include <algorithm>
#include <cassert>

namespace chansim {

Memory::Memory(const Machine &machine, Engine &engine, Uncore &uncore,
               Statistics &statistics)
    : engine(engine), link(machine, engine, uncore.l2, *this),
      label(machine.cores > 1 ? "core " + std::to_string(link.port()) + ": "
                              : ""),
      l1(machine.l1, "l1", Message::Kind::readForL1, engine, *this, link,
         statistics),
      map(uncore.frames, link.port()), lineBytes(machine.l1.lineBytes),
      flushInvalidates(machine.memory.flushInvalidates) {
  if (machine.kind == MachineKind::vgiw)
    lvc.emplace(machine.lvc, "lvc", Message::Kind::readForLvc, engine,
                static_cast<Component &>(*this), link, statistics);
  engine.add(*this, engine.coreClock());
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

Taken Memory::tryAccess(const Request &request) {
  Taken taken = start(request);
  if (taken == Taken::noMshr || taken == Taken::noTarget)
    // Until a line comes.
    isRefusing = true;
  if (taken == Taken::noWriteBack) {
    // Until the link has carried a line.
    isRefusingForRoom = true;
    ++counters.noRoom;
    engine.wakeAt(*this, link.roomAt());
  }
  return taken;
}

Taken Memory::start(Request request) {
  assert(request.bytes && request.bytes <= lineBytes);
  if (request.via == Via::l1) {
    if (isFlushingL1)
      return Taken::flushing;
    if (!request.isPlaced) {
      map.place(request);
      request.isPrivate = map.isPrivate(request.address);
    }
  }
  uint32_t toEnd = lineBytes - (request.address & (lineBytes - 1));
  uint64_t address = map.physical(request.address, request.via);
  if (request.access == Access::atomic)
    return startAtomic(request, address);
  FirstLevel &level = cache(request.via);
  if (request.bytes <= toEnd)
    return level.tryAccess(request, address);
  uint64_t behind = map.physical(request.address + toEnd, request.via);
  Taken taken = level.trySplit(
      request, {{{address, toEnd}, {behind, request.bytes - toEnd}}});
  counters.splits += taken == Taken::yes;
  return taken;
}

/// An atomic operation passes L1.  What of it is beyond the line is a misaligned
/// one, which no compiler makes.
Taken Memory::startAtomic(const Request &request, uint64_t address) {
  assert(request.via == Via::l1);
  uint64_t line = l1.lineOf(address);
  auto bytes = static_cast<uint32_t>(
      std::min<uint64_t>(request.bytes, line + lineBytes - address));
  Taken taken = l1.tryPass({address, bytes});
  if (taken != Taken::yes)
    return taken;
  ++counters.atomics;
  link.send({line, Message::Kind::atomic,
             atomics.add({request.requester, request.tag})},
            Link::kWordBytes);
  return Taken::yes;
}

void Memory::countRefusals(Via via, Taken why, uint64_t cycles) {
  if (why == Taken::noWriteBack)
    counters.noRoom += cycles;
  else
    cache(via).countRefusals(why, cycles);
}

uint64_t Memory::place(uint64_t address, uint32_t bytes,
                       const PrivateWindow *window) const {
  Request request{};
  request.address = address;
  request.bytes = bytes;
  request.via = Via::l1;
  map.place(request, window);
  return request.address;
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

Activity Memory::tick() {
  done.clear();
  doneAt = engine.now();
  // 1.
  l1.complete(done);
  if (lvc)
    lvc->complete(done);
  // 2.
  takeResponses();
  // 3.
  if (isFlushingL1)
    flushLine();
  // 4.
  bool foundRoom = isRefusingForRoom && link.hasRoom();
  if (foundRoom)
    isRefusingForRoom = false;
  if (!done.empty() || foundRoom)
    engine.wake(*consumer);
  // 5.
  if (Tick next = nextWork(); next != kNever)
    engine.wakeAt(*this, next);
  return Activity::asleep;
}

void Memory::takeResponses() {
  isLineWaiting = false;
  while (const Message *response = link.arrived()) {
    if (response->kind == Message::Kind::atomic) {
      uint32_t slot = link.take().slot;
      l1.enter(atomics[slot]);
      atomics.remove(slot);
      continue;
    }
    FirstLevel &level =
        cache(response->kind == Message::Kind::readForLvc ? Via::lvc : Via::l1);
    if (level.needsRoom(response->line) && !link.hasRoom()) {
      isLineWaiting = true;
      return;
    }
    level.fill(link.take().line);
    if (isRefusing)
      engine.wake(*consumer);
    isRefusing = false;
  }
}

/// One dirty line as soon as the link is free; the flush is over when it is
/// free and no line is left.  Posted writes may still wait for their lines.
void Memory::flushLine() {
  ++counters.flushCycles;
  if (!link.isDownFree() || l1.linesUnderWay())
    return;
  if (l1.flushNext()) {
    ++counters.flushedLines;
    return;
  }
  isFlushingL1 = false;
  if (flushInvalidates)
    l1.invalidate();
  engine.wake(*consumer);
}

Tick Memory::nextWork() const {
  Tick next = l1.nextDue();
  if (lvc)
    next = std::min(next, lvc->nextDue());
  next = std::min(next, isLineWaiting ? link.roomAt() : link.nextArrival());
  if (isRefusingForRoom)
    next = std::min(next, link.roomAt());
  if (isFlushingL1)
    next = std::min(next, engine.now() + engine.coreClock().period());
  return next;
}

void Memory::explain(std::string &text) const {
  auto add = [&](const char *what, size_t count) {
    if (count)
      text +=
          "  " + label + what + " under way: " + std::to_string(count) + "\n";
  };
  add("lines from L2 to L1", l1.linesUnderWay());
  if (lvc)
    add("lines from L2 to LVC", lvc->linesUnderWay());
  add("atomic operations in L2", atomics.size());
}

//===----------------------------------------------------------------------===//
// What the core sees of it
//===----------------------------------------------------------------------===//

std::span<const Completion> Memory::completions() const {
  if (doneAt != engine.now())
    return {};
  return done;
}

void Memory::flush() {
  assert(!isFlushingL1);
  isFlushingL1 = true;
  l1.beginFlush();
  ++counters.flushes;
  engine.wake(*this);
}

} // namespace chansim
