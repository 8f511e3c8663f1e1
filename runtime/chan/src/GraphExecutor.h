//===- GraphExecutor.h - Threads that run a hand-built graph ----*- C++ -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scheduler of Orr et al., ISCA 2014: sections 3.1 (aggregator and
// dispatch), 5.2 (levelization) and 6 (yield).
//
// Every worker looks for a batch, runs it, and looks again.  Looking is the
// aggregator's part: the worker that holds the aggregator lock takes up to 64
// elements of one channel, of the deepest level that has any ready. A worker
// that finds the lock taken, or nothing to run, announces that it will sleep,
// waits for the lock, looks once more, and sleeps.
//
// Yield: talloc on a full channel comes here and runs, on top of the kernel
// that called it, what may make room:
//   plain channel          elements of that channel
//   entries at level l     whatever is ready at l and deeper
//   continuations at l     what is ready deeper than l, and continuations at l
// Batches that this thread has taken and not finished count as ready.
//
// Sleep: an event is anything that can make work or room: elements become
// visible, an element is freed, a level's count falls to 0. A thread that
// causes an event looks at `sleepy` afterwards. A worker that wants to sleep
// sets `sleepy` before a last look. All of these are seq_cst, so one of the two
// sees the other. Each event wakes all sleepers.
//
// Quiescence: when every worker sleeps and none has missed an event, nothing
// will ever move. Either no worker waits for room, and the graph is done. Or no
// element can make room: a fatal error that names the channels.
//
//===----------------------------------------------------------------------===//

#ifndef CHAN_SRC_GRAPHEXECUTOR_H
#define CHAN_SRC_GRAPHEXECUTOR_H

#include "Graph.h"
#include "Tuning.h"

#include <condition_variable>

#include <pthread.h>

namespace chan {

/// Elements of one queue, dispatched to one worker.
struct GraphBatch {
  GraphQueue *queue;
  GraphLevel *level; ///< null for plain channels: each element has its own
  uint32_t next = 0, count = 0;
  GraphBatch *outer = nullptr; ///< the one this interrupts
  uint64_t offsets[kGraphBatch];
};

/// Which elements a worker that waits for room may run.
struct GraphDemand {
  GraphQueue *queue = nullptr;       ///< the full one; null: anything goes
  const GraphLevel *level = nullptr; ///< the full one's level
};

class GraphExecutor;

/// A thread of an executor.
struct GraphWorker {
  struct Pending {
    GraphQueue *queue;
    uint32_t offset, count;
  };

  GraphExecutor *executor;
  pthread_t thread;
  GraphBatch *batch = nullptr; ///< the innermost that runs
  uint32_t nested = 0;         ///< batches that run, one inside the other
  /// Continuations to enqueue when their kernel returns (G2).
  std::vector<Pending> pending;
};

/// A kernel that runs. The calls made in kernels refer to it.
struct GraphInvocation {
  GraphWorker *worker;
  GraphQueue *source;
  uint32_t offset;
  GraphLevel *level;
  bool freed = false;
  uint32_t reserved = 0; ///< elements allocated and not enqueued
};

class GraphExecutor {
public:
  explicit GraphExecutor(chan_graph &graph) : graph(graph) {}

  /// What CHAN_WORKERS says, by default one per core.  A malformed value ends
  /// the process with a message.
  static uint32_t defaultWorkers();

  /// Starts up to `count` workers and returns how many run. If none does, the
  /// executor is as it was before.
  uint32_t start(uint32_t count);

  /// Waits until the graph is done and the threads have ended.
  void join();

  /// The yield: makes room for `count` elements in `queue`, which belongs to
  /// `level`. Called by a kernel; runs other kernels.
  uint64_t waitForRoom(GraphWorker &worker, GraphQueue &queue,
                       const GraphLevel &level, uint32_t count);

  /// To be called after an event.
  void signal() {
    if (sleepy)
      wakeAll();
  }

  /// The invocation that runs on this thread, or null.
  static thread_local GraphInvocation *current;

  chan_graph &graph;

private:
  static void *threadMain(void *worker);
  void workerLoop(GraphWorker &worker);
  void run(GraphWorker &worker, GraphBatch &batch);
  void runOne(GraphWorker &worker, GraphBatch &batch);

  // GraphAggregator.cpp
  bool aggregate(GraphBatch &batch, const GraphDemand &demand, bool wait);
  bool select(GraphBatch &batch, const GraphDemand &demand);
  bool dispatch(GraphBatch &batch, GraphQueue *queue, GraphLevel *level,
                uint64_t ready);
  bool runOwnBatch(GraphWorker &worker, const GraphDemand &demand);

  void wakeAll();
  /// Sleeps until the next event if none came since `ticket`.  Returns false if
  /// the graph is done.
  bool sleep(uint64_t ticket, GraphQueue *full);
  [[noreturn]] void reportStuck();

  std::vector<std::unique_ptr<GraphWorker>> workers;

  std::mutex aggregator;

  alignas(cacheLineSize) std::atomic<bool> sleepy{false};
  std::atomic<uint64_t> events{0};

  alignas(cacheLineSize) std::mutex sleeping;
  std::condition_variable wake;
  uint32_t asleep = 0;            ///< sleepers that missed no event
  std::vector<GraphQueue *> full; ///< what sleepers wait for room in
  bool done = false;
};

/// Prints "cilk2chan: graph: " and the message, and aborts.
[[noreturn]] void graphFatal(const std::string &message);

/// How messages name a channel.
std::string describe(const GraphChannel &node);

/// The message that there is no memory for a queue of `node` at `level`.
std::string exhausted(const GraphChannel &node, uint32_t level);

} // namespace chan

#endif // CHAN_SRC_GRAPHEXECUTOR_H
