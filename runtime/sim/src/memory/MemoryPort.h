//===- MemoryPort.h - The memory as one requester sees it -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a core needs of its memory, whether its caches are coherent or not:
//
//   Memory         L1 and LVC of a core, not coherent        (Memory.h)
//   CoherentCache  a cache under the directory of the L2     (coherence/)
//   CombiningCache one beside it, which owns nothing         (coherence/)
//
// The model charges time only: data are the process's own.  In each cycle of its
// clock, the engine ticks the memory before its consumer, after which completions()
// are those of this cycle; then the consumer calls tryAccess() for each access that it
// wants to start, and tries what was refused again in a later cycle.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_MEMORYPORT_H
#define CHANSIM_MEMORYPORT_H

#include "engine/Engine.h"
#include "memory/Access.h"

#include <span>

namespace chansim {

class Trace;

class MemoryPort {
public:
  virtual ~MemoryPort() = default;

  /// Of its kind, in the order in which they were created, from 0.
  virtual uint32_t number() const = 0;
  /// The component that is woken when there are completions.
  virtual void setConsumer(Component &component) = 0;
  /// What is under way is shown from now on, by caches that can do that.
  virtual void record(Trace &) {}

  /// Starts an access in this cycle, if that is possible.  What was refused need not
  /// be tried again before the consumer is woken, but for bank conflicts.
  virtual Taken tryAccess(const Request &request) = 0;
  /// Counts an access that was not tried again in so many cycles.
  virtual void countRefusals(Via via, Taken why, uint64_t cycles) = 0;
  /// Where an access is placed that may be of the window of private memory (null if
  /// there is none), for requests that stand for several: those of one line become
  /// one request with `isPlaced`.
  virtual uint64_t place(uint64_t address, uint32_t bytes,
                         const PrivateWindow *window) const = 0;
  /// The accesses that completed in this cycle, in a fixed order.
  virtual std::span<const Completion> completions() const = 0;

  /// Forgets what others may have changed, so that later reads see it.  Caches to which
  /// others' writes come have nothing to do.
  virtual void acquire() {}

  /// Begins to write back what others cannot see.  Coherent caches have nothing to do.
  virtual void flush() = 0;
  virtual bool isFlushing() const = 0;
};

} // namespace chansim

#endif // CHANSIM_MEMORYPORT_H
