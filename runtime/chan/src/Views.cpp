//===- Views.cpp - The views of one strand --------------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Views.h"
#include "Support.h"

#include <algorithm>
#include <stdlib.h>

using namespace chan;

static void *orFail(void *memory, size_t bytes) {
  if (CHAN_UNLIKELY(!memory)) {
    (Message() << "out of memory: " << bytes << " bytes for views of reducers")
        .print();
    fail();
  }
  return memory;
}

void *chan::allocateView(size_t size, size_t alignment) {
  alignment = std::max(alignment, sizeof(void *));
  size = std::max<size_t>(size, 1);
  void *memory = nullptr;
  if (posix_memalign(&memory, alignment, size) != 0)
    memory = nullptr;
  return orFail(memory, size);
}

void chan::freeView(void *value) { free(value); }

Views::~Views() { free(slots); }

uint32_t Views::slotFor(void *reducer) const {
  // The upper half of a product depends on all bits of the address.
  auto address = reinterpret_cast<uintptr_t>(reducer);
  uint64_t product = uint64_t(address >> 3) * 0x9e3779b97f4a7c15;
  uint32_t slot = uint32_t(product >> 32) & (capacity - 1);
  while (slots[slot].reducer && slots[slot].reducer != reducer)
    slot = (slot + 1) & (capacity - 1);
  return slot;
}

View *Views::find(void *reducer) {
  if (!count)
    return nullptr;
  View &view = slots[slotFor(reducer)];
  return view.reducer ? &view : nullptr;
}

void Views::grow() {
  View *old = slots;
  uint32_t oldCapacity = capacity;
  capacity = std::max(4u, 2 * capacity);
  slots = static_cast<View *>(
      orFail(calloc(capacity, sizeof(View)), capacity * sizeof(View)));
  for (uint32_t i = 0; i < oldCapacity; ++i)
    if (old[i].reducer)
      slots[slotFor(old[i].reducer)] = old[i];
  free(old);
}

void Views::add(const View &view) {
  if (4 * (count + 1) > 3 * capacity)
    grow();
  slots[slotFor(view.reducer)] = view;
  ++count;
  ordered += view.isOrdered;
}

void Views::remove(View *view) {
  --count;
  ordered -= view->isOrdered;
  // What was put further behind because of it moves up.
  uint32_t hole = uint32_t(view - slots);
  slots[hole].reducer = nullptr;
  for (uint32_t next = (hole + 1) & (capacity - 1); slots[next].reducer;
       next = (next + 1) & (capacity - 1)) {
    View moved = slots[next];
    slots[next].reducer = nullptr;
    slots[slotFor(moved.reducer)] = moved;
  }
}

void Views::combineInto(Views &left, bool isRoot) {
  for (uint32_t i = 0; i < capacity; ++i) {
    View &right = slots[i];
    if (!right.reducer)
      continue;
    View *found = left.find(right.reducer);
    if (!found && !isRoot) {
      left.add(right);
      continue;
    }
    // Only the strand that declares a variable has it for a view.
    if (!right.isOwn())
      continue;
    void *leftValue = found ? found->value : right.reducer;
    if (right.hasBase) {
      chan_reducer_base *base = baseOf(right.reducer);
      base->reduce(base, leftValue, right.value);
      if (base->destroy)
        base->destroy(base, right.value);
    } else {
      right.reduce(leftValue, right.value);
    }
    freeView(right.value);
  }
  free(slots);
  slots = nullptr;
  capacity = count = ordered = 0;
}
