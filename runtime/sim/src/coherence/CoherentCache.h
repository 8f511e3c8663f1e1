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

#include "coherence/DirectoryClient.h"
#include "memory/Slots.h"

namespace chansim {

class CoherentCache final : public DirectoryClient {
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

  /// Requests are Via::l1.  One that is not placed is not in a private window.
  Taken tryAccess(const Request &request) override;

  /// The state of the line of an address, for tests.
  moesi::State stateOf(uint64_t address);
  bool isValid(uint64_t address) { return moesi::isReadable(stateOf(address)); }
  /// Whether no access, no request and no put is under way.
  bool isIdle() const {
    return freeMshrs.size() == mshrCount && puts.empty() && pipe.empty() &&
           delayed.size() == 0;
  }

private:
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
  void fill(uint32_t mshr);
  void takeProbe(const moesi::Message &message);
  void answerProbe(uint32_t way, const moesi::Message &message);
  void takePutAck(uint64_t line);
  bool mayLeave(uint32_t way) const;
  Put *putOf(uint64_t line);

  Activity tick() override;
  void complete();
  void explain(std::string &text) const override;

  const uint32_t putEntries;
  std::vector<Way> ways;
  std::vector<Mshr> mshrs;
  /// `mshr_targets` of each MSHR.
  std::vector<Waiting> targets;
  std::vector<Put> puts;
  Slots<Split> splits;
  /// Probes that wait for writes.
  TimedMessages delayed;
  /// When what was refused may be taken if it waits for a time, kNever if not.
  Tick retryAt = kNever;

  struct {
    uint64_t upgrades = 0, splits = 0, cacheToCache = 0, invalidations = 0,
             recalls = 0, forwards = 0, writeBacks = 0, cleanPuts = 0,
             delayedProbes = 0, delayCycles = 0;
  } coherence;
};

} // namespace chansim

#endif // CHANSIM_COHERENCE_COHERENTCACHE_H
