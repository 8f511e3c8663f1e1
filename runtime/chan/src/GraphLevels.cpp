//===- GraphLevels.cpp - Levels and queues of a hand-built graph ----------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"

#include <bit>
#include <new>

using namespace chan;

GraphQueue::GraphQueue(GraphChannel &node)
    : node(node),
      elements(node.elementSize, node.width, SharedChannel::defaultGroup,
               SharedChannel::tracksByDefault,
               SharedChannel::Exhausted::leaveInvalid),
      slots(elements.capacity()) {
  if (!elements.valid())
    throw std::bad_alloc();
}

int64_t GraphQueue::offsetOf(const void *element) const {
  uintptr_t base = uintptr_t(elements.data(0)), address = uintptr_t(element);
  size_t stride = elements.elementSize();
  if (address < base || (address - base) % stride ||
      (address - base) / stride >= elements.capacity())
    return -1;
  return (address - base) / stride;
}

size_t GraphChannel::queueBytes() const {
  size_t perElement =
      elementSize + 2 * sizeof(uint64_t) + sizeof(GraphQueue::Slot);
  return sizeof(GraphQueue) + size_t(std::bit_ceil(width)) * perElement;
}

GraphLevel &chan_graph::top() {
  if (levels.empty()) {
    levels.push_back(std::make_unique<GraphLevel>(nullptr, stacks));
    deepest = levels.front().get();
  }
  return *levels.front();
}

GraphLevel &chan_graph::below(GraphLevel &level) {
  if (GraphLevel *deeper = level.deeper)
    return *deeper;
  std::lock_guard<std::mutex> lock(growth);
  if (GraphLevel *deeper = level.deeper)
    return *deeper;
  levels.push_back(std::make_unique<GraphLevel>(&level, stacks));
  level.deeper = levels.back().get();
  return *levels.back();
}

GraphQueue &chan_graph::queueAt(GraphChannel &node, GraphLevel &level) {
  if (node.kind == GraphKind::plain)
    return *node.queue;
  std::atomic<GraphQueue *> &place = level.queues[node.stack];
  if (GraphQueue *queue = place)
    return *queue;
  std::lock_guard<std::mutex> lock(growth);
  if (GraphQueue *queue = place)
    return *queue;
  stackQueues.push_back(std::make_unique<GraphQueue>(node));
  place = stackQueues.back().get();
  return *stackQueues.back();
}

void chan_graph::addLive(GraphLevel &level, uint32_t count) {
  level.live += count;
  raiseDeepest(level);
}

void chan_graph::raiseDeepest(GraphLevel &level) {
  GraphLevel *now = deepest;
  while (now->depth < level.depth &&
         !deepest.compare_exchange_weak(now, &level))
    ;
}

GraphLevel &chan_graph::deepestLive() {
  for (;;) {
    GraphLevel *level = deepest;
    if (level->live != 0 || !level->shallower)
      return *level;
    // A thread that adds here may see the lowered value; then it raises it
    // again. If it added before, the second look at `live` finds its elements.
    if (deepest.compare_exchange_strong(level, level->shallower) &&
        level->live != 0)
      raiseDeepest(*level);
  }
}

bool chan_graph::nothingBelow(GraphLevel &level) {
  GraphLevel &end = deepestLive();
  if (end.depth <= level.depth)
    return true;
  if (end.live != 0)
    return false;
  for (GraphLevel *l = level.deeper; l; l = l->deeper)
    if (l->live != 0)
      return false;
  return true;
}
