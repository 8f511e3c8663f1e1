//===- Network.h - Messages between coherent caches -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each cache and each bank of the home has a link on which it sends one message
// after the other: a line occupies it for ceil(line / memory.link_bytes) cycles, bytes of
// a line alike, any other message for one.  A message is there `memory.message_cycles` after its last
// part was sent.  Receivers take all that comes.
//
//   post(leaves at 16)  -> |      | -> link of the sender -> inbox of the receiver
//   post(leaves at 4)   -> | sort |     4: data  |####|
//                                      16: ack              |#|
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_COHERENCE_NETWORK_H
#define CHANSIM_COHERENCE_NETWORK_H

#include "coherence/Moesi.h"
#include "engine/Engine.h"
#include "engine/Fifo.h"

namespace chansim {

/// Receives messages.
class Receiver {
public:
  virtual ~Receiver() = default;
  /// A message will be there at a time, which is not in the past.
  virtual void arrive(const moesi::Message &message, Tick at) = 0;
};

/// What all links have in common, and the caches at their ends.
class Network {
public:
  Network(const Machine &machine, const Engine &engine, Receiver &home)
      : link(engine.clock(machine.clockOf.link)),
        way(link.ticks(machine.memory.messageCycles)),
        linkBytes(machine.memory.linkBytes),
        lineTicks(ticksOf(machine.l2.lineBytes)), home(home) {}

  /// A new cache: its number, from 0.
  moesi::Node connect(Receiver &cache) {
    caches.push_back(&cache);
    return static_cast<moesi::Node>(caches.size() - 1);
  }
  size_t size() const { return caches.size(); }

  /// Sends the message on a link that is free from a time on, and says so anew.
  void send(const moesi::Message &message, Tick now, Tick &linkFree) {
    Tick begin = link.edge(now > linkFree ? now : linkFree);
    linkFree = begin + (moesi::carriesLine(message.kind) ? lineTicks
                        : message.bytes ? ticksOf(message.bytes)
                                        : link.period());
    Tick at = linkFree - link.period() + way;
    (message.to == moesi::kHome ? home : *caches[message.to])
        .arrive(message, at);
  }

private:
  /// What so many bytes take.
  Tick ticksOf(uint32_t bytes) const {
    return link.ticks((bytes + linkBytes - 1) / linkBytes);
  }

  const Clock link;
  const Tick way;
  const uint32_t linkBytes;
  const Tick lineTicks;
  Receiver &home;
  std::vector<Receiver *> caches;
};

/// A message and when it leaves its sender, or reaches its receiver.
struct Timed {
  moesi::Message message;
  Tick at;
};
/// In the order of their times; those of one time in the order of their coming.
class TimedMessages {
public:
  void add(const moesi::Message &message, Tick at) {
    queue.insert({message, at},
                 [](const Timed &a, const Timed &b) { return a.at < b.at; });
  }
  bool isDue(Tick now) const {
    return !queue.empty() && queue.front().at <= now;
  }
  const Timed &front() const { return queue.front(); }
  Timed take() {
    Timed first = queue.front();
    queue.pop();
    return first;
  }
  Tick nextDue() const { return queue.empty() ? kNever : queue.front().at; }
  size_t size() const { return queue.size(); }

private:
  Fifo<Timed> queue;
};

/// A link, and the messages that will leave on it.
class OutLink {
public:
  /// The message leaves at a time, or when the link is free.  The sender calls
  /// drain() at nextDue().
  void post(const moesi::Message &message, Tick leaves) {
    waiting.add(message, leaves);
  }
  void drain(Network &network, Tick now) {
    while (waiting.isDue(now))
      network.send(waiting.take().message, now, linkFree);
  }
  Tick nextDue() const { return waiting.nextDue(); }

private:
  TimedMessages waiting;
  Tick linkFree = 0;
};

} // namespace chansim

#endif // CHANSIM_COHERENCE_NETWORK_H
