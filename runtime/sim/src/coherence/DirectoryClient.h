//===- DirectoryClient.h - What caches at the directory share ---*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A first-level cache lies between a consumer, such as the load/store unit of a compute
// unit, and the directory:
//
//   consumer -- tryAccess --> tags, MSHRs -- link --> directory
//            <- completions - pipe <-------- inbox -- and other caches
//
// The two protocols, CoherentCache (MOESI) and CombiningCache (write-combining), decide
// what an access needs and what a message does.  This class has what they share: the pipe
// of accesses that will be done, messages, MSHRs and counters.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_COHERENCE_DIRECTORYCLIENT_H
#define CHANSIM_COHERENCE_DIRECTORYCLIENT_H

#include "coherence/Directory.h"
#include "memory/AddressMap.h"
#include "memory/MemoryPort.h"
#include "results/Trace.h"

#include <memory>

namespace chansim {

class DirectoryClient : public MemoryPort, protected Component, Receiver {
public:
  DirectoryClient(const DirectoryClient &) = delete;
  DirectoryClient &operator=(const DirectoryClient &) = delete;

  uint32_t number() const override { return self; }
  void setConsumer(Component &component) override { consumer = &component; }
  void countRefusals(Via via, Taken why, uint64_t cycles) override;
  uint64_t place(uint64_t address, uint32_t bytes,
                 const PrivateWindow *window) const override;
  /// In the order of their times; of one time, in the order in which they hit or
  /// their lines came.
  std::span<const Completion> completions() const override {
    return doneAt == engine.now() ? std::span<const Completion>(done)
                                  : std::span<const Completion>();
  }
  /// Nothing: others can see all, or wavefronts release.
  void flush() override {}
  bool isFlushing() const override { return false; }
  void record(Trace &trace) override;

protected:
  static constexpr uint32_t kNone = ~uint32_t(0);
  /// In place of a requester: an access without a completion.
  static constexpr uint32_t kPosted = kNone - 1;

  /// What waits for a line, or for its end in the pipe.
  struct Target {
    uint32_t requester, tag;
  };
  struct Due {
    Tick at;
    Target target;
    /// See CombiningCache::readAt.
    Tick readAt;
  };

  /// Adds itself to the engine, with a clock of its own.
  DirectoryClient(const CacheParameters &parameters, const std::string &label,
                  Clock clock, Engine &engine, Directory &directory,
                  FrameTable &frames, const Machine &machine);

  /// Counts an access that is not refused.
  void count(Access access);
  /// An access will be done.
  void enter(Target target, Tick at, Tick readAt = 0);
  uint32_t takeMshr();
  /// The line of an address that is not placed yet.
  uint64_t lineOf(uint64_t address);
  /// A message leaves, now or later.
  void post(const moesi::Message &message, Tick leaves);
  /// What was refused may be taken now.
  void roomHasCome();
  static std::string hex(uint64_t line);
  /// An answer of the directory has come for what the consumer has waited for since a
  /// cycle.
  void trace(const char *answer, uint64_t since, uint64_t line,
             std::string_view request, uint64_t accesses);

  Engine &engine;
  Network &network;
  const std::string label;
  const CacheParameters parameters;
  const Tick period, hitTicks;
  AddressMap map;
  const moesi::Node self;
  Component *consumer = nullptr;

  TagArray tags;
  std::vector<Tick> bankFree;
  const uint32_t mshrCount;
  std::vector<uint32_t> freeMshrs;
  /// In the order of their times.
  Fifo<Due> pipe;
  TimedMessages inbox;
  OutLink link;

  std::vector<Completion> done;
  /// When those were.
  Tick doneAt = kNever;
  /// Whether the consumer waits for room.
  bool isRefusing = false;

  struct {
    uint64_t accesses = 0, reads = 0, writes = 0, atomics = 0, hits = 0,
             misses = 0, merged = 0, bankConflicts = 0, noMshr = 0,
             noTarget = 0, noPut = 0, fromHome = 0;
  } counters;

private:
  /// Null if there is no trace.
  std::unique_ptr<TraceLanes> lanes;

  void arrive(const moesi::Message &message, Tick at) override;
};

} // namespace chansim

#endif // CHANSIM_COHERENCE_DIRECTORYCLIENT_H
