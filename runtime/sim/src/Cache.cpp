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
      spansBanks(parameters.spansBanks()),
      lines(parameters.bytes / parameters.lineBytes, kNone), ways(lines.size()),
      bankFree(parameters.banks), freeMshrs(0) {
  uint32_t groups = spansBanks ? 1 : parameters.banks;
  uint32_t count = groups * parameters.mshrs;
  mshrs.resize(count);
  freeOf.assign(groups, kAbsent);
  while (freeMshrs != count)
    freeMshr(freeMshrs);
  buckets.assign(std::bit_ceil(2 * count), kAbsent);
  bucketShift = 64 - static_cast<unsigned>(std::countr_zero(buckets.size()));
  targets.resize(size_t(count) * parameters.mshrTargets);

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
// Sets and MSHRs
//===----------------------------------------------------------------------===//

uint32_t Cache::firstWay(uint64_t line) const {
  if (spansBanks)
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
    if (lines[way] == line)
      return way;
  return kAbsent;
}

uint32_t Cache::mshrOf(uint64_t line) {
  uint32_t mshr = bucketOf(line);
  while (mshr != kAbsent && mshrs[mshr].line != line)
    mshr = mshrs[mshr].next;
  return mshr;
}

void Cache::freeMshr(uint32_t mshr) {
  uint32_t &first = freeOf[mshr / parameters.mshrs];
  mshrs[mshr] = {kNone, first, 0, false};
  first = mshr;
  ++freeMshrs;
}

Cache::Found Cache::find(uint64_t address) {
  uint64_t line = lineOf(address);
  if (uint32_t way = wayOf(line); way != kAbsent)
    return {Outcome::hit, way};
  if (uint32_t mshr = mshrOf(line); mshr != kAbsent) {
    if (mshrs[mshr].targets != parameters.mshrTargets)
      return {Outcome::merged, mshr};
    ++counters.noTarget;
    return {Outcome::noTarget, mshr};
  }
  if (uint32_t mshr = freeOf[groupOf(line)]; mshr != kAbsent)
    return {Outcome::miss, mshr};
  ++counters.noMshr;
  return {Outcome::noMshr, 0};
}

void Cache::access(const Found &found, uint64_t address, bool isWrite,
                   Target target) {
  ++counters.accesses;
  ++(isWrite ? counters.writes : counters.reads);
  if (found.outcome == Outcome::hit) {
    ++counters.hits;
    Use &use = ways[found.at];
    use.last = ++uses;
    use.isDirty |= isWrite;
    return;
  }
  Mshr &mshr = mshrs[found.at];
  if (found.outcome == Outcome::miss) {
    ++counters.misses;
    mshr.line = lineOf(address);
    freeOf[groupOf(mshr.line)] = mshr.next;
    --freeMshrs;
    uint32_t &bucket = bucketOf(mshr.line);
    mshr.next = bucket;
    bucket = found.at;
  } else {
    ++counters.merged;
  }
  mshr.isDirty |= isWrite;
  targets[size_t(found.at) * parameters.mshrTargets + mshr.targets++] = target;
}

Cache::Filled Cache::allocate(uint64_t line, bool isDirty) {
  auto first = ways.begin() + firstWay(line);
  // A way without a line was last used before all others.
  auto use = std::min_element(
      first, first + parameters.ways,
      [](const Use &a, const Use &b) { return a.last < b.last; });
  uint64_t &place = lines[static_cast<size_t>(use - ways.begin())];
  Filled filled{use->isDirty, place, {}};
  counters.writeBacks += use->isDirty;
  place = line;
  *use = {++uses, isDirty};
  return filled;
}

Cache::Filled Cache::fill(uint64_t line) {
  uint32_t *link = &bucketOf(line);
  while (mshrs[*link].line != line)
    link = &mshrs[*link].next;
  uint32_t mshr = *link;
  *link = mshrs[mshr].next;
  Filled filled = allocate(line, mshrs[mshr].isDirty);
  filled.targets = {&targets[size_t(mshr) * parameters.mshrTargets],
                    mshrs[mshr].targets};
  freeMshr(mshr);
  return filled;
}

Cache::Filled Cache::writeLine(uint64_t line) {
  ++counters.accesses;
  ++counters.writes;
  if (uint32_t way = wayOf(line); way != kAbsent) {
    ++counters.hits;
    ways[way] = {++uses, true};
    return {false, 0, {}};
  }
  if (uint32_t mshr = mshrOf(line); mshr != kAbsent) {
    ++counters.merged;
    mshrs[mshr].isDirty = true;
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
  lines[way] = kNone;
  ways[way] = {};
  return isDirty;
}

bool Cache::cleanNext(uint32_t &cursor, uint64_t &line) {
  for (; cursor != ways.size(); ++cursor) {
    if (!ways[cursor].isDirty)
      continue;
    ways[cursor].isDirty = false;
    ++counters.writeBacks;
    line = lines[cursor];
    return true;
  }
  return false;
}

void Cache::invalidate() {
  std::fill(lines.begin(), lines.end(), kNone);
  std::fill(ways.begin(), ways.end(), Use{});
}

void Cache::forgetWritesUnderWay() {
  for (Mshr &mshr : mshrs)
    mshr.isDirty = false;
}

uint32_t Cache::linesUnderWay() const {
  return static_cast<uint32_t>(mshrs.size()) - freeMshrs;
}

} // namespace chansim
