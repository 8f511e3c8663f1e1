//===- Link.h - Between a core's memory and L2 ------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   L1, LVC --- requests, lines written back ---> L2      down
//           <-- lines, words of atomic operations --      up
//
// Each way carries `memory.link_bytes` in a cycle of its clock, one
// message after the other.  A request is at its bank when the link begins to
// carry it, and a response at the cache: the ways between are in
// `l2.hit_cycles`.  Of a line that is written back, the core keeps one of
// `memory.write_back_entries` until the link has carried it.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_LINK_H
#define CHANSIM_LINK_H

#include "memory/L2.h"

#include <algorithm>

namespace chansim {

class Link {
public:
  /// Of a core's memory, which is woken for each response.
  Link(const Machine &machine, Engine &engine, L2 &l2, Component &memory);

  /// What an address or a word takes on the link.
  static constexpr uint32_t kWordBytes = 8;

  /// The port of the L2: cores are numbered by it.
  uint32_t port() const { return ownPort; }

  // Down.

  /// Behind what was sent before.  The link's part is of so many bytes; the
  /// message's port and time are the link's to fill in.
  void send(Message message, uint32_t bytes);
  /// Alike, of a line or some bytes of it.  REQUIRES: hasRoom().
  void writeBack(uint64_t line, const ByteMask &mask, uint32_t bytes);
  /// Whether there are entries for so many lines more.
  bool hasRoom(uint32_t lines = 1);
  /// When there is one more.  REQUIRES: not all are free.
  Tick roomAt() const { return writeBacks.front(); }
  /// Whether all that was sent has been carried.
  bool isDownFree() const { return downFree <= engine.now(); }

  // Up.

  /// The response that the link can carry now; null if there is none.
  const Message *arrived() const {
    return upFree > engine.now() ? nullptr : l2.response(ownPort);
  }
  /// Carries it.  REQUIRES: arrived().
  Message take();
  /// When there is one, as far as is known.
  Tick nextArrival() const {
    Tick response = l2.responseAt(ownPort);
    return response == kNever ? kNever : std::max(response, upFree);
  }

private:
  Tick ticks(uint32_t bytes) const {
    return clock.ticks((bytes + linkBytes - 1) / linkBytes);
  }

  Engine &engine;
  L2 &l2;
  const uint32_t ownPort, lineBytes, linkBytes, writeBackEntries;
  const Clock clock;
  /// When the link can carry the next message up and down.
  Tick upFree = 0, downFree = 0;
  /// When it has carried each of the lines that are being written back.
  Fifo<Tick> writeBacks;
};

} // namespace chansim

#endif // CHANSIM_LINK_H
