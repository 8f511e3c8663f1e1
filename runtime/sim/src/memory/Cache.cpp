//===- Cache.cpp - Tags, banks and MSHRs of a cache -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memory/Cache.h"
#include "results/Statistics.h"

#include <algorithm>
#include <bit>

namespace chansim {

Cache::Cache(const CacheParameters &parameters, const std::string &prefix,
             bool hasMasks, Statistics &statistics)
    : parameters(parameters), hasMasks(hasMasks),
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
  if (hasMasks) {
    masks.resize(ways.size());
    writtenTo.resize(count);
  }
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
  add("validated", "accesses", "stores that took a line without asking for it",
      counters.validated);
  add("passed", "accesses", "stores that went through to the next level",
      counters.passed);
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

/// Of the line's set; a way without a line was last used before all others.
uint32_t Cache::leastRecent(uint64_t line) const {
  auto first = ways.begin() + firstWay(line);
  auto use = std::min_element(
      first, first + parameters.ways,
      [](const Use &a, const Use &b) { return a.last < b.last; });
  return static_cast<uint32_t>(use - ways.begin());
}

uint32_t Cache::mshrOf(uint64_t line) const {
  uint32_t mshr = buckets[bucketOf(line)];
  while (mshr != kAbsent && mshrs[mshr].line != line)
    mshr = mshrs[mshr].next;
  return mshr;
}

void Cache::freeMshr(uint32_t mshr) {
  uint32_t &first = freeOf[mshr / parameters.mshrs];
  mshrs[mshr] = {kNone, first, 0, false};
  if (hasMasks)
    writtenTo[mshr] = {};
  first = mshr;
  ++freeMshrs;
}

Cache::Found Cache::find(uint64_t address, uint32_t bytes, bool isStore) {
  uint64_t line = lineOf(address);
  if (uint32_t way = wayOf(line); way != kAbsent)
    if (isStore || !ways[way].isPartial ||
        masks[way].valid.contains(maskOf(address, bytes)))
      return {Outcome::hit, way};
  if (uint32_t mshr = mshrOf(line); mshr != kAbsent) {
    if (mshrs[mshr].targets != parameters.mshrTargets)
      return {Outcome::merged, mshr};
    ++counters.noTarget;
    return {Outcome::noTarget, mshr};
  }
  if (isStore && parameters.writePolicy == WritePolicy::validate)
    return {Outcome::validated, leastRecent(line)};
  if (uint32_t mshr = freeOf[groupOf(line)]; mshr != kAbsent)
    return {Outcome::miss, mshr};
  ++counters.noMshr;
  return {Outcome::noMshr, 0};
}

void Cache::access(const Found &found, uint64_t address, uint32_t bytes,
                   bool isWrite, Target target) {
  ++counters.accesses;
  ++(isWrite ? counters.writes : counters.reads);
  if (found.outcome == Outcome::hit) {
    ++counters.hits;
    ways[found.at].last = ++uses;
    if (isWrite)
      write(found.at, maskOf(address, bytes));
    return;
  }
  Mshr &mshr = mshrs[found.at];
  if (found.outcome == Outcome::miss) {
    ++counters.misses;
    mshr.line = lineOf(address);
    freeOf[groupOf(mshr.line)] = mshr.next;
    --freeMshrs;
    uint32_t &bucket = buckets[bucketOf(mshr.line)];
    mshr.next = bucket;
    bucket = found.at;
  } else {
    ++counters.merged;
  }
  mshr.isDirty |= isWrite;
  if (isWrite && hasMasks)
    writtenTo[found.at] |= maskOf(address, bytes);
  targets[size_t(found.at) * parameters.mshrTargets + mshr.targets++] = target;
}

std::optional<Cache::WriteBack>
Cache::validate(const Found &found, uint64_t address, uint32_t bytes) {
  ++counters.accesses;
  ++counters.writes;
  ++counters.validated;
  std::optional<WriteBack> victim = displace(found.at);
  lines[found.at] = lineOf(address);
  ways[found.at] = {++uses, false, /*isPartial=*/true};
  masks[found.at] = {};
  write(found.at, maskOf(address, bytes));
  return victim;
}

/// The mask counts if the cache has masks.
void Cache::write(uint32_t way, const ByteMask &mask) {
  Use &use = ways[way];
  use.isDirty = true;
  if (!hasMasks)
    return;
  masks[way].dirty |= mask;
  if (!use.isPartial)
    return;
  masks[way].valid |= mask;
  use.isPartial = masks[way].valid.count() != parameters.lineBytes;
}

/// A line that is dirty.
Cache::WriteBack Cache::clean(uint32_t way) {
  ++counters.writeBacks;
  ways[way].isDirty = false;
  WriteBack result{lines[way], {}, parameters.lineBytes};
  if (hasMasks) {
    result.mask = masks[way].dirty;
    result.bytes = result.mask.count();
    masks[way].dirty = {};
  }
  return result;
}

/// Makes room in the way.
std::optional<Cache::WriteBack> Cache::displace(uint32_t way) {
  if (!ways[way].isDirty)
    return std::nullopt;
  if (writesBack(way))
    return clean(way);
  uint32_t mshr = mshrOf(lines[way]);
  mshrs[mshr].isDirty = true;
  writtenTo[mshr] |= masks[way].dirty;
  return std::nullopt;
}

Cache::Filled Cache::fill(uint64_t line) {
  uint32_t *link = &buckets[bucketOf(line)];
  while (mshrs[*link].line != line)
    link = &mshrs[*link].next;
  uint32_t mshr = *link;
  *link = mshrs[mshr].next;
  Filled filled{
      std::nullopt,
      {&targets[size_t(mshr) * parameters.mshrTargets], mshrs[mshr].targets}};
  uint32_t way = wayOf(line);
  if (way == kAbsent) {
    way = leastRecent(line);
    filled.writeBack = displace(way);
    lines[way] = line;
    ways[way] = {};
    if (hasMasks)
      masks[way] = {};
  }
  ways[way].last = ++uses;
  ways[way].isPartial = false;
  if (mshrs[mshr].isDirty)
    write(way, hasMasks ? writtenTo[mshr] : ByteMask());
  freeMshr(mshr);
  return filled;
}

std::optional<Cache::WriteBack> Cache::writeLine(uint64_t line,
                                                 const ByteMask &mask) {
  ++counters.accesses;
  ++counters.writes;
  if (uint32_t way = wayOf(line); way != kAbsent) {
    ++counters.hits;
    ways[way].last = ++uses;
    write(way, mask);
    return std::nullopt;
  }
  if (uint32_t mshr = mshrOf(line); mshr != kAbsent) {
    ++counters.merged;
    mshrs[mshr].isDirty = true;
    if (hasMasks)
      writtenTo[mshr] |= mask;
    return std::nullopt;
  }
  ++counters.misses;
  uint32_t way = leastRecent(line);
  std::optional<WriteBack> victim = displace(way);
  lines[way] = line;
  ways[way] = {++uses, false, hasMasks};
  if (hasMasks)
    masks[way] = {};
  write(way, mask);
  return victim;
}

std::optional<Cache::WriteBack> Cache::remove(uint64_t line) {
  uint32_t way = wayOf(line);
  if (way == kAbsent)
    return std::nullopt;
  std::optional<WriteBack> result;
  if (ways[way].isDirty)
    result = clean(way);
  lines[way] = kNone;
  ways[way] = {};
  return result;
}

std::optional<Cache::WriteBack> Cache::cleanNext(uint32_t &cursor) {
  for (; cursor != ways.size(); ++cursor)
    if (ways[cursor].isDirty)
      return clean(cursor);
  return std::nullopt;
}

void Cache::invalidate() {
  std::fill(lines.begin(), lines.end(), kNone);
  std::fill(ways.begin(), ways.end(), Use{});
}

void Cache::forgetWritesUnderWay() {
  for (Mshr &mshr : mshrs)
    mshr.isDirty = false;
  std::fill(writtenTo.begin(), writtenTo.end(), ByteMask());
}

uint32_t Cache::linesUnderWay() const {
  return static_cast<uint32_t>(mshrs.size()) - freeMshrs;
}

} // namespace chansim
