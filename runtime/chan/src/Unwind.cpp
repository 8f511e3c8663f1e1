//===- Unwind.cpp - A thread that ends inside a task ----------------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// pthread_exit, and a cancellation, unwind the thread's stack from where it is.
// They pass the switch to the worker's stack first. All frames in front of it,
// which tasks of other workers may still use, are there until then:
//
//   thread's own stack        worker's stack
//   run() ─▶ chan_run() ─▶ │ switch ─▶ drain ─▶ kernel ─▶ usleep()
//                          │    ◀─────── unwinding ───────────┘
//                          └ here: elements that have not begun are dropped,
//                            task blocks that thieves run are awaited
//
// The contexts stay until the thread's worker leaves (Worker::forgetTree).
// Cleanup handlers of frames further out still run on the worker's stack. They
// may call spawning functions, for which this is a call inside a task.
//
// With a C library that does not unwind, the worker's end does both.
//
//===----------------------------------------------------------------------===//

#include "Demand.h"
#include "Joining.h"
#include "Pool.h"
#include "Profile.h"
#include "ReductionVariables.h"
#include "Reserving.h"
#include "Sharing.h"
#include "Stealing.h"

#include <unwind.h>

namespace chan {
namespace {

/// Takes back the task blocks of `level` that no thief has claimed, and drops
/// them.
void dropUnclaimed(Worker &worker, Level *level) {
  for (TaskBlock **link = &level->taskBlocks; *link;) {
    TaskBlock *taskBlock = *link;
    if (!taskBlock->claim()) {
      link = &taskBlock->next;
      continue;
    }
    Demand::claimed();
    *link = taskBlock->next;
    taskBlock->freeBlock(worker);
    taskBlock->drop();
  }
}

/// Waits until no thief runs a task block of `level`.
void awaitAll(Worker &worker, Level *level) {
  while (uint32_t left = countOutstanding(worker, level)) {
    // A ring that comes after the announcement changes it.
    uint32_t before = worker.wakeup.alarmNow();
    Pool::beginSleep(worker, /*helps=*/false);
    if (countOutstanding(worker, level) == left)
      Pool::sleep(worker, before);
    Pool::endSleep(worker);
  }
}

} // namespace

void Worker::abandonTree() {
  // The owner of a task block waits for the thief that runs it.
  if (thread.ofPool || (context && context->taskBlock)) {
    (Message()
     << "pthread_exit in a task that another worker had spawned: only "
        "the function that a thread calls from C, and what it calls, "
        "may end the thread")
        .print();
    fail();
  }
  closeReservation(*this);
  for (Batch *batch = batches.innermost; batch; batch = batch->outer)
    batch->end = batch->next;
  // First claims all that can be claimed, then waits for the rest: no task
  // begins meanwhile.
  for (Context *of = context; of; of = of->outer)
    for (Level *at = of->base; at; at = at->next()) {
      at->entries = at->continuations = noBlock();
      dropUnclaimed(*this, at);
    }
  clearStealQueue(*this);
  for (Context *of = context; of; of = of->outer)
    for (Level *at = of->base; at; at = at->next())
      awaitAll(*this, at);
  // Keeps what its activations have combined so far.
  flushReductions(*this);
  if (profile)
    while (Span *span = profile->innermost)
      span->end();
}

void Worker::forgetTree() {
  context = outermost = nullptr;
  smallTrees.withoutContext = byKernel = smallTrees.inSeries = false;
  level = nullptr;
  running = nullptr;
  predicted_polls = 0;
  smallTrees.until = 0;
  predicted_stack = nullptr;
  nested = 0;
  records = 0;
  for (chan_reduction &reduction : reductions)
    reduction = {};
  chan_cloning = nullptr;
  stopWaitingForOlderFrames();
  Pool::treeEnded(*this);
}

} // namespace chan

using namespace chan;

/// The function that the frame of the switch names. Unwinders call it for each
/// phase.
extern "C" __attribute__((visibility("hidden"))) _Unwind_Reason_Code
chan_unwind_task(int /*version*/, _Unwind_Action actions,
                 _Unwind_Exception_Class, _Unwind_Exception *,
                 _Unwind_Context *) {
  // An exception ends here, so that it terminates the program: other workers
  // wait for the tasks that it would leave.
  if (!(actions & _UA_FORCE_UNWIND))
    return _URC_FATAL_PHASE1_ERROR;
  if (Worker *worker = Worker::currentIfAny(); worker && worker->isInTask())
    worker->abandonTree();
  return _URC_CONTINUE_UNWIND;
}
