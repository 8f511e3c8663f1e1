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
// Responses go through a crossbar, from the link of a bank to the link of a core.
// A bank sends them in the order of their times, one at once: while the core of
// the oldest is receiving from another bank, those behind wait, whatever cores
// they are for.
//
//   bank 0:  for core 2, for core 1 ----> x --> core 1: receives from bank 1
//   bank 1:  (sends to core 1)            x --> core 2: free, and bank 0 is too
//   bank 2:  for core 1, for core 3 ----> x --> core 3: free, but bank 2 waits
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

  /// The oldest response that the port can receive now; null if there is none.
  const Message *response(uint32_t port) const;
  /// When it can receive one, as long as nothing changes.
  Tick responseAt(uint32_t port) const;
  /// The port receives it, for which it needs its link and the bank's until then.
  void take(const Message &response, Tick until);

  Activity tick() override;
  void explain(std::string &text) const override;

private:
  struct Port {
    Component *consumer;
    /// Banks whose oldest response is for this port.
    std::vector<uint32_t> banks;
  };
  struct Bank {
    /// In the order in which they reach it.
    Fifo<Message> requests;
    /// No request is looked up before this cycle.
    uint64_t freeAt = 0;
    /// In the order of their times.
    Fifo<Message> responses;
    /// Its link carries a response until then.
    Tick linkFree = 0;

    /// When the oldest response can be sent.
    Tick sendsAt() const { return std::max(responses.front().ready, linkFree); }
  };

  void takeLines();
  void serve(Bank &bank);
  bool lookUp(Bank &bank, const Message &request);
  void writeBack(const std::optional<Cache::WriteBack> &line);
  void respond(uint64_t line, Cache::Target target);
  void offer(uint32_t bank);
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
  uint64_t cycle = 0, responded = 0;
  struct {
    uint64_t atomics = 0, blockedCycles = 0;
  } counters;
};

} // namespace chansim

#endif // CHANSIM_L2_H
