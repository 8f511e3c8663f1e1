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
void Multiprocessor::divideAddresses() {
  scratchpadAddresses.clear();
  if (!hasScratchpad)
    return;
  std::erase_if(addresses, [&](uint64_t address) {
    bool isOwn = tile->isOfGroups(address);
    if (isOwn)
      scratchpadAddresses.push_back(address);
    return isOwn;
  });
}

void Multiprocessor::enterLoadStore(uint32_t index,
                                    const Warp::Executed &executed,
                                    const Timing &timing) {
  if (freeInstructions.empty()) {
    freeInstructions.push_back(static_cast<uint32_t>(instructions.size()));
    instructions.emplace_back();
  }
  uint32_t number = freeInstructions.back();
  freeInstructions.pop_back();
  MemoryInstruction &entry = instructions[number];
  Action action = executed.instruction->action;
  addresses = slots[index].warp->addresses();
  entry.slot = index;
  entry.row = executed.instruction->result;
  entry.timing = &timing;
  entry.access = action == Action::load    ? Access::read
                 : action == Action::store ? Access::write
                                           : Access::atomic;
  entry.isPosted = action == Action::store;
  entry.lines.clear();
  entry.addresses.clear();
  entry.next = 0;
  if (action != Action::heapCall)
    divideAddresses();
  else
    scratchpadAddresses.clear();
  entry.turns = 0;
  if (!scratchpadAddresses.empty()) {
    entry.turns = entry.access == Access::atomic
                      ? static_cast<uint32_t>(scratchpadAddresses.size())
                      : scratchpadTurns(scratchpadAddresses, timing.bytes,
                                        parameters.scratchpadBanks);
    ++counters.scratchpadInstructions;
    counters.scratchpadTurns += entry.turns;
  }
  if (entry.access == Access::atomic) {
    entry.addresses = addresses;
    if (action == Action::heapCall) {
      entry.addresses.assign(addresses.size(), kHeapWord);
      counters.heapCalls += addresses.size();
    }
    counters.atomics += addresses.size();
  } else {
    for (uint64_t &address : addresses)
      address = memory.place(address, timing.bytes);
    coalesce(addresses, timing.bytes, lineBytes, entry.lines);
    counters.memoryInstructions += !addresses.empty();
    counters.lines += entry.lines.size();
  }
  entry.left = static_cast<uint32_t>(entry.accesses()) + (entry.turns ? 1 : 0);
  Slot &slot = slots[index];
  if (!entry.isPosted) {
    ++slot.underWay;
    if (entry.row != kNone)
      ++slot.pending[entry.row];
  }
  loadStore.push(number);
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
  if (entry.access == Access::atomic) {
    request.address = entry.addresses[entry.next];
    request.bytes = std::max(entry.timing->bytes, 1u);
  } else {
    const LineAccess &line = entry.lines[entry.next];
    request.address = line.line;
    request.bytes = lineBytes;
    request.isPlaced = true;
    request.written = line.mask;
  }
  if (memory.tryAccess(request) != Taken::yes) {
    isRefused = true;
    return false;
  }
  // The lanes of the unit give an address each in a cycle.
  loadStoreFreeAt =
      cycle +
      (entry.access == Access::atomic
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

void Multiprocessor::finishAccess(uint32_t index, uint64_t cycle) {
  MemoryInstruction &instruction = instructions[index];
  if (--instruction.left)
    return;
  freeInstructions.push_back(index);
  deliver(instruction.slot, *instruction.timing, instruction.row, cycle);
}

} // namespace chansim::simt
