//===- Strand.cpp - The serial order of what runs in parallel -------------===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strand.h"
#include "Support.h"
#include "Worker.h"

#include <new>
#include <sched.h>
#include <stdlib.h>

using namespace chan;

// Initialised without code, so that access needs no guard.
constinit thread_local chan_strand *current = nullptr;

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

// Acquire and release: who takes the lock sees what its last holder has written
// to the list, and to the views of the strands that are marked as ended in it.
void ListLock::lock() {
  for (unsigned tries = 0; state.exchange(1, std::memory_order_acquire);)
    while (state.load(std::memory_order_relaxed))
      if (++tries % 64 == 0)
        sched_yield();
}

void ListLock::unlock() { state.store(0, std::memory_order_release); }

static chan_strand *create(chan_strand *parent) {
  void *memory = malloc(sizeof(chan_strand));
  if (CHAN_UNLIKELY(!memory)) {
    (Message() << "out of memory: " << sizeof(chan_strand)
               << " bytes for a strand")
        .print();
    fail();
  }
  auto *strand = new (memory) chan_strand;
  strand->parent = parent;
  return strand;
}

static void destroy(chan_strand *strand) {
  strand->~chan_strand();
  free(strand);
}

/// REQUIRES: the lock of `parent`.
static chan_strand *append(chan_strand &parent) {
  chan_strand *strand = create(&parent);
  strand->previous = parent.last;
  (parent.last ? parent.last->next : parent.first) = strand;
  parent.last = strand;
  return strand;
}

/// REQUIRES: the lock of the parent.
static void removeFromList(chan_strand *strand) {
  chan_strand &parent = *strand->parent;
  (strand->previous ? strand->previous->next : parent.first) = strand->next;
  (strand->next ? strand->next->previous : parent.last) = strand->previous;
  destroy(strand);
}

/// Combines `right` with the strand in front of it, the head if that is null,
/// unless one of both still runs, or another thread combines it. Then that
/// thread, or the one that ends it, does so.
/// REQUIRES: the lock of `parent`, which is released while views are combined.
static bool combineWithPrevious(chan_strand &parent, chan_strand *right) {
  chan_strand *left = right->previous;
  bool &leftCombines = left ? left->combines : parent.headCombines;
  if (!right->ended || right->combines)
    return false;
  if (right->views.empty()) {
    removeFromList(right);
    return true;
  }
  if ((left && !left->ended) || leftCombines)
    return false;
  Views &views = left ? left->views : parent.views;
  // Ordered views are combined with the head only, one after the other: the
  // association must not depend on which strand ends first.
  if (left && views.hasOrdered() && right->views.hasOrdered())
    return false;
  leftCombines = right->combines = true;
  parent.lock.unlock();
  right->views.combineInto(views, !left && !parent.parent);
  parent.lock.lock();
  leftCombines = false;
  removeFromList(right);
  return true;
}

/// Combines an ended strand of `parent` with its neighbours, as far as these
/// have ended.
static void combineAround(chan_strand &parent, chan_strand *strand) {
  parent.lock.lock();
  strand->ended = true;
  // Of a pair, the right one goes. Then its place has new neighbours.
  for (;;) {
    chan_strand *left = strand ? strand->previous : nullptr;
    if (strand && combineWithPrevious(parent, strand)) {
      strand = left;
      continue;
    }
    chan_strand *right = strand ? strand->next : parent.first;
    if (!right || !combineWithPrevious(parent, right))
      break;
  }
  parent.lock.unlock();
}

/// Ends the part behind the latest spawn.
static void endPart(chan_strand &strand) {
  chan_strand *part = strand.open;
  strand.open = nullptr;
  if (part && part != &strand)
    combineAround(strand, part);
}

/// The part of the activation that now runs.
static chan_strand &openPart(chan_strand &strand) {
  if (!strand.open) {
    strand.lock.lock();
    strand.open = append(strand);
    strand.lock.unlock();
  }
  return *strand.open;
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

void chan_strand_begin(chan_strand *strand) { current = strand; }

chan_strand *chan_strand_spawn(chan_strand *strand) {
  endPart(*strand);
  strand->lock.lock();
  chan_strand *child = append(*strand);
  strand->lock.unlock();
  current = nullptr;
  return child;
}

chan_strand *chan_strand_call(chan_strand *strand) {
  chan_strand &part = openPart(*strand);
  ++part.calls;
  current = nullptr;
  return &part;
}

void chan_strand_suspend(void) { current = nullptr; }

void chan_strand_resume(chan_strand *strand) { current = strand; }

void chan_strand_sync(chan_strand *strand) {
  endPart(*strand);
  // All children have ended, and no thread is in the list any more.
  CHAN_ASSERT(!strand->headCombines, "a child ends after the sync");
  while (chan_strand *next = strand->first) {
    CHAN_ASSERT(next->ended && !next->combines, "a child ends after the sync");
    next->views.combineInto(strand->views, !strand->parent);
    removeFromList(next);
  }
  strand->open = strand;
  current = strand;
}

void chan_strand_end(chan_strand *strand) {
  // The import has removed a sync if it had nothing to wait for.
  chan_strand_sync(strand);
  current = nullptr;
  if (strand->calls)
    --strand->calls;
  else if (strand->parent)
    combineAround(*strand->parent, strand);
}

chan_strand *chan_strand_current(void) { return current; }

chan_strand *chan_strand_enter(chan_strand *outer) {
  return outer ? chan_strand_call(outer) : create(nullptr);
}

void chan_strand_leave(chan_strand *outer, chan_strand *inner) {
  if (!outer)
    destroy(inner);
  current = outer;
}

//===----------------------------------------------------------------------===//
// Reducers
//===----------------------------------------------------------------------===//

/// The variable itself is the view of the strand that declares it.
static void declareIn(Views &views, void *reducer) {
  if (!views.find(reducer))
    views.add({reducer, reducer, nullptr, false, false});
}

static void forgetIn(Views &views, void *reducer) {
  View *view = views.find(reducer);
  if (view && !view->isOwn())
    views.remove(view);
}

/// The view of code that no strand is known for.
static void *viewOutside(void *reducer) {
  Worker *worker = Worker::currentIfAny();
  if (!worker || !worker->isInTask())
    return reducer;
  (Message() << "error: a reducer is used in a task of a file that has no "
                "reducers itself; compile all files that spawn with "
                "-fcilk-reducers")
      .print();
  fail();
}

void *chan_reducer_view(void *reducer, size_t size, uint32_t alignment,
                        uint32_t flags, void (*identity)(void *view),
                        void (*reduce)(void *left, void *right)) {
  chan_strand *strand = current;
  if (!strand)
    return viewOutside(reducer);
  Views &views = openPart(*strand).views;
  if (View *view = views.find(reducer))
    return view->value;
  if (strand->open == strand && !strand->parent)
    return reducer;
  void *value = allocateView(size, alignment);
  bool hasBase = identity == chan_reducer_base_identity;
  if (hasBase) {
    chan_reducer_base *base = baseOf(reducer);
    base->identity(base, value);
  } else {
    identity(value);
  }
  views.add(
      {reducer, value, reduce, hasBase, (flags & CHAN_REDUCER_ORDERED) != 0});
  return value;
}

void chan_reducer_register(void *reducer) {
  if (chan_strand *strand = current)
    declareIn(openPart(*strand).views, reducer);
}

void chan_reducer_unregister(void *reducer) {
  if (chan_strand *strand = current)
    forgetIn(openPart(*strand).views, reducer);
}

void chan_reducer_base_identity(void *) {}
void chan_reducer_base_reduce(void *, void *) {}
void __cilkrts_hyperobject_noop_destroy(void *, void *) {}

struct chan_reducer_scope {
  char *first;
  size_t stride, count;
};

chan_reducer_scope *chan_reducer_declare(void *reducer, size_t stride,
                                         size_t count) {
  chan_strand *strand = current;
  if (!strand)
    return nullptr;
  auto *scope = new (allocateView(sizeof(chan_reducer_scope), 1))
      chan_reducer_scope{static_cast<char *>(reducer), stride, count};
  Views &views = openPart(*strand).views;
  for (size_t i = 0; i < count; ++i)
    declareIn(views, scope->first + i * stride);
  return scope;
}

void chan_reducer_forget(chan_reducer_scope **scope) {
  chan_strand *strand = current;
  if (!*scope)
    return;
  if (strand) {
    Views &views = openPart(*strand).views;
    for (size_t i = 0; i < (*scope)->count; ++i)
      forgetIn(views, (*scope)->first + i * (*scope)->stride);
  }
  freeView(*scope);
}
