//===- ContinuationChecks.cpp - When continuations may start --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deeper levels only stop being empty when a wavefront begins or goes on. So it is enough
// to look before each such moment:
//
//   level 2 becomes empty ... look: all continuations of level 1 are released ... dispatch
//
//===----------------------------------------------------------------------===//

#include "dispatch/ContinuationChecks.h"

#include <algorithm>

namespace chansim {

void ContinuationChecks::clear() {
  levels.clear();
  released.clear();
}

/// Ranges are empty when all their iterations are done: `control_head` passes a range when
/// the scheduler begins to cut it.
bool ContinuationChecks::isEmpty(const ArrayChannels &channels, uint64_t stack,
                                 const chan_array &array) {
  if (channels.ready(array))
    return false;
  return !channels.root().stacks[stack].is_range || !channels.unfinished(array);
}

void ContinuationChecks::look(const ArrayChannels &channels) {
  const chan_machine &root = channels.root();
  for (uint64_t level = root.level_count; level--;) {
    if (at(level).running)
      return;
    const chan_depth &depth = *root.levels[level];
    for (uint64_t i = 0; i != depth.continuations.count; ++i) {
      const chan_array &channel = *depth.continuations.first[i].channel;
      if (!channel.leaves)
        released[&channel] = channel.control_tail;
      for (const chan_array *leaf : channels.leavesOf(channel))
        released[leaf] = leaf->control_tail;
    }
    if (at(level).yielded)
      return;
    for (const chan_places *places : {&depth.children, &depth.continuations})
      for (uint64_t i = 0; i != places->count; ++i)
        if (!isEmpty(channels, places->first[i].stack,
                     *places->first[i].channel))
          return;
  }
}

std::string ContinuationChecks::check(const ArrayChannels &channels,
                                      const chan_array &channel,
                                      const chan_array &part, uint64_t level,
                                      uint64_t first, uint64_t count) {
  // The scheduler has moved what is in the own array of a channel with leaves.
  bool isReleased =
      &part == &channel && channel.leaves
          ? std::ranges::all_of(channels.leavesOf(channel),
                                [&](const chan_array *leaf) {
                                  return leaf->control_head <= released[leaf];
                                })
          : first + count <= released[&part];
  return isReleased ? std::string() : whatIsDeeper(channels, level);
}

std::string ContinuationChecks::whatIsDeeper(const ArrayChannels &channels,
                                             uint64_t level) {
  const chan_machine &root = channels.root();
  auto wavefronts = [](uint64_t count, const char *verb, uint64_t level) {
    return std::to_string(count) + (count == 1 ? " wavefront" : " wavefronts") +
           " of level " + std::to_string(level) + verb;
  };
  for (uint64_t deeper = root.level_count; --deeper > level;) {
    if (uint64_t count = at(deeper).running)
      return wavefronts(count, count == 1 ? " runs" : " run", deeper);
    if (uint64_t count = at(deeper).yielded)
      return wavefronts(count, count == 1 ? " has yielded" : " have yielded",
                        deeper);
    const chan_depth &depth = *root.levels[deeper];
    for (const chan_places *places : {&depth.children, &depth.continuations})
      for (uint64_t i = 0; i != places->count; ++i)
        if (const chan_array &array = *places->first[i].channel;
            !isEmpty(channels, places->first[i].stack, array)) {
          uint64_t count =
              std::max(channels.ready(array), channels.unfinished(array));
          return channels.nameOf(&array) + " has " + std::to_string(count) +
                 (count == 1 ? " element that is not done"
                             : " elements that are not done");
        }
  }
  uint64_t count = at(level).running;
  return wavefronts(count, count == 1 ? " runs" : " run", level);
}

} // namespace chansim
