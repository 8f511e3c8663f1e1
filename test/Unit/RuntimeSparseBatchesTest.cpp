//===- RuntimeSparseBatchesTest.cpp - Recursion that fills no lanes -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseBatches.h"

#include <gtest/gtest.h>

namespace {

using namespace chan;

void count(SparseBatches &batches, uint32_t elements, uint32_t times) {
  for (uint32_t i = 0; i != times; ++i)
    batches.count(elements);
}

TEST(RuntimeSparseBatches, ClonesRunSmallBatchesAfterManyOfThem) {
  SparseBatches batches;
  count(batches, 1, kExaminedBatches - 1);
  EXPECT_FALSE(batches.isFew(1));
  count(batches, 1, 1);
  EXPECT_TRUE(batches.isFew(1));
  EXPECT_TRUE(batches.isFew(kSparseFew));
  EXPECT_FALSE(batches.isFew(kSparseFew + 1));
}

TEST(RuntimeSparseBatches, SomeLargeBatchesAreEnough) {
  SparseBatches batches;
  for (int i = 0; i != 10; ++i) {
    count(batches, 1, kExaminedBatches - 1);
    count(batches, kEnoughElements, 1);
    EXPECT_FALSE(batches.isFew(1));
  }
  // They count for the batches among which they are, not for later ones.
  count(batches, UINT32_MAX, kExaminedBatches);
  EXPECT_FALSE(batches.isFew(1));
  count(batches, 1, kExaminedBatches);
  EXPECT_TRUE(batches.isFew(1));
}

TEST(RuntimeSparseBatches, BatchesAreExaminedAgain) {
  SparseBatches batches;
  count(batches, 1, kExaminedBatches);
  // Large batches meanwhile say nothing of what clones run.
  count(batches, 1000, kExaminedBatches);
  batches.time(durations.sparse - 1);
  EXPECT_TRUE(batches.isFew(1));
  batches.time(durations.sparse);
  EXPECT_FALSE(batches.isFew(1));
  count(batches, 4, kExaminedBatches);
  EXPECT_FALSE(batches.isFew(1));
}

} // namespace
