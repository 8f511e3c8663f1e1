//===- ContextSaves.cpp - Wavefronts that yield and go on -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Multiprocessor that moves the state of a wavefront of kind `apu`
// (ISCA 2014, section 6):
//
//   running -- yield --> leaving ----> saving --> recording --> publishing --> (in its
//                        (until what   (its       (an element   (control_tail  tile, off
//                        is under way  state)     of the channel of restarts)  the core)
//                        has ended)                                             |
//                                                                             start
//                                                                               v
//   running <----------- restoring <--------------------------------------- returning
//
// All this goes through the load/store unit and L1 as stores and loads of lines.  The
// model charges this time; the state itself is the Warp, which its tile keeps, and the
// dispatcher makes the restart when the wavefront has left.
//
//===----------------------------------------------------------------------===//

#include "chan/scheduler.h"
#include "simt/Multiprocessor.h"

#include <algorithm>

namespace chansim::simt {

/// Those that wait for it come to the load/store unit, if that has room.
bool Multiprocessor::moveContexts() {
  bool moved = false;
  moving.forEach([&](uint32_t index) {
    const Slot &slot = slots[index];
    if (!slot.warp || slot.phase == Phase::running)
      return moving.remove(index);
    if (slot.underWay || loadStore.size() >= parameters.loadStoreQueue)
      return;
    switch (slot.phase) {
    case Phase::leaving:
    case Phase::returning:
      moveContext(index, /*isSaving=*/slot.phase == Phase::leaving);
      break;
    case Phase::recording:
    case Phase::publishing:
      writeRestart(index);
      break;
    default:
      return;
    }
    moved = true;
  });
  return moved;
}

/// With yield.live_only, those of registers that are live where lanes go on.
uint64_t Multiprocessor::bytesToSave(const SimtTile &tile, const Warp &warp) {
  if (!machine.yield.savesLiveOnly)
    return contextBytes(tile.code().kernel(), machine);
  const Code &code = tile.code();
  uint64_t bits =
      liveness.try_emplace(&code, code).first->second.bitsAt(warp.places());
  return machine.yield.baseBytes + bits * machine.simt.lanes / 8;
}

void Multiprocessor::moveContext(uint32_t index, bool isSaving) {
  Slot &slot = slots[index];
  SimtTile &tile = *slot.resident->tile;
  if (isSaving)
    tile.savedBytes = bytesToSave(tile, *slot.warp);
  uint64_t bytes = tile.savedBytes;
  if (tile.contextRoom < bytes)
    tile.refuse("yields, and has " + std::to_string(tile.contextRoom) + " of " +
                std::to_string(bytes) + " bytes for its state");
  (isSaving ? counters.savedBytes : counters.restoredBytes) += bytes;
  slot.phase = isSaving ? Phase::saving : Phase::restoring;
  move(index, isSaving ? Access::write : Access::read,
       {{tile.contextBase, bytes}});
}

/// The element and its offset first, and then the position that makes them visible.
void Multiprocessor::writeRestart(uint32_t index) {
  const Slot &slot = slots[index];
  const chan_array &array = *slot.resident->tile->restarts;
  auto addressOf = [](const auto &word) {
    return reinterpret_cast<uint64_t>(&word);
  };
  if (slot.phase == Phase::publishing)
    return move(index, Access::write,
                {{addressOf(array.control_tail), sizeof(uint64_t)}});
  uint64_t offset = array.tail & array.mask;
  move(index, Access::write,
       {{addressOf(*array.data) + offset * array.stride, sizeof(chan_restart)},
        {addressOf(array.control[array.reserve_tail & array.control_mask]),
         sizeof(uint32_t)}});
}

/// Loads or stores the lines of these bytes.
void Multiprocessor::move(uint32_t index, Access access,
                          std::initializer_list<ByteRange> ranges) {
  Slot &slot = slots[index];
  ++slot.underWay;
  slot.hasStored |= isCombining && access == Access::write;
  MemoryInstruction &entry = instructions[addMemoryInstruction(index)];
  entry.access = access;
  for (auto [begin, bytes] : ranges) {
    uint64_t end = begin + bytes;
    for (uint64_t at = begin; at < end;) {
      uint64_t line = at & ~uint64_t(lineBytes - 1);
      uint64_t behind = std::min(line + lineBytes, end);
      entry.lines.push_back(
          {line, ByteMask(at - line, static_cast<uint32_t>(behind - at))});
      at = behind;
    }
  }
  entry.left = static_cast<uint32_t>(entry.lines.size());
  counters.lines += entry.lines.size();
}

/// All lines are there: the next step, or the wavefront has left, or goes on.
void Multiprocessor::finishContext(uint32_t index, uint64_t cycle) {
  Slot &slot = slots[index];
  SimtTile &tile = *slot.resident->tile;
  --slot.underWay;
  switch (slot.phase) {
  case Phase::saving:
    tile.waitsFor = slot.warp->waitsFor();
    if (!tile.restarts)
      break;
    slot.phase = Phase::recording;
    return;
  case Phase::recording:
    slot.phase = Phase::publishing;
    return;
  case Phase::publishing:
    break;
  default:
    noteMove(slot, /*isBack=*/true, cycle);
    slot.phase = Phase::running;
    return;
  }
  // Write-combining caches write lines in the order in which they were stored: the
  // position behind what it makes visible.
  if (slot.hasStored)
    return addFence(index);
  noteMove(slot, /*isBack=*/false, cycle);
  vacate(index);
}

/// A wavefront that yields has left, or one that is back goes on: the cycles belong to
/// the instruction at which it yielded.
void Multiprocessor::noteMove(const Slot &slot, bool isBack, uint64_t cycle) {
  SimtTile &tile = *slot.resident->tile;
  tile.code().counters.moved[tile.yieldedAt] += cycle - slot.movesSince;
  if (!moves)
    return;
  std::string wait = waitOf ? waitOf(tile.contextBase, isBack) : std::string();
  moves->span((isBack ? "restore " : "save ") + tile.kernel->header().name,
              slot.movesSince, cycle,
              {{"waits for", 0, wait.empty() ? "no channel" : wait},
               {"bytes", tile.savedBytes},
               {"threads", tile.threads}});
}

} // namespace chansim::simt
