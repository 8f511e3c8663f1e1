//===- AggregatorCore.cpp - The timing of the aggregator ------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain of additions in a core of width 1, whose line is in the front end:
//
//   cycle           0         1         2         3         4
//   addi a0,a0,1    fetch     dispatch  issue     commit
//   addi a0,a0,1              fetch     dispatch  issue     commit
//
//===----------------------------------------------------------------------===//

#include "aggregator/AggregatorCore.h"
#include "results/Statistics.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

namespace chansim::aggregator {

AggregatorCore::AggregatorCore(const Machine &machine, Engine &engine,
                               MemoryPort &data, MemoryPort &instructions,
                               Device &device, Statistics &statistics)
    : engine(engine), parameters(machine.aggregatorCore),
      clock(engine.clock(machine.clockOf.aggregator)), data(data),
      instructions(instructions), loadRequester(data), storeRequester(data),
      fetchRequester(instructions), device(device),
      frontEnd(parameters.width, parameters.l1i.lineBytes, instructions),
      entries(parameters.robEntries),
      links(size_t(parameters.robEntries) * kSources),
      storeQueue(parameters.storeEntries) {
  engine.add(*this, clock);
  data.setConsumer(*this);
  instructions.setConsumer(*this);
  addCounters(statistics);
}

void AggregatorCore::addCounters(Statistics &statistics) {
  auto add = [&](const char *name, const char *unit, const char *description,
                 const uint64_t &counter) {
    statistics.add(std::string("aggregator.") + name, unit, description,
                   counter);
  };
  add("cycles", "cycles", "cycles of the aggregator in which its program ran",
      counters.cycles);
  add("instructions", "instructions",
      "instructions of the aggregator's program", counters.instructions);
  statistics.addRatio("aggregator.ipc", "instructions/cycle",
                      "instructions of the aggregator in a cycle of it",
                      counters.instructions, counters.cycles);
  add("loads", "instructions", "loads from memory", counters.loads);
  add("stores", "instructions", "stores to memory", counters.stores);
  add("atomics", "instructions", "LR, SC and AMO", counters.atomics);
  add("forwarded_loads", "instructions", "loads that read a store's data",
      counters.forwarded);
  add("branches", "instructions", "branches and jumps", counters.branches);
  add("mispredictions", "instructions", "branches that were predicted wrongly",
      counters.mispredictions);
  add("fetched_lines", "lines", "lines that were asked of L1I", frontEnd.lines);
  add("device_reads", "accesses", "reads of the dispatcher's registers",
      counters.deviceReads);
  add("device_writes", "accesses", "writes of the dispatcher's registers",
      counters.deviceWrites);
  auto addStall = [&](Stall why, const char *name, const char *description) {
    add(name, "cycles", description, counters.stalls[static_cast<size_t>(why)]);
  };
  addStall(Stall::fetch, "stall_fetch",
           "cycles without dispatch: no instruction was fetched");
  addStall(Stall::rob, "stall_rob",
           "cycles without dispatch: the reorder buffer was full");
  addStall(Stall::queue, "stall_queue",
           "cycles without dispatch: the issue queue was full");
  addStall(Stall::registers, "stall_registers",
           "cycles without dispatch: no physical register was free");
  addStall(Stall::memoryQueue, "stall_memory_queue",
           "cycles without dispatch: the load or store queue was full");
  addStall(
      Stall::device, "stall_device",
      "cycles without dispatch: a read of the dispatcher waited for writes");
  add("memory_at_head", "cycles",
      "cycles without commit: the oldest instruction waited for memory",
      counters.memoryAtHead);
}

//===----------------------------------------------------------------------===//
// Start and end
//===----------------------------------------------------------------------===//

void AggregatorCore::load(Firmware loaded) {
  if (running)
    throw std::logic_error("the aggregator's program was loaded while it ran");
  if (firmware)
    for (const Region &region : firmware->regions())
      regions.remove(region.base);
  firmware = std::move(loaded);
  for (const Region &region : firmware->regions())
    regions.add(region);
  hart.emplace(*firmware, regions, device);
}

void AggregatorCore::start(std::span<const uint64_t> arguments) {
  if (running || !hart)
    throw std::logic_error(running ? "the aggregator's program was started "
                                     "while it ran"
                                   : "the aggregator has no program");
  hart->reset(arguments);
  ++runNumber;
  frontEnd.start(*hart, *firmware, runNumber);
  running = true;
  lastCycle.reset();
  lastEffect = counters.instructions;
  // 0 is no instruction, and no store.
  head = tail = 1;
  storeBegin = storeCommitted = storeEnd = 1;
  writers.fill(0);
  barrier = 0;
  ready.clear();
  queued = renamed = loads = stores = 0;
  dividerFreeAt = 0;
  deviceWrites.clear();
  wrongBranch.reset();
  stall = Stall::none;
  isHeadWaiting = false;
  phase = Phase::fetch;
  engine.wake(*this);
}

void AggregatorCore::stop() { running = false; }

bool AggregatorCore::isDrained() const {
  return head == tail && storeBegin == storeEnd && deviceWrites.empty();
}

//===----------------------------------------------------------------------===//
// A cycle
//
// Later stages come first, so that each instruction spends a cycle in each.
//===----------------------------------------------------------------------===//

Activity AggregatorCore::tick() {
  if (!running)
    return Activity::asleep;
  cycle = clock.cycle(engine.now());
  chargeSleep();
  bool moved = takeCompletions();
  moved |= writeDevice();
  if (!running)
    // The device has stopped it.
    return Activity::asleep;
  if (parameters.isPipelined) {
    moved |= commit();
    moved |= issue();
    moved |= drainStores();
    moved |= dispatch();
    moved |= frontEnd.fetch(cycle);
  } else {
    moved |= tickSimple();
  }
  ++counters.cycles;
  ++counters.stalls[static_cast<size_t>(stall)];
  counters.memoryAtHead += isHeadWaiting;
  if (hart->hasEnded() && isDrained() && phase == Phase::fetch) {
    running = false;
    return Activity::asleep;
  }
  return rest(moved);
}

/// Nothing has changed in the cycles for which it slept.
void AggregatorCore::chargeSleep() {
  uint64_t slept = lastCycle ? cycle - *lastCycle - 1 : 0;
  counters.cycles += slept;
  counters.stalls[static_cast<size_t>(stall)] += slept;
  counters.memoryAtHead += isHeadWaiting ? slept : 0;
  lastCycle = cycle;
}

Activity AggregatorCore::rest(bool moved) {
  if (moved)
    return isQuiet() ? Activity::waiting : Activity::moved;
  uint64_t next = nextCycle();
  if (next == kNever)
    return Activity::asleep;
  // The engine takes a wait for a time as movement.
  if (next <= cycle + 1 || isQuiet())
    return Activity::waiting;
  engine.wakeAt(*this, clock.ticks(next));
  return Activity::asleep;
}

/// When something can change, if nothing has in this cycle, and the memory does not call;
/// kNever if it must.
uint64_t AggregatorCore::nextCycle() const {
  uint64_t next = kNever;
  auto consider = [&](uint64_t at) {
    if (at > cycle)
      next = std::min(next, at);
  };
  if (loadRequester.mustTryAgain(cycle) || storeRequester.mustTryAgain(cycle) ||
      fetchRequester.mustTryAgain(cycle))
    return cycle + 1;
  if (!deviceWrites.empty())
    consider(deviceWrites.front().effectAt);
  if (!parameters.isPipelined) {
    if (phase == Phase::busy)
      consider(busyUntil);
    return next;
  }
  for (uint64_t number : ready) {
    const Entry &entry = at(number);
    consider(entry.readyAt);
    if (entry.instruction->group == Group::divide)
      consider(dividerFreeAt);
  }
  if (head != tail)
    consider(at(head).doneAt);
  consider(frontEnd.nextCycle(cycle));
  return next;
}

bool AggregatorCore::takeCompletions() {
  bool moved = false;
  for (const Completion &completion : data.completions()) {
    if (completion.requester != runNumber)
      continue;
    moved = true;
    if (!parameters.isPipelined) {
      phase = Phase::busy;
      busyUntil = cycle;
      continue;
    }
    // The number that is in the reorder buffer and has this place.
    uint64_t size = entries.size();
    uint64_t number = head + (completion.tag + size - head % size) % size;
    finish(number, cycle);
  }
  if (parameters.isPipelined)
    return frontEnd.takeCompletions() || moved;
  for (const Completion &completion : instructions.completions())
    if (completion.requester == runNumber) {
      moved = true;
      executeSimple();
    }
  return moved;
}

bool AggregatorCore::writeDevice() {
  bool moved = false;
  while (running && !deviceWrites.empty() &&
         deviceWrites.front().effectAt <= cycle) {
    DeviceWrite write = deviceWrites.front();
    deviceWrites.pop_front();
    --stores;
    lastEffect = counters.instructions;
    moved = true;
    device.write(write.address, write.value, write.bytes);
  }
  return moved;
}

//===----------------------------------------------------------------------===//
// Commit, and what follows it
//===----------------------------------------------------------------------===//

bool AggregatorCore::commit() {
  uint32_t count = 0;
  for (; count != parameters.width && head != tail && at(head).doneAt <= cycle;
       ++count) {
    retire(at(head));
    ++head;
  }
  counters.instructions += count;
  isHeadWaiting =
      count == 0 && head != tail && at(head).instruction->isMemory();
  return count != 0;
}

void AggregatorCore::retire(Entry &entry) {
  const Instruction &instruction = *entry.instruction;
  renamed -= instruction.rd != 0;
  if (instruction.group != Group::store) {
    loads -= instruction.isMemory();
    return;
  }
  if (!entry.isDevice) {
    ++storeCommitted;
    return;
  }
  auto write =
      std::ranges::find(deviceWrites, kUnknown, &DeviceWrite::effectAt);
  assert(write != deviceWrites.end());
  write->effectAt = cycle + parameters.deviceCycles;
}

bool AggregatorCore::drainStores() {
  if (storeBegin == storeCommitted)
    return false;
  const Store &store = storeQueue[storeBegin % storeQueue.size()];
  Request request{};
  request.address = store.address;
  request.bytes = store.bytes;
  request.access = Access::write;
  request.via = Via::l1;
  request.isPosted = true;
  if (!storeRequester.tryAccess(request, cycle))
    return false;
  ++storeBegin;
  --stores;
  return true;
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

/// The oldest instructions that can begin.
bool AggregatorCore::issue() {
  isRefused = false;
  uint32_t count = 0;
  for (size_t index = 0; index != ready.size() && count != parameters.width;) {
    uint64_t number = ready[index];
    if (at(number).readyAt > cycle || !tryIssue(number)) {
      ++index;
      continue;
    }
    // What has become ready by this is younger, and thus behind it.
    ready.erase(ready.begin() + static_cast<ptrdiff_t>(index));
    --queued;
    ++count;
  }
  return count != 0;
}

bool AggregatorCore::tryIssue(uint64_t number) {
  Entry &entry = at(number);
  switch (entry.instruction->group) {
  case Group::multiply:
    finish(number, cycle + kMultiplyCycles);
    return true;
  case Group::divide:
    if (dividerFreeAt > cycle)
      return false;
    dividerFreeAt = cycle + kDivideCycles;
    finish(number, dividerFreeAt);
    return true;
  case Group::load:
    return tryLoad(entry, number);
  case Group::loadReserved:
  case Group::storeConditional:
  case Group::atomic:
  case Group::fence:
    return tryAtHead(entry, number);
  default:
    finish(number, cycle + kAluCycles);
    return true;
  }
}

bool AggregatorCore::tryLoad(Entry &entry, uint64_t number) {
  if (entry.isDevice) {
    finish(number, cycle + parameters.deviceCycles);
    return true;
  }
  if (entry.store >= storeBegin) {
    // The store has not left.
    if (!entry.isForwarded)
      return false;
    ++counters.forwarded;
    finish(number, cycle + kForwardCycles);
    return true;
  }
  return ask(entry, number, Access::read);
}

bool AggregatorCore::tryAtHead(Entry &entry, uint64_t number) {
  if (number != head)
    return false;
  const Instruction &instruction = *entry.instruction;
  bool isFence = instruction.group == Group::fence;
  bool mustDrain = !isFence || instruction.fencesStores();
  bool isWriting =
      !deviceWrites.empty() && deviceWrites.front().effectAt != kUnknown;
  if (mustDrain && (storeBegin != storeCommitted || isWriting))
    return false;
  if (isFence || entry.isFailed) {
    finish(number, cycle + kAluCycles);
    return true;
  }
  return ask(entry, number,
             instruction.group == Group::loadReserved ? Access::read
                                                      : Access::atomic);
}

bool AggregatorCore::ask(Entry &entry, uint64_t number, Access access) {
  if (isRefused)
    return false;
  Request request = requestOf(entry, access);
  request.tag = static_cast<uint32_t>(number % entries.size());
  isRefused = !loadRequester.tryAccess(request, cycle);
  return !isRefused;
}

Request AggregatorCore::requestOf(const Entry &entry, Access access) const {
  Request request{};
  request.address = entry.address;
  request.bytes = entry.instruction->bytes;
  request.access = access;
  request.via = Via::l1;
  request.requester = runNumber;
  return request;
}

/// The result is there at `doneAt`, or will be.
void AggregatorCore::finish(uint64_t number, uint64_t doneAt) {
  Entry &entry = at(number);
  entry.doneAt = doneAt;
  uint64_t size = entries.size();
  for (uint32_t link = entry.dependents; link != kNoLink; link = links[link]) {
    Entry &dependent = entries[link / kSources];
    dependent.readyAt = std::max(dependent.readyAt, doneAt);
    if (--dependent.waits)
      continue;
    uint64_t waiting = head + (link / kSources + size - head % size) % size;
    ready.insert(std::ranges::lower_bound(ready, waiting), waiting);
  }
  entry.dependents = kNoLink;
  if (wrongBranch == number) {
    wrongBranch.reset();
    uint64_t penalty = std::max(parameters.mispredictCycles, 1u);
    // What is fetched can be dispatched one cycle later.
    frontEnd.redirect(hart->pc(), doneAt, doneAt + penalty - 1);
  }
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool AggregatorCore::dispatch() {
  uint32_t count = 0;
  stall = Stall::none;
  while (count != parameters.width && !hart->hasEnded()) {
    if (frontEnd.isEmpty()) {
      if (!wrongBranch && !hart->at(hart->pc()))
        hart->step(); // which throws
      stall = Stall::fetch;
      break;
    }
    FrontEnd::Fetched fetched = frontEnd.front();
    assert(fetched.pc == hart->pc());
    stall = whyNot(*fetched.instruction);
    if (stall != Stall::none)
      break;
    frontEnd.pop();
    dispatchOne(*fetched.instruction, fetched.next);
    ++count;
  }
  if (count)
    stall = Stall::none;
  return count != 0;
}

AggregatorCore::Stall
AggregatorCore::whyNot(const Instruction &instruction) const {
  if (tail - head == entries.size())
    return Stall::rob;
  if (queued == parameters.queueEntries)
    return Stall::queue;
  if (instruction.rd && renamed == parameters.registers - 32)
    return Stall::registers;
  if (instruction.group == Group::store) {
    if (stores == parameters.storeEntries)
      return Stall::memoryQueue;
  } else if (instruction.isMemory() && loads == parameters.loadEntries) {
    return Stall::memoryQueue;
  }
  if (instruction.group == Group::load && !deviceWrites.empty() &&
      hart->readsDevice())
    return Stall::device;
  return Stall::none;
}

void AggregatorCore::dispatchOne(const Instruction &instruction,
                                 uint64_t predicted) {
  const Executed &executed = hart->step();
  uint64_t number = tail++;
  Entry &entry = at(number);
  entry = {};
  entry.instruction = &instruction;
  entry.pc = executed.pc;
  entry.address = executed.address;
  entry.readyAt = cycle + 1;
  entry.doneAt = kUnknown;
  entry.dependents = kNoLink;
  entry.isDevice = executed.isDevice;
  entry.isFailed = executed.isFailed;
  waitFor(number, 0, writers[instruction.rs1]);
  waitFor(number, 1, writers[instruction.rs2]);
  if (instruction.rd) {
    writers[instruction.rd] = number;
    ++renamed;
  }
  if (instruction.isMemory())
    enterMemory(entry, number, executed);
  if (instruction.group == Group::fence || instruction.acquires)
    barrier = number;
  ++queued;
  if (entry.waits == 0)
    ready.push_back(number);
  countExecuted(executed);
  if (!instruction.isControl())
    return;
  frontEnd.learn(executed);
  if (hart->hasEnded()) {
    frontEnd.stop();
  } else if (predicted != executed.next) {
    ++counters.mispredictions;
    wrongBranch = number;
    frontEnd.stop();
  }
}

void AggregatorCore::enterMemory(Entry &entry, uint64_t number,
                                 const Executed &executed) {
  const Instruction &instruction = *entry.instruction;
  if (instruction.group == Group::store) {
    ++stores;
    if (entry.isDevice) {
      deviceWrites.push_back(
          {executed.address, executed.value, instruction.bytes, kUnknown});
      return;
    }
    storeQueue[storeEnd++ % storeQueue.size()] = {executed.address,
                                                  instruction.bytes, number};
    return;
  }
  ++loads;
  if (instruction.isAtomic())
    // They begin when all before has ended.
    return;
  waitFor(number, 2, barrier);
  if (entry.isDevice)
    return;
  for (uint64_t index = storeEnd; index-- != storeBegin;) {
    const Store &store = storeQueue[index % storeQueue.size()];
    bool isApart = store.address + store.bytes <= executed.address ||
                   executed.address + instruction.bytes <= store.address;
    if (isApart)
      continue;
    entry.store = index;
    entry.isForwarded =
        store.address <= executed.address &&
        executed.address + instruction.bytes <= store.address + store.bytes;
    if (entry.isForwarded)
      waitFor(number, 3, store.entry);
    break;
  }
}

/// Has an instruction begin after another one, if that is still there.
void AggregatorCore::waitFor(uint64_t number, uint32_t source,
                             uint64_t producer) {
  if (producer < head)
    return;
  Entry &entry = at(number), &before = at(producer);
  if (before.doneAt != kUnknown) {
    entry.readyAt = std::max(entry.readyAt, before.doneAt);
    return;
  }
  auto link =
      static_cast<uint32_t>(number % entries.size() * kSources + source);
  links[link] = before.dependents;
  before.dependents = link;
  ++entry.waits;
}

void AggregatorCore::countExecuted(const Executed &executed) {
  const Instruction &instruction = *executed.instruction;
  if (executed.isShared)
    lastEffect = counters.instructions;
  if (instruction.isControl())
    ++counters.branches;
  else if (executed.isDevice)
    ++(instruction.group == Group::load ? counters.deviceReads
                                        : counters.deviceWrites);
  else if (instruction.group == Group::load)
    ++counters.loads;
  else if (instruction.group == Group::store)
    ++counters.stores;
  else if (instruction.isAtomic())
    ++counters.atomics;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void AggregatorCore::explain(std::string &text) const {
  if (!running)
    return;
  text += "  aggregator: the " + firmware->name() + " is at " +
          firmware->describe(hart->pc());
  const Entry *oldest = nullptr;
  if (parameters.isPipelined)
    oldest = head != tail ? &at(head) : nullptr;
  else if (phase == Phase::access || phase == Phase::accessing)
    oldest = &current;
  if (oldest) {
    text.append("; its oldest instruction, ")
        .append(mnemonic(oldest->instruction->op))
        .append(" at " + firmware->describe(oldest->pc) + ", waits");
    if (oldest->instruction->isMemory())
      text += " for " + std::to_string(oldest->instruction->bytes) +
              " bytes at " + hex(oldest->address) +
              (oldest->isDevice ? " of a device" : "");
  } else if (stall == Stall::fetch) {
    text += "; it waits for instructions";
  }
  if (storeBegin != storeEnd)
    text += "; " + std::to_string(storeEnd - storeBegin) +
            " stores wait for memory";
  text += isQuiet() ? "; it only polls\n" : "\n";
}

} // namespace chansim::aggregator
