//===- ChannelStressTest.cpp - SharedChannel under many threads -----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Several producers and consumers on narrow channels, so that every lap reuses
// what was just freed. A payload of several plain words reveals a missing
// release or acquire: as a torn element, and under TSan as a race.
//===----------------------------------------------------------------------===//

#include "Channel.h"

#include <gtest/gtest.h>

#if defined(__SANITIZE_THREAD__)
#define CHAN_TEST_SLOW
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CHAN_TEST_SLOW
#endif
#endif

#include <array>
#include <atomic>
#include <thread>
#include <vector>

using namespace chan;

namespace {

constexpr uint64_t goldenRatio = 0x9E3779B97F4A7C15u;

/// Eight words, each a function of the serial number, over two cache lines when
/// the element straddles one.
struct Payload {
  std::array<uint64_t, 8> words;

  void write(uint64_t serial) {
    for (uint64_t i = 0; i < words.size(); ++i)
      words[i] = (serial + 1) * goldenRatio * (2 * i + 1);
  }
  /// The serial number, or nothing if the words do not belong together.
  std::optional<uint64_t> read() const {
    constexpr uint64_t inverse = 0xF1DE83E19937733Du;
    uint64_t serial = words[0] * inverse - 1;
    Payload expected;
    expected.write(serial);
    if (expected.words != words)
      return std::nullopt;
    return serial;
  }
};
static_assert(goldenRatio * 0xF1DE83E19937733Du == 1, "not inverse");

struct Shape {
  uint32_t width, group, tallocBatch, deqBatch;
};

class ChannelStress : public testing::TestWithParam<Shape> {};

TEST_P(ChannelStress, EveryElementIsSeenOnceAndWhole) {
  const Shape &setup = GetParam();
  constexpr uint64_t producers = 3, consumers = 3;
#ifdef CHAN_TEST_SLOW
  constexpr uint64_t each = 4000;
#else
  constexpr uint64_t each = 40000;
#endif
  SharedChannel channel(sizeof(Payload), setup.width, setup.group);
  auto payload = [&](uint64_t index) {
    return static_cast<Payload *>(channel.data(index));
  };
  std::vector<std::atomic<uint8_t>> seen(producers * each);
  std::atomic<uint64_t> taken{0}, torn{0};

  auto produce = [&](uint64_t producer) {
    for (uint64_t i = 0; i < each;) {
      uint32_t n = std::min<uint64_t>(setup.tallocBatch, each - i);
      std::optional<uint64_t> index = channel.talloc(n);
      if (!index) {
        std::this_thread::yield();
        continue;
      }
      for (uint32_t k = 0; k < n; ++k)
        payload(*index + k)->write(producer * each + i + k);
      channel.enq(*index, n);
      i += n;
    }
  };
  auto consume = [&] {
    std::vector<uint64_t> indices(setup.deqBatch);
    while (taken.load() < producers * each) {
      uint32_t n;
      if (setup.deqBatch == 1) {
        DeqResult result = channel.tryDeq();
        indices[0] = result.index;
        n = result ? 1 : 0;
      } else {
        n = channel.deqN(indices.data(), setup.deqBatch);
      }
      for (uint32_t k = 0; k < n; ++k) {
        std::optional<uint64_t> serial = payload(indices[k])->read();
        if (serial && *serial < seen.size())
          seen[*serial].fetch_add(1);
        else
          torn.fetch_add(1);
        // A value that a consumer would detect if it took the element too
        // early.
        payload(indices[k])->words.fill(~uint64_t(0));
        channel.tfree(indices[k]);
      }
      taken.fetch_add(n);
      if (n == 0)
        std::this_thread::yield();
    }
  };

  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < producers; ++i)
    threads.emplace_back(produce, i);
  for (uint64_t i = 0; i < consumers; ++i)
    threads.emplace_back(consume);
  for (std::thread &thread : threads)
    thread.join();

  EXPECT_EQ(torn.load(), 0u);
  uint64_t notOnce = 0;
  for (std::atomic<uint8_t> &count : seen)
    notOnce += count.load() != 1;
  EXPECT_EQ(notOnce, 0u);
  EXPECT_EQ(channel.ready(), 0u);
  EXPECT_LT(channel.occupied(), channel.group());
}

INSTANTIATE_TEST_SUITE_P(Widths, ChannelStress,
                         testing::Values(Shape{1, 1, 1, 1}, Shape{4, 1, 1, 1},
                                         Shape{8, 1, 3, 2}, Shape{64, 64, 1, 8},
                                         Shape{64, 8, 7, 1},
                                         Shape{1024, 64, 64, 64}),
                         [](const testing::TestParamInfo<Shape> &info) {
                           const Shape &s = info.param;
                           return "Width" + std::to_string(s.width) + "Group" +
                                  std::to_string(s.group) + "Talloc" +
                                  std::to_string(s.tallocBatch) + "Deq" +
                                  std::to_string(s.deqBatch);
                         });

/// Consumers that take only what their predicate accepts. What one refuses,
/// another takes. The result of a predicate always refers to the element that
/// is taken.
TEST(ChannelStress, PredicatesSelectTheElementsTheyTake) {
  constexpr uint64_t count = 20000;
  SharedChannel channel(sizeof(uint64_t), 8);
  std::atomic<uint64_t> taken{0}, wrong{0};
  auto word = [](const void *element) {
    return std::atomic_ref<uint64_t>(
        *static_cast<uint64_t *>(const_cast<void *>(element)));
  };
  auto consume = [&](uint64_t parity) {
    while (taken.load() < count) {
      DeqResult result = channel.tryDeq([&](const void *element) {
        return word(element).load(std::memory_order_relaxed) % 2 == parity;
      });
      if (!result) {
        std::this_thread::yield();
        continue;
      }
      wrong += word(channel.data(result.index)).load() % 2 != parity;
      channel.tfree(result.index);
      ++taken;
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 4; ++i)
    threads.emplace_back(consume, i % 2);
  for (uint64_t i = 0; i < count;) {
    std::optional<uint64_t> index = channel.talloc();
    if (!index) {
      std::this_thread::yield();
      continue;
    }
    word(channel.data(*index)).store(i++, std::memory_order_relaxed);
    channel.enq(*index);
  }
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong.load(), 0u);
}

} // namespace
