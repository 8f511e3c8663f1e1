//===- Memory.h - The memory hierarchy --------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//        LDST units        LV units
//            |                 |
//           L1                LVC         core clock
//             \_____ link ____/           interconnect clock
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

#include "Cache.h"
#include "Engine.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace chansim {

/// What an access does.  Atomic operations go by L1.
enum class Access : uint8_t { read, write, atomic };

/// By which cache an access goes.  Each has an address space of its own: those
/// of L1 are the process's, those of LVC are bytes of the live-value matrix.
enum class Via : uint8_t { l1, lvc };

/// An access of one simulated thread.
struct Request {
  uint64_t address;
  /// At most a line; it may cross from one line into the next.
  uint32_t bytes;
  Access access;
  Via via;
  /// Given back with the completion, and of no meaning here.
  uint32_t requester, tag;
  /// A write that the caller does not wait for: it has no completion.
  bool isPosted = false;
  /// Whether it is a whole line whose address Memory::place() has given.
  bool isPlaced = false;
  /// Of a write of a placed line: which bytes.
  ByteMask written = {};
};

/// An access that is done.
struct Completion {
  uint32_t requester, tag;
};

/// Whether an access was taken up, or why it must be tried again.
enum class Taken : uint8_t {
  yes,
  bankConflict, ///< another access has its bank in this cycle
  noMshr,       ///< a miss, and too many are under way
  noTarget,     ///< too many wait for the same line
  flushing,     ///< the cache is being written back
  noWriteBack   ///< it displaces a line, and too many are being written back
};

/// A stretch of private memory that is stored interleaved: granule g of thread
/// t lies beside granule g of thread t + 1, not beside granule g + 1 of thread
/// t.
struct PrivateWindow {
  uint64_t base;
  uint32_t threads, bytesPerThread;
  /// An aligned access of at most this size stays in one piece.
  uint32_t granule;
};

class Statistics;
struct Uncore;

/// The memory as one core sees it: L1, LVC and the link to L2.  Caches of cores
/// know nothing of one another.
class Memory {
public:
  /// Adds itself to the engine: create it before the core.  Counters are named
  /// `l1.hits` and so on.
  Memory(const Machine &machine, Engine &engine, Uncore &uncore,
         Statistics &statistics);
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Of the core, in the order in which memories were created, from 0.
  uint32_t number() const;
  /// The component that is woken when there are completions.
  void setConsumer(Component &consumer);

  /// Starts an access in this core cycle, if that is possible.  What lacks an
  /// MSHR, room at one or room for a line to be written back need not be tried
  /// again before the consumer is woken.
  Taken tryAccess(const Request &request);
  /// Counts an access by the cache that was not tried again in so many cycles.
  void countRefusals(Via via, Taken why, uint64_t cycles);

  /// Where the window and the frames place an access, for requests that stand for
  /// several: those of one line become one request.
  uint64_t place(uint64_t address, uint32_t bytes) const;

  /// The accesses that completed in this core cycle, in a fixed order: first
  /// those by L1, then those by LVC, each in the order in which the data came.
  std::span<const Completion> completions() const;

  /// From now on an access by L1 to the window, if there is one, is placed as
  /// the window says.
  void setPrivateWindow(const std::optional<PrivateWindow> &window);

  /// The end of a kernel: when the lines of posted writes have come, L1 begins
  /// to write all dirty lines back to L2.  Only when no other access by L1 is
  /// under way.
  void flush();
  /// Whether that is not over yet.  The consumer is woken when it is.
  bool isFlushing() const;
  /// The end of a tile: live values are dead, and LVC forgets its lines and what
  /// posted writes have done, without writing any back.  Only when no other
  /// access by LVC is under way.
  void discardLiveValues();

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace chansim

#endif // CHANSIM_MEMORY_H
