/*===- chan/device.h - Channels in the memory of a machine --------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * The array-based channel of "Fine-grain Task Aggregation and Coordination on GPUs"
 * (Orr et al., ISCA 2014, section 3.2) as it lies in memory. Three parts of the
 * project have this layout in common:
 *   kernels      chan-lower-channels makes the instructions that allocate, enqueue
 *                and free elements (lib/Conversion/DeviceChannels)
 *   the machine  the dispatcher makes channels, and points kernels at their elements
 *                (runtime/sim/src/dispatch)
 *   schedulers   programs of the aggregator (runtime/sim/firmware) find what is ready,
 *                and take back what is done
 * libchan's own channel (runtime/chan/src/Channel.h) has the same arrays, states and
 * invariants; docs/Channels.md compares them.
 *
 *                 head                               tail
 *   data array     |done|dispatched|ready|reserved|    |        width elements
 *   done counts    | group 0 | group 1 | group 2  |             one for each group
 *               control_head   control_tail   reserve_tail
 *   control array  |  i  |  j  |  k  |  -  |  x  |              2 * width offsets
 *
 * All positions only grow; an element or offset lies at its position modulo the size
 * of its array, a power of two. An element is
 *   available    from head + width on
 *   reserved     a kernel has moved `tail` beyond it, and fills it
 *   ready        its offset is in the control array before `control_tail`
 *   dispatched   the aggregator has moved `control_head` beyond that offset
 *   done         its kernel has counted it in the done count of its group
 * and available again when `head` has passed its group: all elements of the group are
 * done. Done counts are never set back: after lap n the count of a group is n times its
 * elements.
 *
 * A machine may give each channel a leaf for each core (channel.hierarchy = cores). A leaf
 * is a chan_array with tails and a control array of its own, in which the kernels of that
 * core allocate. Leaf l of a channel has the elements from l * its width on:
 *
 *   channel     |  leaf 0   |  leaf 1   |  ...       data and done counts
 *   offset 3 of leaf 1 is offset 1 * (width of a leaf) + 3 of the channel
 *
 * Kernels move no tail of the channel itself. Its control array is the scheduler's, which
 * may move offsets there, to dispatch elements of several leaves together.
 */
#ifndef CHAN_DEVICE_H
#define CHAN_DEVICE_H

#include <stdint.h>

#define CHAN_ARRAY_LINE 64
/* In arrays of structures, elements are so aligned, whatever their fields; so are frames. */
#define CHAN_ARRAY_ELEMENT_ALIGNMENT 8
#define CHAN_ARRAY_FRAME_ALIGNMENT 16

/* Each line has one kind of writers. */
typedef struct chan_array {
  /* Kernels, by compare-and-swap. */
  _Alignas(CHAN_ARRAY_LINE) uint64_t tail;
  _Alignas(CHAN_ARRAY_LINE) uint64_t reserve_tail;
  /* Kernels, each when those before it have. */
  _Alignas(CHAN_ARRAY_LINE) uint64_t control_tail;
  /* The aggregator. */
  _Alignas(CHAN_ARRAY_LINE) uint64_t head;
  _Alignas(CHAN_ARRAY_LINE) uint64_t control_head;
  uint64_t own[4]; /* the scheduler's own */
  /* Constant, too: if the channel has leaves (chan_machine::leaf_count), these. */
  struct chan_array **leaves;
  /* Constant. */
  _Alignas(CHAN_ARRAY_LINE) uint64_t mask; /* width - 1 */
  uint64_t control_mask;                   /* 2 * width - 1 */
  uint32_t *control;                       /* offsets of elements */
  char *done;          /* counts, CHAN_ARRAY_LINE bytes apart */
  uint64_t done_shift; /* a group has 1 << done_shift elements */
  char *data;
  uint64_t stride;      /* bytes from an element to the next */
  uint64_t width_shift; /* the width is 1 << width_shift */
  /* Of element 0: the address of each field. */
  _Alignas(CHAN_ARRAY_LINE) void *columns[];
} chan_array;

#endif /* CHAN_DEVICE_H */
