//===- FirstLevel.cpp - L1 or LVC -----------------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memory/FirstLevel.h"

namespace chansim {

/// In place of a requester: a part of a split access, whose tag is its slot.
static constexpr uint32_t kSplit = ~uint32_t(0);
/// Alike: an access without a completion.
static constexpr uint32_t kPosted = ~uint32_t(0) - 1;

FirstLevel::FirstLevel(const CacheParameters &parameters,
                       const std::string &name, Message::Kind kind,
                       Engine &engine, Component &memory, Link &link,
                       Statistics &statistics)
    : engine(engine), memory(memory), link(link),
      cache(parameters, name, parameters.writePolicy == WritePolicy::validate,
            statistics),
      kind(kind), hasMasks(parameters.writePolicy == WritePolicy::validate),
      writesThrough(parameters.writePolicy == WritePolicy::through),
      lineBytes(parameters.lineBytes), period(engine.coreClock().period()),
      hitTicks(parameters.hitCycles * period) {}

//===----------------------------------------------------------------------===//
// Starting an access
//===----------------------------------------------------------------------===//

static bool isRefusal(Cache::Outcome outcome) {
  return outcome == Cache::Outcome::noMshr ||
         outcome == Cache::Outcome::noTarget;
}

static Taken refused(Cache::Outcome outcome) {
  return outcome == Cache::Outcome::noMshr ? Taken::noMshr : Taken::noTarget;
}

static Cache::Target targetOf(const Request &request) {
  return {request.isPosted ? kPosted : request.requester, request.tag};
}

Taken FirstLevel::tryAccess(const Request &request, uint64_t address) {
  if (!cache.areBanksFree(address, request.bytes, engine.now()))
    return Taken::bankConflict;
  bool isWrite = request.access == Access::write;
  if (writesThrough && isWrite)
    return tryThrough(request, address);
  Cache::Found found = cache.find(address, request.bytes, isWrite);
  if (isRefusal(found.outcome))
    return refused(found.outcome);
  if (found.outcome == Cache::Outcome::validated && cache.displaces(found) &&
      !link.hasRoom())
    return Taken::noWriteBack;
  begin(found, {address, request.bytes}, isWrite, targetOf(request));
  return Taken::yes;
}

/// A store to the L2, by which the cache's copy of the line is out of date.  But
/// a line of private memory that is in the cache is written there.
Taken FirstLevel::tryThrough(const Request &request, uint64_t address) {
  uint64_t line = cache.lineOf(address);
  if (cache.isDirty(line) || (request.isPrivate && cache.holds(line))) {
    begin(cache.find(address, request.bytes, /*isStore=*/true),
          {address, request.bytes}, /*isWrite=*/true, targetOf(request));
    return Taken::yes;
  }
  if (!link.hasRoom())
    return Taken::noWriteBack;
  occupy({address, request.bytes});
  cache.remove(line);
  cache.countPassed();
  ByteMask mask = request.isPlaced ? request.written
                                   : ByteMask(address - line, request.bytes);
  link.writeBack(line, mask, mask.count());
  Cache::Target target = targetOf(request);
  enter({target.requester, target.tag});
  return Taken::yes;
}

Taken FirstLevel::trySplit(const Request &request,
                           const std::array<Part, 2> &parts) {
  bool isWrite = request.access == Access::write;
  bool mayMiss = cache.haveTwoMshrs();
  unsigned misses = 0, validated = 0;
  for (const Part &part : parts) {
    if (!cache.areBanksFree(part.address, part.bytes, engine.now()))
      return Taken::bankConflict;
    Cache::Outcome outcome =
        cache.find(part.address, part.bytes, isWrite).outcome;
    if (isRefusal(outcome))
      return refused(outcome);
    misses += outcome == Cache::Outcome::miss;
    validated += outcome == Cache::Outcome::validated;
  }
  if (misses == 2 && !mayMiss) {
    cache.countRefusals(Cache::Outcome::noMshr, 1);
    return Taken::noMshr;
  }
  // Whether a part displaces a line may depend on what the other displaces.
  if (validated && !link.hasRoom(validated))
    return Taken::noWriteBack;
  Cache::Target target{kPosted, 0};
  if (!request.isPosted)
    target = {kSplit, splits.add({{request.requester, request.tag}, 2})};
  for (const Part &part : parts)
    begin(cache.find(part.address, part.bytes, isWrite), part, isWrite, target);
  return Taken::yes;
}

Taken FirstLevel::tryPass(const Part &part) {
  uint64_t line = cache.lineOf(part.address);
  if (!cache.areBanksFree(part.address, part.bytes, engine.now()))
    return Taken::bankConflict;
  if (cache.isDirty(line) && !link.hasRoom())
    return Taken::noWriteBack;
  occupy(part);
  writeBack(cache.remove(line));
  return Taken::yes;
}

void FirstLevel::begin(const Cache::Found &found, const Part &part,
                       bool isWrite, Cache::Target target) {
  occupy(part);
  if (found.outcome == Cache::Outcome::validated)
    writeBack(cache.validate(found, part.address, part.bytes));
  else
    cache.access(found, part.address, part.bytes, isWrite, target);
  if (found.outcome == Cache::Outcome::hit ||
      found.outcome == Cache::Outcome::validated)
    enter({target.requester, target.tag});
  else if (found.outcome == Cache::Outcome::miss)
    link.send({cache.lineOf(part.address), kind}, Link::kWordBytes);
}

void FirstLevel::enter(Completion access) {
  if (access.requester == kPosted)
    return;
  Tick at = engine.now() + hitTicks;
  pipe.push({at, access});
  engine.wakeAt(memory, at);
}

/// The link carries only the bytes that were written, if the cache knows them.
void FirstLevel::writeBack(const std::optional<Cache::WriteBack> &line) {
  if (!line)
    return;
  ByteMask mask = line->mask;
  if (!hasMasks && lineBytes <= kMaskBytes)
    mask = ByteMask(0, lineBytes);
  link.writeBack(line->line, mask, line->bytes);
}

//===----------------------------------------------------------------------===//
// What comes of it
//===----------------------------------------------------------------------===//

void FirstLevel::fill(uint64_t line) {
  Cache::Filled filled = cache.fill(line);
  for (const Cache::Target &target : filled.targets)
    enter({target.requester, target.tag});
  writeBack(filled.writeBack);
}

void FirstLevel::complete(std::vector<Completion> &done) {
  while (!pipe.empty() && pipe.front().at <= engine.now()) {
    Completion access = pipe.front().access;
    pipe.pop();
    if (access.requester == kSplit) {
      uint32_t slot = access.tag;
      if (--splits[slot].partsLeft)
        continue;
      access = splits[slot].access;
      splits.remove(slot);
    }
    done.push_back(access);
  }
}

bool FirstLevel::flushNext() {
  std::optional<Cache::WriteBack> line = cache.cleanNext(flushCursor);
  writeBack(line);
  return line.has_value();
}

void FirstLevel::countRefusals(Taken why, uint64_t cycles) {
  if (why == Taken::noMshr)
    cache.countRefusals(Cache::Outcome::noMshr, cycles);
  else if (why == Taken::noTarget)
    cache.countRefusals(Cache::Outcome::noTarget, cycles);
}

} // namespace chansim
