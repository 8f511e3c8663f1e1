/*===- chan/abi.h - What compiled kernels and libchan agree on ----*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * The binary interface between code that cilk2chan emits and the host runtime.
 * The compiler's copy of these layouts is
 * include/cilk2chan/Conversion/RuntimeABI.h; a unit test compares the two.
 * Programs written by hand use chan/graph.h instead.
 *
 * Terms (ISCA'14 sections 3 to 5, docs/Glossary.md):
 *   channel       a queue of like elements, consumed by exactly one kernel
 *   channel stack a channel with one queue per level of the spawn tree
 *   level         a position in the channel stacks: a spawned child's element
 *                 goes one level deeper (+1), a continuation's stays (+0)
 *   block         a run of elements of one channel at one level, stored as a
 *                 structure of arrays
 *   frame         the memory of one activation: contiguous, immobile, allocated
 *                 at most once and freed when the activation returns
 *
 * Invariants (asserted in the Debug runtime; see docs/Runtime.md):
 *   I1  A continuation runs only if, at some moment after it was enqueued, all
 *       levels deeper than its own were empty: no element waiting, running or
 *       handed to another worker.  There is no join counter per task.
 *   I2  Only elements that have not started move between workers; an
 *       activation runs on one thread from entry to return.
 *   I3  A nested drain (a full channel, a call of a C symbol from a kernel, a
 *       block taken from another worker) works on fresh levels that hold only
 *       its own descendants, or on the levels deeper than the one it serves.
 *   I4  While a kernel runs, worker->level is the level of its batch and
 *       worker->level->deeper is not null.
 *   I5  A level's `entries` and `continuations` are never null: an empty list
 *       is the block `chan_no_block`, which has no room and no channel.
 *   I6  At most `width` pre-sync elements of one channel wait at one level of
 *       one worker; an allocation beyond that first drains the level (yield),
 *       unless the stack is running out.  Where workers share, half of them may
 *       stay, and a task block for each other worker.
 *
 * Thread safety: a chan_worker and all that hangs from it belong to one thread.
 */
#ifndef CHAN_ABI_H
#define CHAN_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define CHAN_ABI_VERSION 12

typedef struct chan_worker chan_worker;

/* The calling thread's worker while it runs a serial clone, or what that calls;
 * else null.  Then the C symbol of a spawning function calls its clone. */
extern __thread chan_worker *chan_cloning;

typedef struct chan_level chan_level;
typedef struct chan_batch chan_batch;
typedef struct chan_batch_form chan_batch_form;
typedef struct chan_spawned chan_spawned;
typedef struct chan_block chan_block;
typedef struct chan_channel chan_channel;
typedef struct chan_channel_state chan_channel_state;
typedef struct chan_reduction chan_reduction;
struct Cilk_lock_state;

/* Runs the elements [begin, end) of `block`, in order.  For each it does what
 * the source function does between two syncs, and delivers, enqueues a
 * continuation, or both never.  `block` stays where it is until the call
 * returns. */
typedef void (*chan_kernel)(chan_worker *worker, chan_block *block,
                            uint32_t begin, uint32_t end);

/* Runs one element of `block`, and all its descendants. */
typedef void (*chan_serial_clone)(chan_worker *worker, chan_block *block,
                                  uint32_t element);

/* One field of a channel's element.  In a block of capacity C, the field of
 * element i lies at  chan_block_data(block) + offset * C + size * i.  Fields
 * are ordered by falling alignment (at most 16), and their sizes are multiples
 * of it, so every field of every element is aligned whatever C is. */
typedef struct chan_field {
  uint32_t offset; /* sum of the sizes of the fields before it, bytes */
  uint32_t size;   /* bytes */
} chan_field;

enum {
  CHAN_ENTRY = 0,       /* pre-sync: an un-started activation; may move */
  CHAN_CONTINUATION = 1 /* post-sync: its activation has started; stays */
};

/* A channel-stack node and the kernel that consumes it.  Emitted by the
 * compiler as a constant; lives as long as the object that holds it. */
struct chan_channel {
  const char *name;         /* "fib.0": for messages and statistics */
  chan_kernel kernel;       /* the one consumer; null: the device's, below */
  const chan_field *fields; /* field_count of them */
  uint32_t field_count;
  uint32_t element_size;     /* sum of the field sizes, bytes */
  uint32_t frame_size;       /* of the activation's frame, at most UINT32_MAX */
  uint32_t kind;             /* CHAN_ENTRY or CHAN_CONTINUATION */
  chan_channel_state *state; /* CHAN_CHANNEL_STATE_SIZE zeroed bytes */
  chan_serial_clone serial;  /* "serial clones", below; null if there is none */
  const chan_batch_form *batch; /* "batches", below; null if there is none, else
                                   the one for the best processor */
  uint32_t width; /* of an entry channel, where the environment does
                     not say; 0: as others have it */
  uint32_t lanes; /* how many elements `kernel` treats at a time */
  uint32_t flags; /* CHAN_CLONE_COUNTS and the like, or 0 */
};

/* `serial` and all clones that it calls increment worker->clone_tasks for each
 * activation that does not end in its guard. */
#define CHAN_CLONE_COUNTS 1u

/* Of elements whose results lie side by side, one behind the other, only the
 * combination matters, by the `accumulates` of the batch forms: it may be the
 * result of one of them, and those of the others what makes no difference. */
#define CHAN_REDUCES 2u

/* An activation of `serial` asks in front of each spawn, and not only before it
 * does anything: it may begin whatever others want. */
#define CHAN_CLONE_LATE_PROMOTING 4u

/* What the runtime remembers of a channel (timings, statistics).  Opaque; the
 * compiler emits this many zeroed bytes, 64-byte aligned, per channel. */
#define CHAN_CHANNEL_STATE_SIZE 64

/* A block.  Its data follow the 32-byte header.  Elements [0, count) are
 * enqueued; [count, capacity) are free. */
struct chan_block {
  const chan_channel *channel; /* offset 0 */
  uint32_t count;              /* offset 8 */
  uint32_t capacity;           /* offset 12 */
  chan_block *next;            /* offset 16: older block of the same list */
  uint64_t reserved;           /* offset 24: the runtime's */
};
#define CHAN_BLOCK_HEADER 32

static inline char *chan_block_data(chan_block *block) {
  return (char *)block + CHAN_BLOCK_HEADER;
}

/* The part of a level that compiled code sees. */
struct chan_level {
  chan_block *entries;       /* offset 0: the pre-sync block that fills */
  chan_block *continuations; /* offset 8: the post-sync block that fills */
  chan_level *deeper;        /* offset 16 */
  chan_level *shallower;     /* offset 24 */
  /* the runtime's own fields follow */
};

/* Frames of one size class are recycled through a list whose link is the
 * frame's first word.  Class c holds frames of (c + 1) * CHAN_FRAME_GRAIN
 * bytes; larger frames come from chan_frame_new with class CHAN_FRAME_CLASSES.
 */
#define CHAN_FRAME_GRAIN 16
#define CHAN_FRAME_CLASSES 64

/* What batches of a worker combine with a number in memory, until
 * chan_reduction_begin, or until the batches that began together have returned:
 * other workers have their own, and combine with the same number then. */
struct chan_reduction {
  void *address;  /* offset 0: of the number; null: there is none */
  uint64_t kind;  /* offset 8: CHAN_REDUCTION_KIND */
  uint64_t value; /* offset 16: in the low bytes; the others are anything */
};
#define CHAN_REDUCTIONS 4
/* Of a chan_combination and the number's size, 1, 2, 4 or 8 bytes. */
#define CHAN_REDUCTION_KIND(combination, size) ((combination) | (size) << 8)

/* The part of a worker that compiled code sees. */
struct chan_worker {
  chan_level *level;                     /* offset 0: of the batch that runs */
  void *free_frames[CHAN_FRAME_CLASSES]; /* offset 8 */
  /* Below the first of these addresses of the C stack, serial clones ask the
   * runtime before they call a child: at its end, or where trees are taken for
   * small.  At the other or above they ask before they spawn: UINTPTR_MAX, or,
   * if somebody wants work, 0, or where the activation is that is to answer.
   * Other threads set that to 0. */
  uintptr_t stack_limit; /* offset 520 */
  uintptr_t poll_from;   /* offset 528 */
  uint64_t clone_tasks;  /* offset 536; see CHAN_CLONE_COUNTS */
  chan_reduction reductions[CHAN_REDUCTIONS]; /* offset 544 */
  void *predicted_stack;         /* offset 640; see chan_predict_small */
  uint32_t predicted_polls;      /* offset 648 */
  uint32_t predicted_polls_left; /* offset 652 */
  uintptr_t clone_limit;         /* offset 656; see CHAN_POLL */
  /* the runtime's own fields follow */
};

/* --- talloc / enq ---------------------------------------------------------
 * Compiled code allocates an element of channel C at level L inline:
 *
 *   b = relative ? worker->level->deeper->entries
 *                : worker->level->continuations;
 *   if (b->channel != C || b->count == b->capacity)
 *     b = chan_talloc(worker, C, relative);
 *   i = b->count;
 *   ...store the fields of element i...;
 *   b->count = i + 1;   // enq
 *
 * While a kernel runs, worker->level and its `deeper` stay the same; the lists
 * there do not.  Nothing else of the runtime is called between talloc and enq.
 */

/* Returns a block of `channel` with room for at least one element and makes it
 * the head of its list: the entries of worker->level->deeper when relative is
 * 1, the continuations of worker->level when it is 0.  If `width` elements of
 * the channel wait there already, drains the deeper levels first (wavefront
 * yield, ISCA'14 section 6, done on the spot): kernels run inside this call,
 * and worker->level is as before when it returns. */
chan_block *chan_talloc(chan_worker *worker, const chan_channel *channel,
                        uint32_t relative);

/* Allocates, fills and enqueues elements like those of `from`, a block that is
 * in no list, in order.  For kernels that fill several elements at once and
 * find too little room for them. */
void chan_enq_block(chan_worker *worker, const chan_block *from,
                    uint32_t relative);

/* --- going on beside one's children ----------------------------------------
 * Called by a kernel that has enqueued children and goes on with something that
 * may take long: until the kernel returns or allocates again, other workers may
 * take what it has enqueued.  Cheap if there is nothing to take.  Leaves
 * worker->level as it is; its lists may change. */
void chan_poll(chan_worker *worker);

/* --- frames ------------------------------------------------------------- */

/* A frame of the size class, for when its free list is empty, or of `size`
 * bytes when size_class is CHAN_FRAME_CLASSES.  16-byte aligned, not zeroed. */
void *chan_frame_new(chan_worker *worker, uint32_t size_class, size_t size);
/* Frees a frame of class CHAN_FRAME_CLASSES; smaller ones are pushed inline. */
void chan_frame_delete(chan_worker *worker, void *frame, size_t size);

/* Memory that lives as long as an activation: C's alloca and variable-length
 * arrays.  `*arena` is a null-initialised word of the frame. */
void *chan_arena_alloc(chan_worker *worker, void **arena, size_t size,
                       size_t alignment);
/* Frees all that was allocated in the arena and makes it empty again. */
void chan_arena_free(chan_worker *worker, void **arena);

/* --- deferred assignments ---------------------------------------------------
 * A child whose result needs more than a plain store (a conversion, a compound
 * assignment, a bit-field, a struct) delivers into a record; the parent applies
 * its records in spawn order at the sync. */
typedef struct chan_deferred {
  struct chan_deferred *next;
  void (*apply)(void *destination, void *result);
  void *destination;
  void *result; /* in the same piece of memory */
} chan_deferred;

/* The pending assignments of one activation: four null-initialised words of its
 * frame. */
typedef struct chan_pending {
  void *arena;
  chan_deferred *first, *last;
  uint64_t count;
} chan_pending;

/* Appends a record for a result of `size` bytes and returns where the child is
 * to put the result, aligned to `alignment`, a power of two.  A null `apply`
 * drops it.  When `width` records have piled up, drains the deeper levels and
 * applies them first, so that a spawn loop needs bounded memory. */
void *chan_defer(chan_worker *worker, chan_pending *pending,
                 void (*apply)(void *destination, void *result),
                 void *destination, size_t size, size_t alignment);
/* Applies and frees all records, in spawn order.  Called where everything
 * deeper has finished. */
void chan_apply(chan_worker *worker, chan_pending *pending);

/* --- batches
 * ------------------------------------------------------------------ The
 * elements of a batch stay where they are until they return; what lives across
 * a sync lies at the element's own index, and so does its result. Elements are
 * treated in groups of `lanes`.  A slice of the elements is what has been
 * through the first phase while there was room for its children; these are a
 * batch of their own, and then the slice goes through the later phases.
 *
 * Blocks of batches, locals and results have room for a multiple of 64
 * elements, so that whole groups can be read and written; of blocks and results
 * groups can be read that begin with any element. */

/* What a phase knows of the batch. */
struct chan_batch {
  chan_block *elements; /* offset 0 */
  void *results;        /* offset 8: result_size bytes for each element */
  char *locals;         /* offset 16: those of a group lie together; local L of
                           its lanes at lanes * offset(L), side by side; aligned
                           to 64 bytes */
  uint64_t *marks;      /* offset 24: for each group of the slice, a mask of the
                           lanes that wait for each phase but the first; then for
                           each spawn site, in a form without receivers, a mask
                           of the lanes that came there,
                           and the index of the first one's child */
  chan_block *children; /* offset 32 */
  void *child_results;  /* offset 40 */
  uint32_t first;       /* offset 48: of the slice */
  uint32_t pending;     /* offset 52: bit N: some lane waits for phase N */
  /* Of a form with receivers: what was spawned, in order, and how much of
   * child_results has been received. With an accumulator nothing is: then the
   * memory for a record of each child that finds room is the phase's own. */
  chan_spawned *spawned;  /* offset 56 */
  uint32_t spawned_count; /* offset 64 */
  uint32_t handled;       /* offset 68 */
  void **destinations;    /* offset 72: of children, at their index; the
                             receiver of their site knows what it is for */
  void *accumulator;      /* offset 80: what is combined of all results, of
                             result_size bytes; null if it is not */
  uint32_t tested; /* offset 88: whether all elements were enqueued by phases
                      that leave out what ends before it spawns; 0: unknown */
  uint32_t tests;  /* offset 92: whether the phase that runs is such a one.  A
                      phase that spawns sets it before it does. */
};

/* The lanes of a group that spawned together.  Their children stand in the
 * order of the records and, of each, of the lanes. */
struct chan_spawned {
  uint64_t mask;  /* offset 0: at least one */
  uint32_t group; /* offset 8: index of its first element */
  uint32_t site;  /* offset 12 */
};

/* Runs a phase for the elements [begin, end), the first for as many of them as
 * there is room for their children; returns the index of the next. */
typedef uint32_t (*chan_phase)(chan_worker *worker, chan_batch *batch,
                               uint32_t begin, uint32_t end);

/* With receivers every phase may spawn, and stops when there is little room
 * left.  Where there is none in the middle of a group it calls this, which runs
 * the children and has their results received; spawned_count and the count of
 * `children` are then 0.  Phases begin with none.  The phase's elements
 * [next, end) have not begun.  Returns its end from now on: others may have
 * taken some. */
uint32_t chan_batch_flush(chan_worker *worker, chan_batch *batch, uint32_t next,
                          uint32_t end);

/* What results are combined by, each as an integer of its size; in any order.
 */
enum chan_combination {
  CHAN_SUM = 1,
  CHAN_PRODUCT = 2,
  CHAN_AND = 3,
  CHAN_OR = 4,
  CHAN_EXCLUSIVE_OR = 5,
  CHAN_SIGNED_MAXIMUM = 6,
  CHAN_SIGNED_MINIMUM = 7,
  CHAN_UNSIGNED_MAXIMUM = 8,
  CHAN_UNSIGNED_MINIMUM = 9
};

/* Has worker->totals[number] be for `address` and `kind`: what it was for gets
 * what it has, and its value then makes no difference. A function of a batch
 * that finds it is for something else calls this, and then combines with the
 * value. */
void chan_reduction_begin(chan_worker *worker, uint32_t number, void *address,
                          uint64_t kind);

/* How to run elements of an entry channel as a batch.  A constant. */
struct chan_batch_form {
  const chan_channel *callee; /* of all children */
  const chan_phase *phases;   /* phase_count of them */
  uint32_t phase_count;
  uint32_t lanes;        /* at most 64 */
  uint32_t sites;        /* spawn sites; a group has at most lanes * sites
                            children */
  uint32_t local_size;   /* bytes per element */
  uint32_t result_size;  /* bytes per element */
  uint32_t result_field; /* number of the field `ret`; UINT32_MAX: none */
  /* UINT32_MAX, or how many functions follow the phases: one for each site, to
   * receive the results of records [begin, end) of `spawned` as long as they
   * are of its site; returns the number of the next. */
  uint32_t handlers;
  uint32_t processor;          /* it needs x86-64-vN; 0: what all have */
  const chan_batch_form *next; /* for those that do not have that; null if there
                                  is none */
  uint64_t uniform; /* bit N: all elements of a batch have the same in field N,
                       of which only the first element's is there */
  /* A chan_combination, or 0.  Else one more function follows the phases and
   * receivers: it runs elements for which the combination of all results, of
   * 1, 2, 4 or 8 bytes, is enough, and combines that with what is in
   * `accumulator`.  It leaves nothing to wait for, and calls chan_batch_flush
   * as phases do that have receivers.  The callee's form has the same.  If it
   * is the only function (phase_count is 0), each element is run alone. */
  uint32_t reduces;
  uint32_t reducing_lanes; /* how many elements it treats at a time */
  /* The same channel with CHAN_REDUCES, for elements of such batches; null
   * if there are none. */
  const chan_channel *reducing;
};

/* --- serial clones -----------------------------------------------------------
 * `serial` of an entry channel runs an element and all its descendants: a spawn
 * is a call, a sync nothing.  Before an activation spawns or calls anything
 * that may spawn, it compares the stack pointer with worker->stack_limit, and
 * before it spawns with worker->poll_from as well.  If it is below the one,
 * or not below the other, it asks the runtime whether to go on:
 *   - once, with chan_promote, where it has had no effect yet;
 *   - in front of each spawn, with chan_late_open, if it spawns, or calls what
 *     spawns, in a loop; in front of its loops, for the stack's end alone, with
 *     chan_late_open_if_low.  If one answers with levels, it goes on as a
 *     kernel does that is never split: what it spawns from there on becomes
 *     elements, unless chan_late_calls says otherwise, plain calls go by the C
 *     symbol, and a sync is a call that waits. */

/* How clones call these questions: they leave all integer registers but one as
 * they were (Clang's preserve_most).  Who calls them as any function loses
 * nothing.
 *
 * In a tree that is taken for small, where worker->guess is more than 1, none
 * need be asked while worker->poll_from is not 0 and the stack does not end
 * below worker->clone_limit: guess is one less, and the answer is null. */
#ifdef __clang__
#define CHAN_POLL __attribute__((preserve_most))
#else
#define CHAN_POLL
#endif

/* Before an activation has done anything. Null: go on. Otherwise it is to call
 * its C symbol with its arguments in its place, at once. */
CHAN_POLL void *chan_promote(chan_worker *worker);

/* Levels of one activation, from its first late spawn or call to its return. */
typedef struct chan_late chan_late;

/* In front of a spawn.  Null: the child is to be called.  Otherwise children
 * are to be tallocated one level deeper than what is worker->level now. */
CHAN_POLL chan_late *chan_late_open(chan_worker *worker);
/* In front of the loops in which it spawns, or calls what spawns, and of other
 * plain calls of that.  Null unless the stack is running out. */
CHAN_POLL chan_late *chan_late_open_if_low(chan_worker *worker);
/* Memory until chan_late_close. */
void *chan_late_alloc(chan_worker *worker, chan_late *late, size_t size,
                      size_t alignment);
/* Memory until chan_late_release, for objects that children know. */
void *chan_late_keep(chan_worker *worker, chan_late *late, size_t size,
                     size_t alignment);
/* Frees it, where all children are done: behind chan_late_sync. */
void chan_late_release(chan_worker *worker, chan_late *late);
/* As chan_defer, into the activation's own records. */
void *chan_late_defer(chan_worker *worker, chan_late *late,
                      void (*apply)(void *destination, void *result),
                      void *destination, size_t size, size_t alignment);
/* Whether the next child is to be called after all: what was left to others was
 * for nothing, and nothing of it is left. */
int chan_late_calls(chan_worker *worker, chan_late *late);
/* An element has been enqueued. */
void chan_late_spawned(chan_worker *worker);
/* Waits for the children and applies their results. */
void chan_late_sync(chan_worker *worker, chan_late *late);
/* The same, and gives the levels back: the activation returns. */
void chan_late_close(chan_worker *worker, chan_late *late);

/* In front of the call that begins a tree of `channel`, which has batches, from
 * a clone of a function that has none.  `stack` is where the caller's stack
 * ends.  0: it is to be made by the C symbol.  Otherwise the tree is likely to
 * be small: its clone is to be called, and then chan_end_predicted with this
 * value.
 *
 * Where `stack` is less than CHAN_PREDICTED_STACK_ROOM bytes above
 * worker->guessing, this need not be asked, as many small trees have been begun
 * there: a clone is to be called with worker->guess, how many activations may
 * ask, and one, set to predicted_polls_left + CHAN_PREDICTED_POLLS_USUAL, but
 * at most CHAN_PREDICTED_POLLS_MAX.  After it, predicted_polls_left is what
 * guess is by then, and guess is 0. */
uintptr_t chan_predict_small(chan_worker *worker, const chan_channel *channel,
                             void *stack);
void chan_end_predicted(chan_worker *worker, const chan_channel *channel,
                        uintptr_t token, void *stack);
#define CHAN_PREDICTED_POLLS_USUAL 256u
#define CHAN_PREDICTED_POLLS_MAX 1025u
#define CHAN_PREDICTED_STACK_ROOM 512u
/* How much of that is below who asked. */
#define CHAN_PREDICTED_STACK_DEEPER 128

/* --- parallel loops --------------------------------------------------------
 */

/* How many of `count` iterations of a loop are to run as one range: `requested`
 * if that is positive, else what keeps all workers busy. At least 1. Any
 * thread. */
uint64_t chan_grain(uint64_t count, int64_t requested);

/* Ends the program with status 1 and a message about the loop at `where`, whose
 * stride is zero or does not lead to its limit. */
void chan_endless_loop(const char *where);

/* --- work and span -----------------------------------------------------------
 * Called by the serial elision of a program that is compiled with
 * -fcilktool=cilkscale.
 *
 * chan_measure is a constructor, in front of the program's own, of each of its
 * modules: the first call begins to measure, and the end of the process writes
 * the report.  Without a call there is none.  A scope belongs to an activation,
 * or to a parallel loop; it begins with zeroes, and ends with a sync. */
typedef struct chan_scope {
  uint64_t words[6];
} chan_scope;

void chan_measure(void);
/* In front of the call of a child, and behind it. */
void chan_scope_spawn(chan_scope *scope);
void chan_scope_return(chan_scope *scope);
/* Behind an iteration of a parallel loop: all begin where the first does. */
void chan_scope_iteration(chan_scope *scope);
void chan_scope_sync(chan_scope *scope);

/* --- entering from C ------------------------------------------------------ */

/* Runs the one element in `block` (capacity 1, count 1, typically on the C
 * stack) and all its descendants on fresh levels, and returns when they are
 * done.  This is the body of a spawning function's C symbol; legal on any
 * thread and inside kernels. */
void chan_run(chan_block *block);

/* --- kernels of a device -------------------------------------------------- */

/* A channel without a kernel is consumed on a device: a simulated machine whose
 * library is linked into the process. */
typedef struct chan_device {
  /* Does what chan_run does.  Any thread. */
  void (*run)(chan_block *block);
  /* The grain of a loop of `count` iterations that none is requested for; 0 if
   * the calling thread is not in `run`. */
  uint64_t (*grain)(uint64_t count);
} chan_device;

/* Called by constructors, before any call of chan_run.  `device` lives as long
 * as the process. */
void chan_set_device(const chan_device *device);

/* Takes a Cilk_lock of cilk-lib.cilkh if nobody holds it, and returns whether
 * it did.  For kernels of a device, whose other threads wait for this one. */
int chan_try_lock(struct Cilk_lock_state *lock);

/* --- spawning through pointers ---------------------------------------------
 * Each object registers the entry channels of its spawning functions whose
 * address can be seen from elsewhere. */
typedef struct chan_export {
  void (*function)(void);      /* the C symbol */
  const chan_channel *channel; /* its entry channel */
  uint64_t signature;          /* hash of the LLVM function type: equal hashes
                                  mean equal element layouts */
} chan_export;

typedef struct chan_module {
  uint32_t abi_version; /* CHAN_ABI_VERSION */
  uint32_t export_count;
  const chan_export *exports;
  struct chan_module *next; /* the runtime's */
  const char *processor;    /* that the object was compiled for, and the */
  const char *features;     /* instruction sets that it may use, by LLVM's names
                               and a comma between them; null: what all have */
} chan_module;

/* Called by constructors and destructors of objects.  Any thread.  Ends the
 * program with status 1 and a message if the processor lacks a feature. */
void chan_register(chan_module *module);
void chan_unregister(chan_module *module);

/* The entry channel of `function`, or `otherwise` if it has none with a kernel,
 * or one of another signature.  Lock-free; any thread. */
const chan_channel *chan_resolve(void (*function)(void), uint64_t signature,
                                 const chan_channel *otherwise);
/* The same for those without a kernel. */
const chan_channel *chan_resolve_device(void (*function)(void),
                                        uint64_t signature,
                                        const chan_channel *otherwise);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
