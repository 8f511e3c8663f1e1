//===- SgmfCore.h - The SGMF core -------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//        feeder  ---- batches ---->  initiators -> fabric <-> L1
//           ^                                        |
//           +-------- ends of threads -------- terminators
//
// Single-graph multiple-flows (Voitsechov and Etsion, ISCA 2014), as VGIW
// describes it in sections 1, 2 and 5: a whole kernel is on the fabric, so there
// is no block scheduler and no live value cache.  Runs one tile at a time:
//
//   idle ---> fetching ---> configuring ---> streaming ---> idle
//     |   not if the last tile had this kernel    ^
//     +-------------------------------------------+
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SGMFCORE_H
#define CHANSIM_SGMFCORE_H

#include "core/Core.h"
#include "fabric/ConfigurationStore.h"
#include "fabric/Dataflow.h"

namespace chansim {

class SgmfCore final : public Core, Component, ThreadSource {
public:
  /// Adds itself to the engine, after the memory, whose consumer it becomes.
  SgmfCore(const Machine &machine, Engine &engine, Memory &memory, Host &host,
           Statistics &statistics);

  /// The trace has the kernels that run, the report of lines
  /// BlockImage::times.
  void record(const Recording &recording) override;
  void addCounters(Statistics &statistics,
                   const std::string &prefix) const override;

  std::unique_ptr<Tile> makeTile() const override {
    return std::make_unique<VgiwTile>();
  }
  void start(Tile &tile) override;
  /// Begins to write L1 back, at the end of a kernel.
  void flush() override;
  bool isIdle() const override;

private:
  enum class State : uint8_t { idle, fetching, configuring, streaming };
  struct Delivery {
    uint64_t at;
    uint32_t replica;
    Batch batch;
  };

  const uint64_t &busyCycles() const override { return counters.busy; }
  void finish(uint32_t replica, unsigned successor, uint32_t thread,
              uint64_t cycle) override;

  Activity tick() override;
  void explain(std::string &text) const override;
  Activity runTile();
  void enter(State next, uint64_t cycle);
  bool feed(uint64_t cycle);
  void finishTile(uint64_t cycle);
  BlockImage &graph() const { return tile->image().blocks.front(); }

  Memory &memory;
  const ControlParameters parameters;
  const uint32_t terminateCycles;
  Dataflow fabric;
  ConfigurationStore store;
  const bool isOneOfSeveral;

  VgiwTile *tile = nullptr;
  State current = State::idle;
  /// When the state was entered, and when fetching or configuring is over.
  uint64_t since = 0, until = 0;
  /// The graph for which the fabric is configured; null before the first tile.
  const BlockImage *configured = nullptr;

  /// The threads that are to be sent, the word to be sent next, and the replica
  /// to get it.
  std::vector<uint64_t> toSend;
  uint32_t cursor = 0, nextReplica = 0;
  Fifo<Delivery> deliveries;
  uint64_t threadsOnFabric = 0, lastFinish = 0;

  struct {
    uint64_t tiles = 0, threads = 0, started = 0, configurations = 0,
             yields = 0;
    /// With a tile; and of these, by what.
    uint64_t busy = 0, fetching = 0, configuring = 0, streaming = 0;
  } counters;

  /// Null unless this is recorded.
  Trace *trace = nullptr;
  Trace::Track track = 0;
};

} // namespace chansim

#endif // CHANSIM_SGMFCORE_H
