// kernels-refused.c - What is wrong with a kernel by hand is said at the function.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: not cilk2chan -c %s -o %t.o 2>&1 | FileCheck --check-prefix=HOST %s
// RUN: not cilk2chan --target=simt -c %s -o %t.o -DWRONG 2>&1 | FileCheck %s
// RUN: cilk2chan --target=simt -c %s -o %t.o

#include <chan/kernel.h>

CHAN_STACK(numbers, int, CHAN_ENTRY);

// HOST: kernels-refused.c:[[@LINE+2]]:6: error: kernel 'fine': it is a kernel of a simulated machine; compile with --target=simt or --target=vgiw
CHAN_KERNEL(numbers, "field 0")
void fine(uint64_t thread, int *from) {
  *CHAN_ELEMENT(from, chan_kernel_deq(thread)) = 1;
  chan_kernel_tfree(chan_kernel_deq(thread));
}

#ifdef WRONG
extern const chan_channel elsewhere;

// CHECK: :[[@LINE+2]]:6: error: kernel 'stack': 'none' is no stack of this file; define it by CHAN_STACK(none, ...)
CHAN_KERNEL(none, "")
void stack(uint64_t thread) { (void)thread; }

// CHECK: :[[@LINE+2]]:6: error: kernel 'shared': 'elsewhere' is no stack of this file
CHAN_KERNEL(numbers, "control elsewhere 1")
void shared(uint64_t thread, const chan_channel *to) { (void)(thread + (to == &elsewhere)); }

// CHECK: :[[@LINE+2]]:6: error: kernel 'kind': binding 'fild 0' is none of 'field N', 'control STACK LEVEL' and 'column N STACK LEVEL'
CHAN_KERNEL(numbers, "fild 0")
void kind(uint64_t thread, int *from) { (void)(thread + *from); }

// CHECK: :[[@LINE+2]]:6: error: kernel 'level': binding 'control numbers deeper': 'deeper' is no number
CHAN_KERNEL(numbers, "control numbers deeper")
void level(uint64_t thread, chan_control *to) { chan_kernel_enq(to, thread); }

// CHECK: :[[@LINE+2]]:6: error: kernel 'few': it has 1 parameters beside the number of the thread, and CHAN_KERNEL binds 2
CHAN_KERNEL(numbers, "field 0; control numbers 1")
void few(uint64_t thread, int *from) { (void)(thread + *from); }

// CHECK: :[[@LINE+2]]:5: error: kernel 'result': a kernel returns nothing, and its first parameter is the number of the thread, a uint64_t
CHAN_KERNEL(numbers, "field 0")
int result(uint64_t thread, int *from) { return (int)thread + *from; }

// CHECK: :[[@LINE+2]]:6: error: kernel 'word': each parameter that CHAN_KERNEL binds is an address
CHAN_KERNEL(numbers, "field 0")
void word(uint64_t thread, int from) { (void)(thread + from); }
#endif
