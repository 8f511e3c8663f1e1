/*===- scheduler.c - Schedules Cilk programs ----------------------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * The aggregator's program (Orr et al., ISCA 2014, sections 5.2, 5.3 and 7.2), in a loop:
 *
 *   1. wavefronts that have ended leave their contexts free
 *   2. wavefronts that have yielded are taken out of the channel of restarts, and wait in
 *      a list of their level
 *   3. room whose elements are done becomes free, in order
 *   4. from the deepest level on: wavefronts that have yielded and whose channel has room
 *      go on; children are dispatched; continuations are, if all deeper levels are empty
 *
 *   level 2   children  ...      <- first
 *   level 1   children  ....     continuations  ..
 *   level 0   children           continuations  .    <- last
 *
 * A channel is dispatched in whole wavefronts (the predicate of section 3.1), and what is
 * less when nothing can add to it any more.
 *
 * Channels may have a leaf for each core (chan/device.h). Then whole wavefronts of a leaf
 * are dispatched from it, and go to the core whose leaf it is if no other core has more
 * free contexts. Of what the leaves have left, the offsets are moved to the channel's own
 * control array when they make a wavefront together, or when nothing can add to them.
 *
 * CHAN_PLAIN leaves out what only machines with leaves need. CHAN_HYBRID turns work-first
 * (section 5.3): children do not begin while they would fill a channel beyond a limit.
 */
#include "chan/scheduler.h"

/* What this scheduler keeps of a level, in chan_depth::own. */
enum {
  kRunning, /* wavefronts, of both kinds */
  kRunningChildren,
  kBlocked,      /* wavefronts that have yielded */
  kFirstBlocked, /* a list of these, the oldest first */
  kLastBlocked,
  kRangeStack, /* 1 + the stack whose range is being cut */
  kRangeElement,
  kRangeNext, /* iterations of it that are to be dispatched */
  kRangeEnd,
  kRange, /* its struct range */
  kEnded, /* wavefronts of children, for the hybrid */
  kLeaves /* those in which wavefronts of the level may have allocated: a mask */
};

/* And of a wavefront, in chan_wave::own. The last two are of one that reads the control
 * array of a channel with leaves: the channel, and the halves of the array. */
enum { kLevel, kIsChildren, kWaveRange, kGathered, kHalves };

/* And of a channel, in chan_array::own. */
enum {
  kReleased, /* continuations before this position may run */
  kReaders /* two words: wavefronts that read each half of the control array */
};

/* A range element of which wavefronts run. */
struct range {
  chan_array *channel;
  uint64_t element;
  uint64_t left; /* wavefronts that have not ended, and 1 until it is cut */
  struct range *next;
};

enum { kRanges = 4096, kMostCores = 64 };
static struct range ranges[kRanges];
static struct range *free_ranges;
static uint64_t unused_ranges;

static chan_machine *m;
static uint64_t free_contexts[kMostCores];
static uint64_t all_free;   /* contexts that are free, of all cores */
static uint64_t next_core;  /* to get a wavefront */
static uint64_t deepest;    /* no deeper level has anything */
static uint64_t shallowest; /* no shallower one can add children to the next */
static uint64_t reclaimed;  /* the level whose room is looked at next */
static uint64_t running;    /* wavefronts, on all levels */
static uint64_t blocked;
static int is_forced;    /* children begin in any case */
static chan_wave *waves; /* memory that is not in use */

#ifndef CHAN_HYBRID
#define CHAN_HYBRID 0
#endif
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define SHARED CHAN_SHARED

static uint64_t leaf_count(void) {
#ifdef CHAN_PLAIN
  return 0;
#else
  return m->leaf_count;
#endif
}

static uint64_t ready_here(const chan_array *array) {
  return array ? SHARED(array->control_tail) - array->control_head : 0;
}

/* The leaves of channels of a level that may have elements, as a mask: wavefronts of the
 * level and of the one above allocate there. The first element of all is in leaf 0. */
static uint64_t leaves_of(uint64_t depth) {
  if (!leaf_count())
    return 0;
  uint64_t own = m->levels[depth]->own[kLeaves];
  return own | (depth ? m->levels[depth - 1]->own[kLeaves] : 1);
}

/* Of a channel of a stack, in these leaves, too. */
static uint64_t ready(const chan_array *channel, uint64_t leaves) {
  uint64_t sum = ready_here(channel);
  for (uint64_t i = 0; leaves; ++i, leaves >>= 1)
    if (leaves & 1)
      sum += ready_here(channel->leaves[i]);
  return sum;
}

static uint64_t *done_count(const chan_array *channel, uint64_t position) {
  return (uint64_t *)(channel->done +
                      ((position & channel->mask) >> channel->done_shift) *
                          CHAN_ARRAY_LINE);
}

/*===----------------------------------------------------------------------===
 * 3. Room
 *===----------------------------------------------------------------------===*/

/* Passes the groups whose elements are all done. If a wavefront waits for room, also one of
 * which only a part was ever reserved: the rest of it counts as done, too. */
static void reclaim(chan_array *channel, int is_wanted) {
  uint64_t size = UINT64_C(1) << channel->done_shift;
  uint64_t head = channel->head, before = head;
  for (;;) {
    uint64_t tail = SHARED(channel->tail);
    uint64_t *count = done_count(channel, head);
    uint64_t lap = (head >> channel->width_shift) * size;
    uint64_t done = SHARED(*count) - lap;
    if (head + size <= tail && done == size) {
      head += size;
      continue;
    }
    if (!is_wanted || head + size <= tail || head == tail ||
        done != tail - head)
      break;
    uint64_t expected = tail;
    if (!__atomic_compare_exchange_n(&channel->tail, &expected, head + size, 0,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      break;
    __atomic_fetch_add(count, head + size - tail, __ATOMIC_RELAXED);
  }
  if (head != before)
    SHARED(channel->head) = head;
}

/* Of a channel of a stack: in these leaves. */
static void reclaim_leaves(const chan_array *channel, uint64_t leaves) {
  for (uint64_t leaf = 0; leaves; ++leaf, leaves >>= 1)
    if (leaves & 1)
      reclaim(channel->leaves[leaf], 0);
}

static void reclaim_all(const chan_places *places, uint64_t leaves) {
  for (uint64_t i = 0; i != places->count; ++i)
    if (leaf_count())
      reclaim_leaves(places->first[i].channel, leaves);
    else
      reclaim(places->first[i].channel, 0);
}

static void reclaim_level(uint64_t depth) {
  chan_depth *level = m->levels[depth];
  reclaim_all(&level->children, leaves_of(depth));
  reclaim_all(&level->continuations, leaves_of(depth));
  for (uint64_t i = 0; i != level->used_frames.count; ++i)
    reclaim(level->used_frames.first[i].channel, 0);
}

static int has_room(chan_array *channel) {
  if (!channel)
    return 1;
  uint64_t width = channel->mask + 1;
  if (SHARED(channel->tail) + m->lanes - channel->head <= width)
    return 1;
  reclaim(channel, 1);
  return SHARED(channel->tail) + m->lanes - channel->head <= width;
}

/* Of the hybrid: whether one more wavefront of the level would fill one of these channels
 * beyond the limit, if it and those that run add as much as those that have ended. */
static int would_fill(const chan_places *places, const chan_depth *level) {
  uint64_t ended = level->own[kEnded], more = level->own[kRunningChildren] + 1;
  for (uint64_t i = 0; i != places->count; ++i) {
    uint64_t all = SHARED(places->first[i].channel->tail);
    uint64_t used = all - places->first[i].channel->head;
    if (ended ? used * ended + more * all > m->work_first_above * ended
              : used + more * m->lanes > m->work_first_above)
      return 1;
  }
  return 0;
}

/* Whether children of the level wait until continuations have made room. */
static ALWAYS_INLINE int is_held(const chan_depth *level) {
  return CHAN_HYBRID && !is_forced && would_fill(&level->continuations, level);
}

/* Whether children of the level may begin. */
static ALWAYS_INLINE int may_begin(uint64_t depth) {
  const chan_depth *level = m->levels[depth];
  return !CHAN_HYBRID || is_forced ||
         (!is_held(level) &&
          (depth + 1 >= m->level_count ||
           !would_fill(&m->levels[depth + 1]->children, level)));
}

/*===----------------------------------------------------------------------===
 * 1. and 2. Wavefronts that have ended or yielded
 *===----------------------------------------------------------------------===*/

static void leave(struct range *range) {
  if (--range->left)
    return;
  __atomic_fetch_add(done_count(range->channel, range->element), 1,
                     __ATOMIC_RELAXED);
  range->next = free_ranges;
  free_ranges = range;
}

/* Of a wavefront that reads a channel's own control array. */
static void count_readers(const chan_wave *wave, uint64_t change) {
  chan_array *channel = (chan_array *)wave->own[kGathered];
  for (uint64_t half = 0; half != 2; ++half)
    if (wave->own[kHalves] & (UINT64_C(1) << half))
      channel->own[kReaders + half] += change;
}

static void take_finished(void) {
  for (chan_wave *wave; (wave = chan_finished());) {
    chan_depth *level = m->levels[wave->own[kLevel]];
    --level->own[kRunning];
    level->own[kRunningChildren] -= wave->own[kIsChildren];
    level->own[kEnded] += CHAN_HYBRID * wave->own[kIsChildren];
    --running;
    ++free_contexts[wave->core];
    ++all_free;
    if (wave->own[kWaveRange])
      leave((struct range *)wave->own[kWaveRange]);
    if (leaf_count() && wave->own[kGathered])
      count_readers(wave, -UINT64_C(1));
    wave->next = waves;
    waves = wave;
  }
}

static void take_restarts(void) {
  chan_array *restarts = m->restarts;
  while (ready_here(restarts)) {
    uint64_t position = restarts->control_head++;
    uint32_t offset =
        SHARED(restarts->control[position & restarts->control_mask]);
    const chan_restart *restart =
        (const chan_restart *)(restarts->data + offset * restarts->stride);
    chan_wave *wave = restart->wave;
    chan_depth *level = m->levels[wave->own[kLevel]];
    --level->own[kRunning];
    level->own[kRunningChildren] -= wave->own[kIsChildren];
    --running;
    ++free_contexts[wave->core];
    ++all_free;
    wave->next = 0;
    if (level->own[kFirstBlocked])
      ((chan_wave *)level->own[kLastBlocked])->next = wave;
    else
      level->own[kFirstBlocked] = (uint64_t)wave;
    level->own[kLastBlocked] = (uint64_t)wave;
    ++level->own[kBlocked];
    ++blocked;
    __atomic_fetch_add(done_count(restarts, offset), 1, __ATOMIC_RELAXED);
  }
  reclaim(restarts, 0);
}

/*===----------------------------------------------------------------------===
 * 4. Wavefronts that begin or go on
 *===----------------------------------------------------------------------===*/

/* The core that gets the next wavefront. That of a leaf has its elements in L1, and gets
 * them if it does not have more to do than the core whose turn it is. */
static uint64_t find_core(uint64_t leaf) {
  while (!free_contexts[next_core])
    next_core = next_core + 1 == m->cores ? 0 : next_core + 1;
  if (leaf && leaf - 1 != next_core &&
      free_contexts[leaf - 1] >= free_contexts[next_core])
    return leaf - 1;
  uint64_t core = next_core;
  next_core = next_core + 1 == m->cores ? 0 : next_core + 1;
  return core;
}

/* A wavefront of the level may add children to the next one. */
static void note_running(uint64_t depth, uint64_t core) {
  if (leaf_count())
    m->levels[depth]->own[kLeaves] |= UINT64_C(1)
                                      << (core & (leaf_count() - 1));
  if (deepest < depth + 1)
    deepest = depth + 1;
  if (shallowest > depth)
    shallowest = depth;
}

static chan_wave *begin(uint64_t depth, int is_children, uint64_t core) {
  chan_depth *level = m->levels[depth];
  chan_wave *wave = waves;
  if (wave)
    waves = wave->next;
  else
    wave = chan_new_wave();
  wave->own[kLevel] = depth;
  wave->own[kIsChildren] = (uint64_t)is_children;
  wave->own[kWaveRange] = 0;
  if (leaf_count())
    wave->own[kGathered] = 0;
  ++level->own[kRunning];
  level->own[kRunningChildren] += (uint64_t)is_children;
  ++running;
  --free_contexts[core];
  --all_free;
  note_running(depth, core);
  return wave;
}

/* Elements from control_head on, of the channel or of a leaf: 1 + its number. */
static void dispatch(uint64_t depth, uint64_t stack, uint64_t leaf,
                     uint64_t count) {
  chan_array *channel = m->levels[depth]->channels[stack];
  uint64_t core = find_core(leaf);
  chan_wave *wave = begin(depth, !m->stacks[stack].is_continuation, core);
  if (leaf) {
    chan_array *part = channel->leaves[leaf - 1];
    chan_dispatch_leaf(m, depth, stack, leaf - 1, part->control_head, count,
                       wave, core);
    part->control_head += count;
    return;
  }
  uint64_t first = channel->control_head;
  if (leaf_count()) {
    wave->own[kGathered] = (uint64_t)channel;
    wave->own[kHalves] =
        UINT64_C(1) << ((first >> channel->width_shift) & 1) |
        UINT64_C(1) << (((first + count - 1) >> channel->width_shift) & 1);
    count_readers(wave, 1);
  }
  chan_dispatch(m, depth, stack, first, count, wave, core);
  channel->control_head += count;
}

/* How many elements of a channel or leaf may be dispatched now. */
static ALWAYS_INLINE uint64_t open(const chan_array *array,
                                   int is_continuation) {
  return is_continuation ? array->own[kReleased] - array->control_head
                         : ready_here(array);
}

/* Dispatches elements of a channel or leaf, as far as there are contexts: whole wavefronts,
 * and the rest if nothing is to be waited for. Whether it did something. */
static ALWAYS_INLINE int dispatch_array(const chan_array *array, uint64_t depth,
                                        uint64_t stack, uint64_t leaf,
                                        int is_continuation, int with_rest) {
  int did = 0;
  for (uint64_t count; all_free && (count = open(array, is_continuation));
       did = 1) {
    if ((count < m->lanes && !with_rest) ||
        (!is_continuation && !may_begin(depth)))
      break;
    dispatch(depth, stack, leaf, count < m->lanes ? count : m->lanes);
  }
  return did;
}

/* Moves the offsets of a leaf to the channel's control array. That is twice as long as the
 * channel is wide, but leaves go on while an element of another one is read. So a half of it
 * is written again when no wavefront reads it. */
static void gather(chan_array *channel, uint64_t leaf, int is_continuation) {
  chan_array *part = channel->leaves[leaf];
  uint64_t tail = channel->control_tail, position = part->control_head;
  uint32_t base = (uint32_t)(leaf << part->width_shift);
  for (uint64_t left = open(part, is_continuation); left;) {
    if (!(tail & channel->mask) &&
        channel->own[kReaders + ((tail >> channel->width_shift) & 1)])
      break;
    /* As many as lie together in both arrays. */
    uint64_t from = position & part->control_mask, count = left;
    uint64_t room = channel->mask + 1 - (tail & channel->mask);
    count = count < room ? count : room;
    room = part->control_mask + 1 - from;
    count = count < room ? count : room;
    const uint32_t *source = part->control + from;
    uint32_t *target = channel->control + (tail & channel->control_mask);
    __atomic_signal_fence(__ATOMIC_ACQ_REL);
#pragma clang loop unroll_count(8)
    for (uint64_t i = 0; i != count; ++i)
      target[i] = base + source[i];
    tail += count;
    position += count;
    left -= count;
  }
  part->control_head = position;
  channel->own[kReleased] = tail;
  SHARED(channel->control_tail) = tail;
}

static ALWAYS_INLINE int dispatch_channel(chan_array *channel, uint64_t depth,
                                          uint64_t stack, int is_continuation,
                                          int with_rest) {
  if (!leaf_count())
    return dispatch_array(channel, depth, stack, 0, is_continuation, with_rest);
  int did = 0;
  uint64_t here = ready_here(channel), left = here, parts = here != 0, last = 0;
  uint64_t leaves = leaves_of(depth);
  for (uint64_t leaf = 0; leaves >> leaf; ++leaf) {
    if (!(leaves >> leaf & 1))
      continue;
    did |= dispatch_array(channel->leaves[leaf], depth, stack, leaf + 1,
                          is_continuation, 0);
    uint64_t count = open(channel->leaves[leaf], is_continuation);
    left += count;
    if (count) {
      ++parts;
      last = leaf + 1;
    }
  }
  if (!all_free || !left || (left < m->lanes && !with_rest))
    return did;
  if (parts == 1)
    return did | dispatch_array(last ? channel->leaves[last - 1] : channel,
                                depth, stack, last, is_continuation, with_rest);
  for (uint64_t leaf = 0; leaves >> leaf; ++leaf)
    if (leaves >> leaf & 1)
      gather(channel, leaf, is_continuation);
  return did |
         dispatch_array(channel, depth, stack, 0, is_continuation, with_rest);
}

static void release(chan_array *array) {
  uint64_t tail = SHARED(array->control_tail);
  if (array->own[kReleased] != tail)
    array->own[kReleased] = tail;
}

/* Continuations of the level may run when nothing deeper is left that was spawned before
 * them. As no wavefront of the level runs, and none of deeper ones, nothing is enqueued
 * while this is found out. Later ones wait until it is so again. */
static void release_continuations(const chan_depth *level,
                                  uint64_t leaves_here) {
  const chan_places *places = &level->continuations;
  for (uint64_t i = 0; i != places->count; ++i) {
    chan_array *channel = places->first[i].channel;
    if (!leaf_count())
      release(channel);
    uint64_t leaves = leaves_here;
    for (uint64_t leaf = 0; leaves; ++leaf, leaves >>= 1)
      if (leaves & 1)
        release(channel->leaves[leaf]);
  }
}

static int dispatch_continuations(uint64_t depth, int with_rest) {
  int did = 0;
  const chan_places *places = &m->levels[depth]->continuations;
  for (uint64_t i = 0; i != places->count; ++i)
    did |= dispatch_channel(places->first[i].channel, depth,
                            places->first[i].stack, 1, with_rest);
  return did;
}

/* Takes the next range of the channel to be cut; whether there is one. */
static int take_range(uint64_t depth, uint64_t stack) {
  chan_depth *level = m->levels[depth];
  chan_array *channel = level->channels[stack];
  /* Few elements stand for many wavefronts. */
  uint64_t leaves = leaves_of(depth);
  for (uint64_t leaf = 0; leaves; ++leaf, leaves >>= 1)
    if (leaves & 1)
      gather(channel, leaf, 0);
  while (ready_here(channel)) {
    uint64_t position = channel->control_head;
    uint32_t element =
        SHARED(channel->control[position & channel->control_mask]);
    const uint64_t *words = (const uint64_t *)((char *)channel->columns[0] +
                                               element * channel->stride);
    const uint64_t *counts = (const uint64_t *)((char *)channel->columns[1] +
                                                element * channel->stride);
    if (!*counts) {
      ++channel->control_head;
      __atomic_fetch_add(done_count(channel, element), 1, __ATOMIC_RELAXED);
      continue;
    }
    struct range *range = free_ranges;
    if (range)
      free_ranges = range->next;
    else if (unused_ranges != kRanges)
      range = &ranges[unused_ranges++];
    else
      return 0; /* until another one has ended */
    ++channel->control_head;
    range->channel = channel;
    range->element = element;
    range->left = 1;
    level->own[kRangeStack] = stack + 1;
    level->own[kRangeElement] = element;
    level->own[kRangeNext] = *words;
    level->own[kRangeEnd] = *words + *counts;
    level->own[kRange] = (uint64_t)range;
    return 1;
  }
  return 0;
}

static int dispatch_ranges(uint64_t depth, uint64_t stack) {
  chan_depth *level = m->levels[depth];
  int did = 0;
  while (all_free && may_begin(depth)) {
    if (!level->own[kRangeStack] && !take_range(depth, stack))
      break;
    if (level->own[kRangeStack] != stack + 1)
      break;
    uint64_t count = level->own[kRangeEnd] - level->own[kRangeNext];
    count = count < m->lanes ? count : m->lanes;
    struct range *range = (struct range *)level->own[kRange];
    uint64_t core = find_core(0);
    chan_wave *wave = begin(depth, !m->stacks[stack].is_continuation, core);
    wave->own[kWaveRange] = (uint64_t)range;
    ++range->left;
    chan_dispatch_range(m, depth, stack, level->own[kRangeElement],
                        level->own[kRangeNext], count, wave, core);
    level->own[kRangeNext] += count;
    if (level->own[kRangeNext] == level->own[kRangeEnd]) {
      level->own[kRangeStack] = 0;
      leave(range);
    }
    did = 1;
  }
  return did;
}

/* Wavefronts of the level that have yielded go on, if there is room for them now. A
 * wavefront that waits for something else goes on when others have had their turn. */
static int resume_blocked(chan_depth *level) {
  int did = 0;
  chan_wave *before = 0;
  chan_wave *wave = (chan_wave *)level->own[kFirstBlocked];
  while (wave && all_free) {
    chan_wave *next = wave->next;
    if (!free_contexts[wave->core] || !has_room(wave->waits_for)) {
      before = wave;
      wave = next;
      continue;
    }
    if (before)
      before->next = next;
    else
      level->own[kFirstBlocked] = (uint64_t)next;
    if (!next)
      level->own[kLastBlocked] = (uint64_t)before;
    --level->own[kBlocked];
    --blocked;
    ++level->own[kRunning];
    level->own[kRunningChildren] += wave->own[kIsChildren];
    ++running;
    --free_contexts[wave->core];
    --all_free;
    note_running(wave->own[kLevel], wave->core);
    wave->waits_for = 0;
    chan_resume(m, wave);
    did = 1;
    wave = next;
  }
  return did;
}

static int has_ready(const chan_places *places, uint64_t leaves) {
  for (uint64_t i = 0; i != places->count; ++i)
    if (ready(places->first[i].channel, leaves))
      return 1;
  return 0;
}

static int has_children(const chan_depth *level, uint64_t leaves) {
  return level->own[kRangeStack] || has_ready(&level->children, leaves);
}

/* Whether nothing can add to the children of a level: on shallower levels no wavefront
 * runs, nor can one of children begin. Where wavefronts wait for room, none begins. */
static int is_complete(uint64_t depth) {
  while (shallowest < depth && shallowest < m->level_count) {
    const chan_depth *level = m->levels[shallowest];
    if (level->own[kRunning] || (!level->own[kBlocked] && !is_held(level) &&
                                 has_children(level, leaves_of(shallowest))))
      return 0;
    ++shallowest;
  }
  return 1;
}

static int dispatch_children(uint64_t depth, int with_rest) {
  int did = 0;
  const chan_places *places = &m->levels[depth]->children;
  for (uint64_t i = 0; i != places->count && all_free; ++i) {
    uint64_t stack = places->first[i].stack;
    if (m->stacks[stack].is_range)
      did |= dispatch_ranges(depth, stack);
    else
      did |= dispatch_channel(m->levels[depth]->channels[stack], depth, stack,
                              0, with_rest);
  }
  return did;
}

/* One pass over the levels. 0 if nothing was started. */
static int start_wavefronts(void) {
  int did = 0, is_empty_below = 1;
  for (uint64_t depth = deepest + 1; depth-- && all_free;) {
    if (depth >= m->level_count)
      continue;
    /* Shallower levels have nothing but continuations, which wait. */
    if (!is_empty_below && depth < shallowest && !blocked)
      break;
    chan_depth *level = m->levels[depth];
    if (level->own[kBlocked])
      did |= resume_blocked(level);
    /* New wavefronts of the level would only block, too. */
    if (!level->own[kBlocked])
      did |= dispatch_children(depth, is_complete(depth));
    int adds = level->own[kRunningChildren] || level->own[kBlocked] ||
               has_children(level, leaves_of(depth));
    if (is_empty_below && !level->own[kRunning])
      release_continuations(level, leaves_of(depth));
    /* Wavefronts that wait for room add nothing until continuations have made it. */
    did |= dispatch_continuations(
        depth,
        is_complete(depth) && !level->own[kRunningChildren] &&
            (level->own[kBlocked] || !has_children(level, leaves_of(depth))));
    is_empty_below = is_empty_below && !adds && !level->own[kRunning] &&
                     !has_ready(&level->continuations, leaves_of(depth));
    if (leaf_count() && is_empty_below && level->own[kLeaves]) {
      reclaim_level(depth);
      level->own[kLeaves] = 0;
    }
    if (is_empty_below && depth == deepest && depth &&
        !m->levels[depth - 1]->own[kRunning])
      --deepest;
  }
  return did;
}

/* Nothing runs, and no whole wavefront is to be had: less must do. */
static int start_any(void) {
  for (uint64_t depth = deepest + 1; depth--;)
    if (depth < m->level_count &&
        ((!m->levels[depth]->own[kBlocked] && dispatch_children(depth, 1)) ||
         dispatch_continuations(depth, 1)))
      return 1;
  return 0;
}

/* Levels that have become empty are no longer the deepest. */
static int is_done(void) {
  return !running && !blocked && !ready_here(m->restarts) && !deepest &&
         !has_children(m->levels[0], leaves_of(0)) &&
         !has_ready(&m->levels[0]->continuations, leaves_of(0));
}

static void run(chan_machine *machine) {
  m = machine;
  for (uint64_t core = 0; core != m->cores; ++core)
    free_contexts[core] = m->contexts;
  all_free = m->cores * m->contexts;
  next_core = deepest = shallowest = reclaimed = running = blocked = 0;
  for (;;) {
    take_finished();
    take_restarts();
    if (++reclaimed >= m->level_count)
      reclaimed = 0;
    reclaim_level(reclaimed);
    if (start_wavefronts() || running)
      is_forced = 0;
    else if (is_done())
      return;
    else
      is_forced = !start_any();
  }
}

/* The data of a program stay as they are from run to run, so what is not set here must be
 * as a run leaves it; memory of wavefronts is another one in each run. */
void schedule(chan_machine *machine) {
  waves = 0;
  run(machine);
}
