//===- CilkRandom.cpp - Cilk-5's pseudo-random numbers --------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In an object of its own, since some programs define functions of these names.
//===----------------------------------------------------------------------===//

#include <atomic>
#include <cilk-lib.cilkh>
#include <stdint.h>

/// Steps by an odd constant; the output mixes it (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators", section 3).
static constinit std::atomic<uint64_t> state{0};
static constexpr uint64_t kStep = 0x9e3779b97f4a7c15;

int Cilk_rand() {
  // relaxed: a number says nothing of other memory.
  uint64_t x = state.fetch_add(kStep, std::memory_order_relaxed) + kStep;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return static_cast<int>((x ^ (x >> 31)) >> 33);
}

void Cilk_srand(unsigned seed) {
  state.store(seed, std::memory_order_relaxed); // as above
}
