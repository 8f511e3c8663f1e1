//===- RuntimeSparseBatchesTest.cpp - Recursion that fills no lanes -------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SparseBatches.h"

#include <gtest/gtest.h>

namespace {

using chan::SparseBatches;

void count(SparseBatches &batches, uint32_t elements, uint32_t times) {
  for (uint32_t i = 0; i != times; ++i)
    batches.count(elements);
}

TEST(RuntimeSparseBatches, ClonesRunSmallBatchesAfterManyOfThem) {
  SparseBatches batches;
  count(batches, 1, SparseBatches::kBatches - 1);
  EXPECT_FALSE(batches.isFew(1));
  count(batches, 1, 1);
  EXPECT_TRUE(batches.isFew(1));
  EXPECT_TRUE(batches.isFew(SparseBatches::kFew));
  EXPECT_FALSE(batches.isFew(SparseBatches::kFew + 1));
}

TEST(RuntimeSparseBatches, SomeLargeBatchesAreEnough) {
  SparseBatches batches;
  for (int i = 0; i != 10; ++i) {
    count(batches, 1, SparseBatches::kBatches - 1);
    count(batches, SparseBatches::kEnough, 1);
    EXPECT_FALSE(batches.isFew(1));
  }
  // They count for the batches among which they are, not for later ones.
  count(batches, UINT32_MAX, SparseBatches::kBatches);
  EXPECT_FALSE(batches.isFew(1));
  count(batches, 1, SparseBatches::kBatches);
  EXPECT_TRUE(batches.isFew(1));
}

TEST(RuntimeSparseBatches, BatchesAreExaminedAgain) {
  SparseBatches batches;
  count(batches, 1, SparseBatches::kBatches);
  // Large batches meanwhile say nothing of what clones run.
  count(batches, 1000, SparseBatches::kBatches);
  batches.time(SparseBatches::kTicks - 1);
  EXPECT_TRUE(batches.isFew(1));
  batches.time(SparseBatches::kTicks);
  EXPECT_FALSE(batches.isFew(1));
  count(batches, 4, SparseBatches::kBatches);
  EXPECT_FALSE(batches.isFew(1));
}

} // namespace
