//===- VgiwCore.h - The VGIW core -------------------------------*- C++ -*-===//
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

#ifndef CHANSIM_VGIWCORE_H
#define CHANSIM_VGIWCORE_H

#include "core/Core.h"
#include "fabric/Dataflow.h"
#include "vgiw/Scheduler.h"

namespace chansim {

class VgiwCore final : public Core, Component {
public:
  /// Adds itself to the engine, after the memory, whose consumer it becomes.
  VgiwCore(const Machine &machine, Engine &engine, Memory &memory, Host &host,
           Statistics &statistics);

  /// The trace has the block scheduler's work, the report of lines
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

  const Scheduler &bbs() const { return scheduler; }

private:
  Activity tick() override;
  void explain(std::string &text) const override;
  Activity runTile();
  void finishTile();

  Memory &memory;
  Scheduler scheduler;
  Dataflow fabric;
  const bool isOneOfSeveral;
  VgiwTile *tile = nullptr;
  struct {
    uint64_t tiles = 0, threads = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_VGIWCORE_H
