//===- Talloc.cpp - Elements and frames -----------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Talloc.h"
#include "Demand.h"
#include "Pool.h"
#include "Profile.h"
#include "Reserving.h"
#include "Sharing.h"
#include "Tuning.h"
#include "Worker.h"

#include <new>
#include <string.h>

namespace chan {
namespace {

uint32_t capacityOf(const chan_channel *channel, size_t bytes, uint32_t most) {
  size_t room = bytes - CHAN_BLOCK_HEADER;
  if (channel->element_size == 0 || room / channel->element_size > most)
    return most;
  return static_cast<uint32_t>(room / channel->element_size);
}

/// How many elements a list that has `present` ones is to be extended by.
uint32_t more(uint32_t present, size_t element) {
  if (3 * present * element <= kQuickBytes)
    return 3 * present;
  size_t quick = kQuickBytes / element, slow = present - present / 4;
  return static_cast<uint32_t>(quick > slow ? quick : slow);
}

chan_block *newBlock(Worker &worker, Level *level, uint32_t kind,
                     const chan_channel *channel, uint32_t present,
                     uint32_t room) {
  chan_block *&list = level->list(kind);
  size_t element = channel->element_size;
  uint32_t wanted = 1;
  if (present)
    wanted = more(present, element);
  else if (worker.depthOf(level) < kLearningLevels)
    wanted = level->expected[kind];
  if (wanted > room)
    wanted = room;
  if (element && wanted > (kBlockBytes - CHAN_BLOCK_HEADER) / element)
    wanted = static_cast<uint32_t>((kBlockBytes - CHAN_BLOCK_HEADER) / element);
  if (wanted == 0)
    wanted = 1;
  size_t bytes = Memory::roundUp(CHAN_BLOCK_HEADER + wanted * element);
  void *space = worker.allocate(bytes, channel, level);
  auto *block = new (space) chan_block{
      channel, 0, capacityOf(channel, bytes, room ? room : 1), list, 0};
  setBlockBytes(block, static_cast<uint32_t>(bytes));
  list = block;
  if (present + wanted > level->expected[kind])
    level->expected[kind] = present + wanted;
  return block;
}

/// Looks for a block of `channel` with room in `list` and moves it to the
/// front. Otherwise sets `present` to the number of the channel's un-started
/// elements.
chan_block *findRoom(chan_block **list, const chan_channel *channel,
                     uint32_t &present) {
  present = 0;
  for (chan_block **link = list; *link != noBlock(); link = &(*link)->next) {
    chan_block *block = *link;
    if (block->channel != channel)
      continue;
    if (block->count < block->capacity) {
      *link = block->next;
      block->next = *list;
      *list = block;
      return block;
    }
    present += waiting(block);
  }
  return nullptr;
}

/// For assertions: elements of `channel` that wait among `level`'s entries.
[[maybe_unused]] uint32_t waitingOf(const Level *level,
                                    const chan_channel *channel) {
  uint32_t sum = 0;
  for (chan_block *block = level->entries; block != noBlock();
       block = block->next)
    sum += block->channel == channel ? waiting(block) : 0;
  return sum;
}

/// Adapts an empty first block to `channel`. Another channel left it, or it was
/// made when fewer elements came. Releases it if it is too small.
chan_block *reuseEmpty(Worker &worker, Level *level, uint32_t kind,
                       const chan_channel *channel) {
  chan_block *&list = level->list(kind);
  chan_block *block = list;
  if (block == noBlock() || block->count)
    return nullptr;
  uint32_t bytes = blockBytes(block);
  uint32_t capacity = capacityOf(channel, bytes, worker.widthOf(channel));
  if (capacity >= 1) {
    block->channel = channel;
    block->capacity = capacity;
    return block;
  }
  list = block->next;
  worker.memory.release(block, bytes);
  return nullptr;
}

} // namespace

chan_block *tallocEntry(Worker &worker, const chan_channel *channel) {
  Level *level = static_cast<Level *>(worker.level->deeper);
  closeReservationAt(worker, level);
  if (CHAN_UNLIKELY(Demand::wanted()))
    shareFromKernel(worker);
  uint32_t present;
  if (chan_block *block = findRoom(&level->entries, channel, present))
    return block;
  uint32_t width = worker.widthOf(channel);
  if (present >= width && !worker.stack.low()) {
    countYield(worker);
    worker.makeRoom(level, width);
    if (chan_block *block = findRoom(&level->entries, channel, present))
      return block;
  }
  if (chan_block *block = reuseEmpty(worker, level, CHAN_ENTRY, channel))
    return block;
  uint32_t room = present < width ? width - present : 0;
  return newBlock(worker, level, CHAN_ENTRY, channel, present, room);
}

chan_block *tallocContinuation(Worker &worker, const chan_channel *channel) {
  Level *level = static_cast<Level *>(worker.level);
  uint32_t present;
  if (chan_block *block = findRoom(&level->continuations, channel, present))
    return block;
  if (chan_block *block = reuseEmpty(worker, level, CHAN_CONTINUATION, channel))
    return block;
  // Its room is bounded by the number of entries that became continuations.
  return newBlock(worker, level, CHAN_CONTINUATION, channel, present,
                  kMaxWidth);
}

} // namespace chan

using namespace chan;

chan_block *chan_talloc(chan_worker *worker, const chan_channel *channel,
                        uint32_t relative) {
  CHAN_ASSERT(channel->kind == (relative ? CHAN_ENTRY : CHAN_CONTINUATION),
              "I2: a child's element goes deeper, a continuation's stays");
  CHAN_ASSERT(self(worker).runsHere(), "I2: an activation stays on its thread");
  if (!relative)
    return tallocContinuation(self(worker), channel);
  chan_block *block = tallocEntry(self(worker), channel);
  CHAN_ASSERT(waitingOf(static_cast<Level *>(worker->level->deeper), channel) <
                      self(worker).widthOf(channel) ||
                  self(worker).stack.low(),
              "I6: more than width elements wait");
  return block;
}

void chan::enqueueFrom(chan_worker &worker, const chan_block *from,
                       uint32_t begin, uint32_t end, uint32_t relative) {
  const chan_channel *channel = from->channel;
  const char *source = chan_block_data(const_cast<chan_block *>(from));
  for (uint32_t count; begin != end; begin += count) {
    // Allocating may run other kernels, so the list is read again each time.
    chan_block *to =
        relative ? worker.level->deeper->entries : worker.level->continuations;
    if (to->channel != channel || to->count == to->capacity)
      to = chan_talloc(&worker, channel, relative);
    count = to->capacity - to->count;
    if (count > end - begin)
      count = end - begin;
    for (uint32_t f = 0; f != channel->field_count; ++f) {
      const chan_field &field = channel->fields[f];
      memcpy(chan_block_data(to) + size_t(field.offset) * to->capacity +
                 size_t(field.size) * to->count,
             source + size_t(field.offset) * from->capacity +
                 size_t(field.size) * begin,
             size_t(field.size) * count);
    }
    to->count += count;
  }
}

void *chan_frame_new(chan_worker *worker, uint32_t size_class, size_t size) {
  Worker &owner = self(worker);
  size_t bytes = size_class < CHAN_FRAME_CLASSES
                     ? (size_t(size_class) + 1) * CHAN_FRAME_GRAIN
                     : size;
  return owner.allocate(bytes, owner.running,
                        static_cast<Level *>(owner.level));
}

void chan_frame_delete(chan_worker *worker, void *frame, size_t size) {
  self(worker).memory.release(frame, size);
}
