//===- CoreHarness.h - A core and what it needs -----------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SIM_COREHARNESS_H
#define SIM_COREHARNESS_H

#include "Builder.h"
#include "Harness.h"
#include "dispatch/Processor.h"
#include "vgiw/VgiwCore.h"

#include <stdexcept>

namespace chansim {

/// What the first run of a block takes more than others: its configuration is
/// fetched.
constexpr uint64_t kFetch = 294;

/// A program on a core.
class CoreHarness {
public:
  CoreHarness(const Machine &machine, const std::string &text,
              std::vector<uint64_t> symbols = {})
      : engine(machine), processor(machine, engine, statistics),
        core(static_cast<VgiwCore &>(processor.core(0))),
        configuration(parse(machine, text)),
        image(configuration.kernels[0], machine, symbols) {}

  VgiwTile tile(uint32_t threads, std::vector<uint64_t> parameters = {}) {
    VgiwTile tile;
    tile.kernel = &image;
    tile.threads = threads;
    tile.parameters = std::move(parameters);
    return tile;
  }
  /// Core cycles that the tile takes.
  uint64_t run(Tile &tile) {
    // The cycle in which a tile ended is over: the next one starts in the next.
    uint64_t first = hasRun ? cycle() + 1 : cycle();
    hasRun = true;
    core.run(tile);
    return cycle() - first;
  }
  uint64_t run(uint32_t threads, std::vector<uint64_t> parameters = {}) {
    VgiwTile one = tile(threads, std::move(parameters));
    return run(one);
  }

  uint64_t cycle() const { return engine.coreCycle(); }
  uint64_t count(const char *name) const { return statistics.value(name); }

  static Configuration parse(const Machine &machine, const std::string &text) {
    std::string error;
    auto parsed = Configuration::parse(text, "test.json", machine, error);
    if (!parsed)
      throw std::runtime_error(error);
    return *parsed;
  }

  Statistics statistics;
  Engine engine;
  Processor processor;
  VgiwCore &core;
  Configuration configuration;
  KernelImage image;

private:
  bool hasRun = false;
};

inline uint64_t addressOf(const void *object) {
  return reinterpret_cast<uint64_t>(object);
}

} // namespace chansim

#endif // SIM_COREHARNESS_H
