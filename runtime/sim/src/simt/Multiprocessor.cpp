//===- Multiprocessor.cpp - A timed SIMT core -----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/Multiprocessor.h"
#include "results/Statistics.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>
#include <utility>

namespace chansim::simt {

Multiprocessor::~Multiprocessor() = default;

void Multiprocessor::record(const Recording &recording) {
  trace = recording.trace;
  tracks.clear();
  moves = nullptr;
  if (!trace)
    return;
  if (!isApu)
    return tracks.push_back(trace->addTrack(recording.core));
  for (size_t index = 0; index != residents.size(); ++index)
    tracks.push_back(trace->addTrack(recording.core + ", wavefront " +
                                     std::to_string(index)));
  moves = std::make_unique<TraceLanes>(*trace, recording.core + ": yields");
  waitOf = recording.waitOf;
}

void Multiprocessor::addCounters(Statistics &statistics,
                                 const std::string &prefix) const {
  statistics.add(prefix + ".tiles", "tiles", "of core.tiles, on this core",
                 counters.tiles);
  statistics.add(prefix + ".busy_cycles", "cycles",
                 "of simt.cycles, on this core", counters.busyCycles);
}

//===----------------------------------------------------------------------===//
// A cycle
//
//   1. Results that are due can be read, and what L1 and the host have done.
//   2. The load/store unit gives L1 one line.  Before that, states of wavefronts that
//      yield or go on come to it, and warps ask for their instructions.
//   3. Each scheduler that is free issues an instruction, if a warp is ready.
//   4. If no warp is left, or all wait at barriers for threads that have yielded, the
//      tile is finished.  On kind `apu`, a tile is finished when its wavefront leaves.
//   5. If nothing moved, the core sleeps until a result is due or the memory
//      wakes it.
//===----------------------------------------------------------------------===//

Activity Multiprocessor::tick() {
  if (!tiles) {
    if (client && isIdle())
      engine.wake(*client);
    return Activity::asleep;
  }
  uint64_t cycle = engine.coreCycle();
  if (cycle > lastTick + 1)
    countStalls(cycle - lastTick - 1);
  lastTick = cycle;
  // 1.
  bool moved = takeResults(cycle);
  moved |= takeCompletions(cycle);
  moved |= finishCalls(cycle);
  // 2.
  if (isApu)
    moved |= moveContexts();
  if (fetchUnit) {
    moved |= takeInstructions();
    askForInstructions(cycle);
  }
  moved |= advanceLoadStore(cycle);
  // 3.
  moved |= issue(cycle);
  // 4.
  if (!isApu) {
    if (!moved && !residents[0].tile->groups.isEmpty())
      moved |= evict(cycle);
    if (!residents[0].warps && loadStore.empty())
      finishTile(residents[0], cycle);
  }
  if (!tiles)
    return Activity::asleep;
  // 5.
  if (moved)
    return Activity::moved;
  if (uint64_t next = wakeCycle(cycle); next != kNever)
    engine.wakeAt(*this, next * engine.coreClock().period());
  return Activity::asleep;
}

/// The cycle in which something can be done next; kNever if the memory decides.
uint64_t Multiprocessor::wakeCycle(uint64_t cycle) const {
  uint64_t next = kNever;
  auto at = [&](uint64_t when) {
    next = std::min(next, std::max(when, cycle + 1));
  };
  if (!results.empty())
    at(results.front().cycle);
  if (!scratchpad.empty())
    at(scratchpad.front().first);
  if (!calls.empty())
    at(host.endOf(calls.front().made));
  if (!loadStore.empty() && (!isRefused || loadStoreFreeAt > cycle))
    at(loadStoreFreeAt);
  for (const Scheduler &scheduler : schedulers) {
    if (scheduler.freeAt > cycle)
      at(scheduler.freeAt);
    if (scheduler.stall == Stall::collector)
      at(banks.collectorAt());
    if (scheduler.stall == Stall::special)
      at(std::min(doubleFreeAt > cycle ? doubleFreeAt : kNever,
                  specialFreeAt > cycle ? specialFreeAt : kNever));
    for (uint32_t slot : scheduler.order)
      if (slots[slot].readyAt > cycle)
        at(slots[slot].readyAt);
  }
  return next;
}

/// So many cycles were as the last one.
void Multiprocessor::countStalls(uint64_t cycles) {
  for (const Scheduler &scheduler : schedulers)
    if (scheduler.stall != Stall::none)
      countStall(scheduler, cycles);
}

void Multiprocessor::countStall(const Scheduler &scheduler, uint64_t cycles) {
  counters.stalls[static_cast<size_t>(scheduler.stall)] += cycles;
  // A scheduler with a next instruction has one of the reasons from `result` on.
  static_assert(kStalls - Code::kStalls.size() ==
                static_cast<size_t>(Stall::result));
  if (scheduler.stalledAt != kNone)
    scheduler.stalledCode->counters
        .stalled[scheduler.stalledAt][static_cast<size_t>(scheduler.stall) -
                                      static_cast<size_t>(Stall::result)] +=
        cycles;
}

//===----------------------------------------------------------------------===//
// 1. Results
//===----------------------------------------------------------------------===//

void Multiprocessor::addResult(uint64_t cycle, uint32_t slot,
                               const Timing &timing, uint32_t row) {
  results.push_back({cycle, sequence++, slot, &timing, row});
  std::push_heap(results.begin(), results.end());
}

bool Multiprocessor::takeResults(uint64_t cycle) {
  bool moved = false;
  while (!results.empty() && results.front().cycle <= cycle) {
    Result due = results.front();
    std::pop_heap(results.begin(), results.end());
    results.pop_back();
    deliver(due.slot, *due.timing, due.row, cycle);
    moved = true;
  }
  return moved;
}

/// A register has its value, or what had none has ended.
void Multiprocessor::deliver(uint32_t index, const Timing &timing, uint32_t row,
                             uint64_t cycle) {
  Slot &slot = slots[index];
  if (row != kNone) {
    --slot.pending[row];
    banks.write(cycle, bankOf(index), timing.results);
  }
  waiting.remove(index);
  --slot.underWay;
  retire(index);
}

bool Multiprocessor::takeCompletions(uint64_t cycle) {
  std::span<const Completion> done = memory.completions();
  for (Completion one : done)
    finishAccess(one.requester, one.tag, cycle);
  // Lines have come, so that what was refused may be taken.
  isRefused = false;
  bool moved = !done.empty();
  while (!scratchpad.empty() && scratchpad.front().first <= cycle) {
    uint32_t instruction = scratchpad.front().second;
    scratchpad.pop();
    finishAccess(instruction, kScratchpadTag, cycle);
    moved = true;
  }
  return moved;
}

/// The effect of a warp's calls comes when the host has done the last of them.
bool Multiprocessor::finishCalls(uint64_t cycle) {
  bool moved = false;
  while (!calls.empty() && host.endOf(calls.front().made) <= cycle) {
    uint32_t index = calls.front().slot;
    calls.pop();
    Slot &slot = slots[index];
    slot.isCalling = false;
    waiting.remove(index);
    asking.add(index);
    // The host may have written.
    memory.acquire();
    slot.warp->step();
    --slot.underWay;
    retire(index);
    moved = true;
  }
  return moved;
}

//===----------------------------------------------------------------------===//
// 3. Issue
//===----------------------------------------------------------------------===//

bool Multiprocessor::issue(uint64_t cycle) {
  bool moved = false;
  for (Scheduler &scheduler : schedulers) {
    if (scheduler.freeAt > cycle) {
      scheduler.stall = Stall::none;
      continue;
    }
    scheduler.stall = scheduler.order.empty() ? Stall::noWarp : Stall::barrier;
    auto tryIssue = [&](uint32_t slot) {
      Stall why = check(slot, cycle);
      if (why != Stall::none) {
        if (why > Stall::result ||
            (why == Stall::result && scheduler.stall == Stall::barrier))
          scheduler.stall = why;
        return false;
      }
      scheduler.stall = Stall::none;
      scheduler.freeAt = cycle + parameters.issueCycles;
      scheduler.last = slot;
      issueFrom(slot, cycle);
      return true;
    };
    const std::vector<uint32_t> &order = scheduler.order;
    bool issued = false;
    if (parameters.policy == WarpPolicy::roundRobin) {
      // From the one behind that which was served last.
      size_t count = order.size();
      auto from = static_cast<size_t>(
          std::upper_bound(order.begin(), order.end(), scheduler.last) -
          order.begin());
      for (size_t i = 0; !issued && i != count; ++i)
        issued = tryIssue(order[(from + i) % count]);
    } else {
      issued = scheduler.last != kNone && tryIssue(scheduler.last);
      for (size_t i = 0; !issued && i != order.size(); ++i)
        issued = order[i] != scheduler.last && tryIssue(order[i]);
    }
    if (!issued) {
      auto oldest = std::find_if(
          scheduler.order.begin(), scheduler.order.end(),
          [&](uint32_t slot) { return slots[slot].warp->isRunning(); });
      scheduler.stalledAt = kNone;
      if (oldest != scheduler.order.end()) {
        const Slot &slot = slots[*oldest];
        scheduler.stalledAt = slot.warp->running().back().pc;
        scheduler.stalledCode = &slot.resident->tile->code();
      }
      countStall(scheduler, 1);
    }
    moved |= issued;
  }
  return moved;
}

/// Why the warp's next instruction cannot be issued.
Multiprocessor::Stall Multiprocessor::check(uint32_t index, uint64_t cycle) {
  if (waiting.contains(index))
    return Stall::result;
  const Slot &slot = slots[index];
  if (slot.isCalling || slot.readyAt > cycle || slot.phase != Phase::running)
    return Stall::result;
  if (!slot.warp->isRunning()) {
    if (!slot.warp->isDone())
      return Stall::barrier;
    waiting.add(index);
    return Stall::result;
  }
  uint32_t pc = slot.warp->next().pc;
  if (fetchUnit && !hasInstruction(slot, pc))
    return Stall::fetch;
  const Timing &timing = (*slot.resident->timings)[pc];
  for (uint16_t row : timing.registers)
    if (slot.pending[row]) {
      waiting.add(index);
      return Stall::result;
    }
  // The memory operations of a thread are in their order.
  if (timing.unit == Unit::loadStore &&
      (slot.atomics ||
       (isCombining &&
        mustRelease(index, slot.resident->tile->code().instructions()[pc])))) {
    waiting.add(index);
    return Stall::result;
  }
  if ((timing.unit == Unit::special && specialFreeAt > cycle) ||
      (timing.unit == Unit::doubleLanes && doubleFreeAt > cycle))
    return Stall::special;
  if (timing.unit == Unit::loadStore &&
      loadStore.size() >= parameters.loadStoreQueue)
    return Stall::loadStore;
  if (!banks.hasCollector(cycle))
    return Stall::collector;
  return Stall::none;
}

void Multiprocessor::issueFrom(uint32_t index, uint64_t cycle) {
  Slot &slot = slots[index];
  const Warp::Split &split = slot.warp->next();
  const Timing &timing = (*slot.resident->timings)[split.pc];
  Code &code = slot.resident->tile->code();
  const CodeInstruction &instruction = code.instructions()[split.pc];
  auto lanes = static_cast<uint32_t>(std::popcount(split.lanes));
  ++counters.instructions;
  ++code.counters.executed[split.pc];
  counters.laneOperations += lanes;
  countLanes(lanes);
  arithmetic.count(timing.arithmetic, lanes);
  uint64_t collected = banks.read(cycle, bankOf(index), timing.sources);
  uint64_t done = collected + parameters.pipelineCycles + timing.latency;

  bool isSystemCall = instruction.action == Action::syscall ||
                      (instruction.action == Action::heapCall && hostAllocates);
  if (timing.unit == Unit::loadStore && isSystemCall) {
    Host::Call last = host.call(cycle);
    for (uint32_t lane = 1; lane != lanes; ++lane)
      last = host.call(cycle);
    counters.calls += lanes;
    slot.isCalling = true;
    ++slot.underWay;
    calls.push({last, index});
    return;
  }
  const uint32_t pc = split.pc;
  Warp::Executed executed =
      slot.warp->step(isCombining ? Warp::Atomics::withLoads
                      : isApu     ? Warp::Atomics::later
                                  : Warp::Atomics::atOnce);
  asking.add(index);
  release(index, executed, cycle, done);
  if (executed.instruction->kind == Instruction::Kind::yield)
    slot.resident->tile->yieldedAt = pc;
  if (isApu && slot.warp->mustLeave()) {
    slot.phase = Phase::leaving;
    moving.add(index);
    slot.movesSince = cycle;
    ++counters.yields;
  }
  switch (timing.unit) {
  case Unit::loadStore:
    enterLoadStore(index, executed, timing);
    break;
  case Unit::control:
    // The next instruction is known when the branch has been executed.
    slot.readyAt = done;
    break;
  case Unit::special:
    specialFreeAt = cycle + parameters.lanes / parameters.specialLanes;
    break;
  case Unit::doubleLanes:
    doubleFreeAt = cycle + parameters.lanes / parameters.doubleLanes;
    break;
  case Unit::lanes:
    break;
  }
  if (timing.unit != Unit::loadStore && instruction.result != kNone) {
    ++slot.pending[instruction.result];
    ++slot.underWay;
    addResult(done, index, timing, instruction.result);
  }
  retire(index);
}

void Multiprocessor::countLanes(uint32_t lanes) {
  ++counters.quarters[(lanes - 1) * 4 / parameters.lanes];
  counters.ofAllLanes += lanes == parameters.lanes;
}

void Multiprocessor::explain(std::string &text) const {
  if (!tiles)
    return;
  if (!isApu)
    text += "  SM: kernel '" + residents[0].tile->kernel->header().name + "'\n";
  for (uint32_t index = 0; index != slots.size(); ++index) {
    const Slot &slot = slots[index];
    if (!slot.warp || slot.warp->isDone())
      continue;
    const auto &where =
        slot.isBlocked() ? slot.warp->waitingAtBarrier() : slot.warp->running();
    if (isApu)
      text += "  core " + std::to_string(number()) + ", slot " +
              std::to_string(index) + ": kernel '" +
              slot.resident->tile->kernel->header().name + "',";
    text += (isApu ? " wavefront at instruction "
                   : "  warp " + std::to_string(slot.warp->number) +
                         " at instruction ") +
            std::to_string(where.empty() ? slot.warp->places().front()
                                         : where.front().pc) +
            (slot.isBlocked()               ? ": waits at a barrier\n"
             : slot.phase != Phase::running ? ": yields or goes on\n"
             : slot.isCalling               ? ": waits for the host\n"
             : waiting.contains(index)      ? ": waits for a result\n"
                                            : ": is ready\n");
  }
}

} // namespace chansim::simt
