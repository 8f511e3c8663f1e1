//===- ConfigurationStore.cpp - Where configurations come from -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fabric/ConfigurationStore.h"
#include "results/Statistics.h"

#include <algorithm>

namespace chansim {

ConfigurationStore::ConfigurationStore(const ControlParameters &parameters,
                                       const std::string &unit,
                                       Statistics &statistics)
    : parameters(parameters) {
  auto add = [&](const char *name, const char *what, const uint64_t &counter) {
    statistics.add(unit + "." + name, "configurations", what, counter);
  };
  add("prefetched", "that were being fetched when they were needed",
      counters.prefetched);
  add("stored", "that were there when they were needed, from an earlier run",
      counters.stored);
  add("fetches", "configurations fetched", counters.fetches);
}

std::vector<ConfigurationStore::Entry>::iterator
ConfigurationStore::find(std::vector<Entry> &entries, const BlockImage &block) {
  return std::find_if(entries.begin(), entries.end(),
                      [&](const Entry &entry) { return entry.of == &block; });
}

const ConfigurationStore::Entry *
ConfigurationStore::lookUp(const BlockImage &block) {
  auto found = find(store, block);
  if (found == store.end())
    return nullptr;
  std::rotate(found, found + 1, store.end());
  return &store.back();
}

void ConfigurationStore::keep(const Entry &entry) {
  if (!parameters.storedConfigurations)
    return;
  if (store.size() == parameters.storedConfigurations)
    store.erase(store.begin());
  store.push_back(entry);
}

uint64_t ConfigurationStore::demand(const BlockImage &block, uint64_t cycle) {
  uint64_t fetched = cycle + parameters.fetchCycles;
  const Entry *stored = lookUp(block);
  auto inFifo = find(fifo, block);
  if (inFifo != fifo.end()) {
    // It may wait for others that were asked for before: now it goes first.
    uint64_t ready = std::clamp(inFifo->readyAt, cycle, fetched);
    if (!stored)
      keep(*inFifo);
    fifo.erase(inFifo);
    ++counters.prefetched;
    return ready;
  }
  if (stored) {
    ++counters.stored;
    return std::clamp(stored->readyAt, cycle, fetched);
  }
  ++counters.fetches;
  fetcherFree = std::max(fetcherFree, cycle) + parameters.fetchCycles;
  keep({&block, fetched});
  return fetched;
}

void ConfigurationStore::prefetch(const BlockImage &block, uint64_t cycle) {
  if (find(fifo, block) != fifo.end() || lookUp(block))
    return;
  fetcherFree = std::max(cycle, fetcherFree) + parameters.fetchCycles;
  Entry entry{&block, fetcherFree};
  fifo.push_back(entry);
  keep(entry);
  ++counters.fetches;
}

} // namespace chansim
