//===- L2.h - The second-level cache ----------------------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Banks interleaved by line.  Each takes the request that has reached it first,
// one a cycle, and stops while that one cannot go on (no MSHR, channel full);
// of requests of several cores that came at the same time, the one sent first.
// If L1 or LVC have masks, so has the L2, for what they write back.
// Atomic operations are performed here.  A response leaves
// `l2.hit_cycles` after the lookup or, of a miss, after the line came from
// DRAM: that time contains the way from L1 and back when nothing else is on the
// link.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_L2_H
#define CHANSIM_L2_H

#include "memory/Cache.h"
#include "memory/Dram.h"
#include "memory/Message.h"

namespace chansim {

class L2 : public Component {
public:
  L2(const Machine &machine, Engine &engine, Dram &dram,
     Statistics &statistics);

  /// A new port, from 0: of a core's memory, which is woken for each response.
  uint32_t connect(Component &consumer);

  /// A request that reaches its bank at `ready`; those of one port in order.
  void send(const Message &request);

  /// Responses in the order of their times.
  Fifo<Message> &responses(uint32_t port) { return ports[port].responses; }

  Activity tick() override;
  void explain(std::string &text) const override;

private:
  struct Port {
    Component *consumer;
    Fifo<Message> responses;
  };
  struct Bank {
    /// In the order in which they reach it.
    Fifo<Message> requests;
    /// No request is looked up before this cycle.
    uint64_t freeAt = 0;
  };

  void takeLines();
  void serve(Bank &bank);
  bool lookUp(Bank &bank, const Message &request);
  void writeBack(const std::optional<Cache::WriteBack> &line);
  void respond(uint64_t line, Cache::Target target);
  Tick nextWork() const;

  /// Kind and port in one word.
  static Cache::Target targetOf(const Message &request) {
    return {request.port << 8 | static_cast<uint32_t>(request.kind),
            request.slot};
  }
  static Message::Kind kindOf(Cache::Target target) {
    return static_cast<Message::Kind>(target.requester & 0xff);
  }
  static uint32_t portOf(Cache::Target target) { return target.requester >> 8; }

  Engine &engine;
  const Clock clock;
  Dram &dram;
  std::vector<Port> ports;
  Cache cache;
  uint32_t lineBytes, hitCycles, atomicCycles;
  std::vector<Bank> banks;
  uint64_t cycle = 0;
  struct {
    uint64_t atomics = 0, blockedCycles = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_L2_H
