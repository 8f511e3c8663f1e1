//===- Core.h - The VGIW core -----------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//        BBS + CVT  <---- batches ----  terminators
//           |                               ^
//           +------ batches ----> initiators  -> fabric <-> L1, LVC
//
// VGIW, section 3 and Figure 4.  Runs one tile at a time.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_CORE_H
#define CHANSIM_CORE_H

#include "Dataflow.h"
#include "Scheduler.h"
#include "Trace.h"

namespace chansim {

/// What is recorded of a core beside its counters.
struct Recording {
  /// Null for none.
  Trace *trace = nullptr;
  /// The core's name in the trace.
  std::string core;
  /// Whether BlockImage::times are wanted.
  bool times = false;
};

class Core : Component {
public:
  /// Adds itself to the engine, after the memory, whose consumer it becomes.
  Core(const Machine &machine, Engine &engine, Memory &memory, Host &host,
       Statistics &statistics);

  /// From now on.  REQUIRES: isIdle().
  void record(const Recording &recording);
  /// The component that is woken when it becomes idle.
  void setClient(Component &component) { client = &component; }

  uint32_t number() const { return memory.number(); }
  const uint64_t &tilesRun() const { return counters.tiles; }

  /// Begins to run a tile, which must live until isIdle().  Throws
  /// std::invalid_argument if it does not fit its kernel.  REQUIRES: isIdle().
  void start(Tile &tile);
  /// Begins to write L1 back, at the end of a kernel.  REQUIRES: isIdle().
  void flush();
  bool isIdle() const;

  /// Starts the tile and runs the engine until it is done.
  void run(Tile &tile);

  const Scheduler &bbs() const { return scheduler; }

private:
  Activity tick() override;
  void explain(std::string &text) const override;
  Activity runTile();
  void finishTile();

  Engine &engine;
  Memory &memory;
  Scheduler scheduler;
  Dataflow fabric;
  const bool isOneOfSeveral;
  Component *client = nullptr;
  Tile *tile = nullptr;
  struct {
    uint64_t tiles = 0, threads = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_CORE_H
