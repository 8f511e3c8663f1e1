//===- AddressMap.cpp - From addresses to simulated physical memory -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressMap.h"

#include <algorithm>
#include <bit>

namespace chansim {

AddressMap::AddressMap(uint32_t frameBytes)
    : shift(static_cast<unsigned>(std::countr_zero(frameBytes))), slots(1024) {}

size_t AddressMap::slotOf(uint64_t key) const {
  size_t mask = slots.size() - 1;
  size_t slot = (key * 0x9e3779b97f4a7c15) >> 32 & mask;
  while (slots[slot].key != key && slots[slot].key != kFree)
    slot = (slot + 1) & mask;
  return slot;
}

uint64_t AddressMap::frameOf(uint64_t key) {
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

void AddressMap::grow() {
  std::vector<Slot> old(2 * slots.size());
  old.swap(slots);
  for (const Slot &slot : old)
    if (slot.key != kFree)
      slots[slotOf(slot.key)] = slot;
}

void AddressMap::interleave(Request &request, const PrivateWindow &window) {
  uint64_t offset = request.address - window.base;
  uint64_t thread = offset / window.bytesPerThread;
  uint64_t own = offset % window.bytesPerThread;
  uint64_t granule = own / window.granule, inside = own % window.granule;
  request.address = window.base +
                    (granule * window.threads + thread) * window.granule +
                    inside;
  request.bytes = static_cast<uint32_t>(
      std::min<uint64_t>(request.bytes, window.granule - inside));
}

} // namespace chansim
