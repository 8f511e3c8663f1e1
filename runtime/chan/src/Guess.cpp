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
constexpr uintptr_t kGuessedStack = 512;
/// How many of a tree's may be asked, and one.
constexpr uint32_t kMost = TinyTrees::kMostElements + 1;
/// Beside a limit, which is below by no more than this.
constexpr uintptr_t kInsideGuess = 1;

} // namespace
} // namespace chan

using namespace chan;

uintptr_t Worker::limitOfGuess() {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) -
         kGuessedStack;
}

bool Worker::mayStillBeTiny() {
  if (guess == 1)
    return false;
  --guess;
  // Whoever has raised it, somebody wants work.
  if (stackLimit() != UINTPTR_MAX)
    return true;
  uint64_t now = ticks();
  if (!guessedUntil)
    guessedUntil = now + TinyTrees::kMostTicks;
  else if (now > guessedUntil)
    guess = 1;
  return guess != 1;
}

void Worker::runGuessed(chan_block *block, uint32_t begin, uint32_t count) {
  uint32_t most = count * TinyTrees::kMostElements + 1;
  uint32_t before = std::exchange(guess, most);
  uint64_t untilBefore = std::exchange(guessedUntil, 0);
  uintptr_t limitBefore = stackLimit();
  setLimit(limitOfGuess());
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
  // Should somebody have reminded the worker in between, he will again.
  if (before)
    setLimit(limitBefore);
  else
    refreshLimit();
}

uintptr_t chan_guess(chan_worker *caller, const chan_channel *channel) {
  Worker &worker = self(caller);
  uintptr_t limit = worker.stackLimit();
  // Somebody wants work, and is heard, or has to be: let that be looked into.
  if (limit == UINTPTR_MAX || worker.profile ||
      !memoriesOf(channel).tinyTrees.isLikely() ||
      worker.stack.isDeepForClones())
    return 0;
  worker.setLimit(Worker::limitOfGuess());
  // What is left of the guess that the caller is serves both.
  if (worker.guess)
    return limit | kInsideGuess;
  worker.guess = kMost;
  worker.guessedUntil = 0;
  return limit & ~kInsideGuess;
}

void chan_guessed(chan_worker *caller, const chan_channel *channel,
                  uintptr_t before) {
  Worker &worker = self(caller);
  TinyTrees &tiny = memoriesOf(channel).tinyTrees;
  if (worker.guess == 1)
    tiny.wasWrong();
  if (before & kInsideGuess) {
    // Should somebody have reminded the worker in between, he will again.
    worker.setLimit(worker.guess == 1 ? UINTPTR_MAX : before);
    return;
  }
  if (worker.guess != 1)
    tiny.wasRight(kMost - worker.guess);
  worker.guess = 0;
  worker.refreshLimit();
}
