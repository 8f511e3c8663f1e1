//===- Demand.cpp - How many workers want work ----------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Demand.h"
#include "Slots.h"

namespace chan {
constinit Demand::Number Demand::number{0};

void Demand::raise(uint32_t more) {
  // seq_cst, with Worker::refreshLimit; else a hint, see wanted().
  int rise = static_cast<int>(more);
  if (number.fetch_add(rise, std::memory_order_seq_cst) + rise <= 0)
    return;
  for (uint32_t i = 0, count = Slots::count(); i != count; ++i)
    if (Worker *worker = Slots::at(i))
      std::atomic_ref(worker->poll_from)
          .store(Worker::kAnywhere, std::memory_order_seq_cst);
}

} // namespace chan
