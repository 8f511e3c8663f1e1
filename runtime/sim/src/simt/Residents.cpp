//===- Residents.cpp - Tiles and warps on a timed SIMT core -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Multiprocessor that gives slots to the warps of tiles, and takes them
// away:
//
//   start --> fill --> takeSlot ... retire --> vacate --> fill, or finishTile
//
//===----------------------------------------------------------------------===//

#include "simt/GroupLimits.h"
#include "simt/Multiprocessor.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

namespace chansim::simt {

//===----------------------------------------------------------------------===//
// Tiles and warps
//===----------------------------------------------------------------------===//

/// As many warps as have room for their registers, and for the memory of their groups.
/// If not even one has, that memory is behind L1.
uint32_t Multiprocessor::residentWarps(Resident &resident) {
  SimtTile *tile = resident.tile;
  const Kernel &kernel = tile->code().kernel();
  uint32_t most = mostWarps(kernel.registerWords(), parameters);
  resident.hasScratchpad = false;
  if (tile->groups.isEmpty())
    return most;
  uint32_t together = tile->groups.warpsTogether();
  GroupNeeds needs{kernel.groupThreads, kernel.groupBytes,
                   kernel.registerWords()};
  if (std::string problem = groupProblem(needs, parameters); !problem.empty())
    tile->refuse(problem);
  uint32_t ofWarp = groupsOfWarp(needs, parameters);
  uint32_t groups = parameters.groups;
  if (kernel.groupBytes) {
    uint64_t places = groupsInScratchpad(needs, parameters);
    resident.hasScratchpad = places != 0;
    if (places)
      groups = static_cast<uint32_t>(std::min<uint64_t>(groups, places));
  }
  uint32_t sets = std::max(groups / ofWarp, 1u);
  return std::min(most / together, sets) * together;
}

/// Of kind `apu`: whether the memory of the work-groups of a tile that begins has room
/// in the scratchpad, beside that of the others.  The tile has it until it ends.
bool Multiprocessor::takesScratchpad(SimtTile &tile) {
  uint64_t groups = tile.groups.isEmpty()
                        ? 0
                        : tile.threads / tile.code().kernel().groupThreads;
  uint64_t bytes = groups * tile.code().kernel().groupBytes;
  if (!bytes || scratchpadUsed + bytes > parameters.scratchpadBytes)
    return false;
  scratchpadUsed += bytes;
  tile.scratchpadBytes = bytes;
  return true;
}

void Multiprocessor::start(Tile &newTile) {
  assert(canStart());
  auto &own = static_cast<SimtTile &>(newTile);
  bool isNew = !own.hasYielded;
  if (isApu && !isNew && own.core != number())
    own.refuse("has yielded on core " + std::to_string(own.core) +
               ", and goes on on core " + std::to_string(number()));
  auto resident = std::find_if(residents.begin(), residents.end(),
                               [](const Resident &one) { return !one.tile; });
  std::vector<SimtTile::Beginning> beginnings;
  if (own.kept)
    own.hasYielded = false;
  else
    beginnings = own.begin(parameters.lanes);
  Code &code = own.code();
  *resident = Resident();
  resident->tile = &own;
  resident->context = {&code, &own, own.registers.data()};
  resident->timings = &timingsOf(code);
  resident->beginnings = std::move(beginnings);
  if (fetchUnit)
    resident->codeBase = fetchUnit->baseOf(code);
  uint64_t cycle = engine.coreCycle();
  resident->begin = cycle;
  if (!tiles) {
    counters.emptyCycles += cycle - since;
    since = lastTick = cycle;
    for (Scheduler &scheduler : schedulers) {
      scheduler.order.clear();
      scheduler.last = kNone;
    }
  }
  ++tiles;
  // What started it has seen stores that the wavefront is to see.
  memory.acquire();
  ++code.counters.runs;
  ++counters.tiles;
  counters.threads += isNew ? own.threads : 0;
  counters.wavefronts += isNew;
  if (!isApu) {
    resident->most = residentWarps(*resident);
    fill(*resident);
  } else {
    resident->hasScratchpad =
        isNew ? takesScratchpad(own) : own.scratchpadBytes != 0;
    uint32_t index = wavefrontSlot();
    if (isNew) {
      beginWarp(index, *resident);
    } else {
      own.kept->setContext(resident->context);
      own.kept->resume();
      takeSlot(index, *resident, std::move(own.kept));
      slots[index].phase = Phase::returning;
      moving.add(index);
      slots[index].movesSince = cycle;
    }
  }
  engine.wake(*this);
}

void Multiprocessor::flush() {
  assert(isIdle());
  memory.flush();
  // Where there is nothing to do, nothing wakes this core.
  if (!memory.isFlushing())
    engine.wake(*this);
}

/// The next warps of the tile take free slots: all those that wait for each other at
/// once.
void Multiprocessor::fill(Resident &resident) {
  uint32_t together = resident.tile->groups.warpsTogether();
  const std::vector<SimtTile::Beginning> &beginnings = resident.beginnings;
  std::vector<uint32_t> free;
  for (uint32_t index = 0; index != resident.most; ++index)
    if (!slots[index].warp)
      free.push_back(index);
  for (size_t next = 0; resident.begun != beginnings.size();) {
    uint32_t set = beginnings[resident.begun].warp / together;
    size_t behind = resident.begun;
    while (behind != beginnings.size() &&
           beginnings[behind].warp / together == set)
      ++behind;
    if (behind - resident.begun > free.size() - next)
      return;
    while (resident.begun != behind)
      beginWarp(free[next++], resident);
  }
}

/// A free slot of the scheduler that has the fewest wavefronts.
uint32_t Multiprocessor::wavefrontSlot() const {
  uint32_t best = kNone;
  auto load = [&](uint32_t index) {
    return schedulers[index % schedulers.size()].order.size();
  };
  for (uint32_t index = 0; index != slots.size(); ++index)
    if (!slots[index].warp && (best == kNone || load(index) < load(best)))
      best = index;
  return best;
}

void Multiprocessor::takeSlot(uint32_t index, Resident &resident,
                              std::unique_ptr<Warp> warp) {
  Slot &slot = slots[index];
  slot.warp = std::move(warp);
  slot.resident = &resident;
  ++resident.warps;
  slot.pending.assign(resident.tile->code().rows(), 0);
  slot.readyAt = 0;
  slot.isCalling = slot.hasStored = false;
  waiting.remove(index);
  slot.accesses = 0;
  slot.phase = Phase::running;
  asking.add(index);
  slot.lines.clear();
  slot.blockedSince = engine.coreCycle();
  std::vector<uint32_t> &order = schedulers[index % schedulers.size()].order;
  bool isByAge = parameters.policy == WarpPolicy::greedy;
  order.insert(isByAge ? order.end()
                       : std::upper_bound(order.begin(), order.end(), index),
               index);
}

void Multiprocessor::beginWarp(uint32_t index, Resident &resident) {
  const SimtTile::Beginning &beginning = resident.beginnings[resident.begun++];
  auto warp = std::make_unique<Warp>(resident.context, beginning.warp,
                                     parameters, /*yieldsTogether=*/isApu);
  beginning.addTo(*warp);
  takeSlot(index, resident, std::move(warp));
}

/// A warp has ended, but for what is under way.
void Multiprocessor::retire(uint32_t index) {
  Slot &slot = slots[index];
  if (slot.underWay || slot.phase != Phase::running || !slot.warp->isDone())
    return;
  // What starts behind it sees what it has stored.
  if (slot.hasStored)
    return addFence(index);
  vacate(index);
}

/// Another warp may have the slot.
void Multiprocessor::vacate(uint32_t index) {
  Slot &slot = slots[index];
  Resident &resident = *slot.resident;
  if (slot.phase != Phase::running) {
    resident.tile->kept = std::move(slot.warp);
  } else {
    resident.tile->keep(*slot.warp);
    counters.separations += slot.warp->separations;
    slot.warp = nullptr;
  }
  --resident.warps;
  Scheduler &scheduler = schedulers[index % schedulers.size()];
  std::erase(scheduler.order, index);
  // Whose turn comes next does not depend on whether this one is still there.
  if (scheduler.last == index && parameters.policy == WarpPolicy::greedy)
    scheduler.last = kNone;
  if (isApu)
    finishTile(resident, engine.coreCycle());
  else
    fill(resident);
}

/// Lanes whose barrier is complete go on, of this warp and of others.
void Multiprocessor::release(uint32_t index, const Warp::Executed &executed,
                             uint64_t cycle, uint64_t done) {
  Slot &slot = slots[index];
  if (isApu && executed.instruction->kind == Instruction::Kind::yield)
    return slot.warp->settle();
  WorkGroups &groups = slot.resident->tile->groups;
  uint64_t before = groups.barriers;
  for (const WorkGroups::Released &released :
       groups.note(slot.warp->number, executed)) {
    auto other = std::find_if(slots.begin(), slots.end(), [&](const Slot &one) {
      return one.warp && one.resident == slot.resident &&
             one.warp->number == released.warp;
    });
    if (other->isBlocked() && &*other != &slot)
      counters.barrierCycles += cycle - other->blockedSince;
    other->warp->release(released.lanes);
    other->readyAt = std::max(other->readyAt, done);
    waiting.remove(static_cast<uint32_t>(other - slots.begin()));
  }
  counters.barriers += groups.barriers - before;
  slot.warp->settle();
  if (slot.isBlocked())
    slot.blockedSince = cycle;
}

/// If all warps wait at barriers, it is for threads that have yielded: their groups go
/// on in another run of the tile, and leave their slots to other warps.
bool Multiprocessor::evict(uint64_t cycle) {
  // There, lanes at barriers leave with those of their wavefront that yield.
  if (isApu)
    return false;
  std::vector<uint32_t> leaving;
  for (const Scheduler &scheduler : schedulers)
    for (uint32_t index : scheduler.order) {
      const Slot &slot = slots[index];
      if (!slot.isBlocked() || slot.underWay)
        return false;
      if (slot.resident->tile->groups.hasYielded(slot.warp->number))
        leaving.push_back(index);
    }
  for (uint32_t index : leaving) {
    counters.barrierCycles += cycle - slots[index].blockedSince;
    vacate(index);
  }
  return !leaving.empty();
}

void Multiprocessor::finishTile(Resident &resident, uint64_t cycle) {
  SimtTile *tile = resident.tile;
  tile->code().counters.cycles += cycle - resident.begin;
  if (trace)
    trace->span(tracks[static_cast<size_t>(&resident - residents.data())],
                tile->kernel->header().name, resident.begin, cycle,
                {{"threads", tile->threads}});
  tile->hasYielded = !tile->yielded.empty() || tile->kept;
  tile->core = number();
  if (!tile->hasYielded)
    scratchpadUsed -= std::exchange(tile->scratchpadBytes, 0);
  resident.tile = nullptr;
  if (!--tiles) {
    counters.busyCycles += cycle - since;
    since = cycle;
  }
  addFinished(*tile, /*isAlone=*/!isApu);
  // A client of one tile waits for the flush before it, too.
  if (client && (isApu || isIdle()))
    engine.wake(*client);
}

} // namespace chansim::simt
