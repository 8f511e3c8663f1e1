//===- LoadStoreUnit.cpp - Loads and stores of a timed SIMT core ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Multiprocessor that gives accesses to the scratchpad and to L1.
// Instructions enter in order.  The first one takes its turns of the scratchpad, and
// then gives L1 a line in each cycle.
//
//===----------------------------------------------------------------------===//

#include "simt/Multiprocessor.h"
#include "simt/Scratchpad.h"

#include <algorithm>
#include <utility>

namespace chansim::simt {

namespace {
/// The word of the heap on which heap calls are atomic operations, as in VGIW.
constexpr uint64_t kHeapWord = 64;
} // namespace

//===----------------------------------------------------------------------===//
// Instructions that enter
//===----------------------------------------------------------------------===//

/// Addresses in the memory of work-groups are the scratchpad's.
void Multiprocessor::divideAddresses(MemoryInstruction &entry) {
  scratchpadAddresses.clear();
  if (!entry.resident->hasScratchpad)
    return;
  const SimtTile &tile = *entry.resident->tile;
  std::erase_if(addresses, [&](uint64_t address) {
    bool isOwn = tile.isOfGroups(address);
    if (isOwn)
      scratchpadAddresses.push_back(address);
    return isOwn;
  });
  std::erase_if(entry.collected, [&](const Warp::Collected &one) {
    bool isOwn = tile.isOfGroups(one.operands[0]);
    if (isOwn)
      entry.collectedHere.push_back(one);
    return isOwn;
  });
}

/// An empty one, with its number at the end of the queue.
uint32_t Multiprocessor::addMemoryInstruction(uint32_t index) {
  if (freeInstructions.empty()) {
    freeInstructions.push_back(static_cast<uint32_t>(instructions.size()));
    instructions.emplace_back();
  }
  uint32_t number = freeInstructions.back();
  freeInstructions.pop_back();
  MemoryInstruction &entry = instructions[number];
  entry.slot = index;
  entry.row = kNone;
  entry.resident = slots[index].resident;
  entry.timing = nullptr;
  entry.instruction = nullptr;
  entry.isPosted = entry.blocks = entry.loadsLate = false;
  entry.order = Order::plain;
  entry.lines.clear();
  entry.addresses.clear();
  entry.collected.clear();
  entry.collectedHere.clear();
  entry.turns = 0;
  entry.next = 0;
  loadStore.push(number);
  return number;
}

void Multiprocessor::enterLoadStore(uint32_t index,
                                    const Warp::Executed &executed,
                                    const Timing &timing) {
  Slot &slot = slots[index];
  MemoryInstruction &entry = instructions[addMemoryInstruction(index)];
  Action action = executed.instruction->action;
  addresses = slot.warp->addresses();
  entry.collected = slot.warp->collected();
  entry.instruction = executed.instruction;
  entry.row = executed.instruction->result;
  entry.timing = &timing;
  entry.access = action == Action::load    ? Access::read
                 : action == Action::store ? Access::write
                                           : Access::atomic;
  if (isCombining) {
    entry.order = executed.instruction->order;
    entry.loadsLate = action == Action::load && entry.order != Order::plain;
    if (releases(entry.order))
      slot.hasStored = false;
    slot.hasStored |= action == Action::store && entry.order == Order::plain;
  }
  entry.blocks =
      isApu && (entry.access == Access::atomic || acquires(entry.order));
  // A wavefront of kind `apu` must know when its stores are done.
  entry.isPosted = action == Action::store && !isApu;
  if (action != Action::heapCall)
    divideAddresses(entry);
  else
    scratchpadAddresses.clear();
  if (!scratchpadAddresses.empty()) {
    entry.turns = entry.access == Access::atomic
                      ? static_cast<uint32_t>(scratchpadAddresses.size())
                      : scratchpadTurns(scratchpadAddresses, timing.bytes,
                                        parameters.scratchpadBanks);
    ++counters.scratchpadInstructions;
    counters.scratchpadTurns += entry.turns;
  }
  for (uint64_t &address : addresses)
    address = memory.place(address, std::max(timing.bytes, 1u),
                           entry.resident->window());
  if (entry.access == Access::atomic) {
    entry.addresses = addresses;
    if (action == Action::heapCall) {
      entry.addresses.assign(addresses.size(), kHeapWord);
      counters.heapCalls += addresses.size();
    }
    counters.atomics += addresses.size();
  } else {
    (isCombining ? coalesceBytes : coalesce)(addresses, timing.bytes, lineBytes,
                                             entry.lines);
    counters.memoryInstructions += !addresses.empty();
    counters.lines += entry.lines.size();
  }
  entry.left = static_cast<uint32_t>(entry.accesses()) + (entry.turns ? 1 : 0);
  if (!entry.isPosted) {
    ++slot.underWay;
    if (entry.row != kNone)
      ++slot.pending[entry.row];
    slot.atomics += entry.blocks;
    ++slot.accesses;
  }
}

bool Multiprocessor::advanceLoadStore(uint64_t cycle) {
  if (loadStore.empty() || loadStoreFreeAt > cycle || isRefused)
    return false;
  uint32_t number = loadStore.front();
  MemoryInstruction &entry = instructions[number];
  if (entry.turns) {
    useScratchpad(number, cycle);
    return true;
  }
  Request request{};
  request.access = entry.access;
  request.via = Via::l1;
  request.requester = number;
  request.isPosted = entry.isPosted;
  request.isPlaced = true;
  request.order = entry.order;
  if (entry.access == Access::fence) {
    request.bytes = 0;
  } else if (entry.access == Access::atomic) {
    request.tag = static_cast<uint32_t>(entry.next);
    request.address = entry.addresses[entry.next];
    request.bytes = std::max(entry.timing->bytes, 1u);
  } else {
    const LineAccess &line = entry.lines[entry.next];
    request.address = line.line;
    request.bytes = lineBytes;
    request.written = line.mask;
  }
  const PrivateWindow *own = entry.resident->window();
  request.isPrivate = own && own->contains(request.address);
  Taken taken = memory.tryAccess(request);
  if (taken == Taken::bankConflict) {
    // Of which the memory does not tell when it is over.
    loadStoreFreeAt = cycle + 1;
    return false;
  }
  if (taken != Taken::yes) {
    isRefused = true;
    return false;
  }
  // The lanes of the unit give an address each in a cycle.
  loadStoreFreeAt =
      cycle +
      (entry.access == Access::atomic || entry.access == Access::fence
           ? 1
           : std::max(parameters.lanes / parameters.loadStoreLanes, 1u));
  if (++entry.next == entry.accesses())
    leaveLoadStore(number);
  return true;
}

/// A turn takes as long as a line.
void Multiprocessor::useScratchpad(uint32_t number, uint64_t cycle) {
  MemoryInstruction &entry = instructions[number];
  uint64_t each = std::max(parameters.lanes / parameters.loadStoreLanes, 1u);
  uint64_t last = cycle + (std::exchange(entry.turns, 0) - 1) * each;
  loadStoreFreeAt = last + each;
  if (!entry.isPosted)
    scratchpad.push({last + parameters.scratchpadCycles, number});
  if (entry.accesses() == 0)
    leaveLoadStore(number);
}

/// The first instruction has given away all its accesses.
void Multiprocessor::leaveLoadStore(uint32_t number) {
  loadStore.pop();
  if (instructions[number].isPosted)
    freeInstructions.push_back(number);
}

/// Where L1 combines stores: whether the instruction must wait because others are to see
/// what the wavefront did before.  Of a system call, the host is.
bool Multiprocessor::mustRelease(uint32_t index,
                                 const CodeInstruction &instruction) {
  Slot &slot = slots[index];
  bool isSystemCall = instruction.action == Action::syscall ||
                      (instruction.action == Action::heapCall && hostAllocates);
  if (!isSystemCall && !releases(instruction.order))
    return false;
  if (isSystemCall && slot.hasStored && !slot.accesses)
    addFence(index);
  return slot.accesses != 0 || slot.atomics != 0;
}

/// The wavefront waits until the L2 has its stores.
void Multiprocessor::addFence(uint32_t index) {
  Slot &slot = slots[index];
  slot.hasStored = false;
  ++slot.underWay;
  ++slot.atomics;
  MemoryInstruction &entry = instructions[addMemoryInstruction(index)];
  entry.access = Access::fence;
  entry.left = 1;
}

void Multiprocessor::finishFence(uint32_t index, uint64_t cycle) {
  Slot &slot = slots[index];
  --slot.atomics;
  waiting.remove(index);
  if (slot.phase != Phase::running)
    return finishContext(index, cycle);
  --slot.underWay;
  retire(index);
}

/// An access is done: of kind `apu`, an atomic operation has its effect now.
void Multiprocessor::finishAccess(uint32_t index, uint32_t tag,
                                  uint64_t cycle) {
  MemoryInstruction &entry = instructions[index];
  Slot &slot = slots[entry.slot];
  bool isCollected = isApu && entry.timing && entry.access == Access::atomic;
  if (isCollected && tag != kScratchpadTag)
    slot.warp->finish(*entry.instruction, entry.collected[tag]);
  else if (isCollected)
    for (const Warp::Collected &one : entry.collectedHere)
      slot.warp->finish(*entry.instruction, one);
  if (--entry.left)
    return;
  freeInstructions.push_back(index);
  if (entry.access == Access::fence)
    return finishFence(entry.slot, cycle);
  if (!entry.timing)
    return finishContext(entry.slot, cycle);
  if (entry.loadsLate)
    for (const auto *all : {&entry.collected, &entry.collectedHere})
      for (const Warp::Collected &one : *all)
        slot.warp->finish(*entry.instruction, one);
  slot.atomics -= entry.blocks;
  --slot.accesses;
  deliver(entry.slot, *entry.timing, entry.row, cycle);
}

} // namespace chansim::simt
