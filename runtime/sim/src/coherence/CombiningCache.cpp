//===- CombiningCache.cpp - A first-level cache that combines stores ------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The life of an entry (memory.combining_entries = 1):
//
//   store to A   open, 4 bytes
//   store to A   open, 8 bytes: combined
//   store to B   A is sent; B is open
//   written A    A is gone
//
//===----------------------------------------------------------------------===//

#include "coherence/CombiningCache.h"
#include "results/Statistics.h"

#include <algorithm>
#include <cassert>

namespace chansim {

using moesi::Kind;
using moesi::Message;

CombiningCache::CombiningCache(const CacheParameters &parameters,
                               const std::string &counterPrefix,
                               const std::string &label, Clock clock,
                               Engine &engine, Directory &directory,
                               FrameTable &frames, const Machine &machine,
                               Statistics &statistics)
    : DirectoryClient(parameters, label, clock, engine, directory, frames,
                      machine),
      mostOpen(machine.memory.combiningEntries), ways(tags.size()),
      mshrs(mshrCount), targets(size_t(mshrCount) * parameters.mshrTargets) {
  assert(parameters.lineBytes <= kMaskBytes);
  addCounters(statistics, counterPrefix);
}

void CombiningCache::addCounters(Statistics &statistics,
                                 const std::string &prefix) {
  statistics.addAll(
      prefix + ".",
      {{"accesses", "accesses", "accesses that were not refused",
        counters.accesses},
       {"reads", "accesses", "of these, reads", counters.reads},
       {"writes", "accesses", "of these, writes", counters.writes},
       {"atomics", "accesses", "of these, atomic operations", counters.atomics},
       {"hits", "accesses",
        "reads that found their bytes, and writes that took an entry",
        counters.hits},
       {"misses", "accesses", "reads that asked for a line", counters.misses},
       {"merged", "accesses", "reads that waited for a line under way",
        counters.merged},
       {"ordered", "accesses",
        "reads, writes and atomic operations that the L2 performed",
        combining.ordered}});
  statistics.addRatio(prefix + ".hit_rate", "hits/access",
                      "hits of all accesses", counters.hits, counters.accesses);
  statistics.addAll(
      prefix + ".",
      {{"bank_conflicts", "refusals", "tries that met an occupied bank",
        counters.bankConflicts},
       {"mshr_full", "refusals", "tries that found no free MSHR or way",
        counters.noMshr},
       {"targets_full", "refusals", "tries too many for one MSHR",
        counters.noTarget},
       {"write_back_full", "refusals",
        "stores that found too many writes under way", counters.noPut},
       {"lines_from_l2", "lines", "lines that came from the L2",
        counters.fromHome},
       {"forwarded", "accesses", "of the hits, reads of bytes to be written",
        combining.forwarded},
       {"combined", "accesses", "writes that joined bytes to be written",
        combining.combined},
       {"full_writes", "lines", "lines written through as a whole",
        combining.fullWrites},
       {"partial_writes", "lines", "lines of which a part was written through",
        combining.partialWrites},
       {"written_bytes", "bytes", "bytes of both", combining.writtenBytes},
       {"displaced", "lines", "of both, those whose entry another line took",
        combining.displaced},
       {"releases", "times", "accesses before which all entries were written",
        combining.releases},
       {"release_cycles", "cycles", "cycles for which they waited for that",
        combining.releaseCycles},
       {"acquires", "times", "all clean lines were forgotten",
        combining.acquires},
       {"forgotten", "lines", "lines that were there, of these",
        combining.forgotten},
       {"not_kept", "lines", "lines under way, of these", combining.notKept}});
}

//===----------------------------------------------------------------------===//
// Starting an access
//===----------------------------------------------------------------------===//

Taken CombiningCache::tryAccess(const Request &given) {
  assert(given.via == Via::l1);
  Request request = given;
  if (request.access == Access::fence) {
    fence(request);
    return Taken::yes;
  }
  if (!request.isPlaced)
    map.place(request, nullptr);
  uint64_t address = map.physical(request.address, Via::l1);
  uint64_t line = tags.lineOf(address);
  if (!isBankFree(line)) {
    ++counters.bankConflicts;
    return Taken::bankConflict;
  }
  if (request.access == Access::atomic)
    return operate(request, line);
  ByteMask mask = request.isPlaced ? request.written
                                   : ByteMask(address - line, request.bytes);
  assert(mask.count());
  if (request.access == Access::write)
    return request.order == Order::plain ? store(request, line, mask)
                                         : storeThrough(request, line, mask);
  return request.order == Order::plain ? load(request, line, mask)
                                       : operate(request, line);
}

bool CombiningCache::isBankFree(uint64_t line) {
  return bankFree[tags.bankOf(line)] <= engine.now();
}

/// Occupies its bank, too: those of a line have their turns together.
void CombiningCache::accept(const Request &request) {
  uint64_t address = map.physical(request.address, Via::l1);
  bankFree[tags.bankOf(tags.lineOf(address))] = engine.now() + period;
  count(request.access);
}

/// The consumer will be woken when it may try again.
Taken CombiningCache::refuse(Taken why, uint64_t &counter) {
  isRefusing = true;
  ++counter;
  return why;
}

Taken CombiningCache::load(const Request &request, uint64_t line,
                           const ByteMask &mask) {
  Target target{request.requester, request.tag};
  uint32_t way = tags.wayOf(line);
  if (way != TagArray::kAbsent && ways[way].isValid) {
    accept(request);
    ++counters.hits;
    tags.touch(way);
    enter(target, engine.now() + hitTicks, ways[way].readAt);
    return Taken::yes;
  }
  if (hasBytes(line, mask)) {
    accept(request);
    ++counters.hits;
    ++combining.forwarded;
    enter(target, engine.now() + hitTicks);
    return Taken::yes;
  }
  if (way != TagArray::kAbsent) {
    Mshr &mshr = mshrs[ways[way].mshr];
    if (mshr.targets == parameters.mshrTargets)
      return refuse(Taken::noTarget, counters.noTarget);
    accept(request);
    ++counters.merged;
    targets[size_t(ways[way].mshr) * parameters.mshrTargets + mshr.targets++] =
        target;
    return Taken::yes;
  }
  if (freeMshrs.empty())
    return refuse(Taken::noMshr, counters.noMshr);
  way = tags.leastRecent(
      line, [this](uint32_t way) { return ways[way].mshr == kNone; });
  if (way == TagArray::kAbsent)
    return refuse(Taken::noMshr, counters.noMshr);
  accept(request);
  ++counters.misses;
  tags.put(way, line);
  uint32_t number = addMshr(line, way, Order::plain);
  ways[way] = {number, false, 0};
  targets[size_t(number) * parameters.mshrTargets] = target;
  Message message{line, Kind::read, self, moesi::kHome};
  message.tag = number;
  post(message, engine.now());
  return Taken::yes;
}

Taken CombiningCache::store(const Request &request, uint64_t line,
                            const ByteMask &mask) {
  Entry *entry = openEntryOf(line);
  if (!entry) {
    // What is under way is limited; what is open has its place.
    if (open == mostOpen && sent >= mshrCount)
      return refuse(Taken::noWriteBack, counters.noPut);
    if (open == mostOpen) {
      ++combining.displaced;
      send(*std::find_if(entries.begin(), entries.end(),
                         [](const Entry &one) { return one.isOpen; }));
    }
    entries.push_back({nextId++,
                       line,
                       {},
                       /*isOpen=*/true,
                       /*isSent=*/false,
                       /*hasTarget=*/false,
                       {}});
    entry = &entries.back();
    ++open;
  } else {
    ++combining.combined;
  }
  accept(request);
  ++counters.hits;
  entry->mask |= mask;
  if (uint32_t way = tags.wayOf(line); way != TagArray::kAbsent)
    tags.touch(way);
  if (!request.isPosted)
    enter({request.requester, request.tag}, engine.now() + hitTicks);
  if (entry->mask.count() == parameters.lineBytes)
    send(*entry);
  return Taken::yes;
}

/// An atomic operation, or a load that is to see what is in the L2.
Taken CombiningCache::operate(const Request &request, uint64_t line) {
  if (freeMshrs.empty())
    return refuse(Taken::noMshr, counters.noMshr);
  accept(request);
  ++combining.ordered;
  uint64_t before = release(request.order);
  sendLine(line);
  const bool isRead = request.access == Access::read;
  if (!isRead)
    forget(line);
  uint32_t number = addMshr(line, kNone, request.order);
  targets[size_t(number) * parameters.mshrTargets] = {request.requester,
                                                      request.tag};
  Message message{line, isRead ? Kind::read : Kind::atomic, self, moesi::kHome};
  message.tag = number;
  sendInOrder(message, before);
  return Taken::yes;
}

/// A store that others are to see at once.
Taken CombiningCache::storeThrough(const Request &request, uint64_t line,
                                   const ByteMask &mask) {
  if (sent >= mshrCount)
    return refuse(Taken::noWriteBack, counters.noPut);
  accept(request);
  ++combining.ordered;
  uint64_t before = release(request.order);
  sendLine(line);
  forget(line);
  Entry entry{nextId++,
              line,
              mask,
              /*isOpen=*/false,
              /*isSent=*/false,
              !request.isPosted,
              {request.requester, request.tag}};
  entries.push_back(entry);
  Message message{line, Kind::write, self, moesi::kHome};
  message.bytes = static_cast<uint8_t>(mask.count());
  message.tag = static_cast<uint32_t>(entry.id);
  sendInOrder(message, before);
  return Taken::yes;
}

void CombiningCache::fence(const Request &request) {
  uint64_t before = release(Order::release);
  Waiting one{before,
              {},
              /*isFence=*/true,
              {request.requester, request.tag},
              engine.now()};
  if (isClear(before))
    go(one);
  else
    waiting.push_back(one);
}

bool CombiningCache::isValid(uint64_t address) {
  uint32_t way = tags.wayOf(lineOf(address));
  return way != TagArray::kAbsent && ways[way].isValid;
}

uint32_t CombiningCache::bytesToWrite(uint64_t address) {
  uint64_t line = lineOf(address);
  ByteMask all;
  for (const Entry &entry : entries)
    if (entry.line == line)
      all |= entry.mask;
  return all.count();
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

CombiningCache::Entry *CombiningCache::openEntryOf(uint64_t line) {
  for (Entry &entry : entries)
    if (entry.isOpen && entry.line == line)
      return &entry;
  return nullptr;
}

/// Whether all these bytes are to be written.
bool CombiningCache::hasBytes(uint64_t line, const ByteMask &mask) const {
  ByteMask all;
  for (const Entry &entry : entries)
    if (entry.line == line)
      all |= entry.mask;
  return all.contains(mask);
}

/// No more stores join the entry.
void CombiningCache::send(Entry &entry) {
  assert(entry.isOpen);
  entry.isOpen = false;
  --open;
  Message message{entry.line, Kind::write, self, moesi::kHome};
  message.bytes = static_cast<uint8_t>(entry.mask.count());
  message.tag = static_cast<uint32_t>(entry.id);
  sendInOrder(message, 0);
}

void CombiningCache::sendAll() {
  for (Entry &entry : entries)
    if (entry.isOpen)
      send(entry);
}

/// Before something else goes to the L2 for the line.
void CombiningCache::sendLine(uint64_t line) {
  if (Entry *entry = openEntryOf(line))
    send(*entry);
}

/// The line will have other bytes than the copy of this cache.
void CombiningCache::forget(uint64_t line) {
  uint32_t way = tags.wayOf(line);
  if (way == TagArray::kAbsent)
    return;
  if (ways[way].mshr != kNone)
    mshrs[ways[way].mshr].way = kNone;
  ways[way] = {};
  tags.clear(way);
}

//===----------------------------------------------------------------------===//
// Release and acquire
//===----------------------------------------------------------------------===//

/// Entries before this number must be gone when an access of that order is performed.
uint64_t CombiningCache::release(Order order) {
  if (!releases(order))
    return 0;
  ++combining.releases;
  sendAll();
  return nextId;
}

/// Sends it now, unless it must wait: for stores, or for what waits and has the same line.
void CombiningCache::sendInOrder(const Message &message, uint64_t before) {
  Waiting one{before, message, /*isFence=*/false, {}, engine.now()};
  bool isBehind =
      std::any_of(waiting.begin(), waiting.end(), [&](const Waiting &other) {
        return !other.isFence && other.message.line == message.line;
      });
  if (!isBehind && isClear(before))
    go(one);
  else
    waiting.push_back(one);
}

void CombiningCache::go(const Waiting &one) {
  combining.releaseCycles +=
      one.before ? (engine.now() - one.since) / period : 0;
  if (one.isFence)
    return enter(one.target, engine.now() + period);
  if (one.message.kind == Kind::write) {
    auto entry =
        std::find_if(entries.begin(), entries.end(), [&](const Entry &entry) {
          return static_cast<uint32_t>(entry.id) == one.message.tag;
        });
    entry->isSent = true;
    ++sent;
    bool isFull = one.message.bytes == parameters.lineBytes;
    ++(isFull ? combining.fullWrites : combining.partialWrites);
    combining.writtenBytes += one.message.bytes;
  }
  post(one.message, engine.now());
}

/// Stores have come to the L2: what has waited for them goes, in its order.
void CombiningCache::advanceWaiting() {
  for (size_t i = 0; i < waiting.size();) {
    const Waiting one = waiting[i];
    bool isBehind = !one.isFence &&
                    std::any_of(waiting.begin(), waiting.begin() + ptrdiff_t(i),
                                [&](const Waiting &other) {
                                  return !other.isFence &&
                                         other.message.line == one.message.line;
                                });
    if (isBehind || !isClear(one.before)) {
      ++i;
      continue;
    }
    waiting.erase(waiting.begin() + ptrdiff_t(i));
    go(one);
  }
}

void CombiningCache::acquire() {
  ++combining.acquires;
  for (uint32_t number = 0; number != ways.size(); ++number) {
    Way &way = ways[number];
    if (way.mshr != kNone) {
      mshrs[way.mshr].way = kNone;
      ++combining.notKept;
    } else if (way.isValid) {
      ++combining.forgotten;
    } else {
      continue;
    }
    way = {};
    tags.clear(number);
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

uint32_t CombiningCache::addMshr(uint64_t line, uint32_t way, Order order) {
  uint32_t number = takeMshr();
  mshrs[number] = {line, way, 1, order, engine.coreCycle()};
  return number;
}

void CombiningCache::take(const Message &message) {
  if (message.kind == Kind::written)
    takeWritten(message);
  else
    fill(message);
}

/// A line has come, or the result of an atomic operation.
void CombiningCache::fill(const Message &message) {
  const Mshr mshr = mshrs[message.tag];
  assert(mshr.line == message.line);
  bool isLine = message.kind == Kind::copy;
  counters.fromHome += isLine;
  if (mshr.way != kNone) {
    ways[mshr.way] = {kNone, true, message.performedAt};
    tags.touch(mshr.way);
  }
  trace(!isLine              ? "performed in L2"
        : message.isFromDram ? "from DRAM"
                             : "from L2",
        mshr.since, mshr.line, isLine ? "read" : "atomic", mshr.targets);
  if (acquires(mshr.order))
    acquire();
  const Target *first = &targets[size_t(message.tag) * parameters.mshrTargets];
  for (uint32_t i = 0; i != mshr.targets; ++i)
    enter(first[i], engine.now() + hitTicks, isLine ? message.performedAt : 0);
  freeMshrs.push_back(message.tag);
  roomHasCome();
}

/// The L2 has the bytes of an entry.
void CombiningCache::takeWritten(const Message &message) {
  auto entry =
      std::find_if(entries.begin(), entries.end(), [&](const Entry &entry) {
        return static_cast<uint32_t>(entry.id) == message.tag;
      });
  assert(entry != entries.end() && entry->isSent);
  if (entry->hasTarget)
    enter(entry->target, engine.now() + hitTicks);
  entries.erase(entry);
  --sent;
  advanceWaiting();
  roomHasCome();
}

//===----------------------------------------------------------------------===//
// A cycle
//
//   1. Accesses that have gone through the pipe are done.
//   2. Messages are taken: lines serve what waits for them, entries are gone.
//   3. The consumer is woken if accesses are done, or if what was refused may be taken.
//   4. The cache sleeps until there is work again.
//===----------------------------------------------------------------------===//

Activity CombiningCache::tick() {
  Tick now = engine.now();
  done.clear();
  doneReadAt.clear();
  doneAt = now;
  // 1.
  complete();
  // 2.
  while (inbox.isDue(now))
    take(inbox.take().message);
  // 3.
  if (!done.empty())
    engine.wake(*consumer);
  // 4.
  Tick next =
      std::min(pipe.empty() ? kNever : pipe.front().at, inbox.nextDue());
  if (next != kNever)
    engine.wakeAt(*this, next);
  return Activity::asleep;
}

void CombiningCache::complete() {
  for (; !pipe.empty() && pipe.front().at <= engine.now(); pipe.pop()) {
    done.push_back({pipe.front().target.requester, pipe.front().target.tag});
    doneReadAt.push_back(pipe.front().readAt);
  }
}

//===----------------------------------------------------------------------===//
// For the watchdog
//===----------------------------------------------------------------------===//

void CombiningCache::explain(std::string &text) const {
  std::vector<bool> isFree(mshrs.size());
  for (uint32_t number : freeMshrs)
    isFree[number] = true;
  for (size_t i = 0; i != mshrs.size(); ++i)
    if (!isFree[i])
      text += "  " + label + ": line " + hex(mshrs[i].line) + ": " +
              std::to_string(mshrs[i].targets) + " accesses wait for the L2\n";
  for (const Entry &entry : entries)
    if (entry.isSent)
      text += "  " + label + ": line " + hex(entry.line) + ": " +
              std::to_string(entry.mask.count()) +
              " bytes are on their way to the L2\n";
  for (const Waiting &one : waiting)
    text += "  " + label + ": " +
            (one.isFence ? std::string("a wavefront's end")
                         : "line " + hex(one.message.line)) +
            " waits for stores before it\n";
}

} // namespace chansim
