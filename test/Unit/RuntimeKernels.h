//===- RuntimeKernels.h - Kernels by hand, as the compiler emits them -*- C++
//-*-===//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef TEST_UNIT_RUNTIMEKERNELS_H
#define TEST_UNIT_RUNTIMEKERNELS_H

#include "chan/abi.h"

#include <cstring>

namespace kernels {

/// A channel's field, typed.
template <typename T> struct Field {
  uint32_t offset;
  T &at(chan_block *block, uint32_t i) const {
    return reinterpret_cast<T *>(chan_block_data(block) +
                                 size_t(offset) * block->capacity)[i];
  }
};

/// talloc as compiled code does it inline; enq is `++block->count`.
inline chan_block *talloc(chan_worker *worker, const chan_channel *channel,
                          bool relative) {
  chan_block *block =
      relative ? worker->level->deeper->entries : worker->level->continuations;
  if (block->channel != channel || block->count == block->capacity)
    block = chan_talloc(worker, channel, relative);
  return block;
}

/// A frame as compiled code takes and gives it.
template <typename T> T *newFrame(chan_worker *worker) {
  constexpr uint32_t Class =
      (sizeof(T) + CHAN_FRAME_GRAIN - 1) / CHAN_FRAME_GRAIN - 1;
  static_assert(Class < CHAN_FRAME_CLASSES);
  void *frame = worker->free_frames[Class];
  if (frame)
    std::memcpy(&worker->free_frames[Class], frame, sizeof(void *));
  else
    frame = chan_frame_new(worker, Class, sizeof(T));
  return static_cast<T *>(frame);
}
template <typename T> void deleteFrame(chan_worker *worker, T *frame) {
  constexpr uint32_t Class =
      (sizeof(T) + CHAN_FRAME_GRAIN - 1) / CHAN_FRAME_GRAIN - 1;
  std::memcpy(static_cast<void *>(frame), &worker->free_frames[Class],
              sizeof(void *));
  worker->free_frames[Class] = frame;
}

/// The element a stub puts on the C stack.
template <size_t Bytes> struct alignas(16) StubBlock {
  chan_block header;
  char data[Bytes ? Bytes : 1];
  explicit StubBlock(const chan_channel &channel)
      : header{&channel, 1, 1, nullptr, 0xdeadbeefdeadbeef}, data{} {}
};

/// int fib(int): frames, two spawns, one sync.
int fib(int n);

/// An entry channel `int *destination, int n` and a continuation channel
/// `frame`, for the kernels of a function int f(int).
extern const chan_field IntEntryFields[2];
extern const chan_field FrameFields[1];
constexpr Field<int *> EntryDestination{0};
constexpr Field<int> EntryArgument{8};
constexpr Field<void *> FrameHandle{0};

/// Calls a spawning function int f(int) through its entry channel, as its C
/// symbol does.
int callInt(const chan_channel &entry, int argument);

/// What a plain C program would do.
int serialFib(int n);

} // namespace kernels

#define CHAN_TEST_CHANNEL(VARIABLE, NAME, KERNEL, FIELDS, SIZE, FRAME, KIND)   \
  alignas(64) static char VARIABLE##State[CHAN_CHANNEL_STATE_SIZE];            \
  const chan_channel VARIABLE = {                                              \
      NAME,   KERNEL,                                                          \
      FIELDS, sizeof(FIELDS) / sizeof(FIELDS[0]),                              \
      SIZE,   FRAME,                                                           \
      KIND,   reinterpret_cast<chan_channel_state *>(VARIABLE##State)}

#endif
