//===- ConfigurationStore.h - Where configurations come from -----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a core gets the configuration of a block from (VGIW, 3.2), or of a
// whole kernel (SGMF):
//
//     L2 --(fetch_cycles)--> store of the core --> left edge of the grid
//              one after       stored_
//              another         configurations
//
// "To execute a kernel, the runtime software loads its basic block sequence to
// the BBS, along with the per-block configuration": so the store keeps what has
// been fetched, and the one used least recently makes room. VGIW's FIFO has the
// fetches for blocks that may follow, while another block runs. A block that is
// chosen and is not there is fetched at once, before what the FIFO waits for.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_CONFIGURATIONSTORE_H
#define CHANSIM_CONFIGURATIONSTORE_H

#include "machine/Machine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace chansim {

class Statistics;
struct BlockImage;

/// Of one core. A configuration is named by its block's image. Not thread-safe.
class ConfigurationStore {
public:
  /// Its statistics are those of `unit`: "bbs".
  ConfigurationStore(const ControlParameters &parameters,
                     const std::string &unit, Statistics &statistics);

  /// The block is to be run next: the cycle from which it can be fed to the grid.
  uint64_t demand(const BlockImage &block, uint64_t cycle);

  /// Another tile begins: nothing may follow any more.
  void forgetFollowers() { fifo.clear(); }
  /// Removes from the FIFO what `mayFollow` no longer holds for.
  template <class Predicate> void keepFollowers(Predicate &&mayFollow) {
    std::erase_if(fifo,
                  [&](const Entry &entry) { return !mayFollow(*entry.of); });
  }
  /// Whether the FIFO has room for another.
  bool hasRoom() const { return fifo.size() < parameters.fifoEntries; }
  /// The block may follow: puts it into the FIFO, unless it is there. Requires
  /// room.
  void prefetch(const BlockImage &block, uint64_t cycle);

private:
  /// In the store: the one used last stands last.
  struct Entry {
    const BlockImage *of;
    uint64_t readyAt;
  };

  static std::vector<Entry>::iterator find(std::vector<Entry> &entries,
                                           const BlockImage &block);
  /// What the store has of the block, or null.  It is now the one used last.
  const Entry *lookUp(const BlockImage &block);
  void keep(const Entry &entry);

  const ControlParameters parameters;
  std::vector<Entry> fifo, store;
  /// When the fetches that were begun are over.
  uint64_t fetcherFree = 0;

  struct {
    uint64_t fetches = 0, prefetched = 0, stored = 0;
  } counters;
};

} // namespace chansim

#endif
