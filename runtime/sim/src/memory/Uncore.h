//===- Uncore.h - What the cores share --------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// L2 and DRAM (VGIW, section 4: "we retain the uncore components"), and which
// frames of physical memory hold what.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_UNCORE_H
#define CHANSIM_UNCORE_H

#include "memory/FrameTable.h"
#include "memory/L2.h"

namespace chansim {

struct Uncore {
  /// Adds its components to the engine: create it before the cores' memories.
  Uncore(const Machine &machine, Engine &engine, Statistics &statistics)
      : dram(machine, engine, statistics),
        l2(machine, engine, dram, statistics),
        frames(machine.memory.frameBytes) {}
  Uncore(const Uncore &) = delete;
  Uncore &operator=(const Uncore &) = delete;

  Dram dram;
  L2 l2;
  FrameTable frames;
};

} // namespace chansim

#endif // CHANSIM_UNCORE_H
