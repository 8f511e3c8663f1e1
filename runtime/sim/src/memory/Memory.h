//===- Memory.h - The memory hierarchy --------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//        LDST units        LV units
//            |                 |
//           L1                LVC         FirstLevel; core clock
//             \_____ link ____/           Link; interconnect clock
//                     |
//     other   \_____  |  _____/           Uncore
//     cores         L2 banks              L2 clock; atomic operations
//                     |
//               DRAM channels             DRAM clock
//
// VGIW, section 3.6 and Table 1.  The model charges time only: data are the
// process's own, and the requester reads or writes them when its access
// completes.
//
// The protocol, in each core cycle: the engine ticks the memory before the
// core, after which completions() are those of this cycle; then the core calls
// tryAccess() for each access it wants to start, in its own fixed order, and
// tries what was refused again in a later cycle.  All is deterministic.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_MEMORY_H
#define CHANSIM_MEMORY_H

#include "memory/AddressMap.h"
#include "memory/FirstLevel.h"

#include <cstdint>
#include <optional>
#include <span>

namespace chansim {

class Statistics;
struct Uncore;

/// The memory as one core sees it: L1, LVC and the link to L2.  Caches of cores
/// know nothing of one another.
class Memory : Component {
public:
  /// Adds itself to the engine: create it before the core.  Counters are named
  /// `l1.hits` and so on.
  Memory(const Machine &machine, Engine &engine, Uncore &uncore,
         Statistics &statistics);
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Of the core, in the order in which memories were created, from 0.
  uint32_t number() const { return link.port(); }
  /// The component that is woken when there are completions.
  void setConsumer(Component &component) { consumer = &component; }

  /// Starts an access in this core cycle, if that is possible.  What lacks an
  /// MSHR, room at one or room for a line to be written back need not be tried
  /// again before the consumer is woken.
  Taken tryAccess(const Request &request);
  /// Counts an access by the cache that was not tried again in so many cycles.
  void countRefusals(Via via, Taken why, uint64_t cycles);

  /// Where an access by L1 is placed (AddressMap.h), for requests that stand for
  /// several: those of one line become one request.
  uint64_t place(uint64_t address, uint32_t bytes) const;

  /// The accesses that completed in this core cycle, in a fixed order: first
  /// those by L1, then those by LVC, each in the order in which the data came.
  std::span<const Completion> completions() const;

  /// From now on an access by L1 to the window, if there is one, is placed as
  /// the window says.
  void setPrivateWindow(const std::optional<PrivateWindow> &window) {
    map.setWindow(window);
  }

  /// The end of a kernel: when the lines of posted writes have come, L1 begins
  /// to write all dirty lines back to L2.  Only when no other access by L1 is
  /// under way.
  void flush();
  /// Whether that is not over yet.  The consumer is woken when it is.
  bool isFlushing() const { return isFlushingL1; }
  /// The end of a tile: live values are dead, and LVC forgets its lines and what
  /// posted writes have done, without writing any back.  Only when no other
  /// access by LVC is under way.
  void discardLiveValues() { lvc->discard(); }

private:
  Taken start(Request request);
  Taken startAtomic(const Request &request, uint64_t address);
  FirstLevel &cache(Via via) { return via == Via::l1 ? l1 : *lvc; }

  Activity tick() override;
  void explain(std::string &text) const override;
  void takeResponses();
  void flushLine();
  Tick nextWork() const;

  Engine &engine;
  Link link;
  /// "core 1: " if there are several.
  const std::string label;
  FirstLevel l1;
  /// Of VGIW.
  std::optional<FirstLevel> lvc;
  AddressMap map;
  Component *consumer = nullptr;
  const uint32_t lineBytes;
  const bool flushInvalidates;

  Slots<Completion> atomics;
  std::vector<Completion> done;
  /// When those were.
  Tick doneAt = kNever;
  /// Whether an access waits for a line to come.
  bool isRefusing = false;
  /// Whether an access, or a line that has come, waits for room for a line to be
  /// written back.
  bool isRefusingForRoom = false, isLineWaiting = false;
  bool isFlushingL1 = false;
  struct {
    uint64_t atomics = 0, splits = 0, flushes = 0, flushedLines = 0,
             flushCycles = 0, noRoom = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_MEMORY_H
