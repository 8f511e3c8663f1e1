//===- ArrayChecks.cpp - What must hold of channels in memory -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dispatch/ArrayChecks.h"

#include <algorithm>

namespace chansim {

static std::string text(uint64_t number) { return std::to_string(number); }

void ArrayChecks::clear() {
  seen.clear();
  space = std::make_unique<AddressSpace>();
}

std::string ArrayChecks::check(const chan_array &array) {
  const uint64_t width = array.mask + 1;
  const uint64_t size = uint64_t(1) << array.done_shift;
  if (array.leaves)
    return checkRoot(array);
  if (array.head > array.tail)
    return "has its head at " + text(array.head) + ", and its tail at " +
           text(array.tail);
  uint64_t elements = array.tail - array.head;
  if (elements > width)
    return "has " + text(elements) + " elements, and its width is " +
           text(width);
  most = std::max(most, elements);
  if (array.control_head > array.control_tail ||
      array.control_tail > array.reserve_tail ||
      array.reserve_tail > array.tail)
    return "has positions out of order: control_head " +
           text(array.control_head) + ", control_tail " +
           text(array.control_tail) + ", reserve_tail " +
           text(array.reserve_tail) + ", tail " + text(array.tail);
  if (array.reserve_tail - array.control_head > 2 * width)
    return "has " + text(array.reserve_tail - array.control_head) +
           " entries in its control array, which has room for " +
           text(2 * width);
  uint64_t &before = seen[&array].head;
  if (array.head < before)
    return "has its head at " + text(array.head) + ", and had it at " +
           text(before);
  if (array.head % size)
    return "has its head at " + text(array.head) +
           ", and a group that is done has " + text(size) + " elements";
  for (; before != array.head; before += size) {
    uint64_t group = (before & array.mask) >> array.done_shift;
    uint64_t lap = (before >> array.width_shift) * size;
    uint64_t done = *reinterpret_cast<const uint64_t *>(
        array.done + group * CHAN_ARRAY_LINE);
    if (done < lap + size)
      return "has its head at " + text(array.head) + ", and of the elements " +
             text(before) + " to " + text(before + size - 1) + " only " +
             text(done < lap ? 0 : done - lap) + " are done";
  }
  return {};
}

/// Kernels allocate in the leaves, and the scheduler alone writes the control array.
std::string ArrayChecks::checkRoot(const chan_array &array) {
  if (array.head || array.tail || array.reserve_tail)
    return "has leaves, and its own positions have moved: head " +
           text(array.head) + ", tail " + text(array.tail) + ", reserve_tail " +
           text(array.reserve_tail);
  if (array.control_head > array.control_tail)
    return "has positions out of order: control_head " +
           text(array.control_head) + ", control_tail " +
           text(array.control_tail);
  uint64_t entries = array.control_tail - array.control_head;
  if (entries > array.mask + 1)
    return "has " + text(entries) +
           " elements of its leaves in its control array, and its width is " +
           text(array.mask + 1);
  return {};
}

uint64_t ArrayChecks::passedOver(const chan_array &array) {
  const Seen &known = seen[&array];
  return known.isOfRanges || array.leaves ||
                 array.control_head < known.dispatched
             ? 0
             : array.control_head - known.dispatched;
}

std::string ArrayChecks::noteDispatched(const chan_array &array, uint64_t first,
                                        uint64_t count) {
  if (count > array.control_tail || first > array.control_tail - count)
    return "elements " + text(first) + " to " + text(first + count - 1) +
           ", of which " + text(array.control_tail) + " are ready so far";
  uint32_t *&laps = seen[&array].laps;
  if (!laps)
    laps = space->allocate<uint32_t>(array.control_mask + 1);
  for (uint64_t position = first; position != first + count; ++position) {
    uint32_t &lap = laps[position & array.control_mask];
    auto wanted =
        static_cast<uint32_t>(position >> (array.width_shift + 1)) + 1;
    if (lap == wanted)
      return "element " + text(position) + " twice";
    lap = wanted;
  }
  seen[&array].dispatched += count;
  return {};
}

} // namespace chansim
