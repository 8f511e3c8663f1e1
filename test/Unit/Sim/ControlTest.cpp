//===- ControlTest.cpp - Control vector table and control units -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "fabric/ControlUnit.h"
#include "vgiw/ControlVectorTable.h"

#include <gtest/gtest.h>

using namespace chansim;

namespace {

class Table : public testing::Test {
protected:
  Table() : table(shippedMachine().control) { table.partition(4, 0, 16); }
  ControlVectorTable table;
};

TEST_F(Table, ReadResets) {
  ASSERT_TRUE(table.orInto(1, 3, 0xf0, 0));
  EXPECT_FALSE(table.isEmpty(1));
  EXPECT_EQ(table.readAndReset(1, 3, 1), 0xf0u);
  EXPECT_TRUE(table.isEmpty(1));
  EXPECT_EQ(table.readAndReset(1, 3, 2), 0u);
}

TEST_F(Table, WritesAreORed) {
  ASSERT_TRUE(table.orInto(2, 0, 0x0f, 0));
  ASSERT_TRUE(table.orInto(2, 0, 0x18, 1));
  EXPECT_EQ(table.readAndReset(2, 0, 2), 0x1fu);
}

TEST_F(Table, ABankIsReadOnceACycle) {
  // 16 words a vector: word 0 and word 8 are in bank 0, and so is every
  // block's.
  EXPECT_TRUE(table.readAndReset(0, 0, 5));
  EXPECT_FALSE(table.readAndReset(0, 8, 5));
  EXPECT_FALSE(table.readAndReset(3, 0, 5));
  for (uint32_t word = 1; word != 8; ++word)
    EXPECT_TRUE(table.readAndReset(0, word, 5)) << word;
  EXPECT_TRUE(table.readAndReset(0, 8, 6));
}

TEST_F(Table, ABankIsWrittenOnceACycle) {
  EXPECT_TRUE(table.orInto(0, 1, 1, 5));
  EXPECT_FALSE(table.orInto(1, 9, 1, 5));
  EXPECT_TRUE(table.isEmpty(1));
  EXPECT_TRUE(table.orInto(1, 2, 1, 5));
  EXPECT_TRUE(table.orInto(1, 9, 1, 6));
}

TEST_F(Table, ReadAndWrittenInOneCycle) {
  ASSERT_TRUE(table.orInto(0, 0, 1, 0));
  EXPECT_EQ(table.readAndReset(0, 0, 1), 1u);
  EXPECT_TRUE(table.orInto(0, 0, 2, 1));
  EXPECT_EQ(table.peek(0, 0), 2u);
  EXPECT_FALSE(table.isEmpty(0));
}

TEST_F(Table, TheSmallestBlockThatIsNotEmpty) {
  EXPECT_EQ(table.first(), std::nullopt);
  table.set(3, 0, 1);
  table.set(2, 15, 1);
  EXPECT_EQ(table.first(), 2u);
  table.readAndReset(2, 15, 0);
  EXPECT_EQ(table.first(), 3u);
}

TEST(Initiator, ThreadsOfTheBitmapInOrder) {
  Initiator unit;
  unit.promise();
  unit.receive({128, 0x8000000000000005});
  std::vector<uint32_t> threads;
  while (unit.hasThread())
    threads.push_back(unit.take());
  EXPECT_EQ(threads, (std::vector<uint32_t>{128, 130, 191}));
}

TEST(Initiator, HoldsTwoBatches) {
  Initiator unit;
  EXPECT_TRUE(unit.wantsBatch());
  unit.promise();
  EXPECT_TRUE(unit.wantsBatch());
  unit.promise();
  EXPECT_FALSE(unit.wantsBatch());
  unit.receive({0, 1});
  unit.receive({64, 3});
  EXPECT_FALSE(unit.wantsBatch());
  EXPECT_EQ(unit.take(), 0u);
  // The first buffer is empty: the next batch is asked for at once.
  EXPECT_TRUE(unit.wantsBatch());
  EXPECT_EQ(unit.take(), 64u);
  EXPECT_EQ(unit.take(), 65u);
  EXPECT_FALSE(unit.hasThread());
}

TEST(Terminator, CollectsABatchWhateverTheOrder) {
  Terminator unit;
  for (uint32_t thread : {70, 64, 127})
    EXPECT_FALSE(unit.add(0, thread).bits);
  Batch batch = unit.flush(0);
  EXPECT_EQ(batch.base, 64u);
  EXPECT_EQ(batch.bits, uint64_t(1) | uint64_t(1) << 6 | uint64_t(1) << 63);
  EXPECT_FALSE(unit.flush(0).bits);
}

TEST(Terminator, SendsAPartialBatchForAThirdBase) {
  Terminator unit;
  EXPECT_FALSE(unit.add(0, 0).bits);
  EXPECT_FALSE(unit.add(0, 64).bits);
  // Out of order: both are still collected.
  EXPECT_FALSE(unit.add(0, 1).bits);
  EXPECT_FALSE(unit.add(0, 65).bits);
  Batch sent = unit.add(0, 128);
  EXPECT_EQ(sent.base, 0u);
  EXPECT_EQ(sent.bits, 3u);
  sent = unit.add(0, 2);
  EXPECT_EQ(sent.base, 64u);
  EXPECT_EQ(sent.bits, 3u);
  EXPECT_EQ(unit.flush(0).base, 128u);
  EXPECT_EQ(unit.flush(0).bits, 4u);
}

TEST(Terminator, SuccessorsHaveBatchesOfTheirOwn) {
  Terminator unit;
  EXPECT_FALSE(unit.add(0, 0).bits);
  EXPECT_FALSE(unit.add(0, 64).bits);
  EXPECT_FALSE(unit.add(1, 128).bits);
  EXPECT_FALSE(unit.add(1, 192).bits);
  EXPECT_EQ(unit.add(1, 256).base, 128u);
  EXPECT_EQ(unit.flush(0).base, 0u);
  EXPECT_EQ(unit.flush(0).base, 64u);
  EXPECT_FALSE(unit.flush(0).bits);
}

} // namespace
