//===- Memory.cpp - The allocator of one worker ---------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Support.h"
#include "Tuning.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <sys/mman.h>

// LeakSanitizer does not search mappings that it did not see made. It would
// report memory of the program as leaked if only elements or frames point to
// it. So it is told of the mappings. Weak, so that one library serves programs
// with and without it.
extern "C" {
__attribute__((weak)) void __lsan_register_root_region(const void *, size_t);
__attribute__((weak)) void __lsan_unregister_root_region(const void *, size_t);
}

namespace chan {
namespace {
constexpr size_t kGrain = CHAN_FRAME_GRAIN;
constexpr size_t kLargestSmall = CHAN_FRAME_CLASSES * kGrain;
constexpr size_t kPage = Memory::kPage;
constexpr size_t kHugePage = size_t(2) << 20;

/// What all workers have mapped, and the maximum of it.
std::atomic<size_t> total{0}, most{0};

void *pop(void *&list) {
  void *memory = list;
  list = *static_cast<void **>(memory);
  return memory;
}

void push(void *&list, void *memory) {
  *static_cast<void **>(memory) = list;
  list = memory;
}
} // namespace

size_t Memory::largeClass(size_t bytes, size_t &rounded) {
  unsigned doubling = 63 - static_cast<unsigned>(__builtin_clzll(bytes - 1));
  size_t quarter = size_t(1) << (doubling - 2);
  rounded = (bytes + quarter - 1) & ~(quarter - 1);
  return (doubling - 10) * 4 + (((rounded - 1) >> (doubling - 2)) & 3);
}

size_t Memory::mostMapped() { return most.load(std::memory_order_relaxed); }

size_t Memory::roundUp(size_t bytes) {
  if (bytes <= kLargestSmall)
    return bytes ? (bytes + kGrain - 1) & ~(kGrain - 1) : kGrain;
  if (bytes <= kLargestKept) {
    size_t rounded;
    largeClass(bytes, rounded);
    return rounded;
  }
  return (bytes + kPage - 1) & ~(kPage - 1);
}

void *Memory::allocate(size_t bytes) {
  if (bytes <= kLargestSmall) {
    size_t rounded = roundUp(bytes);
    void *&list = small[rounded / kGrain - 1];
    return list ? pop(list) : carve(rounded);
  }
  if (bytes <= kLargestPooled) {
    size_t rounded;
    void *&list = large[largeClass(bytes, rounded)];
    return list ? pop(list) : carve(rounded);
  }
  size_t rounded = roundUp(bytes);
  void *memory = takeKept(rounded);
  return memory ? memory : map(rounded);
}

void Memory::release(void *memory, size_t bytes) {
  if (bytes <= kLargestSmall) {
    push(small[roundUp(bytes) / kGrain - 1], memory);
  } else if (bytes <= kLargestPooled) {
    size_t rounded;
    push(large[largeClass(bytes, rounded)], memory);
  } else if (bytes <= kLargestKept) {
    keep(memory, roundUp(bytes));
  } else {
    unmap(memory, roundUp(bytes));
  }
}

/// A region of exactly `bytes` bytes, null if there is none. It is the one
/// released last, since most of it is still in the caches.
void *Memory::takeKept(size_t bytes) {
  for (unsigned r = regions; r-- != 0;) {
    if (kept[r].bytes != bytes)
      continue;
    void *memory = kept[r].memory;
    std::copy(kept + r + 1, kept + regions, kept + r);
    --regions;
    keptBytes -= bytes;
    return memory;
  }
  return nullptr;
}

/// Makes room by unmapping the oldest region: what the program used long ago
/// gives way to what it uses now.
void Memory::keep(void *memory, size_t bytes) {
  while (keptBytes + bytes > kMostKept)
    unmapOldest();
  kept[regions++] = {memory, bytes};
  keptBytes += bytes;
}

void Memory::unmapOldest() {
  Region oldest = kept[0];
  std::copy(kept + 1, kept + regions, kept);
  --regions;
  keptBytes -= oldest.bytes;
  unmap(oldest.memory, oldest.bytes);
}

void *Memory::carve(size_t bytes) {
  if (CHAN_UNLIKELY(static_cast<size_t>(end - bump) < bytes)) {
    // The rest of the chunk serves later small requests.
    size_t left = static_cast<size_t>(end - bump);
    while (left >= kGrain) {
      size_t part = left < kLargestSmall ? left : kLargestSmall;
      push(small[part / kGrain - 1], bump);
      bump += part;
      left -= part;
    }
    bump = end = nullptr;
    size_t least = kLargestPooled + kPage;
    while (least / 2 >= bytes + sizeof(Chunk) && least / 2 >= kPage)
      least /= 2;
    size_t size = nextChunk < bytes + sizeof(Chunk) ? least : nextChunk;
    if (size < least)
      size = least;
    void *memory = map(size);
    // Near a limit on the address space a smaller chunk may still fit.
    while (!memory && size > least) {
      size /= 2;
      if (size < least)
        size = least;
      memory = map(size);
    }
    if (!memory)
      return nullptr;
    nextChunk = nextChunk < kLargestDoubled ? 2 * nextChunk : kLargestChunk;
    chunks = new (memory) Chunk{chunks, size};
    bump = static_cast<char *>(memory) + sizeof(Chunk);
    end = static_cast<char *>(memory) + size;
  }
  void *memory = bump;
  bump += bytes;
  return memory;
}

/// Maps `bytes` from the system, aligned to a huge page if they fill one.
static void *mapAligned(size_t bytes) {
  size_t slack = bytes < kHugePage ? 0 : kHugePage - kPage;
  void *memory = mmap(nullptr, bytes + slack, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || !slack)
    return memory;
  char *begin = static_cast<char *>(memory);
  size_t before = -reinterpret_cast<uintptr_t>(begin) & (kHugePage - 1);
  if (before)
    munmap(begin, before);
  if (before != slack)
    munmap(begin + before + bytes, slack - before);
  // If there are no huge pages, small ones are used.
  (void)madvise(begin + before, bytes, MADV_HUGEPAGE);
  return begin + before;
}

void *Memory::map(size_t bytes) {
  void *memory = mapAligned(bytes);
  // Near a limit on the address space the kept regions are unmapped.
  while (memory == MAP_FAILED && regions) {
    unmapOldest();
    memory = mapAligned(bytes);
  }
  if (memory == MAP_FAILED)
    return nullptr;
  if (__lsan_register_root_region)
    __lsan_register_root_region(memory, bytes);
  mapped += bytes;
  // relaxed, all: numbers to report.
  size_t now = total.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  size_t before = most.load(std::memory_order_relaxed);
  while (before < now &&
         !most.compare_exchange_weak(before, now, std::memory_order_relaxed))
    ;
  return memory;
}

void Memory::unmap(void *memory, size_t bytes) {
  if (__lsan_unregister_root_region)
    __lsan_unregister_root_region(memory, bytes);
  munmap(memory, bytes);
  mapped -= bytes;
  total.fetch_sub(bytes, std::memory_order_relaxed); // as in map
}

void Memory::unmapAll() {
  while (regions)
    unmapOldest();
  while (chunks) {
    Chunk *chunk = chunks;
    chunks = chunk->next;
    unmap(chunk, chunk->bytes);
  }
  for (void *&list : large)
    list = nullptr;
  for (size_t c = 0; c != CHAN_FRAME_CLASSES; ++c)
    small[c] = nullptr;
  bump = end = nullptr;
  nextChunk = size_t(64) << 10;
}

} // namespace chan
