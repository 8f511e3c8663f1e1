//===- Slots.cpp - The workers of the process by number -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slots.h"
#include "Options.h"

#include <atomic>

namespace chan {
namespace {

std::atomic<Worker *> slots[kMaxWorkers];
std::atomic<uint32_t> usedSlots{0};

} // namespace

void Slots::take(Worker &worker) {
  // relaxed: writers are ordered by `lock`.
  uint32_t used = usedSlots.load(std::memory_order_relaxed);
  uint32_t index = 0;
  while (index != used && slots[index].load(std::memory_order_relaxed))
    ++index;
  if (index == kMaxWorkers) {
    // There are more threads than can share work: this one works alone.
    worker.sharable = false;
    worker.slot = 0;
    return;
  }
  worker.slot = index;
  worker.tree = index;
  // Publishes the worker's members to threads that find it. seq_cst: a worker
  // that announced its sleep before this one looks for sleepers finds this one.
  slots[index].store(&worker, std::memory_order_seq_cst);
  if (index == used)
    usedSlots.store(used + 1, std::memory_order_seq_cst);
}

void Slots::leave(Worker &worker) {
  // relaxed: a thread that still has the pointer finds an empty steal queue.
  if (slots[worker.slot].load(std::memory_order_relaxed) == &worker)
    slots[worker.slot].store(nullptr, std::memory_order_relaxed);
}

Worker *Slots::empty(uint32_t index) {
  // relaxed: no other thread runs, or none that looks for workers.
  return slots[index].exchange(nullptr, std::memory_order_relaxed);
}

uint32_t Slots::count() {
  return usedSlots.load(std::memory_order_seq_cst); // see take
}

Worker *Slots::at(uint32_t index) {
  return slots[index].load(std::memory_order_seq_cst); // see take
}

} // namespace chan
