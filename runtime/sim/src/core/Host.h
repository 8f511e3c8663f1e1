//===- Host.h - Does system calls -------------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One host for all cores.  It does system calls in the order in which they were
// made, each when its time is over.  Calls that come while it is busy wait in a
// buffer, and become a package when it is free:
//
//     ---- package ----  call  call  ---- package ----  call  call  call
//     ^ the first call         ^ these three came before here
//
// A call that is made alone is a package of its own.  So nothing waits for a
// package to fill.
//
// What a call spawns runs on another machine, and the call takes so much longer;
// all later ones wait.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_HOST_H
#define CHANSIM_HOST_H

#include "machine/Machine.h"

#include <algorithm>
#include <cstdint>

namespace chansim {

class Host {
public:
  explicit Host(const Machine &machine) : parameters(machine.host) {}

  /// A call that has been made and has not ended.
  class Call {
    friend class Host;
    /// When it ends, but for what prolongs it or those before it from now on.
    uint64_t end;
  };

  /// REQUIRES: `cycle` is not before that of the last call.
  Call call(uint64_t cycle) {
    bool isOpen = operations != 0 && cycle <= begin &&
                  operations != parameters.packageOperations;
    if (!isOpen) {
      begin = std::max(freeAt, cycle);
      freeAt = begin + parameters.packageCycles;
      operations = 0;
      ++packageCount;
    }
    ++operations;
    freeAt += parameters.operationCycles;
    Call made;
    made.end = freeAt - prolonged;
    return made;
  }
  /// The cycle in which it ends, as far as is known.
  uint64_t endOf(Call call) const { return call.end + prolonged; }
  /// Whether it has calls to do.
  bool isBusy(uint64_t cycle) const { return freeAt > cycle; }
  /// The call that is being done in this cycle takes longer.
  void prolong(uint64_t cycles, uint64_t cycle) {
    prolonged += cycles;
    freeAt += cycles;
    // The last package has not begun.
    if (begin >= cycle)
      begin += cycles;
  }
  const uint64_t &packages() const { return packageCount; }

private:
  const HostParameters parameters;
  uint64_t freeAt = 0, prolonged = 0;
  /// Of the last package: when it begins, and how many calls it has.
  uint64_t begin = 0;
  uint32_t operations = 0;
  uint64_t packageCount = 0;
};

} // namespace chansim

#endif // CHANSIM_HOST_H
