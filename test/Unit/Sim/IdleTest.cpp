//===- IdleTest.cpp - Cycles that are left out ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine whose components never sleep simulates each cycle.  Its counters
// must be those of one that leaves out what nobody needs.
//
//===----------------------------------------------------------------------===//

#include "CoreHarness.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

struct Outcome {
  std::string counters;
  uint64_t cycles, steps;
};

/// Of the kernel with one parameter, run twice.
Outcome run(const Machine &machine, const std::string &text, uint32_t threads,
            uint64_t parameter, bool isAwake,
            std::vector<uint64_t> symbols = {}) {
  CoreHarness harness(machine, text, std::move(symbols));
  std::optional<Insomnia> insomnia;
  if (isAwake)
    insomnia.emplace(harness.engine);
  StepCounter counter(harness.engine);
  for (int i = 0; i != 2; ++i)
    harness.run(threads, {parameter});
  return {harness.statistics.json({machine, "test"}), harness.cycle(),
          counter.steps};
}

void expectTheSame(const Machine &machine, const std::string &text,
                   uint32_t threads, uint64_t parameter,
                   const std::vector<uint64_t> &symbols = {}) {
  Outcome asleep = run(machine, text, threads, parameter, false, symbols);
  Outcome awake = run(machine, text, threads, parameter, true, symbols);
  EXPECT_EQ(asleep.counters, awake.counters);
  EXPECT_EQ(asleep.cycles, awake.cycles);
  EXPECT_GE(awake.steps, awake.cycles);
  EXPECT_LT(asleep.steps, awake.steps / 2) << "nothing was left out";
}

/// Each thread adds up two words, far from one another and from those of other
/// threads, and stores the sum in a second block.
std::string scattered(const Machine &machine, uint32_t replicas) {
  BlockBuilder first(machine.fabric), second(machine.fabric);
  for (uint32_t i = 0; i != replicas; ++i) {
    uint32_t thread = first.initiate();
    uint32_t one =
        first.node("mad.i64", {thread, constant(1024), parameter(0)});
    uint32_t other =
        first.node("mad.i64", {thread, constant(1024), parameter(0, 512)});
    uint32_t sum = first.node("add.i64", {first.node("load.i64", {one}),
                                          first.node("load.i64", {other})});
    first.terminate({first.liveStore(0, sum)});

    uint32_t again = second.initiate();
    uint32_t copy = second.node("split", {again});
    uint32_t target =
        second.node("mad.i64", {again, constant(1024), parameter(0, 256)});
    second.terminate(
        {second.node("store.i64", {target, second.liveLoad(0, copy)})});
  }
  return configurationText(
      machine, {first.build(0, {1}), second.build(1, {"exit"})}, 1, 1);
}

constexpr uint32_t kThreads = 200;

class Idle : public testing::Test {
protected:
  void expectTheSame(const Overrides &overrides, uint32_t replicas) {
    Machine machine = shippedMachine(overrides);
    ::expectTheSame(machine, scattered(machine, replicas), kThreads, base());
  }
  uint64_t base() { return (addressOf(room.data()) + 4095) / 4096 * 4096; }

  std::vector<uint64_t> room = std::vector<uint64_t>(kThreads * 128 + 512);
};

// With few threads, so that there are cycles in which all of them wait.
TEST_F(Idle, ThreadsThatWaitForTheMemory) {
  expectTheSame({{"fabric.token_buffer_entries", "32"}}, 1);
}

TEST_F(Idle, ThreadsThatWaitForAChannel) {
  expectTheSame({{"fabric.token_buffer_entries", "2"}}, 2);
}

TEST_F(Idle, OperationsThatWaitForAnEntry) {
  expectTheSame({{"fabric.token_buffer_entries", "2"},
                 {"fabric.channel_release", "window"}},
                2);
}

TEST_F(Idle, AccessesThatWaitForAnMshr) {
  expectTheSame({{"l1.mshrs", "2"}, {"lvc.mshrs", "1"}}, 3);
}

TEST_F(Idle, AccessesThatWaitForAPlaceAtAnMshr) {
  expectTheSame({{"l1.mshr_targets", "1"}, {"lvc.mshr_targets", "1"}}, 2);
}

TEST_F(Idle, StoresThatWaitToDisplaceALine) {
  // Live values would fit the LVC if that limited the tile.
  Overrides overrides = {
      {"l1.bytes", "512"},          {"l1.write_policy", "validate"},
      {"lvc.bytes", "512"},         {"lvc.write_policy", "validate"},
      {"memory.link_bytes", "1"},   {"memory.write_back_entries", "2"},
      {"control.tile_limit", "cvt"}};
  expectTheSame(overrides, 3);
  Machine machine = shippedMachine(overrides);
  CoreHarness harness(machine, scattered(machine, 3));
  harness.run(kThreads, {base()});
  EXPECT_GT(harness.count("fabric.refused_no_write_back"), 0u);
}

TEST_F(Idle, AccessesThatWaitForAReservation) {
  expectTheSame({{"fabric.reservation_entries", "1"}}, 2);
}

TEST_F(Idle, BlocksThatWaitForTheirConfiguration) {
  expectTheSame({{"control.fetch_cycles", "5000"}}, 1);
}

TEST_F(Idle, SlowOperations) {
  Machine machine = shippedMachine({{"fabric.token_buffer_entries", "3"}});
  BlockBuilder block(machine.fabric);
  uint32_t first = block.node("udiv.i64", {block.initiate(), constant(3)});
  uint32_t second = block.node("fdiv.f64", {first, constant(0)});
  block.terminate({block.node("store.i64", {parameter(0), second})});
  ::expectTheSame(machine,
                  configurationText(machine, {block.build(0, {"exit"})}, 1),
                  kThreads, base());
}

void callNothing(void *) {}

TEST_F(Idle, SystemCalls) {
  Machine machine = shippedMachine();
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t record = block.node("add.i64", {thread, parameter(0)});
  block.terminate({block.call(0, record)});
  ::expectTheSame(
      machine,
      configurationText(machine, {block.build(0, {"exit"})}, 1, 0, {"thunk"}),
      kThreads, base(), {addressOf(reinterpret_cast<void *>(callNothing))});
}

} // namespace
