//===- FrameTable.cpp - Frames of simulated physical memory ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memory/FrameTable.h"

#include <bit>

namespace chansim {

FrameTable::FrameTable(uint32_t frameBytes)
    : shift(static_cast<unsigned>(std::countr_zero(frameBytes))), slots(1024) {}

size_t FrameTable::slotOf(uint64_t key) const {
  size_t mask = slots.size() - 1;
  size_t slot = (key * 0x9e3779b97f4a7c15) >> 32 & mask;
  while (slots[slot].key != key && slots[slot].key != kNoKey)
    slot = (slot + 1) & mask;
  return slot;
}

uint64_t FrameTable::frameOf(uint64_t key) {
  size_t slot = slotOf(key);
  if (slots[slot].key == key)
    return slots[slot].frame;
  if (2 * (frames + 1) > slots.size()) {
    grow();
    slot = slotOf(key);
  }
  slots[slot] = {key, frames};
  return frames++;
}

void FrameTable::grow() {
  std::vector<Slot> old(2 * slots.size());
  old.swap(slots);
  for (const Slot &slot : old)
    if (slot.key != kNoKey)
      slots[slotOf(slot.key)] = slot;
}

} // namespace chansim
