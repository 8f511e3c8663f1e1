//===- YieldWaits.h - How long wavefronts wait for room ---------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the cycles that wavefronts wait after a yield, and how many of these the done
// count costs (Orr et al., ISCA 2014, section 8.2.1): room becomes free a group at a
// time, so that elements that are done wait for others of their group.
//
//     head's group  |done|done|  |done|   tail ...    width reached: no room for 2
//                    ^^^^ ^^^^                        single elements would give 2
//
// The number is an upper bound: it takes all elements of head's group that are done as
// if they were the first ones. It is looked at when a wavefront begins, ends or yields.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_YIELDWAITS_H
#define CHANSIM_YIELDWAITS_H

#include "chan/device.h"
#include "results/Statistics.h"

#include <vector>

namespace chansim {

class YieldWaits {
public:
  /// `lanes`: elements that a wavefront may want at once.
  YieldWaits(uint64_t lanes, Statistics &statistics);

  /// A tree begins.
  void clear();
  /// A wavefront has yielded, and waits for room in the channel; null: for anything
  /// else.
  void add(const chan_array *channel) { channels.push_back(channel); }
  /// One that waited for that channel goes on.
  void remove(const chan_array *channel);
  /// Counts the cycles since the last call, and looks at the channels again.
  void count(uint64_t cycle);

private:
  bool isHeldByDoneCount(const chan_array &channel) const;

  const uint64_t lanes;
  std::vector<const chan_array *> channels;
  uint64_t held = 0, last = 0;
  struct {
    uint64_t waiting = 0, held = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_YIELDWAITS_H
