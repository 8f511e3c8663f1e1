//===- Reservation.h - Elements reserved for thieves ------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_RESERVATION_H
#define CHAN_SRC_RESERVATION_H

#include "Futex.h"
#include "Signals.h"
#include "chan/abi.h"

#include <atomic>
#include <stdint.h>

namespace chan {

struct Level;
struct TaskBlock;

/// Elements that thieves may take while a kernel of their owner runs. They are
/// the un-started rest of the block that it runs on. Or they are in a block
/// that it has filled before it went on with something else (chan_poll). An
/// offer costs a microsecond, which is more than a small tree takes. A
/// reservation costs two atomic instructions, and changes nothing unless the
/// kernel takes long.
///
///   closed ──open──▶ open ──beginTake──▶ taking ──endTake──▶ closed
///                     │◀────refuse──────────┘
///                     └──close──▶ closed
///
/// open, close: by the owner, around a kernel call, and before it touches the
/// elements in another way. beginTake, refuse, endTake: by any thread. Between
/// them the thief alone uses the block, the task blocks of its level and the
/// members below. Every opening has a number, so that a thief can tell that one
/// lasted.
class Reservation {
public:
  // Written by the owner while closed, read by the thief.
  Level *level = nullptr;
  chan_block *block = nullptr;
  /// The number of elements when it was opened.
  uint32_t count = 0;
  /// The task block and the tree that the level belongs to.
  TaskBlock *parent = nullptr;
  uint32_t tree = 0;
  /// Depth of the elements in the tree.
  uint32_t depth = 0;

  // The owner's alone.
  /// Set while a block is reserved that a kernel fills: the entries of its
  /// level. The level itself shows an empty list, so that the kernel's next
  /// talloc calls the runtime.
  chan_block *hidden = nullptr;
  /// Set while a block is reserved that follows the one a kernel runs on: the
  /// reserved block.
  chan_block *behind = nullptr;

  bool isOpen() const {
    // acquire: the thief no longer uses the members. seq_cst: see
    // Pool::noteReservation.
    return (word.load(std::memory_order_seq_cst) & kState) != kClosed;
  }

  void open() {
    // relaxed: only the owner writes it while it is closed.
    uint32_t number = word.load(std::memory_order_relaxed) & ~kState;
    // seq_cst: publishes the members and the block. It comes before the look
    // for a watching worker, see Pool::noteReservation.
    word.store(number + kNumber + kOpen, std::memory_order_seq_cst);
  }

  /// False if it is closed already, because a thief took the elements or the
  /// owner offered them. Waits while a thief takes them.
  bool close() {
    // relaxed: only the owner opens it.
    uint32_t seen = word.load(std::memory_order_relaxed);
    while ((seen & kState) != kClosed) {
      if ((seen & kState) == kTaking) {
        futexWait(word, seen);
        // acquire: what the thief did to the block is visible.
        seen = word.load(std::memory_order_acquire);
        continue;
      }
      // acquire: also needed after a thief that refused.
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

  /// Takes hold of the opening that opening() returned. False if it has ended.
  bool beginTake(uint32_t opening) {
    // acquire: pairs with open.
    return word.compare_exchange_strong(opening, opening - kOpen + kTaking,
                                        std::memory_order_acquire);
  }
  void endTake(uint32_t opening) { finishTake(opening - kOpen); }
  void refuse(uint32_t opening) { finishTake(opening); }

  /// The opening that the last look found, and the period in which it was first
  /// found. All are accessed relaxed: they only hint at its age.
  std::atomic<uint32_t> noticed{0};
  std::atomic<uint32_t> noticedIn{0};
  /// The signals that the owner's thread blocked at every look since then, and
  /// the number of looks. And the processor time that the thread had used at
  /// the last one.
  std::atomic<SignalMask> signals{0};
  std::atomic<uint32_t> looks{0};
  std::atomic<uint64_t> ownerRan{0};

private:
  static constexpr uint32_t kClosed = 0, kOpen = 1, kTaking = 2, kState = 3,
                            kNumber = 4;

  void finishTake(uint32_t value) {
    // release: what was done to the block becomes visible.
    word.store(value, std::memory_order_release);
    futexWake(word);
  }

  std::atomic<uint32_t> word{0};
};

} // namespace chan

#endif
