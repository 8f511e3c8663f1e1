//===- Link.cpp - Between a core's memory and L2 --------------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memory/Link.h"

#include <algorithm>
#include <cassert>

namespace chansim {

Link::Link(const Machine &machine, Engine &engine, L2 &l2, Component &memory)
    : engine(engine), l2(l2), ownPort(l2.connect(memory)),
      lineBytes(machine.l1.lineBytes), linkBytes(machine.memory.linkBytes),
      writeBackEntries(machine.memory.writeBackEntries),
      clock(engine.clock(machine.clockOf.link)) {}

void Link::send(Message message, uint32_t bytes) {
  message.port = ownPort;
  message.ready = std::max(engine.now(), downFree);
  downFree = message.ready + ticks(bytes);
  l2.send(message);
}

void Link::writeBack(uint64_t line, const ByteMask &mask, uint32_t bytes) {
  send({line, Message::Kind::writeBack, /*slot=*/0, mask}, bytes);
  writeBacks.push(downFree);
}

bool Link::hasRoom(uint32_t lines) {
  while (!writeBacks.empty() && writeBacks.front() <= engine.now())
    writeBacks.pop();
  return writeBacks.size() + lines <= writeBackEntries;
}

Message Link::take() {
  const Message *oldest = arrived();
  assert(oldest);
  Message response = *oldest;
  bool isAtomic = response.kind == Message::Kind::atomic;
  upFree = engine.now() + ticks(isAtomic ? kWordBytes : lineBytes);
  l2.take(*oldest, upFree);
  return response;
}

} // namespace chansim
