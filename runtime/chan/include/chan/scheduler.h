/*===- chan/scheduler.h - What a scheduler has to work with -------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * The aggregator of a machine of kind `apu` runs a scheduler: a freestanding C program
 * for RV64IMA (Orr et al., ISCA 2014, section 7.2). `chansim run --scheduler=FILE.c`
 * compiles one. It defines
 *
 *   void schedule(chan_machine *machine);
 *
 * which dispatches wavefronts until all channels are empty and all wavefronts have ended,
 * and then returns. The shortest one knows a single level and channel:
 *
 *   void schedule(chan_machine *machine) {
 *     chan_array *channel = machine->levels[0]->channels[0];
 *     uint64_t running = 0, ready;
 *     do {
 *       for (chan_wave *wave; (wave = chan_finished()); --running)
 *         chan_free_wave(wave);
 *       ready = CHAN_SHARED(channel->control_tail) - channel->control_head;
 *       if (ready) {
 *         if (ready > machine->lanes)
 *           ready = machine->lanes;
 *         chan_dispatch(machine, 0, 0, channel->control_head, ready, chan_new_wave(), 0);
 *         channel->control_head += ready;
 *         ++running;
 *       }
 *     } while (running || ready);
 *   }
 *
 * docs/examples/schedulers/deepest.c runs each program without ranges of iterations, and
 * runtime/sim/firmware/scheduler.c is the one that runs by default. What a scheduler has
 * to do:
 *
 * - It starts elements of control arrays in their order, and moves `control_head`.
 * - It starts a continuation only if all deeper levels were empty at some moment since it
 *   was enqueued: no wavefront there that runs or has yielded, no element that waits, and
 *   no wavefront of the continuation's own level that runs.
 * - It moves `head` of each channel, of frames, too, over groups of elements that are done.
 * - A wavefront that yields leaves its context. The scheduler takes it out of `restarts`,
 *   as from any channel: it moves `control_head`, adds 1 to the done count, and moves
 *   `head`. It resumes the wavefront when the channel in `waits_for` has room for all its
 *   lanes. Of a channel's last group, a part may never be reserved. If what waits needs
 *   that room, the scheduler reserves the rest itself, and counts it as done.
 *
 * One thread runs a scheduler. Kernels change tails, control arrays and done counts
 * meanwhile: read these by CHAN_SHARED.
 *
 * CHAN_PLAIN, which the default scheduler is compiled with for machines without leaves,
 * leaves packets' `leaf` at 0.
 */
#ifndef CHAN_SCHEDULER_H
#define CHAN_SCHEDULER_H

#include "chan/device.h"

/* A word that kernels or the dispatcher change meanwhile. */
#define CHAN_SHARED(word) (*(volatile __typeof__(word) *)&(word))

/* A wavefront's memory: where it saves its state when it yields. */
typedef struct chan_wave {
  /* The channel in which a wavefront that has yielded found no room; null if it waits for
   * something else. */
  chan_array *volatile waits_for;
  /* The core that runs it, or will: a wavefront goes on where it was. */
  uint64_t core;
  /* The scheduler's own. */
  struct chan_wave *next;
  uint64_t own[5];
} chan_wave;

/* What consumes a stack of channels. */
typedef struct chan_stack {
  uint64_t is_continuation; /* else its elements are children */
  /* Whether an element is a range of iterations: its first two words are the first
   * iteration and their number. */
  uint64_t is_range;
} chan_stack;

/* A channel that exists, and the number of its stack (of frames: of their size). */
typedef struct chan_place {
  chan_array *channel;
  uint64_t stack;
} chan_place;

/* Those of one kind, in the order in which kernels came to need them: there come more while
 * wavefronts start and run. */
typedef struct chan_places {
  const chan_place *first;
  volatile uint64_t count;
} chan_places;

/* The channels at one depth of the spawn tree. */
typedef struct chan_depth {
  chan_array **channels; /* by stack; null if no kernel has needed it */
  chan_array **frames;   /* by size; alike */
  /* The same without nulls. A program has many stacks, and a level uses few. */
  chan_places children, continuations, used_frames;
  uint64_t own[16]; /* the scheduler's own; 0 at first */
} chan_depth;

typedef struct chan_packet chan_packet;

typedef struct chan_machine {
  uint64_t cores, contexts; /* wavefronts that a core holds at once */
  uint64_t lanes;           /* threads of a wavefront at most */
  uint64_t stack_count, frame_count;
  const chan_stack *stacks;
  /* How many levels there are grows while kernels run. */
  volatile uint64_t level_count;
  chan_depth **levels;
  /* Wavefronts that have yielded: elements are chan_restart. */
  chan_array *restarts;
  chan_packet *packets; /* a ring of packet_count, a power of two */
  uint64_t packet_count, packet;
  /* If channels of stacks have leaves (chan_array::leaves), how many; else 0. Wavefronts of
   * core c allocate in leaf c & (leaf_count - 1). */
  uint64_t leaf_count;
  /* Of the hybrid of help-first and work-first: elements of a channel in use from which a
   * wavefront that allocates in it does not begin; else 0. */
  uint64_t work_first_above;
} chan_machine;

typedef struct chan_restart {
  chan_wave *wave;
  chan_array *waits_for;
} chan_restart;

/* A wavefront to be started, as the dispatcher reads it. */
struct chan_packet {
  chan_wave *wave;
  uint64_t is_restart; /* the wavefront goes on; nothing else counts */
  uint64_t level, stack;
  /* Of elements: the position of the first one's offset in the control array. Of a range:
   * the first iteration. */
  uint64_t first;
  uint64_t count;
  uint64_t element; /* of a range: the offset of the element */
  /* 1 + the leaf in whose control array `first` is; 0 if it is in the channel's own. */
  uint64_t leaf;
};

/* Registers of the dispatcher. */
#define CHAN_DEVICE UINT64_C(0xfff0000000000000)
#define CHAN_DEVICE_FINISHED 0  /* read: a wavefront that has ended, or null */
#define CHAN_DEVICE_WAVE 8      /* read: memory for a wavefront */
#define CHAN_DEVICE_DISPATCH 16 /* written: the address of a packet */
#define CHAN_DEVICE_FREE                                                       \
  24 /* written: the memory of a wavefront that has ended */
#define CHAN_DEVICE_BYTES 32

#ifdef __riscv
static inline volatile uint64_t *chan_register(uint64_t offset) {
  return (volatile uint64_t *)(CHAN_DEVICE + offset);
}
/* The next wavefront that has ended; null if none has since. */
static inline chan_wave *chan_finished(void) {
  return (chan_wave *)*chan_register(CHAN_DEVICE_FINISHED);
}
/* Memory for a wavefront that is to be dispatched: all words are 0. There is as much as
 * wavefronts that can run or wait, so what is not used again must be given back. */
static inline chan_wave *chan_new_wave(void) {
  return (chan_wave *)*chan_register(CHAN_DEVICE_WAVE);
}
static inline void chan_free_wave(chan_wave *wave) {
  *chan_register(CHAN_DEVICE_FREE) = (uint64_t)wave;
}
static inline chan_packet *chan_next_packet(chan_machine *machine) {
  return &machine->packets[machine->packet++ & (machine->packet_count - 1)];
}
static inline void chan_send(chan_packet *packet) {
  *chan_register(CHAN_DEVICE_DISPATCH) = (uint64_t)packet;
}
/* What all packets but restarts have. */
static inline chan_packet *chan_fill_packet(chan_machine *machine,
                                            uint64_t level, uint64_t stack,
                                            uint64_t first, uint64_t count,
                                            chan_wave *wave, uint64_t core) {
  chan_packet *packet = chan_next_packet(machine);
  wave->core = core;
  packet->wave = wave;
  packet->is_restart = 0;
  packet->level = level;
  packet->stack = stack;
  packet->first = first;
  packet->count = count;
  return packet;
}
/* Starts a wavefront of `count` elements on a core that has a free context. */
static inline void chan_dispatch(chan_machine *machine, uint64_t level,
                                 uint64_t stack, uint64_t position,
                                 uint64_t count, chan_wave *wave,
                                 uint64_t core) {
  chan_packet *packet =
      chan_fill_packet(machine, level, stack, position, count, wave, core);
#ifndef CHAN_PLAIN
  packet->leaf = 0;
#endif
  chan_send(packet);
}
/* Alike, of a leaf of the channel. */
static inline void chan_dispatch_leaf(chan_machine *machine, uint64_t level,
                                      uint64_t stack, uint64_t leaf,
                                      uint64_t position, uint64_t count,
                                      chan_wave *wave, uint64_t core) {
  chan_packet *packet =
      chan_fill_packet(machine, level, stack, position, count, wave, core);
  packet->leaf = leaf + 1;
  chan_send(packet);
}
/* Alike, of `count` iterations of the range that is element `element`. */
static inline void chan_dispatch_range(chan_machine *machine, uint64_t level,
                                       uint64_t stack, uint64_t element,
                                       uint64_t first, uint64_t count,
                                       chan_wave *wave, uint64_t core) {
  chan_packet *packet =
      chan_fill_packet(machine, level, stack, first, count, wave, core);
  packet->element = element;
#ifndef CHAN_PLAIN
  packet->leaf = 0;
#endif
  chan_send(packet);
}
/* A wavefront that has yielded goes on, on its core. */
static inline void chan_resume(chan_machine *machine, chan_wave *wave) {
  chan_packet *packet = chan_next_packet(machine);
  packet->wave = wave;
  packet->is_restart = 1;
  chan_send(packet);
}
#endif

#endif /* CHAN_SCHEDULER_H */
