//===- ReductionVariables.cpp - Shared reduction variables ----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReductionVariables.h"
#include "Support.h"
#include "Worker.h"

#include <algorithm>
#include <string.h>

namespace chan {
namespace {

uint64_t signOf(size_t size) { return uint64_t(1) << (8 * size - 1); }

/// The low bytes of the result depend on no other bytes, or the other bytes are
/// zero.
uint64_t combined(uint32_t combination, size_t size, uint64_t one,
                  uint64_t other) {
  // With the sign bit flipped, signed integers are in the order of unsigned
  // ones.
  uint64_t sign = signOf(size);
  switch (combination) {
  case CHAN_SUM:
    return one + other;
  case CHAN_PRODUCT:
    return one * other;
  case CHAN_AND:
    return one & other;
  case CHAN_OR:
    return one | other;
  case CHAN_EXCLUSIVE_OR:
    return one ^ other;
  case CHAN_SIGNED_MAXIMUM:
    return std::max(one ^ sign, other ^ sign) ^ sign;
  case CHAN_SIGNED_MINIMUM:
    return std::min(one ^ sign, other ^ sign) ^ sign;
  case CHAN_UNSIGNED_MAXIMUM:
    return std::max(one, other);
  case CHAN_UNSIGNED_MINIMUM:
    return std::min(one, other);
  }
  __builtin_unreachable();
}

/// Other workers combine with the same variable, or the program reads it after
/// a sync, which orders the accesses. So the accesses need no order among
/// themselves.
template <typename Number>
void combineInMemory(uint32_t combination, void *address, uint64_t value) {
  auto *place = static_cast<Number *>(address);
  auto own = static_cast<Number>(value);
  Number before = __atomic_load_n(place, __ATOMIC_RELAXED), after;
  do
    after =
        static_cast<Number>(combined(combination, sizeof(Number), before, own));
  while (!__atomic_compare_exchange_n(place, &before, after, /*weak=*/true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

void flush(chan_reduction &reduction) {
  uint32_t combination = reduction.kind & 0xff, size = reduction.kind >> 8;
  switch (size) {
  case 1:
    return combineInMemory<uint8_t>(combination, reduction.address,
                                    reduction.value);
  case 2:
    return combineInMemory<uint16_t>(combination, reduction.address,
                                     reduction.value);
  case 4:
    return combineInMemory<uint32_t>(combination, reduction.address,
                                     reduction.value);
  case 8:
    return combineInMemory<uint64_t>(combination, reduction.address,
                                     reduction.value);
  }
  __builtin_unreachable();
}

} // namespace

uint64_t identityOf(uint32_t combination, size_t size) {
  switch (combination) {
  case CHAN_PRODUCT:
    return 1;
  case CHAN_AND:
  case CHAN_UNSIGNED_MINIMUM:
    return ~uint64_t(0);
  case CHAN_SIGNED_MAXIMUM:
    return signOf(size);
  case CHAN_SIGNED_MINIMUM:
    return ~signOf(size);
  default:
    return 0;
  }
}

void combine(uint32_t combination, size_t size, void *place,
             const void *value) {
  uint64_t one = 0, other = 0;
  memcpy(&one, place, size);
  memcpy(&other, value, size);
  one = combined(combination, size, one, other);
  memcpy(place, &one, size);
}

void flushReductions(chan_worker &worker) {
  for (chan_reduction &reduction : worker.reductions)
    if (CHAN_UNLIKELY(reduction.address != nullptr)) {
      flush(reduction);
      reduction.address = nullptr;
    }
}

} // namespace chan

using namespace chan;

void chan_reduction_begin(chan_worker *worker, uint32_t number, void *address,
                          uint64_t kind) {
  CHAN_ASSERT(self(worker).runsHere(), "I2: an activation stays on its thread");
  chan_reduction &reduction = worker->reductions[number];
  if (reduction.address)
    flush(reduction);
  reduction = {address, kind, identityOf(kind & 0xff, kind >> 8)};
}
