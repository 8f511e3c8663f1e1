//===- Channels.cpp - Channels in the memory of the process ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/Channels.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace chansim {

// A line of the caches.
static constexpr uint64_t kAlignment = 128;
static constexpr uint64_t kPage = 4096, kChunk = 256 * kPage;

static unsigned classOf(uint64_t bytes) {
  return static_cast<unsigned>(std::bit_width(std::max(bytes, kAlignment) - 1));
}

Pool::~Pool() {
  for (void *chunk : chunks)
    std::free(chunk);
}

void *Pool::carve(uint64_t bytes) {
  if (bytes > restBytes) {
    restBytes = std::max(bytes, kChunk);
    rest = static_cast<char *>(std::aligned_alloc(kPage, restBytes));
    if (!rest)
      throw std::bad_alloc();
    chunks.push_back(rest);
  }
  restBytes -= bytes;
  return std::exchange(rest, rest + bytes);
}

void *Pool::allocate(uint64_t bytes) {
  unsigned index = classOf(bytes);
  if (free[index].empty())
    return carve(uint64_t(1) << index);
  void *memory = free[index].back();
  free[index].pop_back();
  return memory;
}

void Pool::release(void *memory, uint64_t bytes) {
  free[classOf(bytes)].push_back(memory);
}

Channel::Channel(const chan_channel *channel, Pool &pool)
    : pool(pool),
      words(static_cast<ControlWords *>(pool.allocate(
          sizeof(ControlWords) + channel->field_count * sizeof(uint64_t)))) {
  filling.channel = channel;
  *words = {};
  publish();
}

void Channel::publish() {
  words->width = filling.capacity;
  for (uint32_t field = 0; field != filling.channel->field_count; ++field)
    words->columns[field] = filling.column(field);
}

uint64_t Channel::waiting() const {
  uint64_t sum = words->tail;
  for (const Elements &elements : older)
    sum += elements.count;
  return sum;
}

void Channel::replace(uint64_t capacity) {
  Elements larger = filling;
  larger.capacity = capacity;
  larger.data = static_cast<char *>(pool.allocate(larger.bytes()));
  larger.pooled = true;
  for (uint32_t i = 0; words->tail && i != filling.channel->field_count; ++i)
    std::memcpy(reinterpret_cast<void *>(larger.column(i)),
                reinterpret_cast<void *>(filling.column(i)),
                filling.channel->fields[i].size * words->tail);
  if (filling.data)
    pool.release(filling.data, filling.bytes());
  filling = larger;
  publish();
}

void Channel::makeRoom(uint64_t count, uint64_t most) {
  uint64_t needed = words->tail + count;
  if (needed <= filling.capacity)
    return;
  if (words->tail && needed > most) {
    filling.count = words->tail;
    older.push_back(filling);
    filling.data = nullptr;
    filling.capacity = words->tail = words->done = 0;
    needed = count;
  }
  uint64_t doubled = std::min(2 * filling.capacity, most);
  replace(std::max(needed, doubled));
}

Elements Channel::take() {
  assert(words->tail == words->done && "all that is allocated is enqueued");
  Elements result;
  if (!older.empty()) {
    result = older.front();
    older.pop_front();
    return result;
  }
  result = filling;
  result.count = words->tail;
  filling.data = nullptr;
  filling.capacity = words->tail = words->done = 0;
  publish();
  return result;
}

FrameList::FrameList(uint64_t bytes, Pool &pool)
    : bytes((bytes + 15) / 16 * 16), pool(pool),
      first(static_cast<uint64_t *>(pool.allocate(sizeof(uint64_t)))) {
  *first = 0;
}

void FrameList::provide(uint64_t count) {
  auto next = [](uint64_t frame) {
    return *reinterpret_cast<uint64_t *>(frame);
  };
  uint64_t there = 0;
  for (uint64_t frame = *first; frame && there != count; frame = next(frame))
    ++there;
  if (there == count)
    return;
  uint64_t missing = count - there;
  void *slab = pool.allocate(missing * bytes);
  // The first of the slab comes first, as if they had been freed backwards.
  for (uint64_t i = missing; i--;) {
    auto *frame = static_cast<char *>(slab) + i * bytes;
    std::memcpy(frame, first, sizeof *first);
    *first = reinterpret_cast<uint64_t>(frame);
  }
}

} // namespace chansim
