//===- Dataflow.h - Tokens on the configured fabric -------------*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The MT-CGRF (VGIW, 3.5): tagged-token dataflow.  A thread has a virtual
// channel of its replica; the channel is the entry of every token buffer that
// its tokens go to.
//
//     token ---> buffer entry --complete--> ready queue ---> unit ---> links
//   (channel,    3 words, bits of            one start        latency   hops
//    value)      what has come               a cycle
//
// Invariants
//   D1  A node fires once for each thread.  An entry is free before a token of
//       another thread is sent to it.  Tokens never wait for room on links.
//   D2  A link carries one token a cycle: a node has one result a cycle, and
//       the way to a consumer takes a fixed time.
//   D3  Between blocks all buffers are empty.
//
// Graphs with branches (docs/architecture/SGMF.md).  Instead of D1:
//   S1  A node fires once for each thread and iteration.  A steer gives its
//       result to its consumers or to none.  A merge fires for each token; all
//       of its edges lead to one place of its entry.
//   S2  A token that finds its place taken waits in front of the buffer.  Tokens
//       of one edge and thread stay in order.  So a steer may be late to drop a
//       token: nothing waits for it, as its thread goes on without a result.
//   S3  Tokens of two edges of a merge never meet: a block of the program begins
//       only when all nodes have fired that lead to its beginning.  The compiler
//       sees to that (vgiw-single-graph).
//
// When the channel goes to another thread (fabric.channel_release)
//   terminator  In the cycle after the terminator has fired for its thread.
//   window      At each unit by itself.  The entry is taken from the first
//               operand on, and is free in the cycle after the operation has
//               started.  (Atomic operations and system calls read their
//               operands at the end, and keep the entry until then.)  So several
//               threads follow one another in a channel: a thread that waits in
//               a reservation buffer has no entry of the units before it.
//               Virtual channels of networks do the same with the buffers of
//               their routers.  An operation starts only if its entry at each
//               consumer is free, which a credit of the consumer tells.  The
//               paper says nothing of credits; they are assumed, and take a
//               cycle.
//
// Why `window` cannot deadlock
//   Within a channel, threads stay in order at each node: a node starts for the
//   next thread only when its consumers have started for the last one.  Take the
//   oldest thread of a channel.  All earlier ones have left every node, so all
//   of its entries are free, wherever it is.  Whatever has its operands waits
//   for its unit only.  The unit takes what can start in the order in which it
//   could: so its turn comes.  An access waits for a reservation entry, too; those
//   in flight end by themselves, since their results have room (D1).  A block
//   is a graph without rings, so the thread reaches its end, and the next thread
//   is the oldest.
//   It would not hold if results waited for room in the reservation buffer, or
//   if a free entry went to any thread that comes: then threads that overtook
//   the oldest one in a load could fill the buffer where both paths join.
//
//===----------------------------------------------------------------------===//

#ifndef CHANSIM_DATAFLOW_H
#define CHANSIM_DATAFLOW_H

#include "core/Host.h"
#include "engine/Fifo.h"
#include "fabric/ControlUnit.h"
#include "fabric/Image.h"
#include "fabric/VgiwTile.h"
#include "memory/Memory.h"
#include "results/Energy.h"

#include <string>

namespace chansim {

class Statistics;

class Dataflow {
public:
  Dataflow(const Machine &machine, Memory &memory, Host &host,
           ThreadSource &scheduler, Statistics &statistics);

  /// Records BlockImage::times from now on.
  void recordTimes() { isTimed = true; }

  /// The fabric is to run this block of the tile's kernel.
  void configure(BlockImage &image, VgiwTile &tile);
  /// Brings the counters up to date: firings are counted by node until then.
  void account();

  /// One cycle; whether something may move in the next one.  Cycles after one
  /// in which that was not so may be left out up to wakeCycle(), unless the
  /// memory wakes the core or the scheduler has something to do.
  bool tick(uint64_t cycle) {
    if (!image)
      return false;
    if (isWindow)
      return isTimed ? run<true, true>(cycle) : run<false, true>(cycle);
    return isTimed ? run<true, false>(cycle) : run<false, false>(cycle);
  }
  /// When the next token arrives or a system call is done; kNever if there is
  /// none.
  uint64_t wakeCycle() const;
  static constexpr uint64_t kNever = ~uint64_t(0);

  /// Whether no token is there: steers may drop the last ones of a thread when it
  /// has ended already.
  bool isEmpty() const {
    return !tokensUnderWay && waiting.empty() &&
           readyOf(NodeGroup::computing).isEmpty() &&
           readyOf(NodeGroup::accessing).isEmpty();
  }

  void explain(std::string &text) const;

private:
  /// A set of nodes.
  class NodeSet {
  public:
    void resize(uint32_t count) { words.assign((count + 63) / 64, 0); }
    void add(uint32_t node) { words[node / 64] |= uint64_t(1) << node % 64; }
    void remove(uint32_t node) {
      words[node / 64] &= ~(uint64_t(1) << node % 64);
    }
    bool isEmpty() const {
      uint64_t any = 0;
      for (uint64_t word : words)
        any |= word;
      return !any;
    }
    /// Calls visit(node) for each; it may remove that one.
    template <class Visitor>
    [[gnu::always_inline]] void forEach(Visitor &&visit) const {
      for (uint32_t i = 0; i != words.size(); ++i)
        each(i, words[i], visit);
    }
    /// Alike, beginning with `first`.
    template <class Visitor>
    [[gnu::always_inline]] void forEachFrom(uint32_t first,
                                            Visitor &&visit) const {
      uint32_t middle = first / 64;
      uint64_t later = ~uint64_t(0) << first % 64;
      uint64_t split = words[middle];
      each(middle, split & later, visit);
      for (uint32_t i = middle + 1; i != words.size(); ++i)
        each(i, words[i], visit);
      for (uint32_t i = 0; i != middle; ++i)
        each(i, words[i], visit);
      each(middle, split & ~later, visit);
    }

  private:
    template <class Visitor>
    [[gnu::always_inline]] static void each(uint32_t index, uint64_t word,
                                            Visitor &&visit) {
      for (; word; word &= word - 1)
        visit(index * 64 + static_cast<uint32_t>(std::countr_zero(word)));
    }

    std::vector<uint64_t> words;
  };

  /// A token on its way.
  struct Token {
    uint64_t value;
    uint32_t edge, channel;
  };
  static constexpr uint32_t kNone = ~uint32_t(0);

  /// What there is of a node beside its entries.
  struct NodeState {
    /// Of the ring of ready channels.
    uint32_t head = 0, tail = 0;
    /// Accesses under way, and the next cycle in which a result can leave.
    uint32_t inFlight = 0;
    uint64_t nextLeave = 0;
    /// Why its access was refused; `yes` stands for a full reservation buffer.
    Taken refusal = Taken::yes;
  };
  struct ReplicaState {
    /// A bit for each channel.
    std::vector<uint64_t> freeChannels;
    /// With a window, channels are taken in turn.
    uint32_t nextChannel = 0;
  };
  struct Call {
    Host::Call made;
    uint32_t node, channel;
    /// It was prolonged: its work is done.
    bool isDone;
  };
  /// What a thread has done at a node.
  struct EntryTimes {
    uint64_t complete, start, leave;
    /// The edge by which the last token came.
    uint32_t edge;
  };

  // The steps of a cycle; `timed` and `window` are isTimed and isWindow, so that
  // they cost nothing when they are off.
  template <bool timed, bool window> bool run(uint64_t cycle);
  void returnCredits();
  template <bool timed, bool window> bool completeAccesses(uint64_t cycle);
  template <bool timed, bool window> bool deliver(uint64_t cycle);
  template <bool timed, bool window>
  void arrive(const Token &token, uint64_t cycle);
  template <bool timed, bool window> bool initiate(uint64_t cycle);
  template <bool timed, bool window> bool compute(uint64_t cycle);
  template <bool timed, bool window> bool access(uint64_t cycle);
  template <bool timed, bool window> bool terminate(uint64_t cycle);

  uint64_t callCycle() const;
  void countLeftOut(uint64_t cycles);
  bool isFull(uint32_t replica) const;
  template <bool window> uint32_t takeChannel(ReplicaState &replica);
  bool hasRoom(uint32_t node, uint32_t channel) const;
  void makeReady(uint32_t node, uint32_t channel, NodeGroup group);
  void release(uint32_t node, uint32_t channel);
  /// Whether the node's entry is free only when its operation has ended.
  static bool releasesLate(const ImageNode &node) {
    return node.action == Action::atomic || node.action == Action::syscall ||
           node.action == Action::heapCall;
  }
  uint32_t takeReady(uint32_t node, NodeSet &set);
  bool start(uint32_t node, uint32_t channel, uint64_t cycle);
  /// Whether threads do not wait for the node's accesses.
  bool isPosted(const ImageNode &node) const {
    return postedStores &&
           (node.action == Action::store || node.action == Action::liveStore);
  }
  void countRefusal(uint32_t node, uint64_t times);
  /// Calls the function of a syscall or a heap_call.
  void callThunk(const ImageNode &node, uint32_t channel) const;
  template <bool timed, bool window>
  void complete(uint32_t node, uint32_t channel, uint64_t cycle);
  void attribute(uint32_t terminator, uint32_t channel, uint64_t cycle);
  void send(const ImageNode &node, uint32_t channel, uint64_t value,
            uint64_t leave);
  uint64_t operand(const ImageNode &node, unsigned index,
                   uint32_t channel) const {
    const ImageOperand &from = node.operands[index];
    return values[from.base + (channel & from.mask)];
  }
  uint64_t evaluate(const ImageNode &node, uint32_t channel) const {
    return node.evaluate(operand(node, 0, channel), operand(node, 1, channel),
                         operand(node, 2, channel));
  }
  /// Where a load, a store or an atomic operation goes.
  uint64_t addressOf(const ImageNode &node, uint32_t channel) const {
    uint64_t index = operand(node, ImageNode::kIndex, channel) << node.signBits;
    index = static_cast<uint64_t>(static_cast<int64_t>(index) >> node.signBits);
    return operand(node, 0, channel) + index * node.scale + node.offset;
  }
  uint64_t evaluateAccess(const ImageNode &node, uint32_t channel) const {
    return node.evaluate(addressOf(node, channel), operand(node, 1, channel),
                         operand(node, 2, channel));
  }
  /// Where the thread is noted for which the node fires next in this channel,
  /// or of those before it the one so much `earlier`.
  size_t placeOf(const ImageNode &node, uint32_t channel,
                 uint32_t earlier = 0) const {
    size_t place = node.replica * channels + channel;
    if (!isWindow)
      return place;
    auto index = static_cast<uint32_t>(&node - image->nodes.data());
    return (place << windowShift) +
           ((fired[entry(index, channel)] - earlier) & windowMask);
  }
  uint32_t threadOf(const ImageNode &node, uint32_t channel) const {
    return threads[placeOf(node, channel)];
  }
  /// Of that thread.
  EntryTimes &timesOf(uint32_t node, uint32_t channel, uint32_t earlier = 0) {
    if (!isWindow)
      return times[entry(node, channel)];
    uint32_t record = records[placeOf(image->nodes[node], channel, earlier)];
    return times[size_t(record) * nodes.size() + node];
  }
  void takeRecord(size_t place);
  size_t entry(uint32_t node, uint32_t channel) const {
    return size_t(node) * channels + channel;
  }
  NodeSet &readyOf(NodeGroup group) {
    return ready[static_cast<size_t>(group)];
  }
  const NodeSet &readyOf(NodeGroup group) const {
    return ready[static_cast<size_t>(group)];
  }
  std::string describe(uint32_t node) const;
  bool explainEntry(uint32_t node, uint32_t channel, std::string &text) const;

  Memory &memory;
  Host &host;
  ThreadSource &scheduler;
  const uint32_t channels, reservationEntries, hopCycles;
  const bool postedStores, isWindow, hostAllocates;
  const uint32_t ringMask, ringShift;

  BlockImage *image = nullptr;
  VgiwTile *tile = nullptr;
  /// The cycle of the last tick.
  uint64_t lastCycle = 0;

  /// Constants, then a word for each node, token and channel.
  std::vector<uint64_t> values;
  /// By node and channel: the tokens that have come; what was loaded.
  std::vector<uint8_t> arrived;
  std::vector<uint64_t> loaded;
  std::vector<uint32_t> rings;
  std::vector<NodeState> nodes;
  /// Nodes with complete entries, by group.
  NodeSet ready[3];
  /// Thread of each replica and channel; with a window, a ring of those that
  /// follow one another in it.
  std::vector<uint32_t> threads;
  uint32_t windowMask = 0, windowShift = 0;
  std::vector<ReplicaState> replicas;

  /// With a window, by node and channel: how often the node has fired, how often
  /// its sources know that it has, and whether a complete entry waits for room.
  std::vector<uint32_t> fired, known;
  std::vector<uint8_t> isWaiting;
  /// What has fired in this cycle, which its sources know in the next one.
  struct Credit {
    uint32_t node, channel;
  };
  std::vector<Credit> credits;

  /// Tokens by the cycle of their arrival, as far ahead as any can be: how many
  /// arrive, and where those of a cycle begin, one for each edge at most.
  std::vector<uint32_t> wheel;
  uint32_t wheelMask = 0;
  std::vector<Token> tokens;
  uint32_t tokensUnderWay = 0;
  /// Those that have found their places taken, in the order of arrival.
  std::vector<Token> waiting, stillWaiting;

  Fifo<Call> calls;

  struct {
    uint64_t firings[kUnitKinds] = {};
    uint64_t tokens = 0, hops = 0, pitches = 0, noChannel = 0, noEntry = 0,
             noReservation = 0, calls = 0, heapCalls = 0, dropped = 0,
             waits = 0;
    uint64_t refused[6] = {};
  } counters;
  ArithmeticCounts arithmetic;
  /// By node: operations started that are not in the counters yet.  Another
  /// core may run the same image at the same time.
  std::vector<uint64_t> firings;
  /// Of these, those of steers that had no result.
  std::vector<uint64_t> drops;

  bool isTimed = false;
  /// By node and channel, if it is; with a window, by record and node.
  std::vector<EntryTimes> times;
  /// The records of `threads`, those that are free, and how many there are.
  std::vector<uint32_t> records, freeRecords;
  uint32_t recordCount = 0;
};

} // namespace chansim

#endif // CHANSIM_DATAFLOW_H
