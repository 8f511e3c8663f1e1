//===- MachineChecks.h - What must hold between parameters ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_MACHINECHECKS_H
#define CHANSIM_MACHINECHECKS_H

#include "machine/Machine.h"

namespace chansim {

/// Throws Refusal if parameters contradict each other.
void checkMachine(const Machine &machine);

/// Whether a part of the machine has the clock.
bool isUsed(const Machine &machine, std::string_view clock);
[[noreturn]] void refuseUnusedClock(const std::string &name);

} // namespace chansim

#endif // CHANSIM_MACHINECHECKS_H
