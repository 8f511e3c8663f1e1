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
#include "memory/MemoryPort.h"

#include <cstdint>
#include <optional>
#include <span>

namespace chansim {

class Statistics;
struct Uncore;

/// The memory as one core sees it: L1, LVC and the link to L2.  Caches of cores
/// know nothing of one another.
class Memory final : public MemoryPort, Component {
public:
  /// Adds itself to the engine: create it before the core.  Counters are named
  /// `l1.hits` and so on.
  Memory(const Machine &machine, Engine &engine, Uncore &uncore,
         Statistics &statistics);
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  uint32_t number() const override { return link.port(); }
  void setConsumer(Component &component) override { consumer = &component; }

  Taken tryAccess(const Request &request) override;
  void countRefusals(Via via, Taken why, uint64_t cycles) override;
  uint64_t place(uint64_t address, uint32_t bytes,
                 const PrivateWindow *window) const override;
  /// First those by L1, then those by LVC, each in the order in which the data
  /// came.
  std::span<const Completion> completions() const override;

  /// From now on an access by L1 to the window that is not placed, if there is a
  /// window, is placed as it says.
  void setPrivateWindow(const std::optional<PrivateWindow> &window) {
    map.setWindow(window);
  }

  /// The end of a kernel: when the lines of posted writes have come, L1 begins
  /// to write all dirty lines back to L2.  Only when no other access by L1 is
  /// under way.
  void flush() override;
  /// Whether that is not over yet.  The consumer is woken when it is.
  bool isFlushing() const override { return isFlushingL1; }
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
