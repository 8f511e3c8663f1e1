//===- deepest.c - A scheduler of your own for the channel GPU ----*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A whole scheduler, as short as it can be: it runs each program, with channels
// of each width. It starts children of the deepest level first, and continuations
// only when nothing runs.
//
//   $ cilk2chan --target=simt --machine=isca14-apu -O2 fib.c -o fib.apu
//   $ chansim run --scheduler=deepest.c --set channel.width=64 ./fib.apu 20
//   fib(20) = 6765
//
// It does not know channels with leaves (channel.hierarchy = cores) and ranges
// of iterations (cilk_for). runtime/sim/firmware/scheduler.c does, and is faster.
//
//===----------------------------------------------------------------------===//

#include "chan/scheduler.h"

enum { MostCores = 64 };
enum { Level }; // in chan_wave::own

static chan_machine *m;
static uint64_t used[MostCores]; // contexts of each core
static uint64_t running;
static chan_wave *yielded; // a list

/* The done count of an element's group. */
static uint64_t *done_count(chan_array *a, uint64_t position) {
  uint64_t group = (position & a->mask) >> a->done_shift;
  return (uint64_t *)(a->done + group * CHAN_ARRAY_LINE);
}

/* Moves the head over groups whose elements are all done. Of the group at the
   tail, some elements may never have been reserved. Then this reserves them, and
   counts them as done. */
static void reclaim(chan_array *a) {
  uint64_t size = UINT64_C(1) << a->done_shift;
  for (;;) {
    uint64_t tail = CHAN_SHARED(a->tail), head = a->head;
    uint64_t *count = done_count(a, head);
    uint64_t done = CHAN_SHARED(*count) - (head >> a->width_shift) * size;
    if (head == tail || (done < size && done != tail - head))
      return;
    if (done < size) {
      uint64_t rest = head + size - tail;
      if (!__atomic_compare_exchange_n(&a->tail, &tail, tail + rest, 0,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return; // a kernel has just reserved elements
      __atomic_fetch_add(count, rest, __ATOMIC_RELAXED);
    }
    CHAN_SHARED(a->head) = head + size;
  }
}

static void reclaim_all(const chan_places *places) {
  for (uint64_t i = 0; i != places->count; ++i)
    reclaim(places->first[i].channel);
}

/* A wavefront has left its context. */
static void leave(const chan_wave *wave) {
  --used[wave->core];
  --running;
}

static void take_yielded(void) {
  chan_array *a = m->restarts;
  while (CHAN_SHARED(a->control_tail) != a->control_head) {
    uint32_t offset =
        CHAN_SHARED(a->control[a->control_head++ & a->control_mask]);
    chan_restart *restart = (chan_restart *)(a->data + offset * a->stride);
    leave(restart->wave);
    restart->wave->next = yielded;
    yielded = restart->wave;
    __atomic_fetch_add(done_count(a, offset), 1, __ATOMIC_RELAXED);
  }
  reclaim(a);
}

/* Wavefronts that have yielded go on where there is room for all their lanes. */
static void resume(void) {
  for (chan_wave **link = &yielded; *link;) {
    chan_wave *wave = *link;
    chan_array *a = wave->waits_for;
    int has_room =
        !a || CHAN_SHARED(a->tail) + m->lanes - a->head <= a->mask + 1;
    if (!has_room || used[wave->core] == m->contexts) {
      link = &wave->next;
      continue;
    }
    *link = wave->next;
    ++used[wave->core];
    ++running;
    chan_resume(m, wave);
  }
}

/* Starts a wavefront of one of these channels; `least` elements at least. */
static int start(uint64_t level, const chan_places *places, uint64_t least) {
  uint64_t core = 0;
  while (core != m->cores && used[core] == m->contexts)
    ++core;
  for (uint64_t i = 0; core != m->cores && i != places->count; ++i) {
    chan_array *a = places->first[i].channel;
    uint64_t count = CHAN_SHARED(a->control_tail) - a->control_head;
    if (count < least)
      continue;
    count = count < m->lanes ? count : m->lanes;
    chan_wave *wave = chan_new_wave();
    wave->own[Level] = level;
    chan_dispatch(m, level, places->first[i].stack, a->control_head, count,
                  wave, core);
    a->control_head += count;
    ++used[core];
    ++running;
    return 1;
  }
  return 0;
}

static int has_yielded_below(uint64_t level) {
  for (const chan_wave *wave = yielded; wave; wave = wave->next)
    if (wave->own[Level] > level)
      return 1;
  return 0;
}

/* Whole wavefronts of children; if nothing runs, fewer elements, and continuations
   of which nothing deeper is left. */
static int start_one(void) {
  for (uint64_t level = m->level_count; level--;)
    if (start(level, &m->levels[level]->children, m->lanes))
      return 1;
  for (uint64_t level = m->level_count; !running && level--;)
    if (start(level, &m->levels[level]->children, 1) ||
        (!has_yielded_below(level) &&
         start(level, &m->levels[level]->continuations, 1)))
      return 1;
  return 0;
}

void schedule(chan_machine *machine) {
  m = machine;
  do {
    for (chan_wave *wave; (wave = chan_finished());) {
      leave(wave);
      chan_free_wave(wave);
    }
    take_yielded();
    for (uint64_t level = m->level_count; level--;) {
      reclaim_all(&m->levels[level]->children);
      reclaim_all(&m->levels[level]->continuations);
      reclaim_all(&m->levels[level]->used_frames);
    }
    resume();
  } while (start_one() || running || yielded);
}
