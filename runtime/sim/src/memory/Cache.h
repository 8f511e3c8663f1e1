//===- Cache.h - Tags, banks and MSHRs of a cache ---------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Set-associative, write-back, write-allocate, LRU.  Memory and L2 drive it: it
// keeps the state, they charge the time.  A line is allocated when its data
// come. Lines are named by the physical address of their first byte.
//
// A cache with masks also has lines of which only some bytes are valid: a store
// takes one without asking for the rest, and a load of other bytes asks for the
// line, with which the bytes that are there are merged.  If the line is displaced
// meanwhile, its MSHR keeps what was written.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_CACHE_H
#define CHANSIM_CACHE_H

#include "memory/ByteMask.h"

#include <optional>
#include <span>
#include <string>

namespace chansim {

class Statistics;

class Cache {
public:
  enum class Outcome : uint8_t {
    hit,
    miss,      ///< the line is not under way: the caller requests it
    merged,    ///< waits for a line that is under way
    validated, ///< a store takes a line; see validate()
    noMshr,    ///< refused: no line more may be under way
    noTarget   ///< refused: none more may wait for this line
  };

  /// What waits for a line; of no meaning here.
  struct Target {
    uint32_t requester, tag;
  };

  /// What find() found.
  struct Found {
    Outcome outcome;
    /// The way of a hit, the way that a store takes, or else the MSHR.
    uint32_t at;
  };

  /// A line to be written to the next level.
  struct WriteBack {
    uint64_t line;
    /// Which of its bytes, if the cache has masks, and how many.
    ByteMask mask;
    uint32_t bytes;
  };

  /// What a line that came replaced, and what waited for it.
  struct Filled {
    std::optional<WriteBack> writeBack;
    /// Valid until the next access.
    std::span<const Target> targets;
  };

  /// Counters are named `PREFIX.hits` and so on.
  Cache(const CacheParameters &parameters, const std::string &prefix,
        bool hasMasks, Statistics &statistics);

  uint64_t lineOf(uint64_t address) const {
    return address & ~uint64_t(parameters.lineBytes - 1);
  }
  uint32_t bankOf(uint64_t address) const {
    return bankOfBlock(address >> bankShift);
  }

  /// Whether all banks of the bytes are free at a time (cycles or ticks);
  /// counts if not.
  bool areBanksFree(uint64_t address, uint32_t bytes, uint64_t time) {
    uint64_t last = (address + bytes - 1) >> bankShift;
    for (uint64_t piece = address >> bankShift; piece <= last; ++piece)
      if (bankFree[bankOfBlock(piece)] > time) {
        ++counters.bankConflicts;
        return false;
      }
    return true;
  }
  /// Occupies them up to and without the time `until`.
  void occupyBanks(uint64_t address, uint32_t bytes, uint64_t until) {
    uint64_t last = (address + bytes - 1) >> bankShift;
    for (uint64_t piece = address >> bankShift; piece <= last; ++piece)
      bankFree[bankOfBlock(piece)] = until;
  }

  /// What an access to bytes of one line would come to.  Changes nothing but
  /// the counters of refusals.  A store is a write that needs no other bytes.
  Found find(uint64_t address, uint32_t bytes, bool isStore);
  /// An access was refused so often more; counts only.
  void countRefusals(Outcome why, uint64_t times) {
    (why == Outcome::noMshr ? counters.noMshr : counters.noTarget) += times;
  }
  /// Performs it, as find() just said.  The target waits unless it was a hit.
  void access(const Found &found, uint64_t address, uint32_t bytes,
              bool isWrite, Target target);
  /// Alike for a store that takes a line.  What it displaces is in the result.
  std::optional<WriteBack> validate(const Found &found, uint64_t address,
                                    uint32_t bytes);
  /// A store goes to the next level, and leaves nothing here; counts only.
  void countPassed() {
    ++counters.accesses;
    ++counters.writes;
    ++counters.passed;
  }
  /// Whether a store that takes the way displaces a line that must be written.
  bool displaces(const Found &found) const { return writesBack(found.at); }
  /// Whether the line that comes does.
  bool fillDisplaces(uint64_t line) const {
    return wayOf(line) == kAbsent && writesBack(leastRecent(line));
  }
  /// Whether two more lines, not yet under way, may be.
  bool haveTwoMshrs() const { return freeMshrs >= 2; }

  /// The line that a miss asked for has come.
  Filled fill(uint64_t line);
  /// A line comes from above, or its bytes of the mask.  It needs no data from
  /// below.
  std::optional<WriteBack> writeLine(uint64_t line, const ByteMask &mask);
  /// Takes the line out.
  std::optional<WriteBack> remove(uint64_t line);
  bool holds(uint64_t line) const { return wayOf(line) != kAbsent; }
  bool isDirty(uint64_t line) const {
    uint32_t way = wayOf(line);
    return way != kAbsent && ways[way].isDirty;
  }

  /// Makes one dirty line clean; nothing if none is left.  Calls with the same
  /// cursor, first 0, go over all lines once.
  std::optional<WriteBack> cleanNext(uint32_t &cursor);
  void invalidate();
  /// Lines that are under way come as if nothing had been written to them.
  void forgetWritesUnderWay();

  /// Lines under way.
  uint32_t linesUnderWay() const;

private:
  static constexpr uint64_t kNone = ~uint64_t(0);
  static constexpr uint32_t kAbsent = ~uint32_t(0);

  struct Use {
    uint64_t last = 0;
    bool isDirty = false;
    /// Whether not all bytes are valid.
    bool isPartial = false;
  };
  /// Of a line, or of one that is under way.
  struct Masks {
    ByteMask valid, dirty;
  };
  struct Mshr {
    /// kNone if free.
    uint64_t line = kNone;
    /// Of the same bucket, or of the group's free ones.
    uint32_t next = kAbsent;
    uint32_t targets = 0;
    bool isDirty = false;
  };

  uint32_t bankOfBlock(uint64_t block) const {
    // Division is slow, and most caches have a power of two.
    return static_cast<uint32_t>(bankMask ? block & bankMask
                                          : block % parameters.banks);
  }
  uint32_t groupOf(uint64_t line) const {
    return spansBanks ? 0 : bankOf(line);
  }
  size_t bucketOf(uint64_t line) const {
    return (line >> lineShift) * 0x9e3779b97f4a7c15 >> bucketShift;
  }
  uint32_t firstWay(uint64_t line) const;
  uint32_t wayOf(uint64_t line) const;
  uint32_t leastRecent(uint64_t line) const;
  bool writesBack(uint32_t way) const {
    // What is written to a line that is under way stays with its MSHR.
    return ways[way].isDirty && (!hasMasks || mshrOf(lines[way]) == kAbsent);
  }
  ByteMask maskOf(uint64_t address, uint32_t bytes) const {
    return hasMasks ? ByteMask(address & (parameters.lineBytes - 1), bytes)
                    : ByteMask();
  }
  void write(uint32_t way, const ByteMask &mask);
  WriteBack clean(uint32_t way);
  uint32_t mshrOf(uint64_t line) const;
  void freeMshr(uint32_t mshr);
  std::optional<WriteBack> displace(uint32_t way);

  const CacheParameters parameters;
  const bool hasMasks;
  unsigned lineShift, bankShift;
  uint32_t setMask;
  /// One less than the banks if they are a power of two, or else 0.
  uint32_t bankMask;
  bool spansBanks;
  /// Of each way the line, kNone if there is none, and its use.  Set by set,
  /// bank by bank if lines do not span them.
  std::vector<uint64_t> lines;
  std::vector<Use> ways;
  /// With masks, those of each way, and what was written to each line that is
  /// under way.
  std::vector<Masks> masks;
  std::vector<ByteMask> writtenTo;
  std::vector<uint64_t> bankFree;

  /// MSHRs of one group after the other; a group is a bank, or all if lines
  /// span banks.
  std::vector<Mshr> mshrs;
  /// Those in use by a hash of their line, and the free ones by group.
  std::vector<uint32_t> buckets, freeOf;
  unsigned bucketShift;
  std::vector<Target> targets;
  uint32_t freeMshrs;

  uint64_t uses = 0;
  struct {
    uint64_t accesses = 0, reads = 0, writes = 0, hits = 0, misses = 0,
             merged = 0, validated = 0, passed = 0, bankConflicts = 0,
             noMshr = 0, noTarget = 0, writeBacks = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_CACHE_H
