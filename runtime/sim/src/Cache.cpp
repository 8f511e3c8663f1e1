//===- Cache.cpp - Tags, banks and MSHRs of a cache -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cache.h"
#include "Statistics.h"

#include <algorithm>
#include <bit>

namespace chansim {

Cache::Cache(const CacheParameters &parameters, const std::string &prefix,
             Statistics &statistics)
    : parameters(parameters),
      lineShift(static_cast<unsigned>(std::countr_zero(parameters.lineBytes))),
      bankShift(static_cast<unsigned>(std::countr_zero(parameters.bankBytes))),
      setMask(parameters.sets() - 1),
      bankMask(std::has_single_bit(parameters.banks) ? parameters.banks - 1
                                                     : 0),
      ways(parameters.bytes / parameters.lineBytes),
      bankFree(parameters.banks) {
  uint32_t groups = parameters.spansBanks() ? 1 : parameters.banks;
  freeMshrs = groups * parameters.mshrs;
  mshrLines.assign(freeMshrs, kNone);
  mshrCounts.assign(freeMshrs, 0);
  mshrDirty.assign(freeMshrs, 0);
  mshrTargets.resize(size_t(freeMshrs) * parameters.mshrTargets);

  auto add = [&](const char *name, const char *unit, const char *what,
                 const uint64_t &counter) {
    statistics.add(prefix + "." + name, unit, what, counter);
  };
  add("accesses", "accesses", "lookups that were not refused",
      counters.accesses);
  add("reads", "accesses", "of these, reads", counters.reads);
  add("writes", "accesses", "of these, writes", counters.writes);
  add("hits", "accesses", "accesses that found their line", counters.hits);
  add("misses", "accesses", "accesses that asked for a line", counters.misses);
  add("merged", "accesses", "accesses that waited for a line under way",
      counters.merged);
  statistics.addRatio(prefix + ".hit_rate", "hits/access",
                      "hits of all accesses", counters.hits, counters.accesses);
  add("bank_conflicts", "refusals", "tries that met an occupied bank",
      counters.bankConflicts);
  add("mshr_full", "refusals", "tries that found no free MSHR",
      counters.noMshr);
  add("targets_full", "refusals", "tries too many for one MSHR",
      counters.noTarget);
  add("write_backs", "lines", "dirty lines sent to the next level",
      counters.writeBacks);
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

bool Cache::areBanksFree(uint64_t address, uint32_t bytes, uint64_t time) {
  uint64_t first = address >> bankShift;
  uint64_t last = (address + bytes - 1) >> bankShift;
  for (uint64_t piece = first; piece <= last; ++piece)
    if (bankFree[bankOfBlock(piece)] > time) {
      ++counters.bankConflicts;
      return false;
    }
  return true;
}

void Cache::occupyBanks(uint64_t address, uint32_t bytes, uint64_t until) {
  uint64_t first = address >> bankShift;
  uint64_t last = (address + bytes - 1) >> bankShift;
  for (uint64_t piece = first; piece <= last; ++piece)
    bankFree[bankOfBlock(piece)] = until;
}

//===----------------------------------------------------------------------===//
// Sets and MSHRs
//===----------------------------------------------------------------------===//

uint32_t Cache::firstWay(uint64_t line) const {
  if (parameters.spansBanks())
    return static_cast<uint32_t>((line >> lineShift) & setMask) *
           parameters.ways;
  // The banks share out the memory; each has its own sets for its share.
  uint64_t block = line >> bankShift;
  uint64_t within = line & (parameters.bankBytes - 1);
  uint64_t local = (block / parameters.banks) << bankShift | within;
  uint32_t set = static_cast<uint32_t>((local >> lineShift) & setMask);
  return (bankOf(line) * (setMask + 1) + set) * parameters.ways;
}

uint32_t Cache::wayOf(uint64_t line) const {
  uint32_t first = firstWay(line);
  for (uint32_t way = first; way != first + parameters.ways; ++way)
    if (ways[way].line == line)
      return way;
  return kAbsent;
}

uint32_t Cache::mshrOf(uint64_t line) const {
  uint32_t first = groupOf(line) * parameters.mshrs;
  for (uint32_t mshr = first; mshr != first + parameters.mshrs; ++mshr)
    if (mshrLines[mshr] == line)
      return mshr;
  return kAbsent;
}

Cache::Found Cache::find(uint64_t address) {
  uint64_t line = lineOf(address);
  if (uint32_t way = wayOf(line); way != kAbsent)
    return {Outcome::hit, way};
  if (uint32_t mshr = mshrOf(line); mshr != kAbsent) {
    if (mshrCounts[mshr] != parameters.mshrTargets)
      return {Outcome::merged, mshr};
    ++counters.noTarget;
    return {Outcome::noTarget, mshr};
  }
  auto first = mshrLines.begin() + groupOf(line) * parameters.mshrs;
  auto free = std::find(first, first + parameters.mshrs, kNone);
  if (free != first + parameters.mshrs)
    return {Outcome::miss, static_cast<uint32_t>(free - mshrLines.begin())};
  ++counters.noMshr;
  return {Outcome::noMshr, 0};
}

void Cache::access(const Found &found, uint64_t address, bool isWrite,
                   Target target) {
  ++counters.accesses;
  ++(isWrite ? counters.writes : counters.reads);
  if (found.outcome == Outcome::hit) {
    ++counters.hits;
    Way &way = ways[found.at];
    way.lastUse = ++uses;
    way.isDirty |= isWrite;
    return;
  }
  uint32_t mshr = found.at;
  if (found.outcome == Outcome::miss) {
    ++counters.misses;
    mshrLines[mshr] = lineOf(address);
    mshrDirty[mshr] = 0;
    --freeMshrs;
  } else {
    ++counters.merged;
  }
  mshrDirty[mshr] |= isWrite;
  mshrTargets[size_t(mshr) * parameters.mshrTargets + mshrCounts[mshr]++] =
      target;
}

Cache::Filled Cache::allocate(uint64_t line, bool isDirty) {
  uint32_t first = firstWay(line);
  // A way without a line was last used before all others.
  auto victim = std::min_element(
      ways.begin() + first, ways.begin() + first + parameters.ways,
      [](const Way &a, const Way &b) { return a.lastUse < b.lastUse; });
  Filled filled{victim->isDirty, victim->line, {}};
  counters.writeBacks += victim->isDirty;
  *victim = {line, ++uses, isDirty};
  return filled;
}

Cache::Filled Cache::fill(uint64_t line) {
  uint32_t mshr = mshrOf(line);
  Filled filled = allocate(line, mshrDirty[mshr]);
  filled.targets = {&mshrTargets[size_t(mshr) * parameters.mshrTargets],
                    mshrCounts[mshr]};
  mshrLines[mshr] = kNone;
  mshrCounts[mshr] = 0;
  ++freeMshrs;
  return filled;
}

Cache::Filled Cache::writeLine(uint64_t line) {
  ++counters.accesses;
  ++counters.writes;
  if (uint32_t way = wayOf(line); way != kAbsent) {
    ++counters.hits;
    ways[way].lastUse = ++uses;
    ways[way].isDirty = true;
    return {false, 0, {}};
  }
  if (uint32_t mshr = mshrOf(line); mshr != kAbsent) {
    ++counters.merged;
    mshrDirty[mshr] = true;
    return {false, 0, {}};
  }
  ++counters.misses;
  return allocate(line, /*isDirty=*/true);
}

bool Cache::remove(uint64_t line) {
  uint32_t way = wayOf(line);
  if (way == kAbsent)
    return false;
  bool isDirty = ways[way].isDirty;
  counters.writeBacks += isDirty;
  ways[way] = {};
  return isDirty;
}

bool Cache::cleanNext(uint32_t &cursor, uint64_t &line) {
  for (; cursor != ways.size(); ++cursor) {
    Way &way = ways[cursor];
    if (!way.isDirty)
      continue;
    way.isDirty = false;
    ++counters.writeBacks;
    line = way.line;
    return true;
  }
  return false;
}

void Cache::invalidate() { std::fill(ways.begin(), ways.end(), Way{}); }

uint32_t Cache::linesUnderWay() const {
  return static_cast<uint32_t>(mshrLines.size()) - freeMshrs;
}

} // namespace chansim
