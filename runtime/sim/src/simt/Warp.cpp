//===- Warp.cpp - Threads that execute instructions together --------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "simt/Warp.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace chansim::simt {

namespace {
template <class Work> void forEachLane(LaneMask lanes, Work work) {
  for (; lanes; lanes &= lanes - 1)
    work(static_cast<uint32_t>(std::countr_zero(lanes)));
}
} // namespace

void Warp::add(LaneMask lanes, uint32_t pc) { goTo(pc, lanes, kNone); }

//===----------------------------------------------------------------------===//
// Meetings
//===----------------------------------------------------------------------===//

uint32_t Warp::makeMeeting(const Meeting &meeting) {
  if (freeMeetings.empty()) {
    freeMeetings.push_back(static_cast<uint32_t>(meetings.size()));
    meetings.emplace_back();
  }
  uint32_t index = freeMeetings.back();
  freeMeetings.pop_back();
  meetings[index] = meeting;
  return index;
}

void Warp::endMeeting(uint32_t meeting) {
  meetings[meeting].pc = kNone;
  freeMeetings.push_back(meeting);
}

/// The lanes are at an instruction now; if it is the place of their meeting, they
/// wait there for the others.
void Warp::goTo(uint32_t pc, LaneMask lanes, uint32_t meeting) {
  while (meeting != kNone && meetings[meeting].pc == pc) {
    Meeting &at = meetings[meeting];
    if (!at.arrived) {
      at.since = time;
      ++waiting;
    }
    at.expected &= ~lanes;
    at.arrived |= lanes;
    if (at.expected)
      return;
    // All are there.
    lanes = at.arrived;
    --waiting;
    endMeeting(std::exchange(meeting, at.around));
  }
  push({pc, meeting, lanes});
}

/// What has been chosen stays the last.
void Warp::push(const Split &split) {
  splits.insert(splits.end() - (isChosen ? 1 : 0), split);
}

/// The lanes are not expected any more, at no meeting around them.
void Warp::leave(LaneMask lanes, uint32_t meeting) {
  while (meeting != kNone) {
    Meeting &at = meetings[meeting];
    uint32_t around = at.around;
    at.expected &= ~lanes;
    if (!at.expected) {
      if (LaneMask arrived = at.arrived) {
        --waiting;
        uint32_t pc = at.pc;
        endMeeting(meeting);
        leave(lanes, around);
        goTo(pc, arrived, around);
        return;
      }
      endMeeting(meeting);
    }
    meeting = around;
  }
}

/// Those that have arrived go on without the others.
void Warp::separate(Meeting &meeting) {
  --waiting;
  ++separations;
  LaneMask lanes = std::exchange(meeting.arrived, 0);
  goTo(meeting.pc, lanes, meeting.around);
}

/// Lanes that have waited too long for others go on.
void Warp::releaseLate() {
  for (Meeting &at : meetings)
    if (at.pc != kNone && at.arrived && !at.isPatient &&
        time + 1 - at.since >= patience)
      separate(at);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void Warp::release(LaneMask lanes) {
  std::vector<Split> going;
  for (Split &split : atBarrier) {
    LaneMask part = split.lanes & lanes;
    split.lanes &= ~part;
    auto same =
        std::find_if(going.begin(), going.end(), [&](const Split &other) {
          return other.pc == split.pc && other.meeting == split.meeting;
        });
    if (same != going.end())
      same->lanes |= part;
    else if (part)
      going.push_back({split.pc, split.meeting, part});
  }
  std::erase_if(atBarrier, [](const Split &split) { return !split.lanes; });
  for (const Split &split : going)
    goTo(split.pc, split.lanes, split.meeting);
}

void Warp::settle() {
  // Those of an inner meeting may come to wait at an outer one.
  while (splits.empty() && waiting)
    for (Meeting &at : meetings)
      if (at.pc != kNone && at.arrived)
        separate(at);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

uint64_t Warp::localOf(uint32_t thread) const {
  const std::optional<PrivateWindow> &window = context->tile->privateMemory;
  return window ? window->base + uint64_t(thread) * window->bytesPerThread : 0;
}

uint64_t Warp::operand(const CodeOperand &operand, uint32_t lane) const {
  switch (operand.kind) {
  case Operand::Kind::reg:
    return word(operand.number, lane);
  case Operand::Kind::parameter:
    return context->tile->parameters[operand.number] & operand.word;
  case Operand::Kind::id:
    return context->tile->delivered(first + lane);
  case Operand::Kind::local:
    return localOf(first + lane);
  default:
    return operand.word;
  }
}

/// What needs words of other lanes.
void Warp::exchange(const CodeInstruction &instruction, LaneMask lanes) {
  LaneMask votes = 0;
  std::array<uint64_t, kMostLanes> words{};
  forEachLane(lanes, [&](uint32_t lane) {
    switch (instruction.action) {
    case Action::ballot:
      votes |= LaneMask(operand(instruction.operand[0], lane) & 1) << lane;
      break;
    case Action::lane:
      words[lane] = lane;
      break;
    default: {
      // A lane that the tile does not have gives 0.
      uint64_t from = operand(instruction.operand[1], lane);
      if (from < kMostLanes && first + from < context->tile->threads)
        words[lane] =
            operand(instruction.operand[0], static_cast<uint32_t>(from));
    }
    }
  });
  // All have been read before one is written.
  forEachLane(lanes, [&](uint32_t lane) {
    word(instruction.result, lane) =
        instruction.action == Action::ballot ? votes : words[lane];
  });
}

void Warp::finish(const CodeInstruction &instruction, const Collected &one) {
  if (instruction.action == Action::heapCall) {
    auto *function = reinterpret_cast<void (*)(void *)>(instruction.callee);
    function(reinterpret_cast<void *>(one.operands[0]));
    return;
  }
  uint64_t result =
      instruction.evaluate(one.operands[0], one.operands[1], one.operands[2]);
  if (instruction.result != kNone)
    word(instruction.result, one.lane) = result;
}

void Warp::execute(const CodeInstruction &instruction, LaneMask lanes,
                   Atomics atomics) {
  if (isOfLanes(instruction.action))
    return exchange(instruction, lanes);
  bool isCall = instruction.action == Action::syscall ||
                instruction.action == Action::heapCall;
  bool isLater =
      (atomics != Atomics::atOnce &&
       (instruction.action == Action::atomic ||
        instruction.action == Action::heapCall)) ||
      (atomics == Atomics::withLoads && instruction.action == Action::load &&
       instruction.order != Order::plain);
  forEachLane(lanes, [&](uint32_t lane) {
    std::array<uint64_t, 3> words{};
    for (unsigned i = 0; i != instruction.operands; ++i)
      words[i] = operand(instruction.operand[i], lane);
    words[0] += instruction.offset;
    if (instruction.action != Action::compute)
      stepAddresses.push_back(words[0]);
    if (isLater) {
      stepCollected.push_back({lane, words});
      return;
    }
    if (isCall) {
      auto *function = reinterpret_cast<void (*)(void *)>(instruction.callee);
      function(reinterpret_cast<void *>(words[0]));
      return;
    }
    uint64_t result = instruction.evaluate(words[0], words[1], words[2]);
    if (instruction.result != kNone)
      word(instruction.result, lane) = result;
  });
}

void Warp::branch(const CodeInstruction &instruction, const Split &split) {
  LaneMask taken = split.lanes;
  if (instruction.isConditional) {
    taken = 0;
    forEachLane(split.lanes, [&](uint32_t lane) {
      bool isSet = operand(instruction.operand[0], lane) & 1;
      if (isSet != instruction.isNegated)
        taken |= LaneMask(1) << lane;
    });
  }
  LaneMask others = split.lanes & ~taken;
  uint32_t meeting = split.meeting;
  uint32_t place = instruction.reconvergence;
  bool isNew = meeting == kNone || meetings[meeting].pc != place ||
               meetings[meeting].isPatient != instruction.isPatient;
  if (taken && others && place != kNone && isNew)
    meeting = makeMeeting({place, meeting, split.lanes, /*arrived=*/0,
                           /*since=*/0, instruction.isPatient});
  if (taken)
    goTo(instruction.target, taken, meeting);
  if (others)
    goTo(split.pc + 1, others, meeting);
}

std::vector<uint32_t> Warp::places() const {
  std::vector<uint32_t> found;
  for (const auto &[pc, lanes] : parked)
    found.push_back(pc);
  for (const Split &split : atBarrier)
    found.push_back(split.pc);
  return found;
}

/// A split that goes back to try again lets others run: one of these may have what it
/// waits for, and wavefronts of the whole machine may wait for that one.
void Warp::passTurn(const CodeInstruction &instruction, const Split &split) {
  if (!instruction.isWaiting || splits.size() < 2 ||
      splits.back().pc != instruction.target ||
      (splits.back().lanes & ~split.lanes))
    return;
  std::rotate(splits.begin(), splits.end() - 1, splits.end());
  turnSince = time;
  turnDepth = splits.size();
}

void Warp::resume() {
  std::sort(parked.begin(), parked.end());
  for (size_t i = 0; i != parked.size(); ++i) {
    if (i + 1 != parked.size() && parked[i + 1].first == parked[i].first)
      parked[i + 1].second |= parked[i].second;
    else
      add(parked[i].second, parked[i].first);
  }
  parked.clear();
}

//===----------------------------------------------------------------------===//
// A step
//
//   1. Lanes that have waited too long at a meeting become splits.
//   2. The split whose turn it is executes an instruction, and then is where that
//      leads: at the next instruction, in two splits, or gone.
//
// The last split has its turn, as the top of a stack of masks has.  If it and what
// it divides into have had it for long, the first one becomes the last.  A turn
// begins anew only when it passes to a split that was there before the turn: splits
// that part and meet again and again would keep the others back for ever otherwise.
// A split that goes back to ask for what another one changes gives its turn away.
//===----------------------------------------------------------------------===//

const Warp::Split &Warp::next() {
  if (isChosen)
    return splits.back();
  // 1.
  if (waiting)
    releaseLate();
  if (splits.size() > 1 && time + 1 - turnSince >= patience) {
    std::rotate(splits.begin(), splits.begin() + 1, splits.end());
    turnSince = time;
    turnDepth = splits.size();
  }
  isChosen = true;
  return splits.back();
}

Warp::Executed Warp::step(Atomics atomics) {
  // 2.
  Split split = next();
  isChosen = false;
  stepAddresses.clear();
  stepCollected.clear();
  ++time;
  splits.pop_back();
  size_t others = splits.size();
  const CodeInstruction &instruction = context->code->instructions()[split.pc];
  switch (instruction.kind) {
  case Instruction::Kind::operation:
    execute(instruction, split.lanes, atomics);
    goTo(split.pc + 1, split.lanes, split.meeting);
    break;
  case Instruction::Kind::branch:
    branch(instruction, split);
    passTurn(instruction, split);
    break;
  case Instruction::Kind::yield:
    if (yieldsTogether) {
      resource = operand(instruction.operand[0],
                         static_cast<uint32_t>(std::countr_zero(split.lanes)));
      // Others of the warp may be about to enqueue what they have allocated.
      parked.push_back({instruction.target, split.lanes});
      leave(split.lanes, split.meeting);
      break;
    }
    yielded.push_back({instruction.target, split.lanes});
    leave(split.lanes, split.meeting);
    break;
  case Instruction::Kind::bar:
    atBarrier.push_back({split.pc + 1, split.meeting, split.lanes});
    break;
  case Instruction::Kind::exit:
    leave(split.lanes, split.meeting);
    break;
  }
  if (!others || splits.size() < turnDepth) {
    turnSince = time;
    turnDepth = splits.size();
  }
  return {&instruction, split.pc, split.lanes};
}

} // namespace chansim::simt
