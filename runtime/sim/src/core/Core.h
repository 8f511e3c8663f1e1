//===- Core.h - What runs tiles ---------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface between a dispatcher and the cores of any kind of machine:
//
//   std::unique_ptr<Tile> tile = core.makeTile();
//   ... fill it in ...
//   core.start(*tile);          // the client is woken when the core is idle
//   core.flush();               // and again
//   if (tile->hasYielded)       // later: start the same tile again
//
// A core may take several tiles at once.  Then the client starts tiles as long as the
// core can take one, and is woken whenever a tile has ended:
//
//   while (core.canStart()) core.start(*nextTile());
//   for (Tile *tile : core.takeFinished()) ...   // ended or yielded since then
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_CORE_H
#define CHANSIM_CORE_H

#include "core/Tile.h"
#include "engine/Engine.h"
#include "results/Trace.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace chansim {

class Statistics;

/// What is recorded of a core beside its counters.
struct Recording {
  /// Null for none.
  Trace *trace = nullptr;
  /// The core's name in the trace.
  std::string core;
  /// Whether the report of lines is wanted.
  bool times = false;
  /// Dispatcher::waitOf(); may be empty.
  std::function<std::string(uint64_t contextBase, bool isBack)> waitOf = {};
};

class Core {
public:
  Core(Engine &engine, uint32_t number) : engine(engine), ownNumber(number) {}
  Core(const Core &) = delete;
  Core &operator=(const Core &) = delete;
  virtual ~Core() = default;

  /// From 0, among the machine's cores.
  uint32_t number() const { return ownNumber; }
  /// The component that is woken when the core becomes idle, and when a tile of a
  /// core that takes several has ended.
  void setClient(Component &component) { client = &component; }
  /// From now on.  REQUIRES: isIdle().
  virtual void record(const Recording &recording) = 0;
  /// Registers counters of this core alone, whose names begin with `prefix`.
  virtual void addCounters(Statistics &statistics,
                           const std::string &prefix) const = 0;

  /// An empty tile.
  virtual std::unique_ptr<Tile> makeTile() const = 0;
  /// Tiles that the core runs at once at most.
  virtual uint32_t tilesAtOnce() const { return 1; }
  /// Whether the core can take another tile now.
  virtual bool canStart() const { return isIdle(); }
  /// Begins to run a tile of its own making, which must live until it has ended.
  /// Throws std::invalid_argument if the tile does not fit its kernel.
  /// REQUIRES: canStart().
  virtual void start(Tile &tile) = 0;
  /// The tiles that have ended or yielded since this was asked last, in that order.
  /// Valid until it is asked again.  Of a core of a kind that takes one tile at once,
  /// only the last one is kept, so that a client that waits for isIdle() need not ask.
  std::span<Tile *const> takeFinished() {
    taken.clear();
    std::swap(taken, finished);
    return taken;
  }
  /// Begins to write back what other cores cannot see yet.  REQUIRES: isIdle().
  virtual void flush() = 0;
  virtual bool isIdle() const = 0;
  /// Tiles that the core runs now.
  virtual uint32_t tilesNow() const { return isIdle() ? 0 : 1; }

  /// Starts the tile and runs the engine until it is done.
  void run(Tile &tile) {
    start(tile);
    engine.run([&] { return isIdle(); });
    takeFinished();
  }

protected:
  /// To be called by a core whose tile has ended or yielded; `isAlone` if it takes one
  /// tile at once.
  void addFinished(Tile &tile, bool isAlone = true) {
    if (isAlone)
      finished.clear();
    finished.push_back(&tile);
  }

  Engine &engine;
  Component *client = nullptr;

private:
  const uint32_t ownNumber;
  std::vector<Tile *> finished, taken;
};

} // namespace chansim

#endif // CHANSIM_CORE_H
