//===- Events.h - What a worker did and when --------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_EVENTS_H
#define CHAN_SRC_EVENTS_H

#include "Clock.h"
#include "Tuning.h"

#include <atomic>
#include <stddef.h>
#include <stdint.h>

namespace chan {

struct Row;

/// What a worker did for a while.
struct Event {
  enum Kind : uint32_t {
    call,   // a call that `row` describes
    share,  // put the task block of that number on offer
    steal,  // ran a task block of another worker
    wait,   // waited until its task blocks were finished
    parked, // had no work
  };
  const Row *row;
  uint64_t began;
  /// Zero until it is over; relaxed: a plain number, read at the end.
  std::atomic<uint64_t> ended;
  uint64_t taskBlock;
  Kind kind;
  uint32_t elements;
};

/// The events of one worker, in the order in which they began. Those beyond
/// kMostEvents are lost, and counted.
///
/// Thread safety: the worker adds events. The thread that writes the trace
/// reads them, at any time.
class EventBuffer {
public:
  /// Null if there is no memory.
  static EventBuffer *make();

  /// Null if it is lost.
  Event *begin(Event::Kind kind, uint64_t now, const Row *row,
               uint64_t taskBlock, uint32_t elements);

  /// Events that can be read.
  size_t count() const {
    return used.load(std::memory_order_acquire); // see begin
  }
  const Event &operator[](size_t index) const { return events[index]; }
  uint64_t lost() const { return dropped.load(std::memory_order_relaxed); }
  /// When the first of them began.
  uint64_t firstLost() const {
    return dropping.load(std::memory_order_relaxed);
  }
  void clear();

private:
  std::atomic<size_t> used;
  std::atomic<uint64_t> dropped, dropping;
  /// Pages are committed when they are written.
  Event events[kMostEvents];
};

} // namespace chan

#endif
