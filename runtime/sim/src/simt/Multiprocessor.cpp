//===- Multiprocessor.cpp - A timed SIMT core -----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/Multiprocessor.h"
#include "results/Statistics.h"
#include "simt/GroupLimits.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>
#include <utility>

namespace chansim::simt {

Multiprocessor::Multiprocessor(const Machine &machine, Engine &engine,
                               Memory &memory, Host &host,
                               Statistics &statistics)
    : Core(engine, memory.number()), memory(memory), host(host),
      parameters(machine.simt), operations(machine.operations),
      lineBytes(machine.l1.lineBytes), hostAllocates(machine.host.allocates),
      slots(machine.simt.warps), schedulers(machine.simt.schedulers),
      banks(machine.simt) {
  engine.add(*this, engine.coreClock());
  memory.setConsumer(*this);
  auto add = [&](const char *name, const char *unit, const char *what,
                 const uint64_t &counter) {
    statistics.add(name, unit, what, counter);
  };
  add("core.tiles", "tiles", "tiles run, and run on after a yield",
      counters.tiles);
  add("core.threads", "threads", "threads of tiles not run before",
      counters.threads);
  add("simt.cycles", "cycles", "with a tile on the core", counters.busyCycles);
  add("simt.instructions", "instructions", "instructions that warps executed",
      counters.instructions);
  add("simt.lane_operations", "operations",
      "instructions that lanes of warps executed", counters.laneOperations);
  statistics.addRatio("simt.ipc", "instructions/cycle",
                      "instructions of warps in a cycle with a tile",
                      counters.instructions, counters.busyCycles);
  statistics.addRatio("simt.lane_share", "lanes/lane",
                      "lanes that took part, of those of the warps",
                      counters.laneOperations, counters.instructions,
                      1.0 / parameters.lanes);
  add("simt.separations", "times",
      "lanes went on alone from a point of reconvergence",
      counters.separations);
  static constexpr std::pair<const char *, const char *> stalls[kStalls] = {
      {"", ""},
      {"simt.stall_no_warp", "there was no warp"},
      {"simt.stall_barrier", "all warps waited at barriers"},
      {"simt.stall_result", "all warps waited for results"},
      {"simt.stall_collector", "no operand collector was free"},
      {"simt.stall_special", "units for divisions or f64 were occupied"},
      {"simt.stall_load_store", "the queue of the load/store unit was full"}};
  for (size_t reason = 1; reason != kStalls; ++reason)
    statistics.add(stalls[reason].first, "cycles",
                   std::string("of a scheduler that issued nothing since ") +
                       stalls[reason].second,
                   counters.stalls[reason]);
  add("simt.memory_instructions", "instructions", "loads and stores of warps",
      counters.memoryInstructions);
  add("simt.lines", "lines", "lines that these loaded or stored",
      counters.lines);
  statistics.addRatio("simt.lines_each", "lines/instruction",
                      "lines for a load or store of a warp", counters.lines,
                      counters.memoryInstructions);
  add("simt.atomics", "operations", "atomic operations of lanes",
      counters.atomics);
  add("simt.barriers", "groups", "work-groups that have passed a barrier",
      counters.barriers);
  add("simt.barrier_cycles", "cycles",
      "of warps all of whose threads waited at barriers",
      counters.barrierCycles);
  add("simt.syscalls", "calls", "system calls", counters.calls);
  add("simt.heap_calls", "calls", "allocations and releases without the host",
      counters.heapCalls);
  add("scratchpad.instructions", "instructions",
      "loads, stores and atomic operations of warps in the scratchpad",
      counters.scratchpadInstructions);
  add("scratchpad.turns", "turns", "of the banks for these",
      counters.scratchpadTurns);
  add("registers.reads", "rows", "registers of all lanes read", banks.reads);
  add("registers.writes", "rows", "registers of all lanes written",
      banks.writes);
  add("registers.conflicts", "cycles", "accesses waited for their bank",
      banks.conflictCycles);
  arithmetic.addTo(statistics);
}

Multiprocessor::~Multiprocessor() = default;

void Multiprocessor::record(const Recording &recording) {
  trace = recording.trace;
  if (trace)
    track = trace->addTrack(recording.core);
}

void Multiprocessor::addCounters(Statistics &statistics,
                                 const std::string &prefix) const {
  statistics.add(prefix + ".tiles", "tiles", "of core.tiles, on this core",
                 counters.tiles);
  statistics.add(prefix + ".busy_cycles", "cycles",
                 "of simt.cycles, on this core", counters.busyCycles);
}

//===----------------------------------------------------------------------===//
// What instructions need
//===----------------------------------------------------------------------===//

Multiprocessor::Timing
Multiprocessor::timingOf(const Kernel &kernel,
                         const Instruction &instruction) const {
  Timing timing{};
  uint32_t wide = kernel.registers[0];
  // The first row of the register file of a register; class c has none.
  auto addRows = [&](RegisterClass kind, uint32_t number,
                     std::vector<uint16_t> &rows) {
    if (kind == RegisterClass::s)
      rows.push_back(static_cast<uint16_t>(number));
    if (kind == RegisterClass::d)
      for (uint32_t half : {0u, 1u})
        rows.push_back(static_cast<uint16_t>(wide + 2 * number + half));
  };
  auto addRegister = [&](RegisterClass kind, uint32_t number) {
    uint32_t row = number;
    for (unsigned before = 0; before != static_cast<unsigned>(kind); ++before)
      row += kernel.registers[before];
    timing.registers.push_back(static_cast<uint16_t>(row));
  };
  auto addSource = [&](const Operand &operand, Type type) {
    if (operand.kind != Operand::Kind::reg)
      return;
    RegisterClass kind = classOfBits(bitsOf(type));
    addRows(kind, operand.number, timing.sources);
    addRegister(kind, operand.number);
  };
  const Operation *operation = instruction.operation;
  timing.latency = operations.intAdd;
  if (!operation) {
    timing.unit = Unit::control;
    if (instruction.isConditional)
      addSource(instruction.operands[0], Type::i1);
    return timing;
  }
  for (unsigned i = 0; i != operation->operands; ++i)
    addSource(instruction.operands[i], operandType(*operation, i));
  if (instruction.result != kNone) {
    RegisterClass kind = classOfBits(operation->resultBits);
    addRows(kind, instruction.result, timing.results);
    addRegister(kind, instruction.result);
  }
  timing.arithmetic = operation->arithmetic();
  timing.bytes = operation->bytes;
  timing.unit = operation->unit == UnitKind::loadStore       ? Unit::loadStore
                : operation->unit == UnitKind::special       ? Unit::special
                : timing.arithmetic >= Arithmetic::doubleAdd ? Unit::doubleLanes
                                                             : Unit::lanes;
  // Moves go through the same pipeline as additions.
  if (timing.arithmetic != Arithmetic::none)
    timing.latency = operation->latency(operations);
  return timing;
}

const std::vector<Multiprocessor::Timing> &
Multiprocessor::timingsOf(const Code &code) {
  auto [found, isNew] = known.try_emplace(&code);
  if (isNew)
    for (const Instruction &instruction : code.kernel().instructions)
      found->second.push_back(timingOf(code.kernel(), instruction));
  return found->second;
}

//===----------------------------------------------------------------------===//
// Tiles and warps
//===----------------------------------------------------------------------===//

/// As many warps as have room for their registers, and for the memory of their groups.
/// If not even one has, that memory is behind L1.
uint32_t Multiprocessor::residentWarps() {
  const Kernel &kernel = tile->code().kernel();
  uint32_t most = mostWarps(kernel.registerWords(), parameters);
  hasScratchpad = false;
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
    hasScratchpad = places != 0;
    if (hasScratchpad)
      groups = static_cast<uint32_t>(std::min<uint64_t>(groups, places));
  }
  uint32_t sets = std::max(groups / ofWarp, 1u);
  return std::min(most / together, sets) * together;
}

void Multiprocessor::start(Tile &newTile) {
  assert(isIdle());
  auto &own = static_cast<SimtTile &>(newTile);
  bool isNew = !own.hasYielded;
  beginnings = own.begin(parameters.lanes);
  tile = &own;
  Code &code = tile->code();
  ++code.counters.runs;
  timings = &timingsOf(code);
  context = {&code, tile, tile->registers.data()};
  memory.setPrivateWindow(tile->privateMemory);
  ++counters.tiles;
  counters.threads += isNew ? tile->threads : 0;
  resident = residentWarps();
  begun = 0;
  for (Scheduler &scheduler : schedulers) {
    scheduler.order.clear();
    scheduler.last = kNone;
  }
  begin = lastTick = engine.coreCycle();
  fill();
  engine.wake(*this);
}

void Multiprocessor::flush() {
  assert(isIdle());
  memory.flush();
}

/// The next warps of the tile take free slots: all those that wait for each other at
/// once.
void Multiprocessor::fill() {
  uint32_t together = tile->groups.warpsTogether();
  std::vector<uint32_t> free;
  for (uint32_t index = 0; index != resident; ++index)
    if (!slots[index].warp)
      free.push_back(index);
  for (size_t next = 0; begun != beginnings.size();) {
    uint32_t set = beginnings[begun].warp / together;
    size_t behind = begun;
    while (behind != beginnings.size() &&
           beginnings[behind].warp / together == set)
      ++behind;
    if (behind - begun > free.size() - next)
      return;
    while (begun != behind)
      beginWarp(free[next++]);
  }
}

void Multiprocessor::beginWarp(uint32_t index) {
  const SimtTile::Beginning &beginning = beginnings[begun++];
  Slot &slot = slots[index];
  slot.warp = std::make_unique<Warp>(context, beginning.warp, parameters);
  beginning.addTo(*slot.warp);
  slot.pending.assign(tile->code().rows(), 0);
  slot.readyAt = 0;
  slot.waits = slot.isCalling = false;
  slot.blockedSince = engine.coreCycle();
  schedulers[index % schedulers.size()].order.push_back(index);
}

/// A warp has ended, but for what is under way.
void Multiprocessor::retire(uint32_t index) {
  Slot &slot = slots[index];
  if (slot.underWay || !slot.warp->isDone())
    return;
  vacate(index);
}

/// Another warp may have the slot.
void Multiprocessor::vacate(uint32_t index) {
  Slot &slot = slots[index];
  tile->keep(*slot.warp);
  counters.separations += slot.warp->separations;
  slot.warp = nullptr;
  Scheduler &scheduler = schedulers[index % schedulers.size()];
  std::erase(scheduler.order, index);
  if (scheduler.last == index)
    scheduler.last = kNone;
  fill();
}

/// Lanes whose barrier is complete go on, of this warp and of others.
void Multiprocessor::release(uint32_t index, const Warp::Executed &executed,
                             uint64_t cycle, uint64_t done) {
  Slot &slot = slots[index];
  uint64_t before = tile->groups.barriers;
  for (const WorkGroups::Released &released :
       tile->groups.note(slot.warp->number, executed)) {
    auto other = std::find_if(slots.begin(), slots.end(), [&](const Slot &one) {
      return one.warp && one.warp->number == released.warp;
    });
    if (other->isBlocked() && &*other != &slot)
      counters.barrierCycles += cycle - other->blockedSince;
    other->warp->release(released.lanes);
    other->readyAt = std::max(other->readyAt, done);
    other->waits = false;
  }
  counters.barriers += tile->groups.barriers - before;
  slot.warp->settle();
  if (slot.isBlocked())
    slot.blockedSince = cycle;
}

/// If all warps wait at barriers, it is for threads that have yielded: their groups go
/// on in another run of the tile, and leave their slots to other warps.
bool Multiprocessor::evict(uint64_t cycle) {
  std::vector<uint32_t> leaving;
  for (const Scheduler &scheduler : schedulers)
    for (uint32_t index : scheduler.order) {
      const Slot &slot = slots[index];
      if (!slot.isBlocked() || slot.underWay)
        return false;
      if (tile->groups.hasYielded(slot.warp->number))
        leaving.push_back(index);
    }
  for (uint32_t index : leaving) {
    counters.barrierCycles += cycle - slots[index].blockedSince;
    vacate(index);
  }
  return !leaving.empty();
}

void Multiprocessor::finishTile(uint64_t cycle) {
  counters.busyCycles += cycle - begin;
  tile->code().counters.cycles += cycle - begin;
  if (trace)
    trace->span(track, tile->kernel->header().name, begin, cycle,
                {{"threads", tile->threads}});
  tile->hasYielded = !tile->yielded.empty();
  tile = nullptr;
}

//===----------------------------------------------------------------------===//
// A cycle
//
//   1. Results that are due can be read, and what L1 and the host have done.
//   2. The load/store unit gives L1 one line.
//   3. Each scheduler that is free issues an instruction, if a warp is ready.
//   4. If no warp is left, or all wait at barriers for threads that have yielded, the
//      tile is finished.
//   5. If nothing moved, the core sleeps until a result is due or the memory
//      wakes it.
//===----------------------------------------------------------------------===//

Activity Multiprocessor::tick() {
  if (!tile) {
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
  moved |= advanceLoadStore(cycle);
  // 3.
  moved |= issue(cycle);
  // 4.
  if (!moved && !tile->groups.isEmpty())
    moved |= evict(cycle);
  bool isBusy = !loadStore.empty();
  for (const Scheduler &scheduler : schedulers)
    isBusy |= !scheduler.order.empty();
  if (!isBusy) {
    finishTile(cycle);
    if (client && isIdle())
      engine.wake(*client);
    return Activity::asleep;
  }
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
    tile->code().counters.stalled[scheduler.stalledAt]
                                 [static_cast<size_t>(scheduler.stall) -
                                  static_cast<size_t>(Stall::result)] += cycles;
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
    banks.write(cycle, slot.warp->number, timing.results);
  }
  slot.waits = false;
  --slot.underWay;
  retire(index);
}

bool Multiprocessor::takeCompletions(uint64_t cycle) {
  std::span<const Completion> done = memory.completions();
  for (Completion one : done)
    finishAccess(one.requester, cycle);
  // Lines have come, so that what was refused may be taken.
  isRefused = false;
  bool moved = !done.empty();
  while (!scratchpad.empty() && scratchpad.front().first <= cycle) {
    uint32_t instruction = scratchpad.front().second;
    scratchpad.pop();
    finishAccess(instruction, cycle);
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
    slot.waits = false;
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
    bool issued = scheduler.last != kNone && tryIssue(scheduler.last);
    for (size_t i = 0; !issued && i != scheduler.order.size(); ++i)
      issued =
          scheduler.order[i] != scheduler.last && tryIssue(scheduler.order[i]);
    if (!issued) {
      auto oldest = std::find_if(
          scheduler.order.begin(), scheduler.order.end(),
          [&](uint32_t slot) { return slots[slot].warp->isRunning(); });
      scheduler.stalledAt = oldest == scheduler.order.end()
                                ? kNone
                                : slots[*oldest].warp->running().back().pc;
      countStall(scheduler, 1);
    }
    moved |= issued;
  }
  return moved;
}

/// Why the warp's next instruction cannot be issued.
Multiprocessor::Stall Multiprocessor::check(uint32_t index, uint64_t cycle) {
  Slot &slot = slots[index];
  if (slot.waits || slot.isCalling || slot.readyAt > cycle)
    return Stall::result;
  if (!slot.warp->isRunning()) {
    slot.waits = slot.warp->isDone();
    return slot.waits ? Stall::result : Stall::barrier;
  }
  const Timing &timing = (*timings)[slot.warp->next().pc];
  for (uint16_t row : timing.registers)
    if (slot.pending[row]) {
      slot.waits = true;
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
  const Timing &timing = (*timings)[split.pc];
  const CodeInstruction &instruction = context.code->instructions()[split.pc];
  auto lanes = static_cast<uint32_t>(std::popcount(split.lanes));
  ++counters.instructions;
  ++tile->code().counters.executed[split.pc];
  counters.laneOperations += lanes;
  arithmetic.count(timing.arithmetic, lanes);
  uint64_t collected = banks.read(cycle, slot.warp->number, timing.sources);
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
  Warp::Executed executed = slot.warp->step();
  release(index, executed, cycle, done);
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

void Multiprocessor::explain(std::string &text) const {
  if (!tile)
    return;
  text += "  SM: kernel '" + tile->kernel->header().name + "'\n";
  for (uint32_t index = 0; index != slots.size(); ++index) {
    const Slot &slot = slots[index];
    if (!slot.warp || slot.warp->isDone())
      continue;
    const auto &where =
        slot.isBlocked() ? slot.warp->waitingAtBarrier() : slot.warp->running();
    text += "  warp " + std::to_string(slot.warp->number) + " at instruction " +
            std::to_string(where.front().pc) +
            (slot.isBlocked() ? ": waits at a barrier\n"
             : slot.isCalling ? ": waits for the host\n"
             : slot.waits     ? ": waits for a result\n"
                              : ": is ready\n");
  }
}

} // namespace chansim::simt
