//===- ContinuationChecks.h - When continuations may start ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A continuation uses what the children of its activation have computed. So it may start
// only if, at some moment since it was enqueued, all deeper levels were empty (Orr et al.,
// ISCA 2014, section 5.2). The dispatcher refuses others, as the program would compute
// something else:
//
//   level 1   continuations  a b            a: level 2 was empty after it was enqueued
//   level 2   children       x of b         b: refused, until x has ended
//
// Deeper levels are empty if none of their wavefronts runs or has yielded, and none of their
// elements waits. Nor may a wavefront of the continuation's own level run: such a wavefront
// may have reserved elements that it has not enqueued, so that no control array has them.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_CONTINUATIONCHECKS_H
#define CHANSIM_CONTINUATIONCHECKS_H

#include "dispatch/ArrayChannels.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace chansim {

class ContinuationChecks {
public:
  /// A tree begins.
  void clear();

  /// Call it before any wavefront begins or goes on.
  void look(const ArrayChannels &channels);
  void noteStarted(uint64_t level) { ++at(level).running; }
  void noteEnded(uint64_t level) { --at(level).running; }
  void noteYielded(uint64_t level) {
    --at(level).running;
    ++at(level).yielded;
  }
  void noteResumed(uint64_t level) { --at(level).yielded; }

  /// Whether elements [first, first + count) of a continuations' channel may start. `part`
  /// is the channel, or one of its leaves. An empty string if so; or else what has to end
  /// first: "channel fib.0 at level 4 has 2 elements that are not done".
  /// REQUIRES: look() was called, and the elements are in the control array.
  std::string check(const ArrayChannels &channels, const chan_array &channel,
                    const chan_array &part, uint64_t level, uint64_t first,
                    uint64_t count);

private:
  struct Wavefronts {
    uint64_t running = 0, yielded = 0;
  };
  Wavefronts &at(uint64_t level) {
    if (levels.size() <= level)
      levels.resize(level + 1);
    return levels[level];
  }
  /// What keeps the continuations of the level from starting.
  std::string whatIsDeeper(const ArrayChannels &channels, uint64_t level);
  static bool isEmpty(const ArrayChannels &channels, uint64_t stack,
                      const chan_array &array);

  std::vector<Wavefronts> levels;
  /// Of channels of continuations without leaves, and of leaves: elements before this
  /// position may start.
  std::unordered_map<const chan_array *, uint64_t> released;
};

} // namespace chansim

#endif // CHANSIM_CONTINUATIONCHECKS_H
