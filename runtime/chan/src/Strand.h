//===- Strand.h - The serial order of what runs in parallel -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A strand is a part of a program that contains no spawn and no sync. Each
// strand has a view of each reducer that it uses. A child may run after what
// follows its spawn, so the strands of an activation are in a list, in the order
// in which the serial elision would execute them:
//
//   list += 'a';            head      'a'
//   cilk_spawn f();         child 1   what f appends
//   list += 'b';            part      'b'
//   cilk_spawn g();         child 2   what g appends
//   cilk_sync;              all four are combined, from left to right
//
// Two neighbours that have both ended are combined at once. So an activation
// keeps as many strands as it has children that have not ended, twice.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_STRAND_H
#define CHAN_SRC_STRAND_H

#include "Views.h"
#include "chan/abi.h"

#include <atomic>

namespace chan {

/// Guards the list of one activation. It is held for a few instructions, never
/// while a program's functions run.
class ListLock {
public:
  void lock();
  void unlock();

private:
  std::atomic<uint32_t> state{0};
};

} // namespace chan

/// The strand with which an activation begins. Its list has the others.
///
/// Thread safety: `views` belongs to the thread that executes the strand; once
/// the strand has ended, to the thread that has set `combines`. `previous`,
/// `next`, `ended` and `combines` are guarded by the lock of `parent`; `first`,
/// `last`, `headCombines` by `lock`. All else belongs to the thread of the
/// activation.
struct chan_strand {
  /// The strand of the activation that has spawned this one; null for a root,
  /// whose view of a reducer is the variable itself.
  chan_strand *parent = nullptr;
  chan_strand *previous = nullptr, *next = nullptr;
  chan::Views views;
  /// Where the activation's code finds its views: this strand, the one behind
  /// the latest spawn, or null if that has not been made yet.
  chan_strand *open = this;
  chan_strand *first = nullptr, *last = nullptr;
  chan::ListLock lock;
  /// How many activations that were called, not spawned, go on in this strand.
  uint32_t calls = 0;
  bool ended = false;
  /// A thread combines it with a neighbour.
  bool combines = false;
  /// The same for this strand as the head of its list.
  bool headCombines = false;
};

#endif // CHAN_SRC_STRAND_H
