//===- PredictedClones.cpp - Clones of trees predicted small --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clock.h"
#include "Pool.h"
#include "Worker.h"

#include <utility>

namespace chan {
namespace {

/// What a small tree may have of the stack until its activations are asked: an
/// answer takes as long as several of them.  Bytes.
constexpr uintptr_t kPredictedStack = 256;
/// What the runtime may have of it from where it sets the limit to the clone.
constexpr uintptr_t kUntilClone = 128;
/// Beside a limit, which is below by no more than this.
constexpr uintptr_t kInsidePrediction = 1;
/// Instead of one: its processor has no batches, so all are clones.
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
    if (!isDemanded())
      return true;
    // He is told before the next tree.
    predicted_stack = nullptr;
    uint64_t now = ticks();
    if (!predictedUntil)
      predictedUntil = now + SmallTaskPredictor::kMostTicks;
    if (now <= predictedUntil && predicted_polls > 1)
      return true;
    predicted_polls = 1;
  }
  predicted_stack = nullptr;
  return false;
}

void Worker::runPredictedSmall(chan_block *block, uint32_t begin,
                               uint32_t count) {
  uint32_t most = count * SmallTaskPredictor::kMostElements + 1;
  uint32_t before = std::exchange(predicted_polls, most);
  uint64_t untilBefore = std::exchange(predictedUntil, 0);
  uintptr_t limitBefore = std::exchange(stack_limit, predictedStackLimit());
  setPollFrom(kNowhere);
  // There may be few activations, but long ones.
  bool delaysThieves = sharable && Pool::wanted();
  uint64_t began = delaysThieves ? ticks() : 0;
  runClones(block, begin, count);
  bool isLong =
      delaysThieves && ticks() - began > SmallTaskPredictor::kMostTicks;
  SmallTaskPredictor &predictor = memoriesOf(block->channel).smallTasks;
  predicted_polls == 1 || isLong
      ? predictor.wasWrong()
      : predictor.wasRight((most - predicted_polls) / count);
  predicted_polls = before;
  predictedUntil = untilBefore;
  // Who came to want work meanwhile is heard when the outermost guess ends.
  if (before)
    stack_limit = limitBefore;
  else
    refreshLimit();
}

void Worker::endPredictedSeries() {
  inPredictedSeries = false;
  refreshLimit();
}

uintptr_t chan_predict_small(chan_worker *caller, const chan_channel *channel,
                             void *stack) {
  Worker &worker = self(caller);
  SmallTaskPredictor &predictor = memoriesOf(channel).smallTasks;
  uintptr_t limit = worker.stack_limit;
  if (CHAN_UNLIKELY(!formFor(worker, channel)))
    return kNoPrediction;
  if (worker.inPredictedSeries && worker.predicted_polls_left == 1)
    predictor.wasWrong(); // most likely
  // Somebody wants work, and is heard, or has to be: let that be looked into.
  if (worker.isDemanded() || !predictor.isLikely() ||
      worker.stack.isDeepForClones()) {
    if (worker.inPredictedSeries)
      worker.endPredictedSeries();
    return 0;
  }
  worker.stack_limit = reinterpret_cast<uintptr_t>(stack) - kPredictedStack;
  // What is left of the guess that the caller is serves both.
  if (worker.predicted_polls)
    return limit | kInsidePrediction;
  worker.predicted_polls = CHAN_PREDICTED_POLLS_MAX;
  worker.predictedUntil = 0;
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
      worker.demandWork();
    return;
  }
  worker.predicted_polls_left = std::exchange(worker.predicted_polls, 0);
  if (!isWrong)
    predictor.wasRight(CHAN_PREDICTED_POLLS_MAX - worker.predicted_polls_left);
  if (isWrong || !predictor.isCertain())
    return worker.endPredictedSeries();
  worker.inPredictedSeries = true;
  worker.predicted_stack =
      static_cast<char *>(stack) - CHAN_PREDICTED_STACK_DEEPER;
}
