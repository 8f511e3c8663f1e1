//===- DramTest.cpp - GDDR5 timings, to the cycle -------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memory/Dram.h"
#include "Harness.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

/// Sends requests in given DRAM cycles and notes when lines come.  With no
/// path, a request is in its channel's queue in the cycle after it was sent.
class Requester : Component {
public:
  explicit Requester(const Overrides &overrides = {})
      : machine(shippedMachine(overrides)), engine(machine),
        dram(machine, engine, statistics) {
    engine.add(*this, engine.clock("dram"));
    dram.setConsumer(*this);
  }

  /// So that the command can be issued in `cycle` at the earliest.
  void at(uint64_t cycle, uint64_t line, bool isWrite = false) {
    requests.push_back({cycle - 1 - machine.dram.pathCycles, line, isWrite});
  }

  /// The lines in the order in which they came, each with its cycle.
  std::vector<std::pair<uint64_t, uint64_t>> run() {
    engine.wake(*this);
    size_t reads = 0;
    for (const Sent &request : requests)
      reads += !request.isWrite;
    engine.run([&] {
      return came.size() == reads &&
             count("dram.writes") == requests.size() - reads;
    });
    return came;
  }
  uint64_t count(const char *name) const { return statistics.value(name); }
  Dram &model() { return dram; }

private:
  struct Sent {
    uint64_t cycle, line;
    bool isWrite;
  };

  Activity tick() override {
    uint64_t cycle = engine.clock("dram").cycle(engine.now());
    for (const Sent &request : requests)
      if (request.cycle == cycle)
        dram.send(request.line, request.isWrite);
    for (uint64_t line; dram.receive(line);)
      came.push_back({line, cycle});
    return Activity::moved;
  }
  void explain(std::string &) const override {}

  Machine machine;
  Statistics statistics;
  Engine engine;
  Dram dram;
  std::vector<Sent> requests;
  std::vector<std::pair<uint64_t, uint64_t>> came;
};

using Came = std::vector<std::pair<uint64_t, uint64_t>>;

// Addresses of a machine of one channel: 16 banks, rows of 4096 bytes.
constexpr uint64_t kRow = 16 * 4096;
constexpr uint64_t kBank = 4096;
/// As GPGPU-Sim does without bank groups.
const Overrides kNoGroups = {{"dram.path_cycles", "0"},
                             {"dram.bank_groups", "1"},
                             {"dram.ccdl", "0"},
                             {"dram.rtpl", "0"}};
const Overrides kOneChannel = {{"dram.channels", "1"},
                               {"dram.path_cycles", "0"},
                               {"dram.bank_groups", "1"},
                               {"dram.ccdl", "0"},
                               {"dram.rtpl", "0"}};
// RCD 12, CL 12, two bursts of CCD 2.
constexpr uint64_t kClosed = 12 + 12 + 4;

TEST(SimDram, ARowThatIsOpenNeedsNoActivation) {
  Requester dram(kOneChannel);
  dram.at(100, 0);
  dram.at(200, 128);
  dram.at(300, kRow);
  EXPECT_EQ(dram.run(), (Came{{0, 100 + kClosed},
                              {128, 200 + 12 + 4},
                              {kRow, 300 + 12 + kClosed}})); // RP before
  EXPECT_EQ(dram.count("dram.row_hits"), 1u);
  EXPECT_EQ(dram.count("dram.activations"), 2u);
  EXPECT_EQ(dram.count("dram.precharges"), 1u);
}

TEST(SimDram, APrechargeWaitsForRas) {
  // The row was opened in 100: it is closed in 128, the other opened in 140.
  Overrides overrides = kOneChannel;
  overrides.push_back({"dram.rc", "30"}); // RAS + RP is 40
  Requester dram(overrides);
  dram.at(100, 0);
  dram.at(117, kRow);
  EXPECT_EQ(dram.run(), (Came{{0, 100 + kClosed}, {kRow, 140 + kClosed}}));
}

TEST(SimDram, AnActivationWaitsForRc) {
  // RC holds it for 10 cycles more than RAS + RP.
  Overrides overrides = kOneChannel;
  overrides.push_back({"dram.rc", "50"});
  Requester dram(overrides);
  dram.at(100, 0);
  dram.at(117, kRow);
  EXPECT_EQ(dram.run(), (Came{{0, 100 + kClosed}, {kRow, 150 + kClosed}}));
}

TEST(SimDram, BanksOverlapAfterRrd) {
  // Data of both would come in 128; activations are 6 cycles apart, and so is
  // what follows.
  Requester dram(kOneChannel);
  dram.at(100, 0);
  dram.at(100, kBank);
  EXPECT_EQ(dram.run(), (Came{{0, 100 + kClosed}, {kBank, 106 + kClosed}}));
}

TEST(SimDram, DataFollowEachOtherOnTheBus) {
  Requester dram(kOneChannel);
  for (uint64_t i = 0; i != 4; ++i)
    dram.at(100, i * 128);
  EXPECT_EQ(dram.run(), (Came{{0, 128}, {128, 132}, {256, 136}, {384, 140}}));
  EXPECT_EQ(dram.count("dram.data_cycles"), 16u);
}

TEST(SimDram, OpenRowsGoFirst) {
  // The second request opened nothing yet when the third finds its row open.
  Requester dram(kOneChannel);
  dram.at(100, 0);
  dram.at(101, kRow);
  dram.at(102, 128);
  Came came = dram.run();
  ASSERT_EQ(came.size(), 3u);
  EXPECT_EQ(came[0], (std::pair<uint64_t, uint64_t>{0, 128}));
  EXPECT_EQ(came[1], (std::pair<uint64_t, uint64_t>{128, 132}));
  EXPECT_EQ(came[2], (std::pair<uint64_t, uint64_t>{kRow, 140 + kClosed}));
}

TEST(SimDram, ARowStaysOpenWhileARequestNeedsIt) {
  // The write to another bank keeps reads waiting until 213 (WL, data, WTR).
  // The row of bank 0 could be closed in 201, but one of those reads needs it.
  Requester dram(kOneChannel);
  dram.at(100, 0);
  dram.at(110, kBank);
  dram.at(200, kBank + 128, /*isWrite=*/true);
  dram.at(201, kRow);
  dram.at(201, 128);
  EXPECT_EQ(dram.run(), (Came{{0, 128},
                              {kBank, 110 + kClosed},
                              {128, 213 + 12 + 4},
                              {kRow, 217 + 12 + kClosed}}));
}

TEST(SimDram, AReadWaitsForWrittenData) {
  // The write is issued in 112, its data end in 112 + WL 4 + 4 = 120; a read
  // may follow WTR 5 later.
  Requester dram(kOneChannel);
  dram.at(100, 0, /*isWrite=*/true);
  dram.at(101, 128);
  EXPECT_EQ(dram.run(), (Came{{128, 125 + 12 + 4}}));
}

TEST(SimDram, APrechargeWaitsForWrittenData) {
  // Written data end in 120; WR 12, RP 12.
  Requester dram(kOneChannel);
  dram.at(100, 0, /*isWrite=*/true);
  dram.at(101, kRow);
  EXPECT_EQ(dram.run(), (Came{{kRow, 120 + 12 + 12 + kClosed}}));
}

TEST(SimDram, AWriteWaitsUntilReadDataHaveLeftTheBus) {
  // Read issued in 112: data in 124 to 128.  A write, of WL 4, in 124; the bus
  // is free for the next read's data in 132, but WTR holds that until 137.
  Requester dram(kOneChannel);
  dram.at(100, 0);
  dram.at(101, 128, /*isWrite=*/true);
  dram.at(124, 256);
  EXPECT_EQ(dram.run(), (Came{{0, 128}, {256, 137 + 12 + 4}}));
}

TEST(SimDram, LinesAreInterleavedOverChannels) {
  Requester dram(kNoGroups);
  for (uint64_t i = 0; i != 7; ++i)
    dram.at(100, i * 128);
  Came came = dram.run();
  for (uint64_t i = 0; i != 6; ++i)
    EXPECT_EQ(came[i], (std::pair<uint64_t, uint64_t>{i * 128, 128}));
  EXPECT_EQ(came[6], (std::pair<uint64_t, uint64_t>{6 * 128, 132}));
  // 32 lines of one row are in each channel.
  Requester other(kNoGroups);
  other.at(100, 0);
  other.at(300, 31 * 6 * 128);
  other.at(600, 32 * 6 * 128);
  other.run();
  EXPECT_EQ(other.count("dram.row_hits"), 1u);
  EXPECT_EQ(other.count("dram.precharges"), 0u); // another bank
}

TEST(SimDram, ThePathTakesItsCycles) {
  Overrides overrides = kNoGroups;
  overrides[0].value = "66";
  Requester dram(overrides);
  dram.at(100, 0);
  EXPECT_EQ(dram.run(), (Came{{0, 99 + kClosed}}));
}

TEST(SimDram, AChannelIsFullWhenItsQueueAndPathAre) {
  Requester dram({{"dram.path_cycles", "8"}, {"dram.queue_entries", "3"}});
  for (unsigned i = 0; i != 3 + 8 / 4 + 1; ++i) {
    EXPECT_FALSE(dram.model().isFull(0));
    dram.model().send(uint64_t(i) * 6 * 128, false);
  }
  EXPECT_TRUE(dram.model().isFull(0));
  EXPECT_FALSE(dram.model().isFull(128)); // another channel
}

//===----------------------------------------------------------------------===//
// Bank groups: banks 0 to 3, 4 to 7 and so on
//===----------------------------------------------------------------------===//

constexpr uint64_t kGroup = 4 * kBank;

Requester withGroups(const char *rtpl = "2") {
  return Requester(
      {{"dram.channels", "1"}, {"dram.path_cycles", "0"}, {"dram.rtpl", rtpl}});
}

/// Opens a row of each bank, long before the cycle 300.  Its first line comes.
void open(Requester &dram, std::initializer_list<uint64_t> banks) {
  for (uint64_t cycle = 100; uint64_t bank : banks)
    dram.at(cycle, bank), cycle += 50;
}

/// Those that came after the cycle 300.
Came later(const Came &came) {
  Came result;
  for (const auto &one : came)
    if (one.second > 300)
      result.push_back(one);
  return result;
}

// The command of the first burst is CCDL 3 before that of the second, whose data
// end CL 12 + CCD 2 later.
constexpr uint64_t kOpen = 3 + 12 + 2;

TEST(SimDram, TheBurstsOfALineAreCcdlApart) {
  Requester dram = withGroups();
  dram.at(100, 0);
  EXPECT_EQ(dram.run(), (Came{{0, 100 + 12 + kOpen}}));
  EXPECT_EQ(dram.count("dram.data_cycles"), 4u);
}

TEST(SimDram, BurstsOfOneGroupAreCcdlApart) {
  // Of one bank, or of two.
  for (uint64_t second : {uint64_t(256), kBank + 128}) {
    Requester dram = withGroups();
    open(dram, {0, kBank});
    dram.at(300, 128);
    dram.at(300, second);
    EXPECT_EQ(later(dram.run()),
              (Came{{128, 300 + kOpen}, {second, 306 + kOpen}}));
  }
}

TEST(SimDram, BurstsOfDifferentGroupsFillTheBus) {
  // Commands in 300, 302 and so on, of one group and the other in turn.
  Requester dram = withGroups();
  open(dram, {0, kGroup});
  dram.at(300, 128);
  dram.at(300, kGroup + 128);
  dram.at(300, 256);
  dram.at(300, kGroup + 256);
  EXPECT_EQ(later(dram.run()), (Came{{128, 304 + 14},
                                     {kGroup + 128, 306 + 14},
                                     {256, 312 + 14},
                                     {kGroup + 256, 314 + 14}}));
}

TEST(SimDram, NeighbouringBanksAreAGroup) {
  for (uint64_t bank = 1; bank != 16; ++bank) {
    Requester dram = withGroups();
    open(dram, {0, bank * kBank});
    dram.at(1000, 128);
    dram.at(1000, bank * kBank + 128);
    Came came = dram.run();
    EXPECT_EQ(came.back().second, bank < 4 ? 1006 + kOpen : 1006 + 14) << bank;
  }
}

TEST(SimDram, WrittenBurstsAreCcdlApart) {
  // Commands in 112 and 115; data end in 115 + WL 4 + 2 = 121, WTR 5.
  Requester dram = withGroups();
  dram.at(100, 0, /*isWrite=*/true);
  dram.at(101, 128);
  EXPECT_EQ(dram.run(), (Came{{128, 126 + kOpen}}));
}

TEST(SimDram, APrechargeWaitsForReadsOfItsGroup) {
  // Bank 0 is read in 300 and 303.  Another bank is asked for another row in
  // 301; RP 12, RCD 12.  RTPL holds it only in the group of bank 0.
  for (auto [rtpl, bank, precharge] :
       {std::tuple("2", kBank, 302u), std::tuple("2", kGroup, 301u),
        std::tuple("40", kBank, 343u), std::tuple("40", kGroup, 301u)}) {
    Requester dram = withGroups(rtpl);
    open(dram, {0, bank});
    dram.at(300, 128);
    dram.at(301, kRow + bank);
    EXPECT_EQ(
        later(dram.run()),
        (Came{{128, 300 + kOpen}, {kRow + bank, precharge + 12 + 12 + kOpen}}))
        << rtpl << " " << bank;
  }
}

TEST(SimDram, ABankDoesOneRequestAtATime) {
  // Bursts of the read are 20 apart, in 300 and 320, but a burst that another
  // group writes in 310 holds reads until 310 + WL 4 + 2 + WTR 5 = 321.  The
  // write to the same bank, which could go in 320, waits.
  Requester dram(
      {{"dram.channels", "1"}, {"dram.path_cycles", "0"}, {"dram.ccdl", "20"}});
  open(dram, {0, kGroup});
  dram.at(300, 128);
  dram.at(301, kGroup + 128, /*isWrite=*/true);
  dram.at(301, 256, /*isWrite=*/true);
  EXPECT_EQ(later(dram.run()), (Came{{128, 321 + 12 + 2}}));
}

} // namespace
