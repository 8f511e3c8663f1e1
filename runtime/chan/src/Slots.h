//===- Slots.h - The workers of the process by number -----------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_SLOTS_H
#define CHAN_SRC_SLOTS_H

#include "Worker.h"

#include <stdint.h>

namespace chan {

/// The workers of the process, each with a number. A thread finds all workers
/// here. Workers that are more than kMaxWorkers have no number and work alone.
///
/// Thread safety: any thread may call count and at. The pool's lock orders the
/// other calls.
class Slots {
public:
  /// at(i) for i < count() may be null.
  static uint32_t count();
  static Worker *at(uint32_t index);

  /// Gives the worker a number, if there is one left.
  static void take(Worker &worker);
  /// The worker's thread ends.
  static void leave(Worker &worker);
  /// Empties a slot and returns what it held.
  static Worker *empty(uint32_t index);
};

} // namespace chan

#endif // CHAN_SRC_SLOTS_H
