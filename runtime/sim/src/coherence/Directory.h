//===- Directory.h - The L2 with the directory ------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The home of all lines (Moesi.h).  The directory is in the L2's tags, and so the L2
// is inclusive: a line that a cache holds is in the L2.  Before the L2 replaces such a
// line, it recalls it from all that hold it.
//
// Banks are interleaved by line.  Each serves a request a cycle; the lookup takes
// `l2.hit_cycles`, after which the messages leave.  Unblocks and answers to recalls
// take no turn.
//
//   getS, getM, put --> requests --> lookup ---- the line is busy --> its waiters
//                          ^            |                                 |
//                          |            +-- hit --> forward, inv, answer  |
//                          |            +-- miss -> recall, DRAM          |
//                          +----------- the line is free again -----------+
//
// Requests of caches that own nothing (CombiningCache.h) need no transaction if the line is
// there and no cache is in the way: they are performed in their turn. A write of a whole
// line needs no data from DRAM.
//
// A waiter is looked up again, and takes a turn and `l2.hit_cycles` for it, before any
// later request for its line.  A bank whose first request finds no transaction free
// (`l2.mshrs`), no room to wait (`l2.mshr_targets` for a line) or no way that may be
// replaced stops until a transaction of the bank ends; that needs no request.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_COHERENCE_DIRECTORY_H
#define CHANSIM_COHERENCE_DIRECTORY_H

#include "coherence/FlatDram.h"
#include "coherence/Network.h"
#include "coherence/TagArray.h"
#include "memory/FrameTable.h"

#include <functional>

namespace chansim {

class Directory : public Component, Receiver {
public:
  /// Adds itself to the engine: create it before the caches.  Counters are named
  /// `l2.hits` and so on, those of the protocol `directory.forwards` and so on.
  Directory(const Machine &machine, Engine &engine, FlatDram &dram,
            Statistics &statistics);
  Directory(const Directory &) = delete;
  Directory &operator=(const Directory &) = delete;

  /// A new cache: its number, from 0.  Throws std::length_error if there are
  /// kMostCaches.  The label names it to people.
  moesi::Node connect(Receiver &cache, const std::string &label);
  /// The name of a cache, or "home".
  const std::string &labelOf(moesi::Node node) const;
  Network &network() { return ownNetwork; }

  /// A request, an unblock or an answer to a recall.
  void arrive(const moesi::Message &message, Tick at) override;

  /// For tests: called with the answer when a request of a cache that owns nothing is
  /// performed.
  std::function<void(const moesi::Message &answer)> onDirect;
  /// Who holds the line now, as far as the home knows: for tests.
  moesi::Holders holdersOf(uint64_t line) const;
  /// Whether no request and no transaction is under way.
  bool isIdle() const { return underWay == 0 && queued == 0; }

  Activity tick() override;
  void explain(std::string &text) const override;

private:
  static constexpr uint32_t kNone = ~uint32_t(0);

  /// Beside a tag.
  struct Line {
    moesi::Holders holders;
    /// That which makes the line busy.
    uint32_t transaction = kNone;
    bool isDirty = false;
  };
  enum class Stage : uint8_t {
    free,
    fetching,  ///< waits for DRAM, or for a recall of the line that it replaces
    serving,   ///< waits for the requester's unblock
    recalling, ///< waits for answers of those that hold the line
    clearing,  ///< alike, before a request of a cache that owns nothing
    restarting ///< the line is free for the first of the waiters
  };
  struct Waiter {
    moesi::Message request;
    Tick since;
  };
  struct Transaction {
    Stage stage = Stage::free;
    uint64_t line = 0;
    moesi::Message request = {};
    /// TagArray::kAbsent while the L2 has no way for the line.
    uint32_t way = TagArray::kAbsent;
    /// Fetching: whether the line has come from DRAM.
    bool hasData = false;
    /// Recalling and clearing: answers that are not there yet, and whether one had newer
    /// data. Recalling: the transaction that gets the way.
    uint32_t answersLeft = 0;
    bool isDirty = false;
    uint32_t beneficiary = kNone;
    Fifo<Waiter> waiters;
  };
  struct Bank {
    TimedMessages requests;
    /// Whose first waiter has its turn, before all requests.
    Fifo<uint32_t> restarts;
    /// Alike, of those that found no way.
    std::vector<uint32_t> stuck;
    /// Transactions of lines that have no way.
    std::vector<uint32_t> homeless;
    OutLink link;
    /// Transactions but recalls.
    uint32_t transactions = 0;
    bool isBlocked = false;
    Tick blockedSince = 0;
  };
  struct DramRequest {
    uint64_t line;
    bool isWrite;
    Tick at;
  };

  void takeReplies();
  void takeLines();
  void serve(Bank &bank);
  bool lookUp(Bank &bank, const moesi::Message &request);
  void resume(Bank &bank, uint32_t number);
  void answerPut(Bank &bank, const moesi::Message &put);
  void start(Bank &bank, uint32_t number, const moesi::Message &request,
             uint32_t way);
  void fetch(Bank &bank, uint32_t number, uint32_t victim);
  void recall(Bank &bank, uint32_t victim, uint32_t beneficiary);
  void recalled(Bank &bank, uint32_t number);
  void install(Bank &bank, uint32_t number, uint32_t way);
  void respond(Bank &bank, uint32_t number, Tick leaves);
  void respondDirect(Bank &bank, uint32_t number, Tick leaves);
  void perform(Bank &bank, const moesi::Message &request, uint32_t way,
               Tick leaves, bool hasComeFromDram = false);
  void countRequest(const moesi::Message &request);
  void addDirectCounters(Statistics &statistics);
  void end(Bank &bank, uint32_t number);
  void relieve(Bank &bank);
  void drain();
  Tick nextWork() const;

  Bank &bankOf(uint64_t line) { return banks[tags.bankOf(line)]; }
  uint32_t transactionOf(const Bank &bank, uint64_t line, uint32_t way) const;
  uint32_t victimFor(uint64_t line) const;
  uint32_t allocate(uint64_t line);
  void release(uint32_t number);
  void askDram(uint64_t line, bool isWrite, Tick at);
  void sendInvs(Bank &bank, const moesi::Plan &plan, uint64_t line,
                moesi::Node requester, Tick leaves);

  Engine &engine;
  const Clock clock;
  FlatDram &dram;
  Network ownNetwork;
  const Tick hitTicks;
  const uint32_t lineBytes, mshrs, mshrTargets;
  TagArray tags;
  /// By way.
  std::vector<Line> lines;
  std::vector<Bank> banks;
  std::vector<Transaction> transactions;
  std::vector<uint32_t> freeTransactions;
  /// Unblocks and answers to recalls.
  TimedMessages replies;
  Fifo<DramRequest> toDram;
  std::vector<std::string> labels;
  size_t underWay = 0, queued = 0;
  struct {
    uint64_t accesses = 0, reads = 0, writes = 0, hits = 0, misses = 0,
             writeBacks = 0, blockedCycles = 0;
    uint64_t getS = 0, getM = 0, upgrades = 0, exclusives = 0, forwards = 0,
             invalidations = 0, recalls = 0, dirtyRecalls = 0, cleanPuts = 0,
             dirtyPuts = 0, stalePuts = 0, waits = 0, waitCycles = 0;
    // Of caches that own nothing.
    uint64_t copies = 0, fullWrites = 0, partialWrites = 0, writtenBytes = 0,
             atomics = 0, clears = 0, downgrades = 0;
  } counters;
};

/// What coherent caches share.  Adds its components to the engine: create it before
/// the caches.
struct CoherentUncore {
  CoherentUncore(const Machine &machine, Engine &engine, Statistics &statistics)
      : dram(machine, engine, statistics),
        directory(machine, engine, dram, statistics),
        frames(machine.memory.frameBytes) {}
  CoherentUncore(const CoherentUncore &) = delete;
  CoherentUncore &operator=(const CoherentUncore &) = delete;

  FlatDram dram;
  Directory directory;
  FrameTable frames;
};

} // namespace chansim

#endif // CHANSIM_COHERENCE_DIRECTORY_H
