//===- ArrayChannels.cpp - Channels in simulated memory -------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/ArrayChannels.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace chansim {

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

ArrayChannels::ArrayChannels(const Machine &machine, Program &program)
    : parameters(machine.channel), lineBytes(machine.l1.lineBytes),
      machineWords(space.allocate<chan_machine>(1)) {
  for (Stack &stack : program.allStacks())
    stacks.push_back(&stack);
  for (DeviceKernel &kernel : program.deviceKernels())
    for (const DeviceKernel::Binding &binding : kernel.bindings)
      if (binding.kind == Parameter::Kind::frames &&
          std::ranges::find(frameSizes, binding.number) == frameSizes.end())
        frameSizes.push_back(binding.number);
  chan_machine &root = *machineWords;
  root.cores = machine.cores;
  root.contexts = machine.simt.warps;
  root.lanes = machine.simt.lanes;
  root.leaf_count = parameters.leaves(machine.cores, machine.simt.lanes);
  if (uint64_t percent = machine.aggregatorCore.workFirstAbove; percent < 100)
    root.work_first_above = parameters.width * percent / 100;
  root.stack_count = stacks.size();
  root.frame_count = frameSizes.size();
  auto *kinds = space.allocate<chan_stack>(stacks.size());
  for (size_t i = 0; i != stacks.size(); ++i) {
    const DeviceKernel *consumer = stacks[i]->consumer;
    kinds[i].is_continuation = stacks[i]->channel->kind == CHAN_CONTINUATION;
    kinds[i].is_range =
        consumer && consumer->code->header().launch == LaunchKind::range;
  }
  root.stacks = kinds;
  // As many packets as a core may have instructions in flight are not enough to be
  // overwritten before they are read.
  root.packet_count =
      std::bit_ceil(uint64_t(2) * machine.aggregatorCore.robEntries);
  root.packets = space.allocate<chan_packet>(root.packet_count);
  // A context can yield again only when the scheduler has taken its last restart.
  uint64_t contexts =
      std::bit_ceil(std::max<uint64_t>(root.cores * root.contexts, 64));
  root.restarts = makeArray(contexts, sizeof(chan_restart), /*fields=*/0);
  root.restarts->stride = sizeof(chan_restart);
}

/// An array without its elements and done counts.
chan_array *ArrayChannels::makeWords(uint64_t width, uint64_t fields) {
  auto *array = static_cast<chan_array *>(
      space.allocate(sizeof(chan_array) + fields * sizeof(void *)));
  uint64_t group = std::min<uint64_t>(parameters.doneCount, width);
  array->mask = width - 1;
  array->control_mask = 2 * width - 1;
  array->width_shift = static_cast<uint64_t>(std::countr_zero(width));
  array->done_shift = static_cast<uint64_t>(std::countr_zero(group));
  array->control = space.allocate<uint32_t>(2 * width);
  return array;
}

chan_array *ArrayChannels::makeArray(uint64_t width, uint64_t elementBytes,
                                     uint64_t fields) {
  chan_array *array = makeWords(width, fields);
  array->done =
      space.allocate<char>((width >> array->done_shift) * CHAN_ARRAY_LINE);
  array->data = space.allocate<char>(width * elementBytes);
  return array;
}

chan_depth &ArrayChannels::depth(uint64_t level) {
  chan_machine &root = *machineWords;
  if (level >= levelCapacity) {
    // The old table stays: the scheduler may be reading it.
    levelCapacity = std::bit_ceil(std::max<uint64_t>(level + 1, 64));
    auto *larger = space.allocate<chan_depth *>(levelCapacity);
    std::copy(root.levels, root.levels + root.level_count, larger);
    root.levels = larger;
  }
  while (root.level_count <= level) {
    auto *made = space.allocate<chan_depth>(1);
    made->channels =
        space.allocate<chan_array *>(std::max<size_t>(stacks.size(), 1));
    made->frames =
        space.allocate<chan_array *>(std::max<size_t>(frameSizes.size(), 1));
    for (chan_places *places : {&made->children, &made->continuations})
      places->first =
          space.allocate<chan_place>(std::max<size_t>(stacks.size(), 1));
    made->used_frames.first =
        space.allocate<chan_place>(std::max<size_t>(frameSizes.size(), 1));
    root.levels[root.level_count] = made;
    root.level_count = root.level_count + 1;
  }
  return *root.levels[level];
}

/// Adds a channel to those of its kind. The scheduler may be reading the others, so they
/// stay where they are.
static void add(chan_places &places, chan_array *channel, uint64_t number) {
  const_cast<chan_place *>(places.first)[places.count] = {channel, number};
  places.count = places.count + 1;
}

uint64_t ArrayChannels::elementBytes(const chan_channel &type) const {
  if (parameters.layout != ChannelLayout::structures)
    return type.element_size;
  uint64_t alignment = parameters.elementAlignment(lineBytes);
  return (type.element_size + alignment - 1) / alignment * alignment;
}

chan_array &ArrayChannels::channel(uint64_t level, const Stack &stack) {
  chan_array *&array = depth(level).channels[stack.id];
  if (array)
    return *array;
  const chan_channel &type = *stack.channel;
  bool areStructures = parameters.layout == ChannelLayout::structures;
  uint64_t each = elementBytes(type);
  uint64_t before = space.bytes();
  chan_array *made = makeArray(parameters.width, each, type.field_count);
  made->stride = areStructures ? each : sizeof(uint64_t);
  for (uint32_t i = 0; i != type.field_count; ++i)
    made->columns[i] =
        made->data + (areStructures ? type.fields[i].offset
                                    : type.fields[i].offset * parameters.width);
  if (machineWords->leaf_count)
    makeLeaves(*made, type);
  bytes += space.bytes() - before;
  array = made;
  chan_depth &at = depth(level);
  add(type.kind == CHAN_CONTINUATION ? at.continuations : at.children, made,
      stack.id);
  return *made;
}

/// Each leaf has its part of the channel's elements and done counts.
void ArrayChannels::makeLeaves(chan_array &channel, const chan_channel &type) {
  uint64_t count = machineWords->leaf_count;
  uint64_t width = (channel.mask + 1) / count;
  channel.leaves = space.allocate<chan_array *>(count);
  for (uint64_t i = 0; i != count; ++i) {
    chan_array *leaf = channel.leaves[i] = makeWords(width, type.field_count);
    leaf->stride = channel.stride;
    leaf->data = channel.data + i * width * channel.stride;
    leaf->done =
        channel.done + ((i * width) >> channel.done_shift) * CHAN_ARRAY_LINE;
    bool areStructures = parameters.layout == ChannelLayout::structures;
    for (uint32_t field = 0; field != type.field_count; ++field)
      leaf->columns[field] =
          static_cast<char *>(channel.columns[field]) +
          i * width *
              (areStructures ? channel.stride : type.fields[field].size);
  }
}

std::span<chan_array *const>
ArrayChannels::leavesOf(const chan_array &array) const {
  return {array.leaves, array.leaves ? machineWords->leaf_count : 0};
}

chan_array &ArrayChannels::partOf(uint64_t level, const Stack &stack,
                                  uint32_t core) {
  chan_array &array = channel(level, stack);
  return array.leaves ? *array.leaves[core & (machineWords->leaf_count - 1)]
                      : array;
}

chan_array &ArrayChannels::frames(uint64_t level, uint64_t frameBytes) {
  auto size = std::ranges::find(frameSizes, frameBytes);
  chan_array *&array = depth(level).frames[size - frameSizes.begin()];
  if (!array) {
    uint64_t before = space.bytes();
    array = makeArray(parameters.width, frameStride(frameBytes), /*fields=*/0);
    array->stride = frameStride(frameBytes);
    bytes += space.bytes() - before;
    add(depth(level).used_frames, array,
        static_cast<uint64_t>(size - frameSizes.begin()));
  }
  return *array;
}

void ArrayChannels::forEach(
    const std::function<void(const chan_array &)> &visit) const {
  const chan_machine &root = *machineWords;
  for (uint64_t level = 0; level != root.level_count; ++level) {
    const chan_depth &made = *root.levels[level];
    for (size_t i = 0; i != stacks.size(); ++i)
      if (made.channels[i])
        visit(*made.channels[i]);
    for (size_t i = 0; i != frameSizes.size(); ++i)
      if (made.frames[i])
        visit(*made.frames[i]);
  }
}

/// Of an array: its data, two offsets for each element, a line for each group, and the
/// words that describe it; each part in whole lines.
uint64_t ArrayChannels::mostChannelBytes() const {
  auto lines = [](uint64_t count) {
    return (count + CHAN_ARRAY_LINE - 1) / CHAN_ARRAY_LINE * CHAN_ARRAY_LINE;
  };
  const uint64_t width = parameters.width;
  const uint64_t common =
      lines(2 * width * sizeof(uint32_t)) +
      width / std::min<uint64_t>(parameters.doneCount, width) * CHAN_ARRAY_LINE;
  // A leaf has its part of the channel's data and done counts.
  const uint64_t leaves = machineWords->leaf_count;
  const uint64_t control =
      leaves ? lines(2 * (width / leaves) * sizeof(uint32_t)) : 0;
  uint64_t level = 0;
  for (const Stack *stack : stacks) {
    uint64_t words = lines(sizeof(chan_array) +
                           stack->channel->field_count * sizeof(void *));
    level += common + lines(width * elementBytes(*stack->channel)) + words +
             lines(leaves * sizeof(chan_array *)) + leaves * (control + words);
  }
  for (uint64_t size : frameSizes)
    level +=
        common + lines(width * frameStride(size)) + lines(sizeof(chan_array));
  return level * machineWords->level_count;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void ArrayChannels::enqueue(chan_array &array, const chan_channel &type,
                            const chan_block &block) {
  uint64_t offset = array.tail++ & array.mask;
  const char *data = reinterpret_cast<const char *>(&block) + CHAN_BLOCK_HEADER;
  bool areStructures = parameters.layout == ChannelLayout::structures;
  for (uint32_t i = 0; i != type.field_count; ++i) {
    const chan_field &field = type.fields[i];
    std::memcpy(static_cast<char *>(array.columns[i]) +
                    offset * (areStructures ? array.stride : field.size),
                data + uint64_t(field.offset) * block.capacity, field.size);
  }
  array.control[array.reserve_tail++ & array.control_mask] =
      static_cast<uint32_t>(offset);
  ++array.control_tail;
}

void ArrayChannels::enqueueRestart(chan_wave *wave) {
  chan_array &array = *machineWords->restarts;
  uint64_t offset = array.tail++ & array.mask;
  auto *element =
      reinterpret_cast<chan_restart *>(array.data + offset * array.stride);
  element->wave = wave;
  element->waits_for = wave->waits_for;
  array.control[array.reserve_tail++ & array.control_mask] =
      static_cast<uint32_t>(offset);
  ++array.control_tail;
}

uint64_t ArrayChannels::unfinished(const chan_array &array) const {
  uint64_t done = 0;
  uint64_t groups = (array.mask + 1) >> array.done_shift;
  for (uint64_t group = 0; group != groups; ++group)
    done += *reinterpret_cast<uint64_t *>(array.done + group * CHAN_ARRAY_LINE);
  uint64_t tail = array.tail;
  for (const chan_array *leaf : leavesOf(array))
    tail += leaf->tail;
  return tail - done;
}

uint64_t ArrayChannels::ready(const chan_array &array) const {
  uint64_t count = array.control_tail - array.control_head;
  for (const chan_array *leaf : leavesOf(array))
    count += leaf->control_tail - leaf->control_head;
  return count;
}

std::string ArrayChannels::nameOf(const chan_array *array) const {
  const chan_machine &root = *machineWords;
  for (uint64_t level = 0; array && level != root.level_count; ++level) {
    for (size_t i = 0; i != stacks.size(); ++i) {
      const chan_array *channel = root.levels[level]->channels[i];
      if (!channel)
        continue;
      std::span<chan_array *const> leaves = leavesOf(*channel);
      auto leaf = std::ranges::find(leaves, array);
      if (channel != array && leaf == leaves.end())
        continue;
      return (channel == array
                  ? std::string()
                  : "leaf " + std::to_string(leaf - leaves.begin()) + " of ") +
             "channel " + stacks[i]->channel->name + " at level " +
             std::to_string(level);
    }
    for (size_t i = 0; i != frameSizes.size(); ++i)
      if (root.levels[level]->frames[i] == array)
        return "frames of " + std::to_string(frameSizes[i]) +
               " bytes at level " + std::to_string(level);
  }
  return {};
}

} // namespace chansim
