//===- Serial.cpp - Serial clones, and what they spawn late ---------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pool.h"
#include "Sharing.h"
#include "Worker.h"

#include <new>

namespace chan {
namespace {

/// Elements that wait for each worker, at least, when one runs something
/// serially: should it take long, the others find those.
constexpr uint32_t kSlackPerWorker = 4;

/// The levels that an activation has opened.
struct Late {
  explicit Late(Worker &worker)
      : pending{},
        context(worker, worker.context ? worker.context->parcel : nullptr) {}
  chan_pending pending;
  Context context;
};
static_assert(sizeof(Late) <= CHAN_LATE_SIZE);

} // namespace

void Worker::refreshLimit() {
  // seq_cst, with Pool::idle: whoever begins to want work either is seen here,
  // or overwrites what is written here.
  std::atomic_ref<uintptr_t> limit(stack_limit);
  limit.store(stack.limit(), std::memory_order_seq_cst);
  if (sharable && Pool::wanted())
    limit.store(UINTPTR_MAX, std::memory_order_relaxed);
}

bool Worker::maySerialize(const Level *at) const {
  if (stack.low())
    return false;
  uint32_t others = Pool::workers() - 1;
  if (!others || !sharable)
    return true;
  if (Pool::wanted())
    return false;
  uint32_t wanted = others * kSlackPerWorker, present = 0;
  for (;; at = at->previous()) {
    present += waiting(at->entries);
    if (present >= wanted)
      return true;
    if (at == context->base)
      return false;
  }
}

} // namespace chan

using namespace chan;

int chan_late_open(chan_worker *caller, void *space) {
  Worker &worker = self(caller);
  worker.refreshLimit();
  if (!worker.stack.low() && !(worker.sharable && Pool::wanted()))
    return false;
  auto *late = new (space) Late(worker);
  worker.level = late->context.base;
  worker.ensureDeeper(late->context.base);
  return true;
}

void *chan_late_defer(chan_worker *caller, void *space,
                      void (*apply)(void *destination, void *result),
                      void *destination, size_t size, size_t alignment) {
  auto *late = static_cast<Late *>(space);
  return chan_defer(caller, &late->pending, apply, destination, size,
                    alignment);
}

void chan_late_spawned(chan_worker *caller) {
  if (Pool::wanted())
    shareFromKernel(self(caller));
}

void chan_late_sync(chan_worker *caller, void *space) {
  Worker &worker = self(caller);
  auto *late = static_cast<Late *>(space);
  CHAN_ASSERT(worker.context == &late->context,
              "I3: an activation closes its levels before it returns");
  worker.yieldTo(late->context.base->next());
  if (late->pending.count)
    chan_apply(caller, &late->pending);
  late->~Late();
  worker.refreshLimit();
}

int chan_stack_low(chan_worker *caller) {
  Worker &worker = self(caller);
  worker.refreshLimit();
  return worker.stack.low();
}
