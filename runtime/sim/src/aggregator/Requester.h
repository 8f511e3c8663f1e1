//===- Requester.h - Accesses that are tried until taken --------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One side of the aggregator at its memory port.  Counts the refusals of cycles in which
// the aggregator slept, as if it had tried again in each:
//
//   cycle 10: refused, sleeps   cycle 14: taken   -> counts 11, 12, 13
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_AGGREGATOR_REQUESTER_H
#define CHANSIM_AGGREGATOR_REQUESTER_H

#include "memory/MemoryPort.h"

namespace chansim::aggregator {

class Requester {
public:
  explicit Requester(MemoryPort &port) : port(port) {}

  bool tryAccess(const Request &request, uint64_t cycle) {
    if (why != Taken::yes && why != Taken::bankConflict &&
        address == request.address && cycle > last + 1)
      port.countRefusals(Via::l1, why, cycle - last - 1);
    why = port.tryAccess(request);
    address = request.address;
    last = cycle;
    if (why == Taken::bankConflict)
      conflict = cycle;
    return why == Taken::yes;
  }

  /// Whether an access was refused in this cycle for a reason that lasts one cycle.
  bool mustTryAgain(uint64_t cycle) const { return conflict == cycle; }

private:
  MemoryPort &port;
  Taken why = Taken::yes;
  uint64_t address = 0, last = 0, conflict = kNever;
};

} // namespace chansim::aggregator

#endif // CHANSIM_AGGREGATOR_REQUESTER_H
