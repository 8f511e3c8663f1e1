//===- MemoryBenchmark.cpp - Accesses per second of CPU time --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include <ctime>

using namespace chansim;

namespace {

/// Starts 16 accesses a cycle, one to a bank, at addresses that next() gives.
class Load : public Component {
public:
  Load(Memory &memory, uint64_t (*next)(uint64_t))
      : memory(memory), next(next) {}

  Activity tick() override {
    completed += memory.completions().size();
    for (unsigned i = 0; i != 16; ++i, ++started)
      if (memory.tryAccess({next(started), 4, Access::read, Via::l1, 0, 0}) !=
          Taken::yes)
        break;
    return Activity::moved;
  }
  void explain(std::string &) const override {}

  uint64_t started = 0, completed = 0;

private:
  Memory &memory;
  uint64_t (*next)(uint64_t);
};

void measure(const char *name, uint64_t cycles, uint64_t (*next)(uint64_t)) {
  Machine machine = shippedMachine();
  Statistics statistics;
  Engine engine(machine);
  Uncore uncore(machine, engine, statistics);
  Memory memory(machine, engine, uncore, statistics);
  Load load(memory, next);
  engine.add(load, engine.coreClock());
  memory.setConsumer(load);
  engine.wake(load);
  std::clock_t begin = std::clock();
  engine.run([&] { return engine.coreCycle() >= cycles; });
  double time = double(std::clock() - begin) / CLOCKS_PER_SEC;
  std::printf(
      "%-8s %6.1f million accesses/s, %6.2f million cycles/s, hits %llu "
      "of %llu\n",
      name, double(load.completed) / time / 1e6, double(cycles) / time / 1e6,
      (unsigned long long)statistics.value("l1.hits"),
      (unsigned long long)statistics.value("l1.accesses"));
}

} // namespace

int main() {
  measure("hits", 1'000'000, [](uint64_t i) { return i * 4 % 32768; });
  measure("stream", 1'000'000, [](uint64_t i) { return i * 4 % (1u << 26); });
  measure("random", 1'000'000, [](uint64_t i) {
    return (i * 0x9e3779b97f4a7c15 >> 38) & ~uint64_t(3);
  });
}
