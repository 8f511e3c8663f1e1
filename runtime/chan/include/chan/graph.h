/*===- chan/graph.h - Channel-flow graphs built by hand ----------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * For programs written by hand: the graph-building interface of Orr et al.,
 * ISCA 2014, section 4 (Figure 6), and the channel calls of its Table 1.
 * docs/Graphs.md is the guide; chan/graph.hpp the same for C++.
 *
 * A graph consists of
 *   - channel nodes: bounded queues of elements of one size; every element is
 *     consumed by the one kernel that the channel is connected to;
 *   - channel-stack nodes: a channel per level of a recursion (section 5.2);
 *   - kernel nodes: a function and its constant arguments.
 *
 * The host fills channels, executes the graph and waits until no element is
 * left.
 *
 * Levels.  Every element has a level: 0 for the host's, otherwise that of the
 * element whose kernel allocated it plus 0 or 1.  Deeper elements run first.
 *
 * Promises:
 *
 * G1  Every element enqueued is given to its channel's kernel exactly once, and
 *     what its producer wrote before chan_graph_enq is visible there.
 *
 * G2  An element of a CHAN_GRAPH_CONTINUATIONS stack at level l waits for the
 *     kernel that enqueued it. It runs only if, at some moment after that, no
 *     element of any level deeper than l was allocated or running.
 *
 * G3  A kernel runs from beginning to end on one thread.  Inside talloc
 *     other kernels may run on that thread (wavefront yield, section 6). So it
 *     holds no lock there that another kernel needs.
 *
 * G4  chan_graph_wait returns after all kernels have; their writes are visible.
 *
 * Errors.  The calls that build return a negative number, or NULL, and
 * chan_graph_error says why.  Misuse in a kernel, exhausted memory there, and a
 * graph that can never go on end the process: a message and abort().
 *
 * Thread safety: a graph is built, executed, waited for and destroyed by one
 * thread at a time; graphs are independent of each other.  The kernel calls
 * belong to the thread that runs the kernel, for as long as it runs.
 */
#ifndef CHAN_GRAPH_H
#define CHAN_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct chan_graph chan_graph;

#pragma GCC visibility push(default)

/* A kernel: runs one element, the one at `off` of channel `src`.  args[i]
 * points at the value set with chan_graph_set_arg for i, or is NULL.  Must call
 * chan_graph_tfree(src, off) exactly once, and enqueue all it allocates. */
typedef void (*chan_graph_kernel_fn)(int src, int off, const void *const *args);

enum {
  CHAN_GRAPH_MAX_ARGS = 16,      /* constant arguments of a kernel node */
  CHAN_GRAPH_MAX_WIDTH = 1 << 24 /* elements of a channel */
};

/* What a channel stack is for. */
typedef enum chan_graph_stack_kind {
  CHAN_GRAPH_ENTRIES,      /* ready when enqueued: pre-spawn tasks */
  CHAN_GRAPH_CONTINUATIONS /* ready as G2 says: post-sync tasks */
} chan_graph_stack_kind;

/* --- building ------------------------------------------------------------ */

/* An empty graph, or NULL when memory is exhausted. */
chan_graph *chan_graph_new(void);

/* Waits for the graph if it executes, and frees it.  NULL is allowed. */
void chan_graph_destroy(chan_graph *graph);

/* The message of the last call that failed on this graph; "" if none did.
 * Valid until the next call on the graph. */
const char *chan_graph_error(const chan_graph *graph);

/* Sets how many threads execute the graph. Otherwise CHAN_WORKERS says, by
 * default one per core. 0 on success, -1 if executing or not in 1..1024. */
int chan_graph_set_workers(chan_graph *graph, int workers);

/* A channel node for elements of `element_size` bytes with room for `width` of
 * them (rounded up to a power of two).  Returns the channel's id, or -1. */
int chan_graph_channel(chan_graph *graph, const char *name, size_t element_size,
                       uint32_t width);

/* A channel-stack node of a chan_graph_stack_kind: a channel of that width per
 * level, made when the level is first used.  Returns its id, from the same
 * numbers as channels', or -1. */
int chan_graph_stack(chan_graph *graph, const char *name, size_t element_size,
                     uint32_t width, int kind);

/* A kernel node.  Returns its number, or -1. */
int chan_graph_kernel(chan_graph *graph, const char *name,
                      chan_graph_kernel_fn function);

/* Copies `size` bytes at `value` as constant argument `index` of the kernel.
 * Setting it again replaces it.  Returns 0, or -1. */
int chan_graph_set_arg(chan_graph *graph, int kernel, int index, size_t size,
                       const void *value);

/* Makes `kernel` the one consumer of `channel`, a channel or a stack.  A kernel
 * may consume several.  Returns 0, or -1, also if the channel has a consumer.
 */
int chan_graph_connect(chan_graph *graph, int channel, int kernel);

/* --- the host's elements ------------------------------------------------- */

/* Allocates `count` adjacent elements at level 0, not initialised.  NULL on
 * failure: also when the channel is full, or while the graph executes. */
void *chan_graph_host_talloc(chan_graph *graph, int channel, int count);

/* Enqueues the elements of one chan_graph_host_talloc.  Returns 0, or -1. */
int chan_graph_host_enq(chan_graph *graph, int channel, void *elements);

/* --- executing ----------------------------------------------------------- */

/* Starts the graph's threads and returns.  Returns 0, or -1, also when a
 * channel has no kernel, a kernel no channel, an element was allocated and not
 * enqueued, or no thread could be started. */
int chan_graph_execute(chan_graph *graph);

/* Returns when no element is left.  The graph may then be filled and executed
 * again.  Returns 0, or -1 if the graph does not execute. */
int chan_graph_wait(chan_graph *graph);

/* --- in kernels: Table 1 ------------------------------------------------- */

/* Allocates `count` adjacent elements of channel `id`, not initialised, at the
 * level of the running kernel.  If the channel is full, runs other elements
 * until there is room.  Not for stacks: their level must be said. */
void *chan_graph_talloc(int id, int count);

/* As chan_graph_talloc, at the kernel's level + `relative`, which is 0 or
 * 1. A spawned child's element goes to 1, a continuation's stays at 0. A
 * continuation's children hold its address, so allocate it before them. */
void *chan_graph_talloc_at(int id, int count, int relative);

/* Enqueues the elements of one talloc, made from the same channel by the
 * same kernel invocation. They belong to their consumer from then on. A
 * continuation belongs to its consumer only when this kernel has returned,
 * and children may write to it until it runs. */
void chan_graph_enq(int id, void *elements);

/* The element this kernel runs: `id` and `off` are its first two arguments. */
void *chan_graph_deq(int id, int off);

/* Gives the element's room back: it must not be touched any more. */
void chan_graph_tfree(int id, int off);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* CHAN_GRAPH_H */
