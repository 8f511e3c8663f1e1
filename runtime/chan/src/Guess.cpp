//===- Guess.cpp - Clones of trees that are likely to be tiny -------------===//
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

/// What a tiny tree may have of the stack until its activations are asked: an
/// answer takes as long as several of them.  Bytes.
constexpr uintptr_t kGuessedStack = 256;
/// What the runtime may have of it from where it sets the limit to the clone.
constexpr uintptr_t kUntilClone = 128;
/// Beside a limit, which is below by no more than this.
constexpr uintptr_t kInsideGuess = 1;
/// Instead of one: its processor has no batches, so all are clones.
constexpr uintptr_t kNoGuess = 2;

} // namespace
} // namespace chan

using namespace chan;

uintptr_t Worker::limitOfGuess() {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) - kUntilClone -
         kGuessedStack;
}

bool Worker::mayStillBeTiny() {
  if (guess > 1) {
    --guess;
    if (!isDemanded())
      return true;
    // He is told before the next tree.
    guessing = nullptr;
    uint64_t now = ticks();
    if (!guessedUntil)
      guessedUntil = now + TinyTrees::kMostTicks;
    if (now <= guessedUntil && guess > 1)
      return true;
    guess = 1;
  }
  guessing = nullptr;
  return false;
}

void Worker::runGuessed(chan_block *block, uint32_t begin, uint32_t count) {
  uint32_t most = count * TinyTrees::kMostElements + 1;
  uint32_t before = std::exchange(guess, most);
  uint64_t untilBefore = std::exchange(guessedUntil, 0);
  uintptr_t limitBefore = std::exchange(stack_limit, limitOfGuess());
  setSenior(kNowhere);
  // There may be few activations, but long ones.
  bool keepsFromOthers = sharable && Pool::wanted();
  uint64_t began = keepsFromOthers ? ticks() : 0;
  runClones(block, begin, count);
  bool isLong = keepsFromOthers && ticks() - began > TinyTrees::kMostTicks;
  TinyTrees &tiny = memoriesOf(block->channel).tinyTrees;
  guess == 1 || isLong ? tiny.wasWrong()
                       : tiny.wasRight((most - guess) / count);
  guess = before;
  guessedUntil = untilBefore;
  // Who came to want work meanwhile is heard when the outermost guess ends.
  if (before)
    stack_limit = limitBefore;
  else
    refreshLimit();
}

void Worker::endGuesses() {
  isGuesser = false;
  refreshLimit();
}

uintptr_t chan_guess(chan_worker *caller, const chan_channel *channel,
                     void *stack) {
  Worker &worker = self(caller);
  TinyTrees &tiny = memoriesOf(channel).tinyTrees;
  uintptr_t limit = worker.stack_limit;
  if (CHAN_UNLIKELY(!formFor(worker, channel)))
    return kNoGuess;
  if (worker.isGuesser && worker.guess_left == 1)
    tiny.wasWrong(); // most likely
  // Somebody wants work, and is heard, or has to be: let that be looked into.
  if (worker.isDemanded() || !tiny.isLikely() ||
      worker.stack.isDeepForClones()) {
    if (worker.isGuesser)
      worker.endGuesses();
    return 0;
  }
  worker.stack_limit = reinterpret_cast<uintptr_t>(stack) - kGuessedStack;
  // What is left of the guess that the caller is serves both.
  if (worker.guess)
    return limit | kInsideGuess;
  worker.guess = CHAN_GUESS_MOST;
  worker.guessedUntil = 0;
  return limit & ~kInsideGuess;
}

void chan_guessed(chan_worker *caller, const chan_channel *channel,
                  uintptr_t before, void *stack) {
  if (CHAN_UNLIKELY(before == kNoGuess))
    return;
  Worker &worker = self(caller);
  TinyTrees &tiny = memoriesOf(channel).tinyTrees;
  bool isWrong = worker.guess == 1;
  if (isWrong)
    tiny.wasWrong();
  if (before & kInsideGuess) {
    worker.stack_limit = before & ~kInsideGuess;
    if (isWrong)
      worker.demandWork();
    return;
  }
  worker.guess_left = std::exchange(worker.guess, 0);
  if (!isWrong)
    tiny.wasRight(CHAN_GUESS_MOST - worker.guess_left);
  if (isWrong || !tiny.isCertain())
    return worker.endGuesses();
  worker.isGuesser = true;
  worker.guessing = static_cast<char *>(stack) - CHAN_GUESS_DEEPER;
}
