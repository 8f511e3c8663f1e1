//===- EnergyTest.cpp - Events times what they cost -----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "results/Energy.h"
#include "CoreHarness.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

/// A thread stores 3.0f x its ID in one block.
std::string storeProduct(const Machine &machine) {
  BlockBuilder block(machine.fabric);
  uint32_t thread = block.initiate();
  uint32_t number = block.node("sitofp.i64.f32", {thread});
  uint32_t product = block.node("fmul.f32", {number, constant(0x40400000)});
  uint32_t address = block.node("mad.i64", {thread, constant(4), parameter(0)});
  block.terminate({block.node("store.f32", {address, product})});
  return configurationText(machine, {block.build(0, {"exit"})}, 1);
}

TEST(Energy, IsEventsTimesTheTable) {
  Machine machine = shippedMachine({{"energy.horowitz.float_add", "7000"},
                                    {"energy.horowitz.float_mul", "11000"},
                                    {"energy.horowitz.int_mul", "13000"},
                                    {"energy.horowitz.token", "3000"},
                                    {"energy.horowitz.pitch", "500"},
                                    {"energy.horowitz.core_cycle", "2000"}});
  CoreHarness harness(machine, storeProduct(machine));
  uint64_t cycles = 0;
  harness.statistics.add("run.cycles", "cycles", "of the test", cycles);
  addEnergy(machine, harness.statistics);
  std::vector<float> out(64);
  cycles = harness.run(64, {addressOf(out.data())});
  EXPECT_EQ(out[21], 63.0f);

  auto energy = [&](const char *name) {
    return *harness.statistics.find(std::string("energy.horowitz.") + name);
  };
  EXPECT_EQ(harness.count("operations.float_add"), 64u);
  EXPECT_EQ(harness.count("operations.int_mul"), 64u);
  EXPECT_EQ(harness.count("operations.int_add"), 0u);
  EXPECT_DOUBLE_EQ(energy("compute"), 64 * (7 + 11 + 13));
  EXPECT_DOUBLE_EQ(energy("token_buffers"),
                   3 * static_cast<double>(harness.count("fabric.tokens")));
  EXPECT_DOUBLE_EQ(energy("interconnect"),
                   0.5 * static_cast<double>(harness.count("fabric.wire")));
  EXPECT_DOUBLE_EQ(energy("static"), 2 * static_cast<double>(cycles));
  double sum = 0;
  for (const char *unit :
       {"compute", "token_buffers", "interconnect", "live_values", "control",
        "l1", "l2", "dram", "static"})
    sum += energy(unit);
  EXPECT_DOUBLE_EQ(energy("total"), sum);
  EXPECT_GT(energy("l1"), 0);
  // The other table has other values for the same events.
  EXPECT_DOUBLE_EQ(*harness.statistics.find("energy.gpuwattch.compute"),
                   64 * (14 + 14 + 46));
}

TEST(Energy, WiresHaveTheLengthOfTheirLinks) {
  Fabric fabric = shippedMachine().fabric;
  Site unit{{5, 4}, false}, crossing{{5, 4}, true};
  EXPECT_EQ(fabric.pitches(unit, Port::N), 2u);
  EXPECT_EQ(fabric.pitches(unit, Port::SE), 2u);
  EXPECT_EQ(fabric.pitches(crossing, Port::N), 4u);
  fabric.folded = false;
  EXPECT_EQ(fabric.pitches(crossing, Port::N), 2u);
}

TEST(Energy, ASumOfWhatIsNoCounterIsAnError) {
  Statistics statistics;
  std::vector<Statistics::Term> terms = {{"l9.accesses", 1}};
  EXPECT_THROW(statistics.addWeighted("energy.l9", "pJ", "of L9", terms),
               std::logic_error);
}

} // namespace
