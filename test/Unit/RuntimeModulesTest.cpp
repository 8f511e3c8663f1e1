//===- RuntimeModulesTest.cpp - Deferred assignments, function pointers ---===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeKernels.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

using namespace kernels;

namespace {

// A parent whose children deliver into records that are applied in spawn order.

using Child = Element<int *, int>;
void deliver(chan_worker *, chan_block *block, uint32_t i) {
  *Child::get<0>(block, i) = Child::get<1>(block, i);
}
const chan_channel DeliverEntry =
    makeChannel<Child, deliver, CHAN_ENTRY>("deliver.0");

void append(void *destination, void *result) {
  static_cast<std::vector<int> *>(destination)
      ->push_back(*static_cast<int *>(result));
}

struct ParentFrame {
  chan_pending pending;
};
using Parent = Element<std::vector<int> *, int>;
void parentSync(chan_worker *worker, chan_block *block, uint32_t i) {
  auto *frame = static_cast<ParentFrame *>(Element<void *>::get<0>(block, i));
  chan_apply(worker, &frame->pending);
  deleteFrame(worker, frame);
}
const chan_channel ParentSync =
    makeChannel<Element<void *>, parentSync, CHAN_CONTINUATION>(
        "parent.1", sizeof(ParentFrame));
void parentEntry(chan_worker *worker, chan_block *block, uint32_t i) {
  std::vector<int> *list = Parent::get<0>(block, i);
  int children = Parent::get<1>(block, i);
  auto *frame = newFrame<ParentFrame>(worker);
  frame->pending = {};
  for (int k = 0; k != children; ++k) {
    auto *result = static_cast<int *>(chan_defer(
        worker, &frame->pending, append, list, sizeof(int), alignof(int)));
    Child::send(worker, DeliverEntry, result, k);
  }
  Element<void *>::send(worker, ParentSync, frame);
}
const chan_channel ParentEntry = makeChannel<Parent, parentEntry, CHAN_ENTRY>(
    "parent.0", sizeof(ParentFrame));

void first() {}
void second() {}
void third() {}

} // namespace

TEST(RuntimeSharing, DeferredAssignmentsHappenInSpawnOrder) {
  for (int children : {0, 1, 5, 200, 20000}) {
    std::vector<int> list;
    Parent::call(ParentEntry, &list, children);
    ASSERT_EQ(list.size(), size_t(children));
    for (int k = 0; k != children; ++k)
      ASSERT_EQ(list[k], k);
  }
}

TEST(RuntimeModules, ResolvesWhatIsRegistered) {
  const chan_export exports[] = {{first, &ParentEntry, 11},
                                 {second, &DeliverEntry, 22}};
  chan_module module = {CHAN_ABI_VERSION, 2,       exports,
                        nullptr,          nullptr, nullptr};
  EXPECT_EQ(chan_resolve(first, 11, &ParentSync), &ParentSync);
  chan_register(&module);
  EXPECT_EQ(chan_resolve(first, 11, nullptr), &ParentEntry);
  EXPECT_EQ(chan_resolve(second, 22, nullptr), &DeliverEntry);
  EXPECT_EQ(chan_resolve(second, 11, &ParentSync), &ParentSync)
      << "another signature is another layout";
  EXPECT_EQ(chan_resolve(third, 11, nullptr), nullptr);
  chan_unregister(&module);
  EXPECT_EQ(chan_resolve(first, 11, nullptr), nullptr);
}

TEST(RuntimeModules, LookupsGoOnWhileModulesComeAndGo) {
  const chan_export stays[] = {{first, &ParentEntry, 1}};
  chan_module staying = {CHAN_ABI_VERSION, 1, stays, nullptr, nullptr, nullptr};
  chan_register(&staying);
  std::atomic<bool> stop{false};
  std::atomic<int> missed{0};
  std::vector<std::thread> readers;
  for (int t = 0; t != 3; ++t)
    readers.emplace_back([&] {
      while (!stop)
        if (chan_resolve(first, 1, nullptr) != &ParentEntry)
          ++missed;
    });
  const chan_export goes[] = {{second, &DeliverEntry, 2}};
  for (int round = 0; round != 200; ++round) {
    chan_module going = {CHAN_ABI_VERSION, 1, goes, nullptr, nullptr, nullptr};
    chan_register(&going);
    EXPECT_EQ(chan_resolve(second, 2, nullptr), &DeliverEntry);
    chan_unregister(&going);
  }
  stop = true;
  for (std::thread &reader : readers)
    reader.join();
  EXPECT_EQ(missed, 0);
  chan_unregister(&staying);
}

TEST(RuntimeModulesDeathTest, AnotherVersionIsRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  chan_module module = {
      CHAN_ABI_VERSION + 1, 0, nullptr, nullptr, nullptr, nullptr};
  EXPECT_EXIT(chan_register(&module), testing::ExitedWithCode(1),
              "compiled for version " + std::to_string(CHAN_ABI_VERSION + 1) +
                  " of the runtime's interface");
}

// test/Driver/processors.c tests missing features.
TEST(RuntimeModules, UnknownProcessorFeaturesAreNoObstacle) {
  chan_module module = {CHAN_ABI_VERSION, 0,           nullptr,
                        nullptr,          "x86-64-v9", "sse2,sse9,"};
  chan_register(&module);
  chan_unregister(&module);
}
