/*===- chan/abi.h - What compiled kernels and libchan agree on ----*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * The binary interface between code that cilk2chan emits and the host runtime.
 * The compiler's copy of these layouts is
 * include/cilk2chan/Conversion/RuntimeInterface/RuntimeABI.h; a unit test compares the two.
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
 * Invariants (asserted in the Debug runtime; see docs/architecture/Scheduling.md):
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
 * Thread safety: a chan_worker and all that it refers to belong to one thread.
 */
#ifndef CHAN_ABI_H
#define CHAN_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define CHAN_ABI_VERSION 14

typedef struct chan_worker chan_worker;

/* The calling thread's worker while it runs a serial clone, or functions
 * that the clone calls; else null. While it is set, the C symbol of a
 * spawning function calls its clone. */
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

/* Runs the elements [begin, end) of `block`, in order. For each it does
 * what the source function does between two syncs. Then it either delivers
 * the result or enqueues a continuation. `block` stays where it is until
 * the call returns. */
typedef void (*chan_kernel)(chan_worker *worker, chan_block *block,
                            uint32_t begin, uint32_t end);

/* Runs one element of `block`, and all its descendants. */
typedef void (*chan_serial_clone)(chan_worker *worker, chan_block *block,
                                  uint32_t element);

/* One field of a channel's element.  In a block of capacity C, the field of
 * element i lies at  chan_block_data(block) + offset * C + size * i.  Fields
 * are ordered by falling alignment (at most 16), and their sizes are multiples
 * of it. So every field of every element is aligned for any C. */
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
  chan_kernel kernel;       /* the only consumer; null: a device's, below */
  const chan_field *fields; /* field_count of them */
  uint32_t field_count;
  uint32_t element_size;     /* sum of the field sizes, bytes */
  uint32_t frame_size;       /* of the activation's frame, at most UINT32_MAX */
  uint32_t kind;             /* CHAN_ENTRY or CHAN_CONTINUATION */
  chan_channel_state *state; /* CHAN_CHANNEL_STATE_SIZE zeroed bytes */
  chan_serial_clone serial;  /* "serial clones", below; null if there is none */
  const chan_batch_form *batch; /* "batches", below; null if there is none,
                                   else the form for the best processor */
  uint32_t width; /* of an entry channel, unless the environment sets it; 0:
                     the default */
  uint32_t lanes; /* how many elements `kernel` runs at a time */
  uint32_t flags; /* CHAN_CLONE_COUNTS and the like, or 0 */
};

/* `serial` and all clones that it calls increment worker->clone_tasks for
 * each activation that does not end in its inlined base-case check. */
#define CHAN_CLONE_COUNTS 1u

/* Elements whose results are adjacent in memory need only the combination
 * of their results, by the `reduces` of the batch forms. One result may
 * hold the combination, and the others the identity. */
#define CHAN_REDUCES 2u

/* A late-promoting clone: an activation of `serial` polls before each
 * spawn, and not only before its first effect. So it may begin as a clone
 * even if workers want work. */
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

/* A shared reduction variable. Batches of a worker combine with a value of
 * the worker's own. This lasts until chan_reduction_begin, or until the
 * batches that began together have returned. Then the value is combined
 * with the variable in memory. Other workers have values of their own. */
struct chan_reduction {
  void *address;  /* offset 0: of the variable; null: unused */
  uint64_t kind;  /* offset 8: CHAN_REDUCTION_KIND */
  uint64_t value; /* offset 16: in the low bytes; the others are undefined */
};
#define CHAN_REDUCTIONS 4
/* Of a chan_combination and the variable's size, 1, 2, 4 or 8 bytes. */
#define CHAN_REDUCTION_KIND(combination, size) ((combination) | (size) << 8)

/* The part of a worker that compiled code sees. */
struct chan_worker {
  chan_level *level;                     /* offset 0: of the batch that runs */
  void *free_frames[CHAN_FRAME_CLASSES]; /* offset 8 */
  /* Two addresses of the C stack. Below stack_limit, serial clones poll
   * before they call a child: at the end of their stack, or where a tree is
   * predicted small. At poll_from and above, they poll before they spawn.
   * It is UINTPTR_MAX while no worker wants work. It is 0 if one does, or
   * the frame address of the promotion candidate. Other threads set
   * poll_from to 0. */
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

/* Returns a block of `channel` with room for at least one element and makes
 * it the head of its list. The list is the entries of worker->level->deeper
 * if relative is 1, the continuations of worker->level if it is 0. If
 * `width` elements of the channel wait there already, drains the deeper
 * levels first (wavefront yield, ISCA'14 section 6, done on the spot).
 * Kernels run inside this call; worker->level is as before when it returns. */
chan_block *chan_talloc(chan_worker *worker, const chan_channel *channel,
                        uint32_t relative);

/* --- going on beside one's children ----------------------------------------
 * Called by a kernel that has enqueued children and goes on with something
 * that may take long. Thieves may take what it has enqueued until it
 * returns or allocates again. Cheap if there is nothing to take. Leaves
 * worker->level as it is; its lists may change. */
void chan_poll(chan_worker *worker);

/* --- frames ------------------------------------------------------------- */

/* A frame of the size class, for when its free list is empty, or of `size`
 * bytes when size_class is CHAN_FRAME_CLASSES.  16-byte aligned, not zeroed. */
void *chan_frame_new(chan_worker *worker, uint32_t size_class, size_t size);
/* Frees a frame of class CHAN_FRAME_CLASSES; smaller ones are pushed inline. */
void chan_frame_delete(chan_worker *worker, void *frame, size_t size);

/* Memory that lives as long as an activation, for C's alloca and
 * variable-length arrays. `*arena` is a null-initialised word of the frame. */
void *chan_arena_alloc(chan_worker *worker, void **arena, size_t size,
                       size_t alignment);
/* Frees all memory of the arena and makes it empty again. */
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

/* Appends a record for a result of `size` bytes. Returns where the child is
 * to store the result, aligned to `alignment`, a power of two. A null
 * `apply` drops the result. When there are `width` records, drains the
 * deeper levels and applies the records first, so that a spawn loop needs
 * bounded memory. */
void *chan_defer(chan_worker *worker, chan_pending *pending,
                 void (*apply)(void *destination, void *result),
                 void *destination, size_t size, size_t alignment);
/* Applies and frees all records, in spawn order.  Called where everything
 * deeper has finished. */
void chan_apply(chan_worker *worker, chan_pending *pending);

/* --- batches ---------------------------------------------------------------
 * The elements of a batch stay where they are until they return. Values
 * that live across a sync are stored at the element's own index, and so is
 * its result. Elements are run in groups of `lanes`. A slice is a range of
 * elements: those that have run the first phase while there was room for
 * their children. The children are a batch of their own. When they have
 * returned, the slice runs the later phases.
 *
 * Blocks of batches, locals and results have room for a multiple of 64
 * elements, so that whole groups can be read and written. In blocks and
 * results, a group can be read from any element on. */

/* The part of a batch that phases see. */
struct chan_batch {
  chan_block *elements; /* offset 0 */
  void *results;        /* offset 8: result_size bytes for each element */
  char *locals;         /* offset 16: those of a group are adjacent; local L
                           of its lanes begins at lanes * offset(L); aligned
                           to 64 bytes */
  uint64_t *marks;      /* offset 24: for each group of the slice, for each
                           phase but the first, a mask of the lanes that
                           wait for it. In a form without result handlers,
                           then for each spawn site: a mask of the lanes
                           that spawned there, and the index of the first
                           one's child */
  chan_block *children; /* offset 32 */
  void *child_results;  /* offset 40 */
  uint32_t first;       /* offset 48: of the slice */
  uint32_t pending;     /* offset 52: bit N: some lane waits for phase N */
  /* Of a form with result handlers: the spawned groups in order, and how
   * many of child_results have been handled. With an accumulator there are
   * none. Then the phase itself may use this memory, which has a record for
   * each child that finds room. */
  chan_spawned *spawned;  /* offset 56 */
  uint32_t spawned_count; /* offset 64 */
  uint32_t handled;       /* offset 68 */
  void **destinations;    /* offset 72: of children, at their index; the
                             result handler of their site knows its meaning */
  void *accumulator;      /* offset 80: the combination of all results, of
                             result_size bytes; null if results are separate */
  uint32_t tested;        /* offset 88: whether no element is a base case, as
                             the phases that spawned them hoist base cases; 0:
                             unknown */
  uint32_t tests;         /* offset 92: whether the running phase hoists base
                             cases. A phase that spawns sets it first. */
};

/* The lanes of a group that spawned together. Their children are in the
 * order of the records, and within a record in the order of the lanes. */
struct chan_spawned {
  uint64_t mask;  /* offset 0: at least one */
  uint32_t group; /* offset 8: index of its first element */
  uint32_t site;  /* offset 12 */
};

/* Runs a phase for the elements [begin, end). The first phase stops when
 * there is no room for further children. Returns the index of the next
 * element. */
typedef uint32_t (*chan_phase)(chan_worker *worker, chan_batch *batch,
                               uint32_t begin, uint32_t end);

/* In a form with result handlers every phase may spawn, and stops when
 * little room is left. If no room is left in the middle of a group, it
 * calls this. It runs the children and has their results handled.
 * Afterwards spawned_count and the count of `children` are 0, as when a
 * phase begins. The phase's elements [next, end) have not begun. Returns
 * the new end of the phase, since thieves may have taken some of them. */
uint32_t chan_batch_flush(chan_worker *worker, chan_batch *batch, uint32_t next,
                          uint32_t end);

/* The operation that combines results, each as an integer of its size, in
 * any order. */
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

/* Makes worker->reductions[number] the reduction for `address` and `kind`.
 * The value of the previous reduction there is combined with its variable;
 * the new value is the identity. A batch function calls this if it finds
 * another reduction there, and then combines with the value. */
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
  /* UINT32_MAX, or how many result handlers follow the phases, one for each
   * site. A handler processes the results of records [begin, end) of
   * `spawned`, as long as they belong to its site. It returns the number of
   * the next record. */
  uint32_t handlers;
  uint32_t processor;          /* it needs x86-64-vN; 0: it runs on all */
  const chan_batch_form *next; /* for other processors; null if there is
                                  none */
  uint64_t uniform; /* bit N: field N is equal in all elements of a batch,
                       and stored in the first one only */
  /* A chan_combination, or 0. If it is set, one more function follows the
   * phases and handlers: the join-free reduction. It runs elements of which
   * only the combination of all results is needed, of 1, 2, 4 or 8 bytes,
   * and combines that with `accumulator`. It leaves nothing to wait for. It
   * calls chan_batch_flush as phases with result handlers do. The callee's
   * form has the same value. If it is the only function (phase_count is 0),
   * each element runs alone. */
  uint32_t reduces;
  uint32_t reducing_lanes; /* how many elements it runs at a time */
  /* The same channel with CHAN_REDUCES, for elements of such batches. Null
   * if there are none. */
  const chan_channel *reducing;
};

/* --- serial clones ---------------------------------------------------------
 * `serial` of an entry channel runs an element and all its descendants: a
 * spawn is a call, and a sync does nothing. Clones poll for requests.
 * Before an activation spawns, or calls anything that may spawn, it
 * compares the stack pointer with worker->stack_limit. Before it spawns it
 * also compares it with worker->poll_from. If the stack pointer is below
 * stack_limit, or not below poll_from, it polls, and the runtime decides
 * whether the activation is promoted:
 * - An activation polls once, by chan_promote, before it has had an effect.
 * - One that spawns in a loop, or calls in a loop what spawns, polls before
 *   each spawn by chan_late_open. Before its loops it polls by
 *   chan_late_open_if_low, for the end of the stack alone. If the result is
 *   not null, it goes on like a kernel that is never split. What it spawns
 *   from there on becomes elements, unless chan_late_calls says otherwise.
 *   Plain calls go to the C symbol, and a sync is a call that waits. */

/* The calling convention of the poll functions. They preserve all integer
 * registers but one (Clang's preserve_most). A caller that uses the
 * ordinary convention is correct as well.
 *
 * In a tree that is predicted small, where worker->predicted_polls is more
 * than 1, a clone may skip the call. This is allowed while
 * worker->poll_from is not 0 and the stack pointer is not below
 * worker->clone_limit. Then the clone decrements predicted_polls, and the
 * result counts as null. */
#ifdef __clang__
#define CHAN_POLL __attribute__((preserve_most))
#else
#define CHAN_POLL
#endif

/* Polls before an activation has done anything. Null: go on. Otherwise the
 * activation is promoted: it must at once call its C symbol with its
 * arguments. */
CHAN_POLL void *chan_promote(chan_worker *worker);

/* The levels of one promoted activation, from its promotion to its return. */
typedef struct chan_late chan_late;

/* Polls before a spawn. Null: call the child. Otherwise children are to be
 * tallocated one level deeper than the present worker->level. */
CHAN_POLL chan_late *chan_late_open(chan_worker *worker);
/* Polls before loops in which the activation spawns, or calls what spawns,
 * and before other plain calls of what spawns. Null unless the stack is
 * running out. */
CHAN_POLL chan_late *chan_late_open_if_low(chan_worker *worker);
/* Memory that lives until chan_late_close. */
void *chan_late_alloc(chan_worker *worker, chan_late *late, size_t size,
                      size_t alignment);
/* Memory that lives until chan_late_release, for objects that children can
 * access. */
void *chan_late_keep(chan_worker *worker, chan_late *late, size_t size,
                     size_t alignment);
/* Frees that memory, after chan_late_sync, when all children are done. */
void chan_late_release(chan_worker *worker, chan_late *late);
/* As chan_defer, into the activation's own records. */
void *chan_late_defer(chan_worker *worker, chan_late *late,
                      void (*apply)(void *destination, void *result),
                      void *destination, size_t size, size_t alignment);
/* Whether the next child is to be called after all, since sharing backs off
 * and no earlier child remains to be joined. */
int chan_late_calls(chan_worker *worker, chan_late *late);
/* To be called after an element has been enqueued. */
void chan_late_spawned(chan_worker *worker);
/* Waits for the children and applies their results. */
void chan_late_sync(chan_worker *worker, chan_late *late);
/* As chan_late_sync, and releases the levels: the activation returns. */
void chan_late_close(chan_worker *worker, chan_late *late);

/* Called before the call that begins a tree of `channel`, which has
 * batches, in a clone of a function that has none. `stack` is the caller's
 * stack pointer. 0: the C symbol is to be called. Otherwise the tree is
 * predicted small: its clone is to be called, and then chan_end_predicted
 * with this value.
 *
 * If `stack` is less than CHAN_PREDICTED_STACK_ROOM bytes above
 * worker->predicted_stack, this call is not needed, as many small trees
 * have begun there. Instead the clone is called with
 * worker->predicted_polls set to predicted_polls_left +
 * CHAN_PREDICTED_POLLS_USUAL, but at most CHAN_PREDICTED_POLLS_MAX. It is
 * one more than the number of polls allowed. After the call,
 * predicted_polls_left becomes the present predicted_polls, and
 * predicted_polls becomes 0. */
uintptr_t chan_predict_small(chan_worker *worker, const chan_channel *channel,
                             void *stack);
void chan_end_predicted(chan_worker *worker, const chan_channel *channel,
                        uintptr_t token, void *stack);
#define CHAN_PREDICTED_POLLS_USUAL 256u
#define CHAN_PREDICTED_POLLS_MAX 1025u
#define CHAN_PREDICTED_STACK_ROOM 512u
/* How much of that is below the caller's stack pointer. */
#define CHAN_PREDICTED_STACK_DEEPER 128

/* --- parallel loops --------------------------------------------------------
 */

/* How many of `count` iterations of a loop are to run as one range. It is
 * `requested` if that is positive, else a number that keeps all workers
 * busy. At least 1. Any thread. */
uint64_t chan_grain(uint64_t count, int64_t requested);

/* Ends the program with status 1 and a message about the loop at `where`, whose
 * stride is zero or does not lead to its limit. */
void chan_endless_loop(const char *where);

/* --- reducers ---------------------------------------------------------------
 * A strand is a part of an activation that contains no spawn and no sync. It
 * has a view of each reducer that it uses. Views are combined in the order in
 * which the serial elision executes the strands. In a module with reducers,
 * each spawning function has one more parameter: the strand with which the
 * activation begins. It calls these functions in this order:
 *
 *   void f(chan_strand *s) {
 *     chan_strand_begin(s);
 *     c = chan_strand_spawn(s);   cilk_spawn g(c);   chan_strand_resume(s);
 *     chan_strand_suspend();      cilk_sync;   chan_strand_sync(s);
 *     chan_strand_end(s);
 *   }
 *
 * For a plain call of a spawning function, chan_strand_call is in place of
 * chan_strand_spawn. The C symbol of f calls
 *
 *   outer = chan_strand_current();   s = chan_strand_enter(outer);
 *   f(s);                            chan_strand_leave(outer, s);
 *
 * Thread safety: a strand belongs to the thread that executes its activation. */
typedef struct chan_strand chan_strand;

/* The code that follows belongs to the activation of `strand`. */
void chan_strand_begin(chan_strand *strand);
/* Ends the present part of the activation. Returns the strand of a child that
 * comes next in serial order. It lives until chan_strand_end. */
chan_strand *chan_strand_spawn(chan_strand *strand);
/* The strand for a called activation. It is the present part of the caller's. */
chan_strand *chan_strand_call(chan_strand *strand);
/* To be called before a sync: until the activation goes on, other kernels run on
 * its thread. chan_strand_spawn and chan_strand_call do so themselves. */
void chan_strand_suspend(void);
/* The activation goes on behind a spawn or a call, maybe after other kernels
 * have run on its thread. */
void chan_strand_resume(chan_strand *strand);
/* Combines all views of the activation. All its children have ended. */
void chan_strand_sync(chan_strand *strand);
/* The activation returns. All its children have ended. */
void chan_strand_end(chan_strand *strand);
/* The strand that the calling thread executes; null outside of spawning
 * functions. */
chan_strand *chan_strand_current(void);
/* A strand for the call of a spawning function in `outer`, or for one that begins
 * outside of spawning functions. */
chan_strand *chan_strand_enter(chan_strand *outer);
void chan_strand_leave(chan_strand *outer, chan_strand *inner);

/* The last bits of the result depend on the order in which views are combined:
 * they contain floating-point numbers. */
#define CHAN_REDUCER_ORDERED 1u

/* The present strand's view of the variable `reducer`, of `size` bytes. If it
 * has none, one is made, with a power of two for its alignment in bytes, and
 * `identity` initialises it. Outside of spawning functions, and in the first
 * strand of the outermost of them, that is the variable. Valid until the next
 * spawn, sync, or call of a spawning function. `reduce` combines two views into
 * the left one, and releases what the right one owns. */
void *chan_reducer_view(void *reducer, size_t size, uint32_t alignment,
                        uint32_t flags, void (*identity)(void *view),
                        void (*reduce)(void *left, void *right));
/* Variables that begin to live in the present strand, which has them for its
 * views: `count` reducers, at distances of `stride` bytes. The result is for
 * chan_reducer_forget; null if no strand needs to know of them. */
typedef struct chan_reducer_scope chan_reducer_scope;
chan_reducer_scope *chan_reducer_declare(void *reducer, size_t stride,
                                         size_t count);
/* The variables end. All children that can use them have ended. */
void chan_reducer_forget(chan_reducer_scope **scope);

/* --- work and span ---------------------------------------------------------
 * Called by the serial elision of a program that is compiled with
 * -fcilktool=cilkscale.
 *
 * chan_measure is a constructor of each module, which runs before the
 * program's own. The first call begins to measure; the end of the process
 * writes the report. Without a call there is no report. A scope belongs to
 * an activation or to a parallel loop. It begins with zeroes, and ends with
 * a sync. */
typedef struct chan_scope {
  uint64_t words[6];
} chan_scope;

void chan_measure(void);
/* To be called before the call of a child, and after it. */
void chan_scope_spawn(chan_scope *scope);
void chan_scope_return(chan_scope *scope);
/* To be called after an iteration of a parallel loop. All iterations begin
 * where the first does. */
void chan_scope_iteration(chan_scope *scope);
void chan_scope_sync(chan_scope *scope);

/* --- entering from C ------------------------------------------------------ */

/* Runs the one element in `block` (capacity 1, count 1, typically on the C
 * stack) and all its descendants on fresh levels. Returns when they are
 * done. It is the body of a spawning function's C symbol. Any thread; also
 * inside kernels. */
void chan_run(chan_block *block);

/* --- kernels of a device -------------------------------------------------- */

/* A channel without a kernel is consumed on a device: a simulated machine whose
 * library is linked into the process. */
typedef struct chan_device {
  /* Does what chan_run does.  Any thread. */
  void (*run)(chan_block *block);
  /* The grain of a loop of `count` iterations for which none is requested.
   * 0 if the calling thread is not in `run`. */
  uint64_t (*grain)(uint64_t count);
} chan_device;

/* Called by constructors, before any call of chan_run.  `device` lives as long
 * as the process. */
void chan_set_device(const chan_device *device);

/* Takes a Cilk_lock of cilk-lib.cilkh if it is free, and returns whether it
 * did. For kernels of a device, whose other threads wait for this one. */
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

/* The entry channel of `function`. `otherwise` if the function has none
 * with a kernel, or one of another signature. Lock-free; any thread. */
const chan_channel *chan_resolve(void (*function)(void), uint64_t signature,
                                 const chan_channel *otherwise);
/* As chan_resolve, for channels without a kernel. */
const chan_channel *chan_resolve_device(void (*function)(void),
                                        uint64_t signature,
                                        const chan_channel *otherwise);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
