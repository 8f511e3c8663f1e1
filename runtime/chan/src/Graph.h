//===- Graph.h - Nodes, levels and queues of a hand-built graph -*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What chan/graph.h builds (Orr et al., ISCA 2014, sections 4 and 5):
//
//   chan_graph ── channels ──▶ GraphChannel ── kernel ──▶ GraphKernel
//      │                          │ plain: its one GraphQueue
//      └─ levels: 0 ⇄ 1 ⇄ 2 ...   │
//            └─ queues[stack] ────┴──▶ GraphQueue: a SharedChannel and, per
//                                      element, what the graph knows of it
//
// Threads: nodes are constant while the graph executes.  Levels and the queues
// of stacks are made by any worker, under `growth`, and live as long as the
// graph. Atomics here use the default order: these are not the hot paths, and
// the sleep protocol (GraphExecutor.h) and the order of reading `live` rely on
// it.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_GRAPH_H
#define CHAN_SRC_GRAPH_H

#include "Channel.h"
#include "chan/graph.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace chan {

class GraphExecutor;
struct GraphLevel;
struct GraphChannel;

enum class GraphKind : uint8_t { plain, entries, continuations };

struct GraphKernel {
  std::string name;
  chan_graph_kernel_fn function;
  bool consumes = false;
  std::array<std::unique_ptr<std::byte[]>, CHAN_GRAPH_MAX_ARGS> values;
  std::array<const void *, CHAN_GRAPH_MAX_ARGS> args{};
};

/// A lock-free channel, and for each element what the calls need to know.
struct GraphQueue {
  struct Slot {
    /// At the first element of an allocation that is not enqueued yet: how many
    /// elements it has.  Otherwise 0.
    uint32_t reserved = 0;
    GraphLevel *level = nullptr;
  };

  GraphQueue(GraphChannel &node);

  /// The offset of `element`, or -1 if it is none of this queue's.
  int64_t offsetOf(const void *element) const;

  /// Records an allocation.
  void reserve(uint64_t offset, uint32_t count, GraphLevel &level) {
    slots[offset].reserved = count;
    for (uint32_t i = 0; i < count; ++i)
      slots[offset + i].level = &level;
  }

  /// Ends the reservation of the allocation at `offset` and returns its number
  /// of elements. 0 if no allocation there waits to be enqueued.
  uint32_t takeReserved(uint64_t offset) {
    return std::exchange(slots[offset].reserved, 0);
  }

  GraphChannel &node;
  SharedChannel elements;
  std::vector<Slot> slots; // each written by the element's owner only
};

struct GraphChannel {
  int id;
  std::string name;
  size_t elementSize;
  uint32_t width;
  GraphKind kind;
  uint32_t stack = 0; ///< which of the stacks, if it is one
  GraphKernel *kernel = nullptr;
  std::unique_ptr<GraphQueue> queue; ///< null for stacks

  /// Bytes that one queue of this node takes.
  size_t queueBytes() const;
};

/// One level of all stacks.
struct GraphLevel {
  GraphLevel(GraphLevel *shallower, size_t stacks)
      : depth(shallower ? shallower->depth + 1 : 0), shallower(shallower),
        queues(stacks) {}

  const uint32_t depth;
  GraphLevel *const shallower;
  std::atomic<GraphLevel *> deeper{nullptr};
  std::vector<std::atomic<GraphQueue *>> queues; ///< by GraphChannel::stack
  /// Elements of this level in all channels, from talloc until their kernel has
  /// returned. A kernel is counted itself while it adds elements, and adds only
  /// at its own level and the next. A thread may read the counts of the
  /// levels in rising order of depth. If it finds all of them 0, it knows that
  /// no element of these levels is left.
  alignas(cacheLineSize) std::atomic<uint64_t> live{0};
};

} // namespace chan

/// A graph.  The C interface's opaque type.
struct chan_graph {
  chan_graph();
  ~chan_graph();

  std::vector<std::unique_ptr<chan::GraphChannel>> channels;
  std::vector<std::unique_ptr<chan::GraphKernel>> kernels;
  uint32_t stacks = 0;
  uint32_t workers = 0; ///< 0: as the environment says
  /// Elements that the host allocated and did not enqueue.
  uint32_t hostReserved = 0;
  std::string error;
  std::unique_ptr<chan::GraphExecutor> executor; ///< while it executes

  /// The channel with that id, or null.
  chan::GraphChannel *channel(int id) const;

  bool hasLevels() const { return !levels.empty(); }

  /// Level 0, made at the first call.  Throws std::bad_alloc.
  chan::GraphLevel &top();

  /// The level below, made if it is not there.  Any thread; throws
  /// std::bad_alloc.
  chan::GraphLevel &below(chan::GraphLevel &level);

  /// The queue of `node` at `level`, made if it is not there.  Any thread;
  /// throws std::bad_alloc.
  chan::GraphQueue &queueAt(chan::GraphChannel &node, chan::GraphLevel &level);

  /// As queueAt, but null if the queue does not exist or `level` is null.
  static chan::GraphQueue *existingQueue(const chan::GraphChannel &node,
                                         const chan::GraphLevel *level) {
    if (node.kind == chan::GraphKind::plain)
      return node.queue.get();
    return level ? level->queues[node.stack].load() : nullptr;
  }

  /// Counts `count` new elements at `level`.
  void addLive(chan::GraphLevel &level, uint32_t count);

  /// The deepest level with live elements, or level 0.  Only under the
  /// executor's aggregator lock.
  chan::GraphLevel &deepestLive();

  /// True if no element deeper than `level` is live.  Only under the executor's
  /// aggregator lock.
  bool nothingBelow(chan::GraphLevel &level);

private:
  void raiseDeepest(chan::GraphLevel &level);

  std::mutex growth;
  std::vector<std::unique_ptr<chan::GraphLevel>> levels;
  std::vector<std::unique_ptr<chan::GraphQueue>> stackQueues;
  /// No level deeper than this has live elements: raised by addLive, lowered by
  /// deepestLive.
  std::atomic<chan::GraphLevel *> deepest{nullptr};
};

#endif // CHAN_SRC_GRAPH_H
