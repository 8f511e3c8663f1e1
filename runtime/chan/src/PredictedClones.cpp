//===- PredictedClones.cpp - Clones of trees predicted small --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "Clock.h"
#include "Demand.h"
#include "Pool.h"
#include "Tuning.h"
#include "Worker.h"

#include <utility>

namespace chan {
namespace {

/// Marks a limit, by its lowest bit, in a tree that is predicted small itself.
constexpr uintptr_t kInsidePrediction = 1;
/// Replaces the limit: the processor has no batches, so all trees are clones.
constexpr uintptr_t kNoPrediction = 2;

} // namespace
} // namespace chan

using namespace chan;

uintptr_t Worker::predictedStackLimit() {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - kUntilClone -
         kPredictedStack;
}

bool Worker::mayStillBeSmall() {
  if (predicted_polls > 1) {
    --predicted_polls;
    if (!arePollsRequested())
      return true;
    // The thief is told before the next tree.
    predicted_stack = nullptr;
    uint64_t now = ticks();
    if (!smallTrees.until)
      smallTrees.until = now + durations.smallTree;
    if (now <= smallTrees.until && predicted_polls > 1)
      return true;
    predicted_polls = 1;
  }
  predicted_stack = nullptr;
  return false;
}

void Worker::runPredictedSmall(chan_block *block, uint32_t begin,
                               uint32_t count) {
  uint32_t most = count * kMostSmallTree + 1;
  uint32_t before = std::exchange(predicted_polls, most);
  uint64_t untilBefore = std::exchange(smallTrees.until, 0);
  uintptr_t limitBefore = std::exchange(stack_limit, predictedStackLimit());
  setPollFrom(kNowhere);
  // There may be few activations that take long.
  bool delaysThieves = sharable && Demand::wanted();
  uint64_t began = delaysThieves ? ticks() : 0;
  runClones(block, begin, count);
  bool isLong = delaysThieves && ticks() - began > durations.smallTree;
  SmallTaskPredictor &predictor = memoriesOf(block->channel).smallTasks;
  predicted_polls == 1 || isLong
      ? predictor.wasWrong()
      : predictor.wasRight((most - predicted_polls) / count);
  predicted_polls = before;
  smallTrees.until = untilBefore;
  // A request that came meanwhile is noticed when the outermost predicted tree
  // ends.
  if (before)
    stack_limit = limitBefore;
  else
    refreshLimit();
}

void Worker::endPredictedSeries() {
  smallTrees.inSeries = false;
  refreshLimit();
}

uintptr_t chan_predict_small(chan_worker *caller, const chan_channel *channel,
                             void *stack) {
  Worker &worker = self(caller);
  SmallTaskPredictor &predictor = memoriesOf(channel).smallTasks;
  uintptr_t limit = worker.stack_limit;
  if (CHAN_UNLIKELY(!formFor(worker, channel)))
    return kNoPrediction;
  if (worker.smallTrees.inSeries && worker.predicted_polls_left == 1)
    predictor.wasWrong(); // most likely
  // A worker wants work, or the prediction failed: the C symbol decides.
  if (worker.arePollsRequested() || !predictor.isLikely() ||
      worker.stack.isDeepForClones()) {
    if (worker.smallTrees.inSeries)
      worker.endPredictedSeries();
    return 0;
  }
  worker.stack_limit = reinterpret_cast<uintptr_t>(stack) - kPredictedStack;
  // The remaining polls of the caller's own prediction serve both.
  if (worker.predicted_polls)
    return limit | kInsidePrediction;
  worker.predicted_polls = CHAN_PREDICTED_POLLS_MAX;
  worker.smallTrees.until = 0;
  return limit & ~kInsidePrediction;
}

void chan_end_predicted(chan_worker *caller, const chan_channel *channel,
                        uintptr_t token, void *stack) {
  if (CHAN_UNLIKELY(token == kNoPrediction))
    return;
  Worker &worker = self(caller);
  SmallTaskPredictor &predictor = memoriesOf(channel).smallTasks;
  bool isWrong = worker.predicted_polls == 1;
  if (isWrong)
    predictor.wasWrong();
  if (token & kInsidePrediction) {
    worker.stack_limit = token & ~kInsidePrediction;
    if (isWrong)
      worker.requestPolls();
    return;
  }
  worker.predicted_polls_left = std::exchange(worker.predicted_polls, 0);
  if (!isWrong)
    predictor.wasRight(CHAN_PREDICTED_POLLS_MAX - worker.predicted_polls_left);
  if (isWrong || !predictor.isCertain())
    return worker.endPredictedSeries();
  worker.smallTrees.inSeries = true;
  worker.predicted_stack =
      static_cast<char *>(stack) - CHAN_PREDICTED_STACK_DEEPER;
}
