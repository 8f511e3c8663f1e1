//===- SimpleCore.cpp - The aggregator without a pipeline -----------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of AggregatorCore that is the core `simple` of Table 5: "no pipelining, one
// instruction at a time".  An addition and a load that hit, with an L1I of 2 cycles and an
// L1D of 4:
//
//   cycle    0      2        3        5        9
//            fetch  execute  fetch    access   fetch ...
//            `--- addi ---'  `----- ld -----'
//
// It predicts nothing, and waits for stores until they are in L1D.
//
//===----------------------------------------------------------------------===//

#include "aggregator/AggregatorCore.h"

namespace chansim::aggregator {

bool AggregatorCore::tickSimple() {
  bool moved = false;
  if (phase == Phase::access)
    moved |= accessSimple();
  if (phase == Phase::busy && cycle >= busyUntil) {
    ++counters.instructions;
    phase = Phase::fetch;
    moved = true;
  }
  if (phase == Phase::fetch && !hart->hasEnded()) {
    if (!hart->at(hart->pc()))
      hart->step(); // which throws
    Request request{};
    request.address = hart->pc();
    request.bytes = 4;
    request.access = Access::read;
    request.via = Via::l1;
    request.requester = runNumber;
    if (fetchRequester.tryAccess(request, cycle)) {
      ++frontEnd.lines;
      phase = Phase::fetching;
      moved = true;
    }
  }
  bool isFetching = phase == Phase::fetch || phase == Phase::fetching;
  stall = isFetching && !hart->hasEnded() ? Stall::fetch : Stall::none;
  isHeadWaiting = phase == Phase::access || phase == Phase::accessing;
  return moved;
}

/// In the cycle in which the instruction has come.
void AggregatorCore::executeSimple() {
  const Executed &executed = hart->step();
  const Instruction &instruction = *executed.instruction;
  countExecuted(executed);
  current = {};
  current.instruction = &instruction;
  current.pc = executed.pc;
  current.address = executed.address;
  current.isDevice = executed.isDevice;
  if (instruction.isMemory() && !executed.isDevice && !executed.isFailed) {
    phase = Phase::access;
    return;
  }
  phase = Phase::busy;
  if (executed.isDevice) {
    busyUntil = cycle + parameters.deviceCycles;
    if (instruction.group == Group::store) {
      ++stores;
      deviceWrites.push_back(
          {executed.address, executed.value, instruction.bytes, busyUntil});
    }
    return;
  }
  busyUntil = cycle + (instruction.group == Group::multiply ? kMultiplyCycles
                       : instruction.group == Group::divide ? kDivideCycles
                                                            : kAluCycles);
}

bool AggregatorCore::accessSimple() {
  Group group = current.instruction->group;
  Access access = group == Group::load || group == Group::loadReserved
                      ? Access::read
                  : group == Group::store ? Access::write
                                          : Access::atomic;
  if (!loadRequester.tryAccess(requestOf(current, access), cycle))
    return false;
  phase = Phase::accessing;
  return true;
}

} // namespace chansim::aggregator
