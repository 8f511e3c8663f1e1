//===- CoherentCache.h - A first-level cache under the directory - C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   Request ---> banks, tags --- hit ---> pipe ---> Completion
//                   |    ^
//              miss |    | line                  probes of the home
//                   v    |                              |
//                MSHR --getS, getM--> link     answers <-+
//
// The data cache of a compute unit or of the aggregator, or an instruction cache (which
// is only read).  Reads hit in every state but invalid.  Writes and atomic operations
// need the only copy, and atomic operations are performed here: one a cycle.  An access
// is done `hit_cycles` after its line was there in the state that it needs.
//
// A write or an atomic operation takes effect when it is done.  Until then the cache
// keeps the line: a probe waits for those that were there before it; later writes
// wait until the line has gone, and ask for it again.  So a line that comes serves
// all writes that wait for it before it goes to the next cache, and no cache
// can keep it from others.
//
// The way for a line is chosen when it is asked for.  The line that was there, clean or
// dirty, takes one of `memory.write_back_entries` until the home has acknowledged its put.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_COHERENCE_COHERENTCACHE_H
#define CHANSIM_COHERENCE_COHERENTCACHE_H

#include "coherence/Directory.h"
#include "memory/AddressMap.h"
#include "memory/MemoryPort.h"
#include "memory/Slots.h"
#include "results/Trace.h"

#include <memory>

namespace chansim {

class CoherentCache final : public MemoryPort, Component, Receiver {
public:
  /// Adds itself to the engine, with a clock of its own: create it behind the
  /// directory and before its consumer.  Counters are named `PREFIX.hits` and so on;
  /// `label` ("core 1: L1") names it to people.  REQUIRES: two ways or more, and two
  /// put entries or more, as an access may need two lines.
  CoherentCache(const CacheParameters &parameters,
                const std::string &counterPrefix, const std::string &label,
                Clock clock, Engine &engine, Directory &directory,
                FrameTable &frames, const Machine &machine,
                Statistics &statistics);
  CoherentCache(const CoherentCache &) = delete;
  CoherentCache &operator=(const CoherentCache &) = delete;

  uint32_t number() const override { return self; }
  void setConsumer(Component &component) override { consumer = &component; }
  void record(Trace &trace) override;

  /// Requests are Via::l1.  One that is not placed is not in a private window.
  Taken tryAccess(const Request &request) override;
  void countRefusals(Via via, Taken why, uint64_t cycles) override;
  uint64_t place(uint64_t address, uint32_t bytes,
                 const PrivateWindow *window) const override;
  /// In the order of their times; of one time, in the order in which they hit or
  /// their lines came.
  std::span<const Completion> completions() const override {
    return doneAt == engine.now() ? std::span<const Completion>(done)
                                  : std::span<const Completion>();
  }
  /// Nothing: others can see all.
  void flush() override {}
  bool isFlushing() const override { return false; }

  /// The state of the line of an address, for tests.
  moesi::State stateOf(uint64_t address);
  bool isValid(uint64_t address) { return moesi::isReadable(stateOf(address)); }
  /// Whether no access, no request and no put is under way.
  bool isIdle() const {
    return freeMshrs.size() == mshrs.size() && puts.empty() && pipe.empty() &&
           delayed.size() == 0;
  }

private:
  static constexpr uint32_t kNone = ~uint32_t(0);

  /// What waits for a line, or for its end in the pipe.
  struct Target {
    uint32_t requester, tag;
  };
  /// Of an access that waits: what it does.
  struct Waiting {
    Target target;
    Access access;
  };
  struct Way {
    /// When the last write or atomic operation is done.
    Tick writtenAt = 0;
    uint32_t mshr = kNone;
    moesi::State state = moesi::State::invalid;
    /// Whether a probe waits for `writtenAt`.
    bool isLeaving = false;
  };
  /// A line whose request is under way, or will be sent.
  struct Mshr {
    uint32_t way, targets;
    /// Of the targets, those that are no reads.
    uint32_t writes;
    bool isSent;
    moesi::Wanted wanted;
    /// For the trace: the cycle in which it was wanted, and what has come.
    uint64_t since = 0;
    const char *came = "";
  };
  /// A line that waits for a putAck.
  struct Put {
    uint64_t line;
    moesi::State state;
  };
  struct Due {
    Tick at;
    Target target;
  };
  /// An access that waits for two things: a part in each of two lines.
  struct Split {
    Completion access;
    uint32_t partsLeft;
  };
  /// What lies in one line of an access.
  struct Part {
    uint64_t address;
    uint32_t bytes;
  };
  enum class Outcome : uint8_t {
    hit,
    merged,  ///< waits for a line that is under way
    upgrade, ///< asks to be the only one that has the line
    miss,    ///< asks for the line
    noMshr,
    noTarget,
    noPut ///< refused: no line more may be given up
  };
  struct Found {
    Outcome outcome;
    /// The way of the line, or that of the victim.
    uint32_t way;
  };

  // Accesses.
  Taken tryOne(const Request &request, const Part &part);
  Taken trySplit(const Request &request, const Part &first, const Part &second);
  Found find(uint64_t line, bool isWrite);
  Taken refuse(Outcome why);
  void begin(const Found &found, const Part &part, Access access,
             Target target);
  void enter(Target target, Tick at);
  Tick perform(Way &way, Access access, Target target, Tick earliest);
  bool areBanksFree(const Part &part);
  void occupy(const Part &part);

  // Lines.
  uint32_t addMshr(uint32_t way);
  void wait(uint32_t mshr, Access access, Target target);
  void request(uint32_t mshr);
  void evict(uint32_t way);
  void take(const moesi::Message &message);
  void takeAnswer(const moesi::Message &message);
  void traceMiss(Mshr &mshr);
  void fill(uint32_t mshr);
  void takeProbe(const moesi::Message &message);
  void answerProbe(uint32_t way, const moesi::Message &message);
  void takePutAck(uint64_t line);
  void lineHasCome();
  bool mayLeave(uint32_t way) const;
  Put *putOf(uint64_t line);
  void post(const moesi::Message &message, Tick leaves);

  void arrive(const moesi::Message &message, Tick at) override;
  Activity tick() override;
  void complete();
  void explain(std::string &text) const override;

  Engine &engine;
  Network &network;
  const std::string label;
  const CacheParameters parameters;
  const Tick period, hitTicks;
  const uint32_t putEntries;
  AddressMap map;
  const moesi::Node self;
  Component *consumer = nullptr;

  TagArray tags;
  std::vector<Way> ways;
  std::vector<Tick> bankFree;
  std::vector<Mshr> mshrs;
  std::vector<uint32_t> freeMshrs;
  /// `mshr_targets` of each MSHR.
  std::vector<Waiting> targets;
  std::vector<Put> puts;
  Slots<Split> splits;
  /// In the order of their times.
  Fifo<Due> pipe;

  TimedMessages inbox;
  OutLink link;
  /// Probes that wait for writes.
  TimedMessages delayed;

  std::vector<Completion> done;
  /// When those were.
  Tick doneAt = kNever;
  /// Whether the consumer waits for a line to come or a put to be acknowledged; or for
  /// a time, kNever if not.
  bool isRefusing = false;
  Tick retryAt = kNever;

  /// Null if there is no trace.
  std::unique_ptr<TraceLanes> lanes;

  struct {
    uint64_t accesses = 0, reads = 0, writes = 0, atomics = 0, hits = 0,
             misses = 0, merged = 0, upgrades = 0, splits = 0,
             bankConflicts = 0, noMshr = 0, noTarget = 0, noPut = 0;
    uint64_t cacheToCache = 0, fromHome = 0, invalidations = 0, recalls = 0,
             forwards = 0, writeBacks = 0, cleanPuts = 0, delayedProbes = 0,
             delayCycles = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_COHERENCE_COHERENTCACHE_H
