//===- Host.h - Does system calls -------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One host for all cores.  It does system calls one after another, in the order
// in which they were made, each when its time is over.  What a call spawns runs
// on another machine, and the call takes so much longer; all later ones wait.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_HOST_H
#define CHANSIM_HOST_H

#include "Machine.h"

#include <algorithm>
#include <cstdint>

namespace chansim {

class Host {
public:
  explicit Host(const Machine &machine)
      : callCycles(machine.control.syscallCycles) {}

  /// A call that has been made and has not ended.
  class Call {
    friend class Host;
    /// When it ends, but for what prolongs it or those before it from now on.
    uint64_t end;
  };

  Call call(uint64_t cycle) {
    freeAt = std::max(freeAt, cycle) + callCycles;
    Call made;
    made.end = freeAt - prolonged;
    return made;
  }
  /// The cycle in which it ends, as far as is known.
  uint64_t endOf(Call call) const { return call.end + prolonged; }
  /// The call that is being done takes longer.
  void prolong(uint64_t cycles) {
    prolonged += cycles;
    freeAt += cycles;
  }

private:
  const uint32_t callCycles;
  uint64_t freeAt = 0, prolonged = 0;
};

} // namespace chansim

#endif // CHANSIM_HOST_H
