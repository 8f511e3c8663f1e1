//===- TaskBlock.cpp - Elements on offer to other workers -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskBlock.h"
#include "Tuning.h"
#include "Worker.h"

#include <new>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

namespace chan {
namespace {
struct Slab {
  Slab *next;
  TaskBlock taskBlocks[kTaskBlocksPerSlab];
};

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
TaskBlock *freeTaskBlocks = nullptr;
Slab *slabs = nullptr;
} // namespace

TaskBlock *TaskBlock::make() {
  pthread_mutex_lock(&lock);
  if (!freeTaskBlocks) {
    if (void *space = malloc(sizeof(Slab))) {
      slabs = new (space) Slab{slabs, {}};
      for (TaskBlock &taskBlock : slabs->taskBlocks) {
        taskBlock.next = freeTaskBlocks;
        freeTaskBlocks = &taskBlock;
      }
    }
  }
  TaskBlock *taskBlock = freeTaskBlocks;
  if (taskBlock)
    freeTaskBlocks = taskBlock->next;
  pthread_mutex_unlock(&lock);
  if (!taskBlock)
    return nullptr;
  // relaxed: the steal queue publishes it.
  taskBlock->state.store(queued, std::memory_order_relaxed);
  taskBlock->references.store(2, std::memory_order_relaxed);
  return taskBlock;
}

void TaskBlock::beginFork() { pthread_mutex_lock(&lock); }
void TaskBlock::endFork() { pthread_mutex_unlock(&lock); }

void TaskBlock::freeAll() {
  while (slabs) {
    Slab *slab = slabs;
    slabs = slab->next;
    free(slab);
  }
  freeTaskBlocks = nullptr;
}

void TaskBlock::freeBlock(Worker &owner) {
  if (bytes)
    owner.memory.release(block, bytes);
  else
    free(block);
}

void TaskBlock::drop() {
  // acq_rel: the thread that recycles it comes after all that the other thread
  // did with it.
  if (references.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  pthread_mutex_lock(&lock);
  next = freeTaskBlocks;
  freeTaskBlocks = this;
  pthread_mutex_unlock(&lock);
}

size_t bytesFor(const chan_block *from, uint32_t count) {
  return CHAN_BLOCK_HEADER + size_t(count) * from->channel->element_size;
}

chan_block *copyTail(void *space, chan_block *from, uint32_t end,
                     uint32_t count) {
  const chan_channel *channel = from->channel;
  CHAN_ASSERT(channel->kind == CHAN_ENTRY, "I2: a continuation stays");
  auto *block = new (space) chan_block{channel, count, count, nullptr, 0};
  for (uint32_t f = 0; f != channel->field_count; ++f) {
    const chan_field &field = channel->fields[f];
    memcpy(chan_block_data(block) + size_t(field.offset) * count,
           chan_block_data(from) + size_t(field.offset) * from->capacity +
               size_t(field.size) * (end - count),
           size_t(field.size) * count);
  }
  return block;
}

} // namespace chan
