//===- Reservation.h - Elements reserved for thieves ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_RESERVATION_H
#define CHAN_SRC_RESERVATION_H

#include "Futex.h"
#include "chan/abi.h"

#include <atomic>
#include <stdint.h>

namespace chan {

struct Level;
struct TaskBlock;

/// Elements that others may take while a worker's kernel runs: the un-started
/// rest of the block that it runs on, or a block that it has filled before it
/// went on with something else (chan_poll).  An offer costs a microsecond, more
/// than a small tree takes; a reservation costs two atomic instructions and
/// changes nothing unless the kernel turns out to be long.
///
///   closed ──open──▶ open ──beginTake──▶ taking ──endTake──▶ closed
///                     │◀────refuse──────────┘
///                     └──close──▶ closed
///
/// open, close: the worker, around a kernel call and before it touches the
/// block's elements otherwise.  beginTake, refuse, endTake: any thread; between
/// them it has the block, its level's task blocks and these members to itself.
/// Every opening has a number, so that a taker can tell that one lasted.
class Reservation {
public:
  // Written by the worker while closed, read by who takes.
  Level *level = nullptr;
  chan_block *block = nullptr;
  /// The elements that it was opened with.
  uint32_t count = 0;
  /// The task block and the tree that the level belongs to.
  TaskBlock *parent = nullptr;
  uint32_t tree = 0;
  /// How deep the elements are in the tree.
  uint32_t depth = 0;

  bool isOpen() const {
    // acquire: the taker is through with the members.  seq_cst: see
    // Pool::noteReservation.
    return (word.load(std::memory_order_seq_cst) & kState) != kClosed;
  }

  void open() {
    // relaxed: while closed only the worker writes it.
    uint32_t number = word.load(std::memory_order_relaxed) & ~kState;
    // seq_cst: publishes the members and the block; before the look for
    // somebody who watches, see Pool::noteReservation.
    word.store(number + kNumber + kOpen, std::memory_order_seq_cst);
  }

  /// False if it is closed already, since somebody took the elements or the
  /// worker offered them.  May wait for one who is taking them.
  bool close() {
    // relaxed: only the worker opens it.
    uint32_t seen = word.load(std::memory_order_relaxed);
    while ((seen & kState) != kClosed) {
      if ((seen & kState) == kTaking) {
        futexWait(word, seen);
        // acquire: what the taker did to the block is visible.
        seen = word.load(std::memory_order_acquire);
        continue;
      }
      // acquire: also when somebody looked and refused.
      if (word.compare_exchange_strong(seen, seen - kOpen,
                                       std::memory_order_acquire))
        return true;
    }
    // acquire: as above.
    word.load(std::memory_order_acquire);
    return false;
  }

  /// The number of the present opening, 0 if closed.
  uint32_t opening() const {
    // seq_cst: see Pool::noteReservation.
    uint32_t seen = word.load(std::memory_order_seq_cst);
    return (seen & kState) == kOpen ? seen : 0;
  }

  /// Takes hold of the opening that opening() returned.
  bool beginTake(uint32_t opening) {
    // acquire: pairs with open.
    return word.compare_exchange_strong(opening, opening - kOpen + kTaking,
                                        std::memory_order_acquire);
  }
  void endTake(uint32_t opening) { finishTake(opening - kOpen); }
  void refuse(uint32_t opening) { finishTake(opening); }

  /// The opening that was seen when somebody looked last, and the period in
  /// which it was first.  relaxed users: hints about its age.
  std::atomic<uint32_t> noticed{0};
  std::atomic<uint32_t> noticedIn{0};

private:
  static constexpr uint32_t kClosed = 0, kOpen = 1, kTaking = 2, kState = 3,
                            kNumber = 4;

  void finishTake(uint32_t value) {
    // release: what was done to the block.
    word.store(value, std::memory_order_release);
    futexWake(word);
  }

  std::atomic<uint32_t> word{0};
};

} // namespace chan

#endif
