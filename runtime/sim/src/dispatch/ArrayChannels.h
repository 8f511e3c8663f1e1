//===- ArrayChannels.h - Channels in simulated memory -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory that kernels and the scheduler of a machine of kind `apu` work on: what
// chan/device.h and chan/scheduler.h describe.
//
//   chan_machine --levels--> chan_depth --channels--> chan_array --> data, control,
//                                       --frames----> chan_array     done counts
//
// Stacks of channels have their memory up front (Orr et al., ISCA 2014, section 5.2): a
// level's arrays are made when a kernel could fill them, in address space that takes no
// memory until it is touched.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_ARRAYCHANNELS_H
#define CHANSIM_ARRAYCHANNELS_H

#include "chan/scheduler.h"
#include "dispatch/AddressSpace.h"
#include "dispatch/Program.h"

#include <functional>
#include <span>
#include <vector>

namespace chansim {

class ArrayChannels {
public:
  ArrayChannels(const Machine &machine, Program &program);

  chan_machine &root() const { return *machineWords; }
  AddressSpace &memory() { return space; }

  /// The level, made if it is new.
  chan_depth &depth(uint64_t level);
  uint64_t depths() const { return machineWords->level_count; }
  /// The channel of a stack at a level, made if it is new.
  chan_array &channel(uint64_t level, const Stack &stack);
  /// The part of it in which wavefronts of a core allocate: a leaf, or all of it.
  chan_array &partOf(uint64_t level, const Stack &stack, uint32_t core);
  /// The leaves of a channel that has some.
  std::span<chan_array *const> leavesOf(const chan_array &array) const;
  /// Alike, of frames of so many bytes.
  chan_array &frames(uint64_t level, uint64_t frameBytes);
  /// The stack of that number.
  Stack &stack(uint64_t number) const { return *stacks[number]; }

  /// A kernel's element, put into a channel and ready.
  void enqueue(chan_array &array, const chan_channel &type,
               const chan_block &block);
  /// A wavefront has yielded.
  void enqueueRestart(chan_wave *wave);

  /// Calls `visit` with each channel that kernels use, and each one of frames.
  void forEach(const std::function<void(const chan_array &)> &visit) const;
  /// Address space of these, and what it is at most: on each level the widths decide.
  uint64_t channelBytes() const { return bytes; }
  uint64_t mostChannelBytes() const;

  /// Elements that have been reserved and not yet been done.
  uint64_t unfinished(const chan_array &array) const;
  uint64_t ready(const chan_array &array) const;
  /// "channel fib.entry at level 3", for messages; nothing if it is none.
  std::string nameOf(const chan_array *array) const;

private:
  chan_array *makeArray(uint64_t width, uint64_t elementBytes, uint64_t fields);
  chan_array *makeWords(uint64_t width, uint64_t fields);
  void makeLeaves(chan_array &channel, const chan_channel &type);
  /// Of an element of the stack with what is between it and the next one.
  uint64_t elementBytes(const chan_channel &type) const;
  static uint64_t frameStride(uint64_t bytes) {
    constexpr uint64_t kEach = CHAN_ARRAY_FRAME_ALIGNMENT;
    return (bytes + kEach - 1) / kEach * kEach;
  }

  const ChannelParameters parameters;
  const uint32_t lineBytes;
  AddressSpace space;
  chan_machine *machineWords;
  std::vector<Stack *> stacks;
  std::vector<uint64_t> frameSizes;
  uint64_t levelCapacity = 0, bytes = 0;
};

} // namespace chansim

#endif // CHANSIM_ARRAYCHANNELS_H
