//===- GraphKernelCalls.cpp - Table 1's calls in hand-written kernels -----===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// talloc, enq, deq and tfree of Orr et al., ISCA 2014, Table 1. A misuse ends
// the process, since the graph cannot know what the program meant.
//===----------------------------------------------------------------------===//

#include "GraphExecutor.h"

#include <new>

using namespace chan;

static GraphInvocation &running(const char *call) {
  if (GraphExecutor::current)
    return *GraphExecutor::current;
  graphFatal(std::string(call) + " is called outside a kernel");
}

[[noreturn]] static void misuse(const GraphInvocation &run, const char *call,
                                const std::string &what) {
  graphFatal("kernel '" + run.source->node.kernel->name + "': " + call + ": " +
             what);
}

static GraphChannel &channelOf(const GraphInvocation &run, const char *call,
                               int id) {
  if (GraphChannel *node = run.worker->executor->graph.channel(id))
    return *node;
  misuse(run, call, "there is no channel " + std::to_string(id));
}

static GraphQueue &queueFor(const GraphInvocation &run, GraphChannel &node,
                            GraphLevel &level) {
  try {
    return run.worker->executor->graph.queueAt(node, level);
  } catch (const std::bad_alloc &) {
    graphFatal(exhausted(node, level.depth));
  }
}

static GraphLevel &levelAt(const GraphInvocation &run, int relative) {
  if (relative == 0)
    return *run.level;
  try {
    return run.worker->executor->graph.below(*run.level);
  } catch (const std::bad_alloc &) {
    graphFatal("memory exhausted: no room for level " +
               std::to_string(run.level->depth + 1));
  }
}

static void *allocate(const char *call, int id, int count, int relative) {
  GraphInvocation &run = running(call);
  GraphChannel &node = channelOf(run, call, id);
  GraphLevel &level = levelAt(run, relative);
  GraphQueue &queue = queueFor(run, node, level);
  if (count < 1 || uint32_t(count) > queue.elements.capacity())
    misuse(run, call,
           std::to_string(count) + " elements of " + describe(node) +
               ", whose width is " + std::to_string(queue.elements.capacity()));
  std::optional<uint64_t> offset = queue.elements.talloc(count);
  if (!offset)
    offset =
        run.worker->executor->waitForRoom(*run.worker, queue, level, count);
  queue.reserve(*offset, count, level);
  run.worker->executor->graph.addLive(level, count);
  run.reserved += count;
  return queue.elements.data(*offset);
}

/// The channel that `element` belongs to, for a message.
static std::string ownerOf(const GraphInvocation &run, const void *element) {
  for (auto &node : run.worker->executor->graph.channels)
    for (GraphLevel *level : {run.level, run.level->deeper.load()}) {
      GraphQueue *queue = chan_graph::existingQueue(*node, level);
      if (queue && queue->offsetOf(element) >= 0)
        return "an element of " + describe(*node);
    }
  return "no element of any channel at this level";
}

extern "C" {

void *chan_graph_talloc(int id, int count) {
  GraphInvocation &run = running("chan_graph_talloc");
  GraphChannel &node = channelOf(run, "chan_graph_talloc", id);
  if (node.kind != GraphKind::plain)
    misuse(run, "chan_graph_talloc",
           describe(node) + " has levels: say which with chan_graph_talloc_at");
  return allocate("chan_graph_talloc", id, count, 0);
}

void *chan_graph_talloc_at(int id, int count, int relative) {
  if (relative != 0 && relative != 1)
    misuse(running("chan_graph_talloc_at"), "chan_graph_talloc_at",
           "relative level " + std::to_string(relative) +
               " is neither 0 nor 1");
  return allocate("chan_graph_talloc_at", id, count, relative);
}

void chan_graph_enq(int id, void *elements) {
  GraphInvocation &run = running("chan_graph_enq");
  GraphChannel &node = channelOf(run, "chan_graph_enq", id);
  GraphQueue *queue = nullptr;
  int64_t offset = -1;
  for (GraphLevel *level : {run.level, run.level->deeper.load()}) {
    GraphQueue *here = chan_graph::existingQueue(node, level);
    if (offset < 0 && here && (offset = here->offsetOf(elements)) >= 0)
      queue = here;
  }
  if (!queue)
    misuse(run, "chan_graph_enq",
           "not allocated from " + describe(node) + ", but " +
               ownerOf(run, elements));
  uint32_t count = queue->takeReserved(offset);
  if (count == 0)
    misuse(run, "chan_graph_enq",
           "not the start of an allocation from " + describe(node) +
               " that waits to be enqueued: enqueued twice?");
  run.reserved -= count;
  if (node.kind == GraphKind::continuations) {
    run.worker->pending.push_back({queue, uint32_t(offset), count});
    return;
  }
  queue->elements.enq(offset, count);
  run.worker->executor->signal();
}

void *chan_graph_deq(int id, int off) {
  GraphInvocation &run = running("chan_graph_deq");
  if (id != run.source->node.id || uint32_t(off) != run.offset)
    misuse(run, "chan_graph_deq",
           "offset " + std::to_string(off) + " of channel " +
               std::to_string(id) + " is not the element this kernel runs");
  if (run.freed)
    misuse(run, "chan_graph_deq", "after chan_graph_tfree of the same element");
  return run.source->elements.data(off);
}

void chan_graph_tfree(int id, int off) {
  GraphInvocation &run = running("chan_graph_tfree");
  if (id != run.source->node.id || uint32_t(off) != run.offset)
    misuse(run, "chan_graph_tfree",
           "offset " + std::to_string(off) + " of channel " +
               std::to_string(id) + " is not the element this kernel runs");
  if (run.freed)
    misuse(run, "chan_graph_tfree", "the element is freed twice");
  run.freed = true;
  run.source->elements.tfree(off);
  run.worker->executor->signal();
}

} // extern "C"
