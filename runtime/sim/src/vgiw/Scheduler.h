//===- Scheduler.h - The basic block scheduler ------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BBS (VGIW, 3.2).  A tile's life:
//
//   choosing ---> fetching ---> configuring ---> streaming --+
//    ^  |  the block with the                    batches to  |
//    |  |  smallest ID that has threads          initiators  |
//    |  +--> idle: no block has any                          |
//    +-------------------------------------------------------+
//          no thread is left, and terminators have sent all batches
//
// Threads that come to a barrier wait in a vector of the block behind it, which
// the scheduler does not look at.  When all of a work-group do, each goes into
// its block's own vector: two writes of the table for each.
//
// A block whose threads come back to it goes on streaming as they come, without
// being configured again.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SCHEDULER_H
#define CHANSIM_SCHEDULER_H

#include "engine/Fifo.h"
#include "fabric/Configuration.h"
#include "fabric/ConfigurationStore.h"
#include "fabric/ControlUnit.h"
#include "fabric/VgiwTile.h"
#include "results/Trace.h"
#include "vgiw/ControlVectorTable.h"

#include <optional>
#include <string>

namespace chansim {

class Statistics;
struct BlockImage;

class Scheduler final : public ThreadSource {
public:
  enum class State : uint8_t {
    idle,
    choosing,
    fetching,    ///< the configuration is on its way
    configuring, ///< reset, and configuration waves
    streaming
  };

  Scheduler(const Machine &machine, Statistics &statistics);

  /// Writes what the core does to the trace from now on, in tracks whose names
  /// begin with `core`.
  void record(Trace &trace, const std::string &core);
  const uint64_t &busyCycles() const override { return counters.busy; }

  /// Begins a tile: sets the vectors.  The tile must outlive its run.
  void start(VgiwTile &tile, uint64_t cycle);

  /// One cycle.  Returns the block to be configured in the fabric now, if any:
  /// its threads come later.
  std::optional<uint32_t> tick(uint64_t cycle);

  State state() const { return current; }
  /// The block chosen last.
  std::optional<uint32_t> running() const { return block; }
  const ControlVectorTable &vectors() const { return table; }
  /// Whether there is something to do in the next cycle; if not, the next cycle
  /// with something is wakeCycle().
  bool isBusy() const;
  /// kNever if it only waits for threads.
  uint64_t wakeCycle() const;
  static constexpr uint64_t kNever = ~uint64_t(0);

  void finish(uint32_t replica, unsigned successor, uint32_t thread,
              uint64_t cycle) override;

  void explain(std::string &text) const;

private:
  /// A batch from a terminator.
  struct Update {
    uint64_t at;
    Successor to;
    Batch batch;
  };
  struct Delivery {
    uint64_t at;
    uint32_t replica;
    Batch batch;
  };

  BlockImage &runningImage() const;
  const Block &runningBlock() const;
  void enter(State next, uint64_t cycle);
  void traceState(uint64_t cycle) const;
  void takeUpdates(uint64_t cycle);
  void writeVectors(uint64_t cycle);
  void writeYielded(const Update &update);
  bool writeWaiting(const Update &update, uint64_t cycle);
  void releaseGroups(uint32_t word);
  uint32_t waitingVector(uint32_t block) const;
  void keepWaiting();
  std::optional<uint32_t> choose(uint64_t cycle);
  void stream(uint64_t cycle);
  bool drain(uint64_t cycle);
  void send(const Successor &to, const Batch &batch, uint64_t at);
  void prefetch(uint64_t cycle);
  bool mayFollow(uint32_t candidate) const;

  const ControlParameters parameters;
  const uint32_t terminateCycles;
  ControlVectorTable table;

  VgiwTile *tile = nullptr;
  State current = State::idle;
  /// When the state was entered, and when fetching or configuring is over.
  uint64_t since = 0, until = 0;
  std::optional<uint32_t> block;

  std::vector<Terminator> enders;
  Fifo<Delivery> deliveries;
  Fifo<Update> updates;
  /// Arrived, and not written to the table yet.
  std::vector<Update> toWrite;
  /// Of groups that are complete: to be written in the next cycle.
  std::vector<Update> released;
  /// The word to be read next, and the replica to get it.
  uint32_t cursor = 0, nextReplica = 0;
  uint64_t threadsInBlock = 0;
  uint64_t lastFinish = 0;

  ConfigurationStore configurations;

  struct {
    uint64_t blocks = 0, threads = 0, batches = 0, batchesBack = 0, reads = 0,
             writes = 0, conflicts = 0, yields = 0, barriers = 0;
    /// With a tile; and of these, by what.
    uint64_t busy = 0, fetching = 0, configuring = 0, streaming = 0;
    /// Of rows of 32 threads.
    uint64_t rows = 0, liveRows = 0, registerRows = 0;
  } counters;

  /// Null unless this is recorded.
  Trace *trace = nullptr;
  Trace::Track blockTrack = 0, configurationTrack = 0;
  /// Counters.threads when the block began.
  uint64_t threadsBefore = 0;
};

} // namespace chansim

#endif // CHANSIM_SCHEDULER_H
