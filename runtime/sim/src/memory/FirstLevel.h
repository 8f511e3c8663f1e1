//===- FirstLevel.h - L1 or LVC ---------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   Request ---> banks, tags --- hit ---> pipe ---> Completion
//                   |    ^
//              miss |    | fill
//                   v    |
//                    Link
//
// The first-level caches of all cores: L1 of each kind, and the LVC of VGIW.
// Tags, banks and MSHRs are a Cache; this charges the time and knows what a store
// does (WritePolicy).  Every access completes `hit_cycles` after its line was
// there.  Addresses are physical.
//
// An access is refused before it has changed anything; the core tries again.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_FIRSTLEVEL_H
#define CHANSIM_FIRSTLEVEL_H

#include "memory/Access.h"
#include "memory/Cache.h"
#include "memory/Link.h"
#include "memory/Slots.h"

#include <array>

namespace chansim {

class FirstLevel {
public:
  /// What lies in one line of an access.
  struct Part {
    uint64_t address;
    uint32_t bytes;
  };

  /// Its lines come as responses of the kind.  `memory` is woken when accesses
  /// complete.  Counters are named `NAME.hits` and so on.
  FirstLevel(const CacheParameters &parameters, const std::string &name,
             Message::Kind kind, Engine &engine, Component &memory, Link &link,
             Statistics &statistics);

  /// A read or a write within a line.
  Taken tryAccess(const Request &request, uint64_t address);
  /// Alike, from one line into the next: both parts start or neither.
  Taken trySplit(const Request &request, const std::array<Part, 2> &parts);
  /// Something passes that works on the line in L2: the cache gives it up.
  Taken tryPass(const Part &part);
  /// What has passed is back, and completes in hit_cycles.
  void enter(Completion access);

  /// The line of a response has come.  REQUIRES: the link has room if it needs
  /// some.
  void fill(uint64_t line);
  /// Whether the line that comes displaces one that must be written back.
  bool needsRoom(uint64_t line) const { return cache.fillDisplaces(line); }
  uint64_t lineOf(uint64_t address) const { return cache.lineOf(address); }

  /// Appends the accesses that are complete by now.
  void complete(std::vector<Completion> &done);
  /// When the next one is.
  Tick nextDue() const { return pipe.empty() ? kNever : pipe.front().at; }

  /// Begins to write all dirty lines back, one after the other.
  void beginFlush() { flushCursor = 0; }
  /// Writes the next one back; false if there is none.
  bool flushNext();
  void invalidate() { cache.invalidate(); }
  /// Forgets all lines without writing any back, and what was written to those
  /// under way.
  void discard() {
    cache.invalidate();
    cache.forgetWritesUnderWay();
  }

  uint32_t linesUnderWay() const { return cache.linesUnderWay(); }
  /// Accesses were refused so often more; counts only.
  void countRefusals(Taken why, uint64_t cycles);

private:
  struct Due {
    Tick at;
    Completion access;
  };
  /// An access that waits for two things: a part in each of two lines.
  struct Split {
    Completion access;
    uint32_t partsLeft;
  };

  Taken tryThrough(const Request &request, uint64_t address);
  void begin(const Cache::Found &found, const Part &part, bool isWrite,
             Cache::Target target);
  void writeBack(const std::optional<Cache::WriteBack> &line);
  void occupy(const Part &part) {
    cache.occupyBanks(part.address, part.bytes, engine.now() + period);
  }

  Engine &engine;
  Component &memory;
  Link &link;
  Cache cache;
  const Message::Kind kind;
  const bool hasMasks, writesThrough;
  const uint32_t lineBytes;
  const Tick period, hitTicks;
  /// Each takes hit_cycles, so that they are due in order.
  Fifo<Due> pipe;
  Slots<Split> splits;
  uint32_t flushCursor = 0;
};

} // namespace chansim

#endif // CHANSIM_FIRSTLEVEL_H
