//===- Warp.h - Threads that execute instructions together ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp consists of splits: lanes that are at the same instruction and go on
// together.  If the lanes of a split disagree at a branch, they become two splits,
// and the branch's reconvergence point becomes a meeting:
//
//     split {pc, lanes, meeting}     runs
//     meeting {pc, expected lanes, arrived lanes, meeting around it}
//
// A split that comes to the place of its meeting waits there.  When no more lanes
// are expected, those that have arrived go on as one split of the meeting around it.
// Lanes that exit or yield are not expected any more.
//
// A stack of masks would let one split run and keep the others back until it comes
// to the meeting.  If it waits for what they do (a lock that they hold), none of
// them ever goes on.  So here all splits run in turn, and those that wait at a
// meeting go on alone when the warp has executed `patience` more instructions
// (compare ElTantawy and Aamodt, "MIMD synchronization on SIMT architectures",
// MICRO 2016).  At the meeting of a branch that says `wait` they stay however long it
// takes (join_wfbar and wait_wfbar of ISCA 2014, Figure 5); then only turns pass.
//
// Lanes at a barrier are no split: they become one when release() says that the others
// of their work-group have come (WorkGroups.h).  If no split is left, nothing that waits
// at a meeting can be waited for any longer: then settle() lets it go on.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_SIMT_WARP_H
#define CHANSIM_SIMT_WARP_H

#include "core/Tile.h"
#include "simt/Code.h"

namespace chansim::simt {

/// A bit for each lane.
using LaneMask = uint64_t;
inline constexpr uint32_t kMostLanes = 64;

/// What the threads of a warp share with all threads of their tile.
struct WarpContext {
  const Code *code = nullptr;
  const Tile *tile = nullptr;
  /// Rows of words of all threads (Code.h).
  uint64_t *registers = nullptr;
};

class Warp {
public:
  struct Split {
    uint32_t pc;
    /// Index of its meeting, or kNone.
    uint32_t meeting;
    LaneMask lanes;
  };

  /// What an instruction was, for counters and for those who time it.
  struct Executed {
    const CodeInstruction *instruction;
    uint32_t pc;
    LaneMask lanes;
  };

  /// An atomic operation, a load, or a call without the host, that is to have its effect.
  struct Collected {
    uint32_t lane;
    std::array<uint64_t, 3> operands;
  };
  /// When these have their effect: in step(), or when their user calls finish(); alike,
  /// loads with an order.
  enum class Atomics : uint8_t { atOnce, later, withLoads };

  /// The warp of that number in the tile.  If it yields `together` (ISCA 2014, section
  /// 6), a split that yields is parked in the warp until resume(): see mustLeave().
  Warp(const WarpContext &context, uint32_t number,
       const SimtParameters &parameters, bool yieldsTogether = false)
      : number(number), context(&context), first(number * parameters.lanes),
        patience(parameters.reconvergenceLimit),
        yieldsTogether(yieldsTogether) {}

  const uint32_t number;

  /// From now on its threads have that context.
  void setContext(const WarpContext &to) { context = &to; }

  /// Adds threads that begin, or go on, at an instruction.
  void add(LaneMask lanes, uint32_t pc);

  /// Adds threads that wait at a barrier, to go on at an instruction.
  void addWaiting(LaneMask lanes, uint32_t pc) {
    atBarrier.push_back({pc, kNone, lanes});
  }

  /// Whether a lane can execute something now, and whether one ever will.
  bool isRunning() const { return !splits.empty(); }
  bool isDone() const {
    return splits.empty() && atBarrier.empty() && parked.empty();
  }
  /// Whether some lanes have yielded, and no other can go on without them: then the
  /// whole warp leaves its core.
  bool mustLeave() const { return splits.empty() && !parked.empty(); }
  /// Lanes that have yielded go on.
  void resume();
  /// The split whose turn it is.  It keeps its turn as long as it runs, but for no
  /// more than `patience` instructions, and not if it waits for others
  /// (CodeInstruction::isWaiting).  REQUIRES: isRunning().
  const Split &next();
  /// Executes the next instruction of that split, for all its lanes.  REQUIRES:
  /// isRunning().
  Executed step(Atomics atomics = Atomics::atOnce);
  /// Those of the last step that are to have their effect, by lane.
  const std::vector<Collected> &collected() const { return stepCollected; }
  /// One of them has its effect, and the lane its result.
  void finish(const CodeInstruction &instruction, const Collected &one);
  /// Where the lanes go on that have yielded or wait at a barrier.
  std::vector<uint32_t> places() const;
  /// The resource of the last yield: its address, or 0.
  uint64_t waitsFor() const { return resource; }
  /// Lanes that wait at a barrier go on; those that came to it together do so
  /// together.
  void release(LaneMask lanes);
  /// To be called when what a step released has gone on.
  void settle();
  /// Where loads, stores, atomic operations and calls of the last step had their
  /// operand 0 with its offset, by active lane.
  const std::vector<uint64_t> &addresses() const { return stepAddresses; }

  /// The lanes that yielded, and where they go on; the caller clears it.
  std::vector<std::pair<uint32_t, LaneMask>> yielded;
  /// How often lanes went on from a meeting alone.
  uint64_t separations = 0;

  const std::vector<Split> &running() const { return splits; }
  /// Lanes at barriers, and where they go on.
  const std::vector<Split> &waitingAtBarrier() const { return atBarrier; }

private:
  struct Meeting {
    uint32_t pc, around;
    LaneMask expected, arrived;
    /// When the first lane arrived.
    uint64_t since;
    /// Whether they wait however long it takes.
    bool isPatient;
  };

  void releaseLate();
  void separate(Meeting &meeting);
  void push(const Split &split);
  void goTo(uint32_t pc, LaneMask lanes, uint32_t meeting);
  void leave(LaneMask lanes, uint32_t meeting);
  void branch(const CodeInstruction &instruction, const Split &split);
  void passTurn(const CodeInstruction &instruction, const Split &split);
  void execute(const CodeInstruction &instruction, LaneMask lanes,
               Atomics atomics);
  void exchange(const CodeInstruction &instruction, LaneMask lanes);
  uint64_t localOf(uint32_t thread) const;
  uint64_t operand(const CodeOperand &operand, uint32_t lane) const;
  uint64_t &word(uint32_t row, uint32_t lane) const {
    return context
        ->registers[size_t(row) * context->tile->threads + first + lane];
  }
  uint32_t makeMeeting(const Meeting &meeting);
  void endMeeting(uint32_t meeting);

  const WarpContext *context;
  uint32_t first, patience;
  bool yieldsTogether;
  uint64_t resource = 0;
  std::vector<Split> splits;
  std::vector<Split> atBarrier;
  /// Lanes that have yielded, and where they go on.
  std::vector<std::pair<uint32_t, LaneMask>> parked;
  std::vector<Meeting> meetings;
  std::vector<uint32_t> freeMeetings;
  /// Meetings at which lanes wait.
  uint32_t waiting = 0;
  /// Since when the split that is the last has its turn, and how many splits there
  /// were then.
  uint64_t turnSince = 0;
  size_t turnDepth = 0;
  /// Whether next() has been asked since the last step.
  bool isChosen = false;
  std::vector<uint64_t> stepAddresses;
  std::vector<Collected> stepCollected;
  /// Instructions executed.
  uint64_t time = 0;
};

} // namespace chansim::simt

#endif // CHANSIM_SIMT_WARP_H
