//===- ControlUnit.h - Control vector units (CVU) --------------*- C++ -* -===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_CONTROLUNIT_H
#define CHANSIM_CONTROLUNIT_H

#include "fabric/VgiwTile.h"

#include <array>
#include <bit>
#include <cassert>

namespace chansim {

/// A CVU that starts the threads of a replica (VGIW, 3.5 and Figure 6), one a
/// cycle.  It holds two batches, and asks for the next as soon as there is
/// room.
class Initiator {
public:
  bool wantsBatch() const { return promised + held < 2; }
  /// A batch is on its way.
  void promise() { ++promised; }
  void receive(const Batch &batch) {
    assert(promised && batch.bits);
    --promised;
    batches[held++] = batch;
  }

  bool hasThread() const { return held; }
  /// The next thread: the lowest bit of the batch that came first.
  uint32_t take() {
    Batch &batch = batches[0];
    uint32_t thread =
        batch.base + static_cast<uint32_t>(std::countr_zero(batch.bits));
    batch.bits &= batch.bits - 1;
    if (!batch.bits) {
      batches[0] = batches[1];
      --held;
    }
    return thread;
  }

private:
  std::array<Batch, 2> batches{};
  uint32_t held = 0, promised = 0;
};

/// What gives threads to the initiators of a fabric's replicas, and takes them
/// from the terminators.
class ThreadSource {
public:
  virtual ~ThreadSource() = default;

  /// One for each configured replica.
  std::vector<Initiator> &initiators() { return starters; }
  /// Cycles so far with a tile, up to the last change of state.
  virtual const uint64_t &busyCycles() const = 0;
  /// A thread has ended its block in this cycle, by the successor.
  virtual void finish(uint32_t replica, unsigned successor, uint32_t thread,
                      uint64_t cycle) = 0;

protected:
  std::vector<Initiator> starters;
};

/// A CVU that ends the threads of a replica.  For each of two successors it
/// collects two batches, as threads of different batches overtake one another;
/// a thread that belongs to neither has the one begun first sent as it is.
class Terminator {
public:
  /// What has to be sent before the thread fits; no bits if nothing.
  Batch add(unsigned successor, uint32_t thread) {
    Pair &pair = pairs[successor];
    uint32_t base = thread / 64 * 64;
    uint64_t bit = uint64_t(1) << thread % 64;
    for (Batch &batch : pair)
      if (batch.bits && batch.base == base) {
        batch.bits |= bit;
        return {};
      }
    Batch sent = pair[1].bits ? takeFirst(pair) : Batch{};
    pair[pair[0].bits ? 1 : 0] = {base, bit};
    return sent;
  }
  /// The batch of the successor begun first; no bits if there is none.
  Batch flush(unsigned successor) { return takeFirst(pairs[successor]); }

private:
  /// In the order in which they were begun.
  using Pair = std::array<Batch, 2>;

  static Batch takeFirst(Pair &pair) {
    Batch first = pair[0];
    pair[0] = pair[1];
    pair[1] = {};
    return first;
  }

  std::array<Pair, 2> pairs{};
};

} // namespace chansim

#endif // CHANSIM_CONTROLUNIT_H
