//===- GraphAggregator.cpp - The aggregator of a hand-built graph ---------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphExecutor.h"

#include <algorithm>

using namespace chan;

/// Looks for a batch as the aggregator. Without `wait`, it finds nothing if
/// another worker is the aggregator.
bool GraphExecutor::aggregate(GraphBatch &batch, const GraphDemand &demand,
                              bool wait) {
  std::unique_lock<std::mutex> role(aggregator, std::defer_lock);
  if (wait)
    role.lock();
  else if (!role.try_lock())
    return false;
  return select(batch, demand);
}

bool GraphExecutor::select(GraphBatch &batch, const GraphDemand &demand) {
  bool forRoom = demand.queue != nullptr;
  if (forRoom && demand.queue->node.kind == GraphKind::plain)
    return dispatch(batch, demand.queue, nullptr,
                    demand.queue->elements.ready());

  uint32_t shallowest = forRoom ? demand.level->depth : 0;
  for (GraphLevel *level = &graph.deepestLive();
       level && level->depth >= shallowest; level = level->shallower) {
    // More entries of the level whose continuations are full would only wait
    // for the same room.
    bool entriesHelp = !forRoom || level != demand.level ||
                       demand.queue->node.kind == GraphKind::entries;
    for (GraphKind kind : {GraphKind::entries, GraphKind::continuations}) {
      if (kind == GraphKind::entries && !entriesHelp)
        continue;
      for (auto &node : graph.channels) {
        if (node->kind != kind)
          continue;
        GraphQueue *queue = level->queues[node->stack];
        uint64_t ready = queue ? queue->elements.ready() : 0;
        if (ready == 0)
          continue;
        // First these elements are found, and then nothing deeper. In this
        // order, no later element can appear deeper (G2).
        if (kind == GraphKind::continuations && !graph.nothingBelow(*level))
          break;
        if (dispatch(batch, queue, level, ready))
          return true;
      }
    }
  }
  for (auto &node : graph.channels)
    if (node->kind == GraphKind::plain &&
        dispatch(batch, node->queue.get(), nullptr,
                 node->queue->elements.ready()))
      return true;
  return false;
}

/// Takes one worker's share of the first `ready` elements of the queue.
bool GraphExecutor::dispatch(GraphBatch &batch, GraphQueue *queue,
                             GraphLevel *level, uint64_t ready) {
  if (ready == 0)
    return false;
  uint64_t share = (ready + workers.size() - 1) / workers.size();
  batch.queue = queue;
  batch.level = level;
  batch.next = 0;
  batch.count = queue->elements.deqN(batch.offsets,
                                     std::min<uint64_t>(share, kGraphBatch));
  return batch.count != 0;
}

/// Runs one more element of a batch that waits on this thread's stack, if that
/// meets the demand.
bool GraphExecutor::runOwnBatch(GraphWorker &worker,
                                const GraphDemand &demand) {
  for (GraphBatch *batch = worker.batch; batch; batch = batch->outer) {
    if (batch->next == batch->count)
      continue;
    bool sameQueue = batch->queue == demand.queue;
    bool deeper = demand.queue->node.kind != GraphKind::plain && batch->level &&
                  batch->level->depth > demand.level->depth;
    if (sameQueue || deeper) {
      runOne(worker, *batch);
      return true;
    }
  }
  return false;
}
