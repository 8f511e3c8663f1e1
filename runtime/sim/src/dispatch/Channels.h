//===- Channels.h - Channels in the memory of the process -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kernels on the machine allocate and fill, and what the aggregator takes:
// elements of channels, and frames.  All are the process's own memory.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_CHANNELS_H
#define CHANSIM_CHANNELS_H

#include "chan/abi.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace chansim {

/// Memory by the power of two, kept for the next request of that size.  It
/// comes from whole pages, so that what lies how within them does not depend on
/// what else the process has allocated.
class Pool {
public:
  Pool() = default;
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;
  ~Pool();

  /// Aligned to 128 bytes, not initialised.  Throws std::bad_alloc.
  void *allocate(uint64_t bytes);
  void release(void *memory, uint64_t bytes);

private:
  void *carve(uint64_t bytes);

  std::vector<void *> free[64];
  std::vector<void *> chunks;
  /// What is left of the last chunk.
  char *rest = nullptr;
  uint64_t restBytes = 0;
};

/// What a kernel sees of a channel, by the parameter `control`; the code that
/// fills elements is chan-to-vgiw's.
struct ControlWords {
  /// Elements that have been allocated, and how many fit.
  uint64_t tail, width;
  /// Elements that have been enqueued.
  uint64_t done;
  /// The addresses of element 0's fields.
  uint64_t columns[];
};

/// A run of elements, one column for each field.
struct Elements {
  const chan_channel *channel = nullptr;
  char *data = nullptr;
  uint64_t count = 0, capacity = 0;
  /// Whether `data` is a Pool's.
  bool pooled = false;

  uint64_t bytes() const { return capacity * channel->element_size; }
  /// The address of a field of element 0.
  uint64_t column(uint64_t field) const {
    return reinterpret_cast<uint64_t>(data) +
           channel->fields[field].offset * capacity;
  }
};

/// One level's part of a channel stack.
class Channel {
public:
  /// All its memory is the pool's, and goes with it.
  Channel(const chan_channel *channel, Pool &pool);
  Channel(const Channel &) = delete;
  Channel &operator=(const Channel &) = delete;

  ControlWords *control() const { return words; }
  uint64_t column(uint64_t field) const { return filling.column(field); }
  bool isFull() const { return words->tail == words->width; }
  uint64_t capacity() const { return filling.capacity; }
  /// CHAN_ENTRY or CHAN_CONTINUATION.
  uint32_t kind() const { return filling.channel->kind; }
  /// Elements to be taken.
  uint64_t waiting() const;

  /// Makes room for `count` more.  What is there stays in one piece as long as
  /// that is no longer than `most`.
  void makeRoom(uint64_t count, uint64_t most);
  /// The oldest piece, for Pool::release when its kernels are done.  REQUIRES:
  /// waiting().
  Elements take();

private:
  void replace(uint64_t capacity);
  void publish();

  Pool &pool;
  ControlWords *const words;
  Elements filling;
  std::deque<Elements> older;
};

/// The unused frames of one size, linked by their first words.
class FrameList {
public:
  FrameList(uint64_t bytes, Pool &pool);
  FrameList(const FrameList &) = delete;
  FrameList &operator=(const FrameList &) = delete;

  /// Where the first is; `pop` and `push` change it.
  uint64_t *head() { return first; }
  /// Sees to it that there are at least `count`.
  void provide(uint64_t count);

private:
  const uint64_t bytes;
  Pool &pool;
  uint64_t *const first;
};

} // namespace chansim

#endif // CHANSIM_CHANNELS_H
