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
//   running -- yield --> leaving ----> saving ----> (kept in its tile, off the core)
//                        (until what                            |
//                        is under way                         start
//                        has ended)                             v
//   running <----------- restoring <--------------------- returning
//
// The state goes through the load/store unit and L1 as stores and loads of lines, to
// and from Tile::contextBase.  The model charges this time; the state itself is the
// Warp, which its tile keeps.
//
//===----------------------------------------------------------------------===//

#include "simt/Multiprocessor.h"

#include <algorithm>

namespace chansim::simt {

/// Those that wait for it come to the load/store unit, if that has room.
bool Multiprocessor::moveContexts() {
  bool moved = false;
  for (uint32_t index = 0; index != slots.size(); ++index) {
    Slot &slot = slots[index];
    if (!slot.warp || loadStore.size() >= parameters.loadStoreQueue)
      continue;
    bool leaves = slot.phase == Phase::leaving && !slot.underWay;
    if (!leaves && slot.phase != Phase::returning)
      continue;
    moveContext(index, /*isSaving=*/leaves);
    moved = true;
  }
  return moved;
}

void Multiprocessor::moveContext(uint32_t index, bool isSaving) {
  Slot &slot = slots[index];
  const SimtTile &tile = *slot.resident->tile;
  uint64_t bytes = contextBytes(tile.code().kernel(), machine);
  if (tile.contextRoom < bytes)
    tile.refuse("yields, and has " + std::to_string(tile.contextRoom) + " of " +
                std::to_string(bytes) + " bytes for its state");
  (isSaving ? counters.savedBytes : counters.restoredBytes) += bytes;
  slot.phase = isSaving ? Phase::saving : Phase::restoring;
  slot.hasStored |= isSaving && isCombining;
  ++slot.underWay;
  MemoryInstruction &entry = instructions[addMemoryInstruction(index)];
  entry.access = isSaving ? Access::write : Access::read;
  uint64_t end = tile.contextBase + bytes;
  for (uint64_t at = tile.contextBase; at < end;) {
    uint64_t line = at & ~uint64_t(lineBytes - 1);
    uint64_t behind = std::min(line + lineBytes, end);
    entry.lines.push_back(
        {line, ByteMask(at - line, static_cast<uint32_t>(behind - at))});
    at = behind;
  }
  entry.left = static_cast<uint32_t>(entry.lines.size());
  counters.lines += entry.lines.size();
}

/// All lines are there: the wavefront has left, or goes on.
void Multiprocessor::finishContext(uint32_t index, uint64_t) {
  Slot &slot = slots[index];
  --slot.underWay;
  if (slot.phase == Phase::saving) {
    if (slot.hasStored)
      return addFence(index);
    slot.resident->tile->waitsFor = slot.warp->waitsFor();
    vacate(index);
    return;
  }
  slot.phase = Phase::running;
}

} // namespace chansim::simt
