//===- FetchUnit.cpp - Instructions for several cores ---------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/FetchUnit.h"
#include "results/Statistics.h"

#include <utility>

namespace chansim::simt {

/// No address of a process has this bit.
static constexpr uint64_t kCodeBase = uint64_t(1) << 61;

FetchUnit::FetchUnit(const Machine &machine, Engine &engine, MemoryPort &cache,
                     Statistics &statistics)
    : engine(engine), cache(cache), lineBytes(machine.fetch.l1i.lineBytes),
      instructionBytes(machine.fetch.instructionBytes), nextBase(kCodeBase) {
  engine.add(*this, engine.coreClock());
  cache.setConsumer(*this);
  statistics.add("fetch.requests", "lines",
                 "lines of instructions that wavefronts asked for",
                 counters.requests);
  statistics.add("fetch.merged", "lines",
                 "of these, lines that another wavefront waited for already",
                 counters.merged);
}

uint32_t FetchUnit::addCore(Component &core) {
  ports.push_back({&core, {}, {}});
  return static_cast<uint32_t>(ports.size() - 1);
}

uint64_t FetchUnit::baseOf(const Code &code) {
  auto [known, isNew] = bases.try_emplace(&code, nextBase);
  if (isNew) {
    uint64_t bytes = code.instructions().size() * instructionBytes;
    nextBase += (bytes + lineBytes - 1) & ~(lineBytes - 1);
  }
  return known->second;
}

void FetchUnit::request(uint32_t core, uint32_t slot, uint64_t line) {
  ++counters.requests;
  auto [found, isNew] = known.try_emplace(line, 0);
  if (!isNew) {
    ++counters.merged;
    lines[found->second].wanted.push_back({core, slot});
    return;
  }
  if (freeLines.empty()) {
    freeLines.push_back(static_cast<uint32_t>(lines.size()));
    lines.emplace_back();
  }
  uint32_t number = freeLines.back();
  freeLines.pop_back();
  found->second = number;
  lines[number].address = line;
  lines[number].wanted.assign(1, {core, slot});
  waiting.push(number);
  engine.wake(*this);
}

std::span<const FetchUnit::Arrival> FetchUnit::takeArrivals(uint32_t core) {
  Port &port = ports[core];
  port.taken.clear();
  std::swap(port.arrived, port.taken);
  return port.taken;
}

//===----------------------------------------------------------------------===//
// A cycle
//
//   1. Lines that have come go to those that wait for them.
//   2. The cache gets the line that has waited longest.  If it refuses it, the unit
//      tries again in the next cycle.
//===----------------------------------------------------------------------===//

Activity FetchUnit::tick() {
  // 1.
  std::span<const Completion> done = cache.completions();
  for (Completion one : done) {
    Line &line = lines[one.requester];
    for (Want want : line.wanted) {
      Port &port = ports[want.core];
      port.arrived.push_back({want.slot, line.address});
      engine.wake(*port.core);
    }
    known.erase(line.address);
    freeLines.push_back(one.requester);
  }
  // 2.
  bool moved = !done.empty();
  if (!waiting.empty()) {
    uint32_t number = waiting.front();
    Request request{};
    request.address = lines[number].address;
    request.bytes = static_cast<uint32_t>(lineBytes);
    request.access = Access::read;
    request.via = Via::l1;
    request.requester = number;
    request.isPlaced = true;
    if (cache.tryAccess(request) == Taken::yes) {
      waiting.pop();
      moved = true;
    }
  }
  if (waiting.empty())
    return Activity::asleep;
  return moved ? Activity::moved : Activity::waiting;
}

void FetchUnit::explain(std::string &text) const {
  if (!known.empty())
    text +=
        "  lines of instructions under way: " + std::to_string(known.size()) +
        "\n";
}

} // namespace chansim::simt
