//===- FrontEnd.h - Fetch and prediction of the aggregator ------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fetches instructions along the path that it predicts:
//
//   L1I --lines--> line buffers --width in a cycle--> queue --> dispatch
//                       ^
//                  predicted path: counters of branches, stack of returns
//
// In a cycle it takes at most `width` instructions, of one line, up to a branch that it
// predicts as taken.  The line behind that which it is in is fetched in advance.  The
// targets of direct branches are known as soon as they are fetched.  Returns go to where
// the stack says.  Other jumps to a register are not predicted: fetch waits for them, as
// after a wrong prediction.
//
// The core dispatches what has been fetched, finds the first instruction that is not on
// the program's path, and calls stop(): the queue is thrown away.  When the branch is
// resolved, it calls redirect().  Nothing of a wrong path is dispatched.
//
// The paper (ISCA 2014, Tables 2 and 5) says nothing of this but L1I's 2 cycles.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_AGGREGATOR_FRONTEND_H
#define CHANSIM_AGGREGATOR_FRONTEND_H

#include "aggregator/Hart.h"
#include "aggregator/Requester.h"

#include <array>
#include <cstdint>
#include <vector>

namespace chansim::aggregator {

class FrontEnd {
public:
  // Open: small, as those of low-power cores.
  /// Counters of two bits, found by the address of the branch.
  static constexpr uint32_t kCounters = 1024;
  static constexpr uint32_t kReturns = 8;
  static constexpr uint32_t kLineBuffers = 4;
  /// Instructions that wait for dispatch, for each that can be dispatched in a cycle.
  static constexpr uint32_t kQueueCycles = 4;

  struct Fetched {
    uint64_t pc;
    /// Where it expects the next instruction; kNowhere if it does not know.
    uint64_t next;
    const Instruction *instruction;
  };
  static constexpr uint64_t kNowhere = ~uint64_t(0);

  FrontEnd(uint32_t width, uint32_t lineBytes, MemoryPort &port);

  /// Begins with empty buffers, at the next instruction of the hart, which must stay where
  /// it is.  Completions with other numbers of runs are old.
  void start(const Hart &hart, const Firmware &firmware, uint32_t run);

  bool isEmpty() const { return first == last; }
  const Fetched &front() const { return queue[first % queue.size()]; }
  void pop() { ++first; }

  /// Learns what a branch or jump has done.
  void learn(const Executed &executed);
  /// Throws the queue away, and waits for redirect().
  void stop();
  /// Goes on at `pc`: asks for lines from the cycle `lines` on, and fetches instructions
  /// from the cycle `instructions` on.
  void redirect(uint64_t pc, uint64_t lines, uint64_t instructions);

  /// The lines that have come in this cycle.
  bool takeCompletions();
  /// One cycle.  Returns whether something moved.
  bool fetch(uint64_t cycle);
  /// When there is something to do, if nothing comes from memory; kNever if that is not
  /// known.
  uint64_t nextCycle(uint64_t cycle) const;

  /// Lines that were asked for.
  uint64_t lines = 0;

private:
  enum class State : uint8_t { empty, asked, full };
  struct Buffer {
    State state = State::empty;
    uint64_t line = 0, used = 0;
  };
  /// Where calls return to, the last `kReturns` of them.
  struct ReturnStack {
    std::array<uint64_t, kReturns> targets{};
    uint32_t top = 0, depth = 0;

    void push(uint64_t target);
    uint64_t pop();
    void follow(const Instruction &instruction, uint64_t pc);
  };

  uint8_t &counter(uint64_t pc) {
    return counters[(pc - codeBase) / 4 % kCounters];
  }
  bool isCode(uint64_t line) const {
    return line + lineBytes > codeBase && line < codeBase + codeBytes;
  }
  uint64_t lineOf(uint64_t address) const {
    return address & ~uint64_t(lineBytes - 1);
  }
  Buffer *find(uint64_t line);
  bool ask(uint64_t line, uint64_t cycle);
  uint64_t predict(const Instruction &instruction, uint64_t pc);

  const uint32_t width, lineBytes;
  MemoryPort &port;
  Requester requester;
  const Hart *hart = nullptr;
  uint64_t codeBase = 0, codeBytes = 0;
  uint32_t run = 0;

  std::vector<uint8_t> counters;
  /// As predicted, and as the program has done.
  ReturnStack predictedReturns, returns;
  std::array<Buffer, kLineBuffers> buffers;
  std::vector<Fetched> queue;
  /// Numbers of the queue's instructions.
  uint64_t first = 0, last = 0;
  uint64_t pc = kNowhere;
  uint64_t linesFrom = 0, instructionsFrom = 0;
};

} // namespace chansim::aggregator

#endif // CHANSIM_AGGREGATOR_FRONTEND_H
