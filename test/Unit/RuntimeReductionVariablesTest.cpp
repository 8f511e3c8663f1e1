//===- RuntimeReductionVariablesTest.cpp - Shared reductions --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionVariables.h"
#include "RuntimeKernels.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <string.h>
#include <thread>
#include <vector>

using namespace chan;

namespace {

using Task = kernels::Element<const std::function<void(chan_worker &)> *>;
void perform(chan_worker *worker, chan_block *block, uint32_t i) {
  (*Task::get<0>(block, i))(*worker);
}
const chan_channel Kernel =
    kernels::makeChannel<Task, perform, CHAN_ENTRY>("perform.0");

/// Runs `body` in a kernel.
void inKernel(const std::function<void(chan_worker &)> &body) {
  Task::call(Kernel, &body);
}

template <typename Number>
Number expected(uint32_t combination, Number one, Number other) {
  using Signed = std::make_signed_t<Number>;
  switch (combination) {
  case CHAN_SUM:
    return Number(one + other);
  case CHAN_PRODUCT:
    return Number(uint64_t(one) * other);
  case CHAN_AND:
    return one & other;
  case CHAN_OR:
    return one | other;
  case CHAN_EXCLUSIVE_OR:
    return one ^ other;
  case CHAN_SIGNED_MAXIMUM:
    return Number(std::max(Signed(one), Signed(other)));
  case CHAN_SIGNED_MINIMUM:
    return Number(std::min(Signed(one), Signed(other)));
  case CHAN_UNSIGNED_MAXIMUM:
    return std::max(one, other);
  default:
    return std::min(one, other);
  }
}

/// Values with and without their highest bit, and the memory around them.
template <typename Number> void combineAll(chan_worker &worker) {
  const Number kBits = Number(Number(0xa5a5a5a5a5a5a5a5) >> 1);
  const Number numbers[] = {0, 1, kBits, Number(~kBits), Number(-1)};
  for (uint32_t combination = CHAN_SUM; combination <= CHAN_UNSIGNED_MINIMUM;
       ++combination)
    for (Number first : numbers)
      for (Number own : numbers) {
        Number memory[] = {kBits, first, kBits};
        chan_reduction_begin(&worker, 1, &memory[1],
                             CHAN_REDUCTION_KIND(combination, sizeof(Number)));
        EXPECT_EQ(memory[1], first);
        chan_reduction &reduction = worker.reductions[1];
        combine(combination, sizeof(Number), &reduction.value, &own);
        // Compiled code writes the low bytes and reads no others.
        if (sizeof(Number) < 8)
          reduction.value |= ~uint64_t(0) << (8 * sizeof(Number) % 64);
        flushReductions(worker);
        EXPECT_EQ(memory[1], expected(combination, first, own))
            << combination << " of " << sizeof(Number) << " bytes";
        EXPECT_EQ(memory[0], kBits);
        EXPECT_EQ(memory[2], kBits);
      }
}

TEST(RuntimeReductionVariables, Combine) {
  inKernel(combineAll<uint8_t>);
  inKernel(combineAll<uint16_t>);
  inKernel(combineAll<uint32_t>);
  inKernel(combineAll<uint64_t>);
}

void areCombinedInMemory(chan_worker &worker) {
  uint32_t one = 10, most = 7;
  uint64_t kind = CHAN_REDUCTION_KIND(CHAN_SUM, 4);
  chan_reduction_begin(&worker, 0, &one, kind);
  worker.reductions[0].value += 5;
  chan_reduction_begin(&worker, 3, &most,
                       CHAN_REDUCTION_KIND(CHAN_UNSIGNED_MAXIMUM, 4));
  EXPECT_EQ(one, 10u);
  // Another variable, and another kind.
  chan_reduction_begin(&worker, 0, &most, kind);
  EXPECT_EQ(one, 15u);
  EXPECT_EQ(most, 7u);
  worker.reductions[0].value += 1;
  worker.reductions[3].value = 3;
  flushReductions(worker);
  EXPECT_EQ(most, 8u);
  for (const chan_reduction &reduction : worker.reductions)
    EXPECT_EQ(reduction.address, nullptr);
  // No value is combined twice.
  flushReductions(worker);
  EXPECT_EQ(one, 15u);
  EXPECT_EQ(most, 8u);
}

TEST(RuntimeReductionVariables, AreCombinedInMemory) {
  inKernel(areCombinedInMemory);
}

TEST(RuntimeReductionVariables, ManyThreadsCombineWithOneVariable) {
  constexpr unsigned kThreads = 4, kTurns = 2001;
  uint64_t sum = 0;
  uint8_t bits = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != kThreads; ++i)
    threads.emplace_back([&, i] {
      inKernel([&](chan_worker &worker) {
        for (unsigned turn = 0; turn != kTurns; ++turn) {
          chan_reduction_begin(&worker, 0, &sum,
                               CHAN_REDUCTION_KIND(CHAN_SUM, 8));
          worker.reductions[0].value += turn;
          chan_reduction_begin(&worker, 0, &bits,
                               CHAN_REDUCTION_KIND(CHAN_EXCLUSIVE_OR, 1));
          worker.reductions[0].value ^= 1u << i;
        }
        flushReductions(worker);
      });
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(sum, uint64_t(kThreads) * kTurns * (kTurns - 1) / 2);
  EXPECT_EQ(bits, (1u << kThreads) - 1);
}

} // namespace
