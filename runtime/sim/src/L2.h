//===- L2.h - The second-level cache ----------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Banks interleaved by line.  Each takes the oldest request that has reached
// it, one a cycle, and stops while that one cannot go on (no MSHR, channel
// full). Atomic operations are performed here.  A response leaves
// `l2.hit_cycles` after the lookup or, of a miss, after the line came from
// DRAM: that time contains the way from L1 and back when nothing else is on the
// link.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_L2_H
#define CHANSIM_L2_H

#include "Cache.h"
#include "Dram.h"

namespace chansim {

class L2 : public Component {
public:
  enum class Kind : uint8_t {
    readForL1,
    readForLvc,
    atomic,   ///< `slot` names it
    writeBack ///< of a whole line; no response
  };

  struct Message {
    uint64_t line;
    Kind kind;
    uint32_t slot;
    /// When it is there.
    Tick ready;
  };

  L2(const Machine &machine, Engine &engine, Dram &dram,
     Statistics &statistics);
  void setConsumer(Component &component) { consumer = &component; }

  /// A request that reaches its bank at `ready`; those of one bank in order.
  void send(const Message &request);

  /// Responses in the order of their times; the consumer is woken for each.
  Fifo<Message> responses;

  Activity tick() override;
  void explain(std::string &text) const override;

private:
  struct Bank {
    Fifo<Message> requests;
    /// No request is looked up before this cycle.
    uint64_t freeAt = 0;
  };

  void takeLines();
  void serve(Bank &bank);
  bool lookUp(Bank &bank, const Message &request);
  void writeBack(const Cache::Filled &filled);
  void respond(uint64_t line, Kind kind, uint32_t slot);
  Tick nextWork() const;

  Engine &engine;
  Dram &dram;
  Component *consumer = nullptr;
  Cache cache;
  uint32_t hitCycles, atomicCycles;
  std::vector<Bank> banks;
  uint64_t cycle = 0;
  struct {
    uint64_t atomics = 0, blockedCycles = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_L2_H
