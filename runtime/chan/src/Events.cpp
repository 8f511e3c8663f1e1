//===- Events.cpp - What a worker did and when ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Events.h"

#include <sys/mman.h>

namespace chan {

EventBuffer *EventBuffer::make() {
  void *space = mmap(nullptr, sizeof(EventBuffer), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  // All members are zero initially.
  return space == MAP_FAILED ? nullptr : static_cast<EventBuffer *>(space);
}

Event *EventBuffer::begin(Event::Kind kind, uint64_t now, const Row *row,
                          uint64_t taskBlock, uint32_t elements) {
  // relaxed: this thread alone writes it.
  size_t index = used.load(std::memory_order_relaxed);
  if (index == kMostEvents) {
    uint64_t before = dropped.load(std::memory_order_relaxed);
    if (!before)
      dropping.store(now, std::memory_order_relaxed);
    dropped.store(before + 1, std::memory_order_relaxed);
    return nullptr;
  }
  Event &event = events[index];
  event.row = row;
  event.began = now;
  event.ended.store(0, std::memory_order_relaxed);
  event.taskBlock = taskBlock;
  event.kind = kind;
  event.elements = elements;
  used.store(index + 1, std::memory_order_release); // shows the event
  return &event;
}

void EventBuffer::clear() {
  // relaxed: the only thread.
  used.store(0, std::memory_order_relaxed);
  dropped.store(0, std::memory_order_relaxed);
}

} // namespace chan
