//===- Defer.cpp - Arenas and deferred assignments ------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pool.h"
#include "Profile.h"
#include "Tuning.h"

#include <algorithm>
#include <new>

using namespace chan;

namespace {

/// A piece of an arena, newest first. The memory that it serves follows the
/// header.
struct Piece {
  Piece *next;
  size_t bytes; // of the whole piece
  size_t used;  // header included
};

size_t alignUp(size_t value, size_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

/// How many deferred assignments one activation may have. More near the root of
/// a tree, but not in nested calls: each of them begins at a root of its own.
uint32_t mostPending(const Worker &worker) {
  uint32_t width = worker.usualWidth();
  if (worker.records >= uint64_t(kMoreInTrunk) * width)
    return std::min(width, kFewPending);
  bool more = worker.sharable && !worker.width && Pool::workers() > 1 &&
              !worker.context->outer &&
              worker.depthOf(worker.level) < kTrunkLevels;
  return more ? kMoreInTrunk * width : width;
}

/// Offset in `piece` at which `size` bytes fit, 0 if they do not.
size_t place(const Piece *piece, size_t size, size_t alignment) {
  auto address = reinterpret_cast<uintptr_t>(piece);
  size_t offset = alignUp(address + piece->used, alignment) - address;
  return offset <= piece->bytes && piece->bytes - offset >= size ? offset : 0;
}

} // namespace

void *chan_arena_alloc(chan_worker *worker, void **arena, size_t size,
                       size_t alignment) {
  Worker &owner = self(worker);
  auto *piece = static_cast<Piece *>(*arena);
  size_t offset = piece ? place(piece, size, alignment) : 0;
  if (!offset) {
    size_t bytes = piece ? piece->bytes * 2 : kFirstPiece;
    if (bytes > kLargestPiece)
      bytes = kLargestPiece;
    size_t padded;
    if (__builtin_add_overflow(size, sizeof(Piece) + alignment, &padded) ||
        padded > SIZE_MAX / 2)
      outOfMemory(owner, owner.running, static_cast<Level *>(owner.level),
                  size);
    if (bytes < padded)
      bytes = padded;
    bytes = Memory::roundUp(bytes);
    void *space =
        owner.allocate(bytes, owner.running, static_cast<Level *>(owner.level));
    piece = new (space) Piece{piece, bytes, sizeof(Piece)};
    *arena = piece;
    offset = place(piece, size, alignment);
  }
  piece->used = offset + size;
  return reinterpret_cast<char *>(piece) + offset;
}

void chan_arena_free(chan_worker *worker, void **arena) {
  auto *piece = static_cast<Piece *>(*arena);
  while (piece) {
    Piece *next = piece->next;
    self(worker).memory.release(piece, piece->bytes);
    piece = next;
  }
  *arena = nullptr;
}

void *chan_defer(chan_worker *worker, chan_pending *pending,
                 void (*apply)(void *destination, void *result),
                 void *destination, size_t size, size_t alignment) {
  Worker &owner = self(worker);
  if (CHAN_UNLIKELY(pending->count >= mostPending(owner)) &&
      !owner.stack.low()) {
    countYield(owner);
    owner.yieldTo(static_cast<Level *>(owner.level->deeper));
    chan_apply(worker, pending);
  }
  size_t header = alignUp(sizeof(chan_deferred), alignment);
  void *space = chan_arena_alloc(worker, &pending->arena, header + size,
                                 std::max(alignment, alignof(chan_deferred)));
  auto *record = new (space) chan_deferred{nullptr, apply, destination,
                                           static_cast<char *>(space) + header};
  (pending->last ? pending->last->next : pending->first) = record;
  pending->last = record;
  ++pending->count;
  ++owner.records;
  return record->result;
}

void chan_apply(chan_worker *worker, chan_pending *pending) {
  for (chan_deferred *record = pending->first; record; record = record->next)
    if (record->apply)
      record->apply(record->destination, record->result);
  chan_arena_free(worker, &pending->arena);
  self(worker).records -= pending->count;
  pending->first = pending->last = nullptr;
  pending->count = 0;
}
