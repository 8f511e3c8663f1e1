/*===- chan/kernel.h - Kernels of simulated machines by hand ------*- C -*-===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/*
 * For programs that build a channel-flow graph by hand and run its kernels on a simulated
 * machine: `cilk2chan --target=simt --machine=isca14-apu`. docs/Graphs.md is the guide. A
 * graph that counts down:
 *
 *   CHAN_STACK(numbers, long, CHAN_ENTRY);
 *
 *   CHAN_KERNEL(numbers, "field 0; control numbers 0; column 0 numbers 0")
 *   void Countdown(uint64_t thread, long *from, chan_control *to, long *fields) {
 *     uint64_t own = chan_kernel_deq(thread);
 *     long value = *CHAN_ELEMENT(from, own);
 *     chan_kernel_tfree(own);
 *     if (value == 0)
 *       return;
 *     uint64_t next = chan_kernel_talloc(to);
 *     *CHAN_ELEMENT(fields, next) = value - 1;
 *     chan_kernel_enq(to, next);
 *   }
 *
 *   int main(void) {
 *     long first = 3;
 *     chan_kernel_run(&numbers, &first);
 *   }
 *
 * Rules. A kernel frees its element once, and enqueues each element that it allocates. It
 * allocates and enqueues one element before it allocates the next one. In a stack of
 * CHAN_CONTINUATION, an element runs when all deeper levels are empty.
 */
#ifndef CHAN_KERNEL_H
#define CHAN_KERNEL_H

#include "chan/abi.h"

#include <string.h>

/* What a kernel has of a channel that it puts elements into. */
typedef struct chan_control chan_control;

/* A stack of channels whose elements have this type; `kind` is CHAN_ENTRY or
 * CHAN_CONTINUATION. At file scope. */
#define CHAN_STACK(stack, type, stack_kind)                                    \
  static const chan_field stack##_fields[] = {{0, sizeof(type)}};              \
  static _Alignas(64) char stack##_state[CHAN_CHANNEL_STATE_SIZE];             \
  __attribute__((used)) static const chan_channel stack = {                    \
      .name = #stack,                                                          \
      .fields = stack##_fields,                                                \
      .field_count = 1,                                                        \
      .element_size = sizeof(type),                                            \
      .kind = stack_kind,                                                      \
      .state = (chan_channel_state *)stack##_state}

/* Before a function: it is the kernel that consumes this stack. The text has, for each
 * parameter behind the number of the thread, what the machine gives it:
 *   field 0              the elements of the kernel's own channel
 *   control STACK LEVEL  the channel of STACK that is LEVEL levels deeper, 0 or 1
 *   column 0 STACK LEVEL the elements of that channel
 * with `;` between them. */
#define CHAN_KERNEL(stack, bindings)                                           \
  __attribute__((used, annotate("chan.kernel", #stack, bindings)))

/* The element with this number, of the array that `field` or `column` gave. */
#define CHAN_ELEMENT(elements, number)                                         \
  ((__typeof__(elements))__vgiw_field(elements, number, sizeof *(elements),    \
                                      sizeof *(elements)))

/* The instructions of which the compiler knows how the machine does them. */
uint64_t __vgiw_dequeued(uint64_t thread);
void *__vgiw_field(void *column, uint64_t number, uint64_t size,
                   uint64_t element_size);
__attribute__((noduplicate)) int64_t __vgiw_reserve(chan_control *channel);
void __vgiw_enqueue(chan_control *channel, uint64_t number);
void __vgiw_free(uint64_t number);
void __vgiw_yield(void);

#define CHAN_KERNEL_INLINE static inline __attribute__((always_inline))

/* Table 1 of ISCA'14. Elements have numbers in their channel. Kernels call these, and
 * functions that are CHAN_KERNEL_INLINE; no other function can. */

/* The number of the element that this thread runs. */
CHAN_KERNEL_INLINE uint64_t chan_kernel_deq(uint64_t thread) {
  return __vgiw_dequeued(thread);
}
/* A new element, not initialised. If the channel is full, the wavefront yields. */
CHAN_KERNEL_INLINE uint64_t chan_kernel_talloc(chan_control *channel) {
  int64_t number;
  while ((number = __vgiw_reserve(channel)) < 0)
    __vgiw_yield();
  return (uint64_t)number;
}
/* The element is visible to its kernel. */
CHAN_KERNEL_INLINE void chan_kernel_enq(chan_control *channel,
                                        uint64_t number) {
  __vgiw_enqueue(channel, number);
}
/* The thread's own element is done, and must not be read any more. */
CHAN_KERNEL_INLINE void chan_kernel_tfree(uint64_t number) {
  __vgiw_free(number);
}

/* On the host: puts one element into the stack at level 0, and returns when no element is
 * left. */
static inline void chan_kernel_run(const chan_channel *stack,
                                   const void *element) {
  uint64_t size = CHAN_BLOCK_HEADER + stack->element_size;
  _Alignas(16) char memory[size];
  chan_block *block = (chan_block *)memory;
  memset(memory, 0, CHAN_BLOCK_HEADER);
  block->channel = stack;
  block->count = block->capacity = 1;
  memcpy(chan_block_data(block), element, stack->element_size);
  chan_run(block);
}

#endif /* CHAN_KERNEL_H */
