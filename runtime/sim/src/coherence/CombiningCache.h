//===- CombiningCache.h - A first-level cache that combines stores - C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data cache of a compute unit with memory.protocol = write_combining, after
// QuickRelease (Hechtman et al., HPCA 2014).  It owns nothing, and the directory does not
// know what it holds:
//
//   loads ----> tags of clean lines --miss-- read ----> L2
//                   ^ copy                               ^
//   stores ---> entries, oldest first ------ write ------+
//   atomic operations, loads and stores with an order ---+
//
// * Plain stores put bytes into an entry for their line, and are done.  The oldest entry
//   goes to the L2 when another line needs its place, an entry of which all bytes are
//   written goes at once, and all entries go when something releases.
// * An access that releases is sent when all stores before it are in the L2.
// * When an access that acquires is done, all clean lines are forgotten.  Lines under way
//   then serve the loads that waited for them, and are not kept.
// * What has an order goes to the L2 by itself, and a load then sees what is there.
//
// For example, of two stores, a release and what it costs (hit_cycles = 4):
//
//   cycle 0   store to A: entry 0        done at 4
//         1   store to A: entry 0        done at 5
//         2   store to F, release: entry 0 is written
//        22   A is in the L2: F is written
//        46   the store to F is done
//
// A load always finds the stores of its own core: in an entry, which is kept until the L2
// has the bytes, or in a line that was read behind them.  Messages about one line keep
// their order.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_COHERENCE_COMBININGCACHE_H
#define CHANSIM_COHERENCE_COMBININGCACHE_H

#include "coherence/DirectoryClient.h"

namespace chansim {

class CombiningCache final : public DirectoryClient {
public:
  /// As CoherentCache.
  CombiningCache(const CacheParameters &parameters,
                 const std::string &counterPrefix, const std::string &label,
                 Clock clock, Engine &engine, Directory &directory,
                 FrameTable &frames, const Machine &machine,
                 Statistics &statistics);

  /// Requests are Via::l1, and do not cross from one line into the next.
  Taken tryAccess(const Request &request) override;
  void acquire() override;

  // For tests.
  /// Whether a load of the address hits a clean line.
  bool isValid(uint64_t address);
  /// Stores of the address's line that the L2 has not: how many bytes.
  uint32_t bytesToWrite(uint64_t address);
  /// Of each completion: if it is of a load that saw the L2's data, when those were read
  /// there; or else 0.
  std::span<const Tick> readAt() const { return doneReadAt; }
  /// Whether nothing is under way.  Entries may wait for more stores.
  bool isIdle() const {
    return freeMshrs.size() == mshrCount && sent == 0 && pipe.empty() &&
           waiting.empty();
  }

private:
  struct Way {
    uint32_t mshr = kNone;
    bool isValid = false;
    /// When the L2 read the line.
    Tick readAt = 0;
  };
  /// A line under way, or one operation in the L2.
  struct Mshr {
    uint64_t line;
    /// kNone if the line is not to be kept.
    uint32_t way;
    uint32_t targets;
    Order order;
    /// For the trace: the cycle in which it was wanted.
    uint64_t since;
  };
  /// Bytes of a line that the L2 has not.
  struct Entry {
    uint64_t id, line;
    ByteMask mask;
    /// Whether stores may join it, and whether it has been sent.
    bool isOpen, isSent;
    /// Of a store with an order.
    bool hasTarget;
    Target target;
  };
  /// What waits until stores before it are in the L2.
  struct Waiting {
    /// Entries with smaller numbers must be gone.
    uint64_t before;
    moesi::Message message;
    /// Of a fence, which has no message.
    bool isFence;
    Target target;
    Tick since;
  };

  Taken load(const Request &request, uint64_t line, const ByteMask &mask);
  Taken store(const Request &request, uint64_t line, const ByteMask &mask);
  Taken operate(const Request &request, uint64_t line);
  Taken storeThrough(const Request &request, uint64_t line,
                     const ByteMask &mask);
  void fence(const Request &request);
  Taken refuse(Taken why, uint64_t &counter);
  void accept(const Request &request);

  Entry *openEntryOf(uint64_t line);
  bool hasBytes(uint64_t line, const ByteMask &mask) const;
  void send(Entry &entry);
  void sendAll();
  void sendLine(uint64_t line);
  void forget(uint64_t line);
  uint64_t release(Order order);
  void sendInOrder(const moesi::Message &message, uint64_t before);
  bool isClear(uint64_t before) const {
    return entries.empty() || entries.front().id >= before;
  }
  void advanceWaiting();
  void go(const Waiting &one);

  uint32_t addMshr(uint64_t line, uint32_t way, Order order);
  void take(const moesi::Message &message);
  void fill(const moesi::Message &message);
  void takeWritten(const moesi::Message &message);
  Activity tick() override;
  void complete();
  bool isBankFree(uint64_t line);
  void explain(std::string &text) const override;
  void addCounters(Statistics &statistics, const std::string &prefix);

  /// Entries that may be open.
  const uint32_t mostOpen;
  std::vector<Way> ways;
  std::vector<Mshr> mshrs;
  /// `mshr_targets` of each MSHR.
  std::vector<Target> targets;
  /// In the order of their making.
  std::vector<Entry> entries;
  uint64_t nextId = 1;
  uint32_t open = 0, sent = 0;
  /// In the order of their coming.
  std::vector<Waiting> waiting;
  std::vector<Tick> doneReadAt;

  struct {
    uint64_t forwarded = 0, combined = 0, displaced = 0, fullWrites = 0,
             partialWrites = 0, writtenBytes = 0, ordered = 0, releases = 0,
             releaseCycles = 0, acquires = 0, forgotten = 0, notKept = 0;
  } combining;
};

} // namespace chansim

#endif // CHANSIM_COHERENCE_COMBININGCACHE_H
