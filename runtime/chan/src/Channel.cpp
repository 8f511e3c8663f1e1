//===- Channel.cpp - The lock-free channel between workers ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Channel.h"
#include "Support.h"

#include <algorithm>
#include <bit>

using namespace chan;

/// Zeroed memory for `count` objects.  calloc maps large requests from the
/// system, so a wide channel costs only the pages that were used.
template <typename T>
void SharedChannel::allocate(Array<T> &array, size_t count, size_t size) {
  // Checked first: sanitizers end the process where calloc would return null.
  if (count <= size_t(PTRDIFF_MAX) / size)
    array.reset(static_cast<T *>(std::calloc(count, size)));
  if (!array)
    memory = false;
}

SharedChannel::SharedChannel(size_t elementSize, uint32_t width, uint32_t group,
                             bool tracked, Exhausted exhausted)
    : stride(std::max<size_t>(elementSize, 1)) {
  assert(width >= 1 && width <= (1u << 31) && "width out of range");
  uint32_t count = std::bit_ceil(width);
  mask = count - 1;
  controlMask = count * 2 - 1; // 2^32 - 1 for the widest
  controlShift = std::countr_zero(count) + 1;
  uint32_t perCount = std::bit_floor(std::max(std::min(group, count / 8), 1u));
  groupShift = std::countr_zero(perCount);

  allocate(elements, count, stride);
  allocate(control, size_t(count) * 2, sizeof(uint64_t));
  allocate(done, count >> groupShift, cacheLineSize);
  if (tracked)
    allocate(states, count, 1);
  if (!memory && exhausted == Exhausted::fail) {
    (Message() << "out of memory: a channel needs room for " << uint64_t(count)
               << " elements of " << uint64_t(stride) << " bytes")
        .print();
    fail();
  }
  if (states)
    std::fill_n(states.get(), count, uint8_t(ElementState::done));
}

std::optional<uint64_t> SharedChannel::talloc(uint32_t n) {
  assert(n > 0 && "an allocation of no elements");
  uint64_t count = capacity();
  if (n > count)
    return std::nullopt;
  // relaxed: the CAS validates it.
  uint64_t tail = dataTail.load(std::memory_order_relaxed);
  for (;;) {
    uint64_t offset = tail & mask;
    uint64_t skipped = offset + n > count ? count - offset : 0;
    // acquire: pairs with reclaim's CAS, so that what the consumers of the last
    // lap did with the room happened before it is filled again.
    uint64_t head = dataHead.load(std::memory_order_acquire);
    // Signed, because the head may have overtaken a stale tail; the CAS fails
    // then.
    auto fits = [&](uint64_t wanted) {
      return int64_t(tail + wanted - head) <= int64_t(count);
    };
    uint64_t taken = skipped + n;
    if (!fits(taken)) {
      if (reclaim()) {
        tail = dataTail.load(std::memory_order_relaxed);
        continue;
      }
      // Not even the skipped rest of the array fits (C6), or nothing is to be
      // skipped: full. Otherwise skip it now. No later call can use it for n
      // elements, and a group that holds a part of it could never be freed.
      if (!skipped || !fits(skipped)) {
        // If the ends have moved meanwhile, they do not describe the present.
        uint64_t now = dataTail.load(std::memory_order_relaxed);
        if (now == tail && dataHead.load(std::memory_order_relaxed) == head)
          return std::nullopt;
        tail = now;
        continue;
      }
      taken = skipped;
    }
    // relaxed: a reservation publishes nothing, and what it needs came with the
    // head.
    if (!dataTail.compare_exchange_weak(tail, tail + taken,
                                        std::memory_order_relaxed))
      continue;
    if (skipped)
      markDone(offset, skipped);
    if (taken == skipped) {
      tail = dataTail.load(std::memory_order_relaxed);
      continue;
    }
    uint64_t index = (tail + skipped) & mask;
    move(index, n, ElementState::done, ElementState::reserved);
    return index;
  }
}

void SharedChannel::enq(uint64_t index, uint32_t n) {
  assert(n > 0 && index + n <= capacity() &&
         "not an allocation of this channel");
  move(index, n, ElementState::reserved, ElementState::ready);
  // relaxed: by C3 there is room, and consumers that read the entries
  // synchronise with the entries. A fetch_add is the paper's CAS that cannot
  // fail.
  uint64_t first = reserveTail.fetch_add(n, std::memory_order_relaxed);
  // relaxed: ordered by the store of the first entry, which comes last, so that
  // the batch appears as a whole.
  for (uint32_t i = n - 1; i > 0; --i)
    entryAt(first + i).store(entryFor(first + i, index + i),
                             std::memory_order_relaxed);
  // seq_cst: releases the elements and the other entries. The load of the tail
  // in publish may come after the CAS of the thread that moved the tail here.
  // If not, that thread reads this entry after this store (C5).
  entryAt(first).store(entryFor(first, index), std::memory_order_seq_cst);
  publish();
}

/// Moves the control tail past every written entry (C4).
void SharedChannel::publish() {
  // seq_cst, here and on the entry and the CAS below: see enq.
  uint64_t tail = controlTail.load(std::memory_order_seq_cst);
  for (;;) {
    uint64_t end = tail;
    // The load that finds an entry written acquires its element; the CAS below
    // passes that on to the consumers.
    while (isWritten(entryAt(end).load(std::memory_order_seq_cst), end))
      ++end;
    if (end == tail)
      return;
    if (controlTail.compare_exchange_strong(tail, end,
                                            std::memory_order_seq_cst))
      tail = end;
  }
}

uint32_t SharedChannel::deqN(uint64_t *indices, uint32_t max) {
  // acquire: as in tryDeq.
  uint64_t head = controlHead.load(std::memory_order_acquire);
  for (;;) {
    uint64_t tail = controlTail.load(std::memory_order_seq_cst);
    uint32_t n = std::min<uint64_t>(tail - head, max);
    if (n == 0)
      return 0;
    // release, acquire: as in tryDeq, where failure returns to the caller.
    if (!controlHead.compare_exchange_weak(head, head + n,
                                           std::memory_order_release,
                                           std::memory_order_acquire))
      continue;
    for (uint32_t i = 0; i < n; ++i) {
      // relaxed: ordered by the tail; ours until tfree (C3).
      indices[i] = static_cast<uint32_t>(
          entryAt(head + i).load(std::memory_order_relaxed));
      move(indices[i], 1, ElementState::ready, ElementState::dispatched);
    }
    return n;
  }
}

void SharedChannel::tfree(uint64_t index, uint32_t n) {
  assert(n > 0 && index + n <= capacity() && "not an element of this channel");
  move(index, n, ElementState::dispatched, ElementState::done);
  markDone(index, n);
}

/// Counts the elements, which may lie in several groups, as done, and frees the
/// groups that this completes.
void SharedChannel::markDone(uint64_t offset, uint32_t n) {
  bool completed = false;
  for (uint64_t end = offset + n; offset < end;) {
    uint64_t groupEnd = ((offset >> groupShift) + 1) << groupShift;
    uint64_t here = std::min(end, groupEnd) - offset;
    // seq_cst: releases our reads of the elements; and, as in enq, either we
    // see the head that has come to this group, or the thread that moved it
    // there sees this.
    uint64_t before = doneAt(offset).fetch_add(here, std::memory_order_seq_cst);
    completed |= ((before + here) & (group() - 1)) == 0;
    offset += here;
  }
  if (completed)
    reclaim();
}

/// Moves the data head past every group that is done (C2) and returns whether
/// it moved.  Any thread may do the aggregator's part here: the CAS decides.
bool SharedChannel::reclaim() {
  bool moved = false;
  // seq_cst, here and below: see markDone.
  uint64_t head = dataHead.load(std::memory_order_seq_cst);
  for (;;) {
    // A stale head is of an earlier lap, for which the count is high enough or
    // too high; the CAS fails then.
    uint64_t lap = head >> (controlShift - 1);
    if (doneAt(head & mask).load(std::memory_order_seq_cst) !=
        (lap + 1) << groupShift)
      return moved;
    // Also a release, for the next lap's producers; earlier heads' releases are
    // kept, a CAS continues their sequence.
    if (dataHead.compare_exchange_strong(head, head + group(),
                                         std::memory_order_seq_cst)) {
      head += group();
      moved = true;
    }
  }
}

uint64_t SharedChannel::ready() const {
  // The head first: it never passes a tail that is read later.
  uint64_t head = controlHead.load(std::memory_order_acquire);
  // seq_cst: as in tryDeq, for a consumer that looks here first.
  return controlTail.load(std::memory_order_seq_cst) - head;
}

uint64_t SharedChannel::occupied() const {
  uint64_t head = dataHead.load(std::memory_order_acquire);
  return dataTail.load(std::memory_order_acquire) - head;
}

/// Asserts that the elements are in state `from` and puts them in state `to`.
void SharedChannel::track(uint64_t offset, uint32_t n,
                          [[maybe_unused]] ElementState from, ElementState to) {
  for (uint32_t i = 0; i < n; ++i) {
    std::atomic_ref<uint8_t> state(states[offset + i]);
    // relaxed: an element has one owner at a time; the operation that hands it
    // on orders this.
    [[maybe_unused]] uint8_t was =
        state.exchange(uint8_t(to), std::memory_order_relaxed);
    assert(was == uint8_t(from) && "element in the wrong state");
  }
}

ElementState SharedChannel::state(uint64_t index) const {
  assert(states && "states are not recorded");
  uint64_t head = dataHead.load(std::memory_order_acquire);
  uint64_t tail = dataTail.load(std::memory_order_acquire);
  if (((index - head) & mask) >= tail - head)
    return ElementState::available;
  std::atomic_ref<uint8_t> state(states[index]);
  return ElementState(state.load(std::memory_order_relaxed));
}
