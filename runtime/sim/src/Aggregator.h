//===- Aggregator.h - Hands batches of elements to the core -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Channels by level, the deepest first; at a level pre-sync elements before
// continuations, which so run when everything deeper is done (chan/abi.h, I1).
// A batch is cut into tiles, in order.  A tile whose threads yield, since a
// channel is full, stays until the deeper levels are empty (wavefront yield,
// ISCA'14 section 6).
//
// A simple model: each action takes a fixed time, in which the core waits.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_AGGREGATOR_H
#define CHANSIM_AGGREGATOR_H

#include "Channels.h"
#include "Core.h"
#include "Program.h"
#include "Trace.h"

#include <optional>

namespace chansim {

/// A tile that has begun.
struct Launch {
  Tile tile;
  /// The private memory of its threads.
  void *privateMemory = nullptr;
  uint64_t privateBytes = 0;
};

/// A batch whose tiles are being run, and the channels at one depth.
struct Level {
  explicit Level(size_t depth) : depth(depth) {}

  const size_t depth;
  /// By the number of the stack; null where none was needed.
  std::vector<std::unique_ptr<Channel>> channels;
  std::optional<Elements> batch;
  DeviceKernel *kernel = nullptr;
  /// Elements of the batch before the current tile, and in it.
  uint64_t begun = 0;
  std::optional<Launch> launch;
};

class Aggregator : Component {
public:
  /// Adds itself to the engine, after the core.
  Aggregator(const Machine &machine, Engine &engine, Memory &memory, Core &core,
             Program &program, Statistics &statistics);
  ~Aggregator();

  /// Dispatches are shown on a track of their own.
  void record(Trace &trace);

  /// Runs the one element in `block` and all its descendants.  Throws what the
  /// engine and the core throw.
  void run(chan_block *block);

  /// The channel one level below `level` for a function that is spawned by its
  /// address; `otherwise` if that is no function of the device's.
  ControlWords *resolve(Level &level, void (*function)(void),
                        uint64_t signature, ControlWords *otherwise);

private:
  Activity tick() override;
  void explain(std::string &text) const override;
  void wait(uint32_t cycles);

  Level &at(size_t depth);
  Channel &channel(Level &level, const Stack &stack);
  FrameList &framesOf(uint64_t bytes);
  Level *deepestWithWork();
  bool chooseBatch(Level &level);
  void start(Level &level);
  void bind(Level &level);
  void execute(Level &level);
  void afterYield(Level &level);
  void finish(Level &level);

  Engine &engine;
  Memory &memory;
  Core &core;
  Program &program;
  const AggregatorParameters parameters;

  Pool pool;
  std::map<uint64_t, FrameList> frames;
  std::deque<Level> levels;
  /// None is deeper that has work.
  size_t deepest = 0;
  /// Where the live values of the next tile begin: those of tiles that have
  /// yielded lie before.
  uint64_t liveTop = 0;
  bool isDue = false;

  Trace *trace = nullptr;
  Trace::Track track = 0;
  struct {
    uint64_t batches = 0, elements = 0, tiles = 0, yields = 0, resumed = 0,
             levels = 0, waited = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_AGGREGATOR_H
