//===- spawn-builtin.c - Builtins as children ---------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parent evaluates the arguments and the child does the rest, whatever
// Clang makes of the builtin: a call, an atomic operation, an instruction.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <stdatomic.h>
#include <string.h>

typedef int four __attribute__((vector_size(16)));
struct pair {
  int a, b;
};

static void memory(void) {
  char from[64] = "a text that is copied", to[64] = {0}, set[64];
  int size = 32, order;
  cilk_spawn __builtin_memcpy(to, from, size);
  cilk_spawn __builtin_memset(set, 'x', sizeof set);
  size_t length = cilk_spawn __builtin_strlen(from);
  order = cilk_spawn __builtin_memcmp(from, "a", 1);
  size = 0;
  cilk_sync;
  CHECK(strcmp(to, from) == 0);
  CHECK_EQUAL(set[63], 'x');
  CHECK_EQUAL(length, 21);
  CHECK_EQUAL(order + size, 0);
}

static void atomics(int n) {
  int sum = 0, old, *p = &sum, strong;
  long wide = 5, expected = 4, seen;
  _Bool swapped;
  for (int i = 0; i < n; i++)
    cilk_spawn __sync_fetch_and_add(p, i);
  cilk_sync;
  CHECK_EQUAL(sum, n * (n - 1) / 2);
  for (int i = 0; i < n; i++)
    cilk_spawn __atomic_fetch_sub(p, i, __ATOMIC_RELAXED);
  cilk_sync;
  CHECK_EQUAL(sum, 0);
  old = cilk_spawn __atomic_exchange_n(&sum, 3, __ATOMIC_SEQ_CST);
  swapped = cilk_spawn __atomic_compare_exchange_n(
      &wide, &expected, 6, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  cilk_sync;
  CHECK_EQUAL(old, 0);
  CHECK(!swapped && expected == 5);
  seen = cilk_spawn __atomic_load_n(&wide, __ATOMIC_ACQUIRE);
  strong = cilk_spawn __sync_bool_compare_and_swap(&sum, 3, 4);
  cilk_sync;
  CHECK_EQUAL(seen, 5);
  CHECK_EQUAL(strong * 10 + sum, 14);

  _Atomic struct pair both;
  _Atomic int counter;
  struct pair value = {1, 2};
  cilk_spawn atomic_init(&counter, 7);
  cilk_spawn atomic_store(&both, value);
  value.a = 9;
  cilk_sync;
  old = cilk_spawn atomic_fetch_add(&counter, value.b);
  value = cilk_spawn atomic_load(&both);
  cilk_spawn __sync_synchronize();
  cilk_spawn atomic_thread_fence(memory_order_seq_cst);
  cilk_sync;
  CHECK_EQUAL(old + counter, 16);
  CHECK_EQUAL(value.a * 10 + value.b, 12);
}

static void numbers(int n) {
  int bits, swapped, sum = 0, small;
  double positive, negative;
  _Bool overflows, fits;
  bits = cilk_spawn __builtin_popcount(n);
  swapped = cilk_spawn __builtin_bswap32(n);
  positive = cilk_spawn __builtin_fabs(-(double)n);
  negative = cilk_spawn __builtin_copysign(n, -1.0);
  overflows = cilk_spawn __builtin_add_overflow(n, __INT_MAX__, &small);
  fits = !n;
  fits |= cilk_spawn __builtin_mul_overflow(n, 2, &sum);
  cilk_sync;
  CHECK_EQUAL(bits, 5);
  CHECK_EQUAL(swapped, 0x1f000000);
  CHECK_EQUAL(positive, 31);
  CHECK_EQUAL(negative, -31);
  CHECK(overflows && !fits);
  CHECK_EQUAL(sum, 62);
  CHECK_EQUAL(small, (int)((unsigned)n + __INT_MAX__));
}

static void vectors(int n) {
  four a = {1, n, 3, 4}, b = {5, 6, 7, 8}, mixed, largest;
  typedef float floats __attribute__((vector_size(16)));
  floats converted;
  mixed = cilk_spawn __builtin_shufflevector(a, b, 0, 5, 2, 7);
  largest = cilk_spawn __builtin_elementwise_max(a, b);
  converted = cilk_spawn __builtin_convertvector(a, floats);
  int *address = cilk_spawn __builtin_addressof(n);
  cilk_sync;
  CHECK_EQUAL(mixed[0] * 1000 + mixed[1] * 100 + mixed[2] * 10 + mixed[3],
              1638);
  CHECK_EQUAL(largest[0] + largest[1], 5 + n);
  CHECK_EQUAL(converted[1], n);
  CHECK(address == &n);
}

static int traps(int n) {
  if (n < 0)
    cilk_spawn __builtin_trap();
  if (n < -1)
    cilk_spawn __builtin_unreachable();
  cilk_spawn __builtin_prefetch(&n, 0, 1);
  cilk_spawn __builtin_assume(n > 0);
  cilk_spawn(void) __builtin_expect(n, 1);
  return n;
}

int main(void) {
  memory();
  atomics(100);
  numbers(31);
  vectors(20);
  CHECK_EQUAL(traps(3), 3);
  printf("builtins\n");
  return 0;
}
