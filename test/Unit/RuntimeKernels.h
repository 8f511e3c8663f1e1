//===- RuntimeKernels.h - Kernels by hand as the compiler emits -*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_RUNTIMEKERNELS_H
#define TEST_UNIT_RUNTIMEKERNELS_H

#include "chan/abi.h"

#include <array>
#include <atomic>
#include <cstring>
#include <tuple>

namespace kernels {

/// The element of a channel with fields of these types, which are ordered by
/// falling alignment.
template <typename... Ts> struct Element {
  static constexpr uint32_t size = (uint32_t(sizeof(Ts)) + ... + 0u);
  static constexpr uint32_t count = sizeof...(Ts);
  static constexpr std::array<chan_field, sizeof...(Ts)> fields = [] {
    std::array<chan_field, sizeof...(Ts)> result{};
    uint32_t sizes[] = {uint32_t(sizeof(Ts))..., 0};
    uint32_t offset = 0;
    for (size_t f = 0; f != sizeof...(Ts); ++f) {
      result[f] = {offset, sizes[f]};
      offset += sizes[f];
    }
    return result;
  }();

  template <size_t F> static auto &get(chan_block *block, uint32_t i) {
    using T = std::tuple_element_t<F, std::tuple<Ts...>>;
    return reinterpret_cast<T *>(chan_block_data(block) +
                                 size_t(fields[F].offset) * block->capacity)[i];
  }

  static void put(chan_block *block, uint32_t i, Ts... values) {
    [&]<size_t... F>(std::index_sequence<F...>) {
      ((get<F>(block, i) = values), ...);
    }(std::make_index_sequence<sizeof...(Ts)>());
  }

  /// talloc, the stores and enq, inline as in compiled code.
  static void send(chan_worker *worker, const chan_channel &channel,
                   Ts... values) {
    bool relative = channel.kind == CHAN_ENTRY;
    chan_block *block = relative ? worker->level->deeper->entries
                                 : worker->level->continuations;
    if (block->channel != &channel || block->count == block->capacity)
      block = chan_talloc(worker, &channel, relative);
    uint32_t i = block->count;
    put(block, i, values...);
    block->count = i + 1;
  }

  /// Runs one element and its descendants, as the function's C symbol does.
  static void call(const chan_channel &channel, Ts... values) {
    struct alignas(16) {
      chan_block header;
      char data[size ? size : 1];
    } stub = {{&channel, 1, 1, nullptr, 0xdeadbeefdeadbeef}, {}};
    put(&stub.header, 0, values...);
    chan_run(&stub.header);
  }
};

/// A frame as compiled code takes and gives it.
template <typename T> T *newFrame(chan_worker *worker) {
  constexpr uint32_t Class = (sizeof(T) - 1) / CHAN_FRAME_GRAIN;
  static_assert(Class < CHAN_FRAME_CLASSES);
  void *frame = worker->free_frames[Class];
  if (frame)
    std::memcpy(&worker->free_frames[Class], frame, sizeof(void *));
  else
    frame = chan_frame_new(worker, Class, sizeof(T));
  return static_cast<T *>(frame);
}
template <typename T> void deleteFrame(chan_worker *worker, T *frame) {
  constexpr uint32_t Class = (sizeof(T) - 1) / CHAN_FRAME_GRAIN;
  std::memcpy(static_cast<void *>(frame), &worker->free_frames[Class],
              sizeof(void *));
  worker->free_frames[Class] = frame;
}

/// Memory that a channel remembers its timings in.
struct alignas(64) ChannelState {
  char bytes[CHAN_CHANNEL_STATE_SIZE];
};

/// A channel of `E` elements whose kernel runs Body(worker, block, i) for each.
template <typename E, auto Body>
void eachElement(chan_worker *worker, chan_block *block, uint32_t begin,
                 uint32_t end) {
  for (uint32_t i = begin; i != end; ++i)
    Body(worker, block, i);
}
template <typename E, auto Body, uint32_t Kind>
chan_channel makeChannel(const char *name, uint32_t frameSize = 0) {
  static ChannelState state;
  return {name,
          eachElement<E, Body>,
          E::fields.data(),
          E::count,
          E::size,
          frameSize,
          Kind,
          reinterpret_cast<chan_channel_state *>(&state),
          nullptr,
          nullptr,
          /*width=*/0,
          /*lanes=*/1,
          /*flags=*/0};
}

// Functions of the tests, in RuntimePrograms.cpp.

/// fib(n), two spawns and a sync.
int fib(int n);
/// Spawns `children` children in a loop that each add their index to a sum;
/// returns the sum.
long sumInLoop(long children);
/// Length of a list of `nodes`, by one spawn per node.
long listLength(long nodes);
/// Two phases: squares into an array, then, after a sync, prefix differences of
/// it; returns their sum, which is (count - 1)^2.
long twoPhases(int count);
/// 1 if n is even, by a spawn of its opposite.
int isEven(int n);
/// Spawns children of two kinds alternately; returns a * 1000 + b, the numbers
/// of either that ran.
int twoKinds(int pairs);
/// fib(n), whose second call is one of the C symbol, inside the kernel.
int fibByCalls(int n);

/// The comparisons that compiled code makes before a spawn. Between the
/// caller's stack pointer and this frame lie the return address and the frame
/// pointer.
[[gnu::noinline]] inline bool isRequested(chan_worker *worker) {
  auto end = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) + 16;
  return end < worker->stack_limit ||
         end >= std::atomic_ref<uintptr_t>(worker->poll_from)
                    .load(std::memory_order_relaxed);
}

/// The same with a serial clone, Serial(worker, block, i).
template <typename E, auto Body, auto Serial>
chan_channel makeClonedChannel(const char *name) {
  chan_channel channel = makeChannel<E, Body, CHAN_ENTRY>(name);
  channel.serial = Serial;
  return channel;
}

} // namespace kernels

#endif
