//===- RuntimeHandlersTest.cpp - Handlers of batches' results -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchTesting.h"
#include "InProcess.h"
#include "Worker.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <utility>

using namespace kernels;

namespace {

class RuntimeHandlersDeathTest : public InProcess {};

//===----------------------------------------------------------------------===//
// With result handlers: spawns in a loop
//===----------------------------------------------------------------------===//

/// Counts the leaves of a tree of `depth` levels whose nodes have `width`
/// children each. It multiplies on the way, so the order of results matters.
using Tree = Element<uint32_t *, uint32_t, uint32_t>;
extern const chan_channel TreeEntry;

uint32_t *localOf(chan_batch *batch, uint32_t i) {
  return reinterpret_cast<uint32_t *>(batch->locals) + (i - batch->first);
}

uint32_t treeBegins(chan_worker *worker, chan_batch *batch, uint32_t i,
                    uint32_t end) {
  chan_block *children = batch->children;
  uint32_t count = 0, records = 0;
  for (; i < end && count + kLanes <= children->capacity / 2; i += kLanes) {
    uint64_t *marks = marksOf(batch, i, 1);
    *marks = 0;
    uint32_t present = std::min(kLanes, end - i), most = 0;
    for (uint32_t lane = 0; lane != present; ++lane) {
      *localOf(batch, i + lane) = 1;
      if (Tree::get<2>(batch->elements, i + lane) == 0) {
        static_cast<uint32_t *>(batch->results)[i + lane] =
            Tree::get<1>(batch->elements, i + lane);
        continue;
      }
      *marks |= uint64_t(1) << lane;
      most = std::max(most, Tree::get<1>(batch->elements, i + lane));
    }
    for (uint32_t k = 0; k != most; ++k) {
      if (count + kLanes > children->capacity) {
        children->count = std::exchange(count, 0);
        batch->spawned_count = std::exchange(records, 0);
        end = chan_batch_flush(worker, batch, std::min(i + kLanes, end), end);
        EXPECT_EQ(children->count, 0u);
        EXPECT_EQ(batch->spawned_count, 0u);
      }
      uint64_t mask = 0;
      for (uint32_t lane = 0; lane != present; ++lane)
        if (*marks >> lane & 1 && k < Tree::get<1>(batch->elements, i + lane)) {
          mask |= uint64_t(1) << lane;
          Tree::get<1>(children, count) = k % 3 + 1;
          Tree::get<2>(children, count++) =
              Tree::get<2>(batch->elements, i + lane) - 1;
        }
      if (mask)
        batch->spawned[records++] = {mask, i, 0};
    }
    batch->pending |= *marks ? 1 << 1 : 0;
  }
  children->count = count;
  batch->spawned_count = records;
  return std::min(i, end);
}

uint32_t treeEnds(chan_worker *, chan_batch *batch, uint32_t i, uint32_t end) {
  batch->children->count = 0;
  for (; i < end; i += kLanes) {
    uint64_t mask = std::exchange(*marksOf(batch, i, 1), 0);
    for (uint32_t lane = 0; lane != kLanes; ++lane)
      if (mask >> lane & 1)
        static_cast<uint32_t *>(batch->results)[i + lane] =
            *localOf(batch, i + lane);
  }
  return end;
}

uint32_t treeHandles(chan_worker *, chan_batch *batch, uint32_t record,
                     uint32_t end) {
  for (; record != end && batch->spawned[record].site == 0; ++record) {
    auto [mask, group, site] = batch->spawned[record];
    for (uint32_t lane = 0; lane != kLanes; ++lane)
      if (mask >> lane & 1) {
        uint32_t *local = localOf(batch, group + lane);
        *local = *local * 31 + static_cast<uint32_t *>(
                                   batch->child_results)[batch->handled++];
      }
  }
  return record;
}

uint32_t serialTree(uint32_t width, uint32_t depth) {
  if (depth == 0)
    return width;
  uint32_t result = 1;
  for (uint32_t k = 0; k != width; ++k)
    result = result * 31 + serialTree(k % 3 + 1, depth - 1);
  return result;
}
void treeKernel(chan_worker *, chan_block *block, uint32_t begin,
                uint32_t end) {
  for (uint32_t i = begin; i != end; ++i)
    *Tree::get<0>(block, i) =
        serialTree(Tree::get<1>(block, i), Tree::get<2>(block, i));
}

constexpr chan_phase kTreePhases[] = {treeBegins, treeEnds, treeHandles};
constexpr chan_batch_form kTreeForm = [] {
  chan_batch_form form = makeForm(&TreeEntry, kTreePhases, 1, sizeof(uint32_t));
  form.local_size = sizeof(uint32_t);
  form.handlers = 1;
  return form;
}();
const chan_channel TreeEntry =
    makeBatchChannel<Tree>("tree.0", treeKernel, &kTreeForm);

TEST(RuntimeHandlers, HandlersSeeResultsInTheOrderOfSpawns) {
  for (auto [width, depth] :
       {std::pair(1u, 0u), {0u, 1u}, {5u, 3u}, {3u, 12u}, {20000u, 2u}}) {
    uint32_t result = -1;
    Tree::call(TreeEntry, &result, width, depth);
    EXPECT_EQ(result, serialTree(width, depth)) << width << ' ' << depth;
  }
}

TEST(RuntimeHandlers, DeepRecursionGoesOnInKernels) {
  // Each node one child.
  uint32_t result = -1;
  Tree::call(TreeEntry, &result, 1, 5000);
  EXPECT_EQ(result, serialTree(1, 5000));
}

/// What runs by its clone inside batches shows this to functions that it calls.
std::atomic<int> lineClones;
void lineSerial(chan_worker *worker, chan_block *block, uint32_t i) {
  EXPECT_EQ(chan_cloning, worker);
  ++lineClones;
  treeKernel(worker, block, i, i + 1);
}
void lineKernel(chan_worker *worker, chan_block *block, uint32_t begin,
                uint32_t end) {
  EXPECT_EQ(chan_cloning, nullptr);
  treeKernel(worker, block, begin, end);
}
extern const chan_channel LineEntry;
constexpr chan_batch_form kLineForm = [] {
  chan_batch_form form = kTreeForm;
  form.callee = &LineEntry;
  return form;
}();
const chan_channel LineEntry = [] {
  chan_channel channel =
      makeBatchChannel<Tree>("line.0", lineKernel, &kLineForm);
  channel.serial = lineSerial;
  return channel;
}();

void runLine() {
  uint32_t result = -1;
  Tree::call(LineEntry, &result, 1, 100);
  EXPECT_EQ(result, serialTree(1, 100));
  EXPECT_EQ(lineClones, 1);
  EXPECT_EQ(chan_cloning, nullptr);
}

TEST_F(RuntimeHandlersDeathTest, NarrowTreesGoOnInClones) {
  EXPECT_IN_PROCESS("1", runLine);
}

/// Levels of one element each take no more memory than the element is likely to
/// use.
void runThin() {
  uint32_t result = -1;
  Tree::call(TreeEntry, &result, 1, 200);
  EXPECT_LT(chan::Worker::current().memory.held(), size_t(8) << 20);
}

TEST_F(RuntimeHandlersDeathTest, NarrowLevelsAreSmall) {
  EXPECT_IN_PROCESS("1", runThin);
}

} // namespace
