//===- CloneTesting.h - What tests of serial clones share -------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TEST_UNIT_CLONETESTING_H
#define TEST_UNIT_CLONETESTING_H

#include "Pool.h"
#include "RuntimeKernels.h"
#include "Sharing.h"
#include "Worker.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <utility>

namespace kernels {

/// While it lives, a clone of `worker` runs.
struct Cloning {
  explicit Cloning(chan_worker *worker)
      : before(std::exchange(chan_cloning, worker)) {}
  ~Cloning() { chan_cloning = before; }
  chan_worker *const before;
};

/// Runs body() where the stack has no room for clones.
template <typename F> [[gnu::noinline]] void whereStackIsDeep(F body) {
  volatile char space[size_t(1) << 20];
  space[0] = 1;
  if (chan::Worker::current().stack.isDeepForClones())
    body();
  else
    whereStackIsDeep(body);
  space[0] = 2; // otherwise this call would make room for the next one
}

inline bool maySerialize(chan_worker *worker) {
  return chan::self(worker).maySerialize(
      static_cast<chan::Level *>(worker->level));
}

/// Requests a clone until it gets one. Returns how often it got none.
inline uint32_t countRefusals(chan_worker *worker) {
  uint32_t count = 0;
  while (!maySerialize(worker))
    ++count;
  return count;
}

/// Whether the worker's clones are asked to poll within ten seconds.
inline bool isRemindedSoon(chan::Worker &worker) {
  for (auto late = std::chrono::steady_clock::now() + std::chrono::seconds(10);
       !worker.arePollsRequested() && std::chrono::steady_clock::now() < late;)
    std::this_thread::yield();
  return worker.arePollsRequested();
}
using Number = Element<int *, int>;
inline void number(chan_worker *, chan_block *block, uint32_t i) {
  EXPECT_EQ(chan_cloning, nullptr);
  *Number::get<0>(block, i) = Number::get<1>(block, i);
}
inline const chan_channel NumberEntry =
    makeChannel<Number, number, CHAN_ENTRY>("number.0");

using Nothing = Element<int>;
/// Runs Body(worker), a part of a clone, as an element of a tree.
template <auto Body> void runInTree() {
  static const chan_channel channel =
      makeChannel<Nothing,
                  +[](chan_worker *worker, chan_block *, uint32_t) {
                    Body(worker);
                  },
                  CHAN_ENTRY>("part.0");
  Nothing::call(channel, 0);
}

} // namespace kernels

#endif // TEST_UNIT_CLONETESTING_H
