//===- ArrayChecks.h - What must hold of channels in memory -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels and a scheduler move the positions of a channel (chan/device.h), and the
// simulator executes what they do. These checks say whether it kept the channel's rules:
//
//   W1  head <= tail <= head + width          never more elements than the width
//   W2  control_head <= control_tail <= reserve_tail <= tail
//   W3  reserve_tail <= control_head + 2 * width     offsets are not overwritten
//   W4  all elements before head are done     room is not given out twice
//   W5  each offset is dispatched once, and only when it is ready
//
//   ArrayChecks checks;
//   std::string problem = checks.check(array);   // "has 65 elements, and its width is 64"
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_ARRAYCHECKS_H
#define CHANSIM_ARRAYCHECKS_H

#include "dispatch/AddressSpace.h"

#include "chan/device.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

namespace chansim {

class ArrayChecks {
public:
  /// Forgets all channels: others come.
  void clear();
  /// Of a channel with leaves, which are checked by themselves: its control array is the
  /// scheduler's, and its tails do not move.  Of others, and of leaves:
  /// what is wrong with W1 to W4, as the end of a sentence that begins with the
  /// channel's name; nothing if all is right.  Takes time for the groups that `head` has
  /// passed since the last check.
  std::string check(const chan_array &array);
  /// The same for W5, of so many offsets that are dispatched now.
  std::string noteDispatched(const chan_array &array, uint64_t first,
                             uint64_t count);

  /// Alike, of a wavefront of a range, which is no check.
  void noteRange(const chan_array &array) { seen[&array].isOfRanges = true; }
  /// Elements that `control_head` has passed, and that were never dispatched.
  uint64_t passedOver(const chan_array &array);

  /// Elements of one channel at once, at most, as checks have seen it.
  const uint64_t &mostElements() const { return most; }

private:
  static std::string checkRoot(const chan_array &array);

  struct Seen {
    uint64_t head = 0, dispatched = 0;
    bool isOfRanges = false;
    /// Of the control array: the lap of each position that was dispatched.
    uint32_t *laps = nullptr;
  };

  std::unordered_map<const chan_array *, Seen> seen;
  /// For laps: of wide channels, only a few positions are used.
  std::unique_ptr<AddressSpace> space = std::make_unique<AddressSpace>();
  uint64_t most = 0;
};

} // namespace chansim

#endif // CHANSIM_ARRAYCHECKS_H
