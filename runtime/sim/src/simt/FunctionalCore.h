//===- FunctionalCore.h - An untimed SIMT core ------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the instructions of a tile's warps, one instruction of one warp a cycle,
// in turn.  The memory and the host answer at once, and there are no caches.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_FUNCTIONALCORE_H
#define CHANSIM_SIMT_FUNCTIONALCORE_H

#include "core/Core.h"
#include "engine/Engine.h"
#include "results/Statistics.h"
#include "simt/SimtTile.h"

namespace chansim::simt {

class FunctionalCore final : public Core, Component {
public:
  /// Adds itself to the engine.
  FunctionalCore(const Machine &machine, Engine &engine, uint32_t number,
                 Statistics &statistics);

  /// The trace has the tiles.
  void record(const Recording &recording) override;
  void addCounters(Statistics &statistics,
                   const std::string &prefix) const override;

  std::unique_ptr<Tile> makeTile() const override {
    return std::make_unique<SimtTile>();
  }
  void start(Tile &tile) override;
  /// Nothing is held back from other cores.
  void flush() override { engine.wake(*this); }
  bool isIdle() const override { return !tile; }

private:
  Activity tick() override;
  void explain(std::string &text) const override;
  void count(const Warp::Executed &executed);
  void release(Warp &warp, const Warp::Executed &executed);
  void finishTile();

  const SimtParameters parameters;
  SimtTile *tile = nullptr;
  WarpContext context;
  std::vector<Warp> warps;
  /// By warp: since when all its lanes that have not ended are at barriers.
  std::vector<uint64_t> blockedSince;
  /// Of warps that can go on; and whose turn it is among them.
  std::vector<uint32_t> running;
  size_t turn = 0;
  uint64_t begin = 0;

  Trace *trace = nullptr;
  Trace::Track track = 0;
  struct {
    uint64_t tiles = 0, threads = 0, busyCycles = 0;
    uint64_t instructions = 0, laneOperations = 0, separations = 0;
    uint64_t calls = 0, heapCalls = 0, barriers = 0, barrierCycles = 0;
  } counters;
};

} // namespace chansim::simt

#endif // CHANSIM_SIMT_FUNCTIONALCORE_H
