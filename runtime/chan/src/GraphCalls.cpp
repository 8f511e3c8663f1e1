//===- GraphCalls.cpp - Building and executing graphs by hand -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The calls of chan/graph.h outside kernels.  No exception leaves them.
//
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include "GraphExecutor.h"
#include "Options.h"

#include <cstdlib>
#include <cstring>
#include <new>

using namespace chan;

chan_graph::chan_graph() = default;
chan_graph::~chan_graph() = default;

GraphChannel *chan_graph::channel(int id) const {
  return id >= 0 && size_t(id) < channels.size() ? channels[id].get() : nullptr;
}

static int failed(chan_graph *graph, std::string why) {
  graph->error = std::move(why);
  return -1;
}

static std::string quoted(const char *name) {
  return "'" + std::string(name ? name : "") + "'";
}

/// Whether the graph may be changed now. Otherwise it records the reason.
static bool mayBuild(chan_graph *graph) {
  if (!graph->executor)
    return true;
  failed(graph, "the graph executes: call chan_graph_wait first");
  return false;
}

static GraphChannel *findChannel(chan_graph *graph, int id) {
  GraphChannel *node = graph->channel(id);
  if (!node)
    failed(graph, "there is no channel " + std::to_string(id));
  return node;
}

static GraphKernel *findKernel(chan_graph *graph, int number) {
  if (number >= 0 && size_t(number) < graph->kernels.size())
    return graph->kernels[number].get();
  failed(graph, "there is no kernel " + std::to_string(number));
  return nullptr;
}

static int addChannel(chan_graph *graph, const char *name, size_t elementSize,
                      uint32_t width, GraphKind kind) {
  if (!mayBuild(graph))
    return -1;
  if (elementSize == 0)
    return failed(graph, "channel " + quoted(name) + ": elements of 0 bytes");
  if (width == 0 || width > CHAN_GRAPH_MAX_WIDTH)
    return failed(graph, "channel " + quoted(name) + ": width " +
                             std::to_string(width) + " is not in 1.." +
                             std::to_string(CHAN_GRAPH_MAX_WIDTH));
  auto node = std::make_unique<GraphChannel>();
  node->id = int(graph->channels.size());
  node->name = name ? name : "";
  node->elementSize = elementSize;
  node->width = width;
  node->kind = kind;
  if (kind == GraphKind::plain) {
    try {
      node->queue = std::make_unique<GraphQueue>(*node);
    } catch (const std::bad_alloc &) {
      return failed(graph, exhausted(*node, 0));
    }
  } else {
    if (graph->hasLevels())
      return failed(graph, "channel stack " + quoted(name) +
                               ": stacks must be added before elements");
    node->stack = graph->stacks++;
  }
  graph->channels.push_back(std::move(node));
  return int(graph->channels.size()) - 1;
}

extern "C" {

chan_graph *chan_graph_new(void) { return new (std::nothrow) chan_graph; }

void chan_graph_destroy(chan_graph *graph) {
  if (graph && graph->executor)
    chan_graph_wait(graph);
  delete graph;
}

const char *chan_graph_error(const chan_graph *graph) {
  return graph->error.c_str();
}

int chan_graph_set_workers(chan_graph *graph, int workers) {
  if (!mayBuild(graph))
    return -1;
  if (workers < 1 || uint32_t(workers) > kMaxWorkers)
    return failed(graph, std::to_string(workers) + " workers: not in 1.." +
                             std::to_string(kMaxWorkers));
  graph->workers = workers;
  return 0;
}

int chan_graph_channel(chan_graph *graph, const char *name, size_t element_size,
                       uint32_t width) {
  return addChannel(graph, name, element_size, width, GraphKind::plain);
}

int chan_graph_stack(chan_graph *graph, const char *name, size_t element_size,
                     uint32_t width, int kind) {
  if (kind != CHAN_GRAPH_ENTRIES && kind != CHAN_GRAPH_CONTINUATIONS)
    return failed(graph, "channel stack " + quoted(name) + ": unknown kind " +
                             std::to_string(kind));
  return addChannel(graph, name, element_size, width,
                    kind == CHAN_GRAPH_ENTRIES ? GraphKind::entries
                                               : GraphKind::continuations);
}

int chan_graph_kernel(chan_graph *graph, const char *name,
                      chan_graph_kernel_fn function) {
  if (!mayBuild(graph))
    return -1;
  if (!function)
    return failed(graph, "kernel " + quoted(name) + " has no function");
  auto kernel = std::make_unique<GraphKernel>();
  kernel->name = name ? name : "";
  kernel->function = function;
  graph->kernels.push_back(std::move(kernel));
  return int(graph->kernels.size()) - 1;
}

int chan_graph_set_arg(chan_graph *graph, int number, int index, size_t size,
                       const void *value) {
  if (!mayBuild(graph))
    return -1;
  GraphKernel *kernel = findKernel(graph, number);
  if (!kernel)
    return -1;
  if (index < 0 || index >= CHAN_GRAPH_MAX_ARGS)
    return failed(graph, "kernel " + quoted(kernel->name.c_str()) +
                             ": argument " + std::to_string(index) +
                             " is not in 0.." +
                             std::to_string(CHAN_GRAPH_MAX_ARGS - 1));
  if (!value || size == 0)
    return failed(graph, "kernel " + quoted(kernel->name.c_str()) +
                             ": argument " + std::to_string(index) +
                             " has no value");
  kernel->values[index] = std::make_unique<std::byte[]>(size);
  std::memcpy(kernel->values[index].get(), value, size);
  kernel->args[index] = kernel->values[index].get();
  return 0;
}

int chan_graph_connect(chan_graph *graph, int channel, int number) {
  if (!mayBuild(graph))
    return -1;
  GraphChannel *node = findChannel(graph, channel);
  GraphKernel *kernel = node ? findKernel(graph, number) : nullptr;
  if (!kernel)
    return -1;
  if (node->kernel)
    return failed(graph, describe(*node) + " is connected to kernel " +
                             quoted(node->kernel->name.c_str()) +
                             " already: a channel has one consumer");
  node->kernel = kernel;
  kernel->consumes = true;
  return 0;
}

void *chan_graph_host_talloc(chan_graph *graph, int channel, int count) {
  GraphChannel *node = mayBuild(graph) ? findChannel(graph, channel) : nullptr;
  if (!node)
    return nullptr;
  try {
    GraphLevel &level = graph->top();
    GraphQueue &queue = graph->queueAt(*node, level);
    std::optional<uint64_t> offset;
    if (count > 0)
      offset = queue.elements.talloc(count);
    if (!offset) {
      failed(graph, describe(*node) + " of width " +
                        std::to_string(queue.elements.capacity()) +
                        " has no room for " + std::to_string(count) +
                        " elements");
      return nullptr;
    }
    queue.reserve(*offset, count, level);
    graph->addLive(level, count);
    graph->hostReserved += count;
    return queue.elements.data(*offset);
  } catch (const std::bad_alloc &) {
    failed(graph, exhausted(*node, 0));
    return nullptr;
  }
}

int chan_graph_host_enq(chan_graph *graph, int channel, void *elements) {
  GraphChannel *node = mayBuild(graph) ? findChannel(graph, channel) : nullptr;
  if (!node)
    return -1;
  GraphQueue *queue = chan_graph::existingQueue(
      *node, graph->hasLevels() ? &graph->top() : nullptr);
  int64_t offset = queue ? queue->offsetOf(elements) : -1;
  uint32_t count = offset < 0 ? 0 : queue->takeReserved(offset);
  if (count == 0)
    return failed(graph, "what is enqueued was not allocated from " +
                             describe(*node) + ", or is enqueued already");
  queue->elements.enq(offset, count);
  graph->hostReserved -= count;
  return 0;
}

int chan_graph_execute(chan_graph *graph) {
  if (!mayBuild(graph))
    return -1;
  for (auto &node : graph->channels)
    if (!node->kernel)
      return failed(graph, describe(*node) + " is connected to no kernel");
  for (auto &kernel : graph->kernels)
    if (!kernel->consumes)
      return failed(graph, "kernel " + quoted(kernel->name.c_str()) +
                               " is connected to no channel");
  if (graph->hostReserved)
    return failed(graph, std::to_string(graph->hostReserved) +
                             " elements were allocated and never enqueued");
  try {
    graph->top();
    graph->executor = std::make_unique<GraphExecutor>(*graph);
    uint32_t wanted =
        graph->workers ? graph->workers : GraphExecutor::defaultWorkers();
    if (graph->executor->start(wanted))
      return 0;
  } catch (const std::bad_alloc &) {
  }
  graph->executor.reset();
  return failed(graph, "no thread could be started");
}

int chan_graph_wait(chan_graph *graph) {
  if (!graph->executor)
    return failed(graph, "the graph does not execute");
  graph->executor->join();
  graph->executor.reset();
  return 0;
}

} // extern "C"
