//===- GraphExecutor.cpp - The threads that run a hand-built graph --------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphExecutor.h"
#include "Options.h"

#include <cstdio>
#include <cstdlib>

using namespace chan;

thread_local GraphInvocation *GraphExecutor::current = nullptr;

void chan::graphFatal(const std::string &message) {
  std::fprintf(stderr, "cilk2chan: graph: %s\n", message.c_str());
  std::abort();
}

std::string chan::describe(const GraphChannel &node) {
  const char *what =
      node.kind == GraphKind::plain ? "channel" : "channel stack";
  return std::string(what) + " '" + node.name + "'";
}

std::string chan::exhausted(const GraphChannel &node, uint32_t level) {
  return "memory exhausted: " + describe(node) + " at level " +
         std::to_string(level) + " takes " + std::to_string(node.queueBytes()) +
         " bytes (width " + std::to_string(node.width) + ")";
}

uint32_t GraphExecutor::defaultWorkers() { return parseOptions().workers; }

uint32_t GraphExecutor::start(uint32_t count) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kGraphStackBytes);
  // Held until all have started: the number of workers must not change while
  // they run.
  std::lock_guard<std::mutex> gate(aggregator);
  for (uint32_t i = 0; i < count; ++i) {
    auto worker = std::make_unique<GraphWorker>();
    worker->executor = this;
    if (pthread_create(&worker->thread, &attributes, threadMain, worker.get()))
      break;
    workers.push_back(std::move(worker));
  }
  pthread_attr_destroy(&attributes);
  return workers.size();
}

void GraphExecutor::join() {
  for (auto &worker : workers)
    pthread_join(worker->thread, nullptr);
}

void *GraphExecutor::threadMain(void *argument) {
  auto *worker = static_cast<GraphWorker *>(argument);
  GraphExecutor *executor = worker->executor;
  {
    std::lock_guard<std::mutex> gate(executor->aggregator);
  }
  executor->workerLoop(*worker);
  return nullptr;
}

void GraphExecutor::workerLoop(GraphWorker &worker) {
  for (;;) {
    GraphBatch batch;
    uint64_t ticket = events;
    bool found = aggregate(batch, {}, /*wait=*/false);
    if (!found) {
      sleepy = true;
      found = aggregate(batch, {}, /*wait=*/true);
    }
    if (found)
      run(worker, batch);
    else if (!sleep(ticket, nullptr))
      return;
  }
}

uint64_t GraphExecutor::waitForRoom(GraphWorker &worker, GraphQueue &queue,
                                    const GraphLevel &level, uint32_t count) {
  GraphDemand demand{&queue, &level};
  bool mayNest = worker.nested < kMostGraphYields;
  bool lastLook = false;
  uint64_t ticket = events;
  for (;;) {
    if (std::optional<uint64_t> offset = queue.elements.talloc(count))
      return *offset;
    GraphBatch batch;
    if (mayNest && runOwnBatch(worker, demand)) {
      lastLook = false;
    } else if (mayNest && aggregate(batch, demand, /*wait=*/lastLook)) {
      run(worker, batch);
      lastLook = false;
    } else if (!lastLook) {
      ticket = events;
      sleepy = true;
      lastLook = true;
    } else {
      sleep(ticket, &queue);
      lastLook = false;
    }
  }
}

void GraphExecutor::run(GraphWorker &worker, GraphBatch &batch) {
  batch.outer = worker.batch;
  worker.batch = &batch;
  while (batch.next < batch.count)
    runOne(worker, batch);
  worker.batch = batch.outer;
}

void GraphExecutor::runOne(GraphWorker &worker, GraphBatch &batch) {
  uint32_t offset = batch.offsets[batch.next++];
  GraphQueue &queue = *batch.queue;
  GraphLevel *level = batch.level ? batch.level : queue.slots[offset].level;
  GraphKernel &kernel = *queue.node.kernel;

  GraphInvocation invocation{&worker, &queue, offset, level};
  GraphInvocation *interrupted = current;
  size_t pendingBefore = worker.pending.size();
  current = &invocation;
  ++worker.nested;
  kernel.function(queue.node.id, offset, kernel.args.data());
  --worker.nested;
  current = interrupted;

  if (!invocation.freed)
    graphFatal("kernel '" + kernel.name +
               "' returned without chan_graph_tfree of its element of " +
               describe(queue.node));
  if (invocation.reserved)
    graphFatal("kernel '" + kernel.name + "' returned with " +
               std::to_string(invocation.reserved) +
               " elements allocated and never enqueued");
  for (size_t i = pendingBefore; i < worker.pending.size(); ++i) {
    GraphWorker::Pending &p = worker.pending[i];
    p.queue->elements.enq(p.offset, p.count);
  }
  worker.pending.resize(pendingBefore);
  // Last. Otherwise the levels below this one's parent might be seen empty
  // before the elements that this kernel left are counted.
  --level->live;
  signal();
}

void GraphExecutor::wakeAll() {
  std::lock_guard<std::mutex> lock(sleeping);
  // In this order: a worker that reads the new number sets `sleepy` afterwards.
  sleepy = false;
  ++events;
  asleep = 0;
  full.clear();
  wake.notify_all();
}

bool GraphExecutor::sleep(uint64_t ticket, GraphQueue *fullQueue) {
  std::unique_lock<std::mutex> lock(sleeping);
  if (done)
    return false;
  if (events != ticket)
    return true;
  ++asleep;
  if (fullQueue)
    full.push_back(fullQueue);
  if (asleep == workers.size()) {
    if (!full.empty())
      reportStuck();
    done = true;
    ++events;
    wake.notify_all();
    return false;
  }
  wake.wait(lock, [&] { return events != ticket; });
  return !done;
}

void GraphExecutor::reportStuck() {
  const GraphChannel &node = full.front()->node;
  std::string message =
      describe(node) + " is full, and nothing can free room in it";
  message +=
      ": its width is " + std::to_string(full.front()->elements.capacity());
  message += ", and " + std::to_string(full.size()) + " of " +
             std::to_string(workers.size()) +
             " workers wait in talloc for room that only their own elements "
             "could give back";
  message += "\ncilk2chan: note: ";
  if (node.kind == GraphKind::plain)
    message += "make the channel wider, or use a channel stack "
               "(chan_graph_stack), which needs room for one level only";
  else
    message +=
        "enqueue what a kernel has allocated before it allocates more, free "
        "its element before it allocates, or make the stack wider";
  graphFatal(message);
}
