//===- Aggregator.h - Hands batches of elements to the cores ----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Channels by level, the deepest first; at a level pre-sync elements before
// continuations.  A batch is cut into tiles, in order.  A tile whose threads
// yield, since a channel is full, stays until that has been taken (wavefront
// yield, ISCA'14 section 6).
//
// A core that is idle gets the deepest there is that may begin:
//   pre-sync elements, and tiles that can go on, at any time;
//   continuations only if nothing deeper waits or runs, on any core
//   (chan/abi.h, I1).
//
// L1s are not coherent, and what a tile has done may be seen by others when it
// has stopped: so, of several cores, each then writes its L1 back and forgets
// it.  A single core does so at the end.
//
// A simple model: one action at a time, each of which takes a fixed time.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_AGGREGATOR_H
#define CHANSIM_AGGREGATOR_H

#include "dispatch/Dispatcher.h"
#include "dispatch/Levels.h"
#include "dispatch/Processor.h"
#include "results/Trace.h"

#include <optional>
#include <set>

namespace chansim {

class Aggregator final : public Dispatcher, Component {
public:
  /// Adds itself to the engine, after the processor.
  Aggregator(const Machine &machine, Engine &engine, Processor &processor,
             Program &program, Statistics &statistics);
  ~Aggregator() override;

  void record(Trace &trace) override;
  void run(chan_block *block) override;
  /// Gives ControlWords.
  void *resolve(void *launch, void (*function)(void), uint64_t signature,
                void *otherwise) override;

private:
  /// A core and what it does.
  struct Slot {
    Core *core;
    Launch *running = nullptr;
    /// What `running` did is being written back.
    bool isFlushing = false;
    /// Tiles that have begun on it and not ended.
    std::vector<const Launch *> begun = {};
  };
  /// Takes the time until `due`; then the launch goes on, or a new one begins.
  struct Action {
    Level *level;
    Launch *launch;
    uint32_t core;
    uint64_t beginCycle;
    Tick due;
  };

  Activity tick() override;
  void explain(std::string &text) const override;
  void advance();

  // What to do next.
  std::optional<Action> choose();
  std::optional<Action> choosePreSync(Level &level);
  std::optional<Action> chooseContinuation(Level &level);
  std::optional<Action> take(Level &level, Channel &channel);
  Action actionOf(Level &level, uint32_t core, Launch *launch = nullptr);
  void findDeepest();
  bool mayTake(const Level &level, uint32_t core) const;
  std::optional<uint32_t> idleCore() const;
  bool isIdle(uint32_t core) const { return !slots[core].running; }

  // Doing it.
  void perform(const Action &action);
  Launch &begin(Level &level, uint32_t core);
  uint64_t tileThreads(const ElementBatch &batch, const DeviceKernel &kernel,
                       uint64_t waiting) const;
  void cutElements(ElementBatch &batch, Launch &launch) const;
  void cutRanges(ElementBatch &batch, Launch &launch) const;
  void bind(Launch &launch);
  void makeRoom(Launch &launch);
  uint64_t childrenAtFirst(const Launch &launch) const;
  uint64_t framesToProvide(const Launch &launch, uint64_t bytes) const;

  // A tile has stopped.
  void takeUp(Slot &slot);
  void afterYield(Launch &launch);
  void finish(Launch &launch);

  Level &at(size_t depth);
  Channel &channel(Level &level, uint32_t core, const Stack &stack) {
    return level.channel(core, stack, pool);
  }
  FrameList &framesOf(uint64_t bytes);
  void note(Level &level);

  Engine &engine;
  Program &program;
  const AggregatorParameters parameters;
  std::vector<Slot> slots;

  Pool pool;
  std::map<uint64_t, FrameList> frames;
  std::deque<Level> levels;
  /// None is deeper that is busy.
  size_t deepest = 0;
  /// The depths of levels that have what choosePreSync() looks for, deepest
  /// first.
  std::set<size_t, std::greater<>> preSync;
  /// Tiles that have yielded and can go on at once.
  std::deque<Launch *> ready;
  std::optional<Action> action;
  bool isFlushed = false, isDone = true;

  Trace *trace = nullptr;
  Trace::Track track = 0;
  struct {
    uint64_t batches = 0, elements = 0, tiles = 0, yields = 0, resumed = 0,
             levels = 0, waited = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_AGGREGATOR_H
