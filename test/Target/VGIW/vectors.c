// vectors.c - Vectors as the arguments and results of calls that the host does.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A register of 32 or 64 bytes is stored to an object that is aligned as much, or it is a fault. The
// program says nothing on a processor without such registers.
// RUN: cilk2chan -O2 --target=vgiw -mavx2 -DNEEDS='"avx2"' %s -o %t.2 && %t.2
// RUN: cilk2chan -O0 --target=vgiw -mavx512f -mavx512bw -DNEEDS='"avx512bw"' %s -o %t.512 && %t.512
// RUN: cilk2chan -O1 --target=vgiw -Wno-psabi -DNEEDS='"sse2"' %s -o %t.any && %t.any

#include <stdlib.h>
#include <string.h>

// Before the processor's version of main's own code, if any, is needed.
__attribute__((constructor, target("default"))) static void check(void) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports(NEEDS))
    exit(0);
}

#define CASE(NAME, ELEMENT, BYTES)                                                                 \
  typedef ELEMENT NAME __attribute__((vector_size(BYTES)));                                        \
  struct NAME##_box {                                                                              \
    char tag;                                                                                      \
    NAME value;                                                                                    \
  };                                                                                               \
  __attribute__((noinline)) static NAME NAME##_next(NAME a, char by) { return a + by; }            \
  __attribute__((noinline)) static struct NAME##_box NAME##_put(struct NAME##_box b) {             \
    b.value = -b.value;                                                                            \
    return b;                                                                                      \
  }                                                                                                \
  static NAME (*volatile NAME##_pointer)(NAME, char) = NAME##_next;                                \
  static int NAME##_check(int n) {                                                                 \
    NAME zero = {0}, x, y, z;                                                                      \
    struct NAME##_box box = {'t', zero + 2};                                                       \
    x = cilk_spawn NAME##_next(zero, n);                                                           \
    y = cilk_spawn NAME##_pointer(zero + 1, n);                                                    \
    box = cilk_spawn NAME##_put(box);                                                              \
    z = NAME##_next(zero, 5);                                                                      \
    cilk_sync;                                                                                     \
    int last = sizeof zero / sizeof zero[0] - 1;                                                   \
    return x[0] == n && x[last] == n && y[last] == n + 1 && z[last] == 5 && box.tag == 't' &&      \
           box.value[last] == -2;                                                                  \
  }

CASE(chars16, signed char, 16)
CASE(chars32, signed char, 32)
CASE(shorts64, short, 64)
CASE(ints32, int, 32)
CASE(longs16, long, 16)
CASE(longs64, long, 64)
CASE(floats8, float, 8)
CASE(floats64, float, 64)
CASE(doubles32, double, 32)
CASE(doubles64, double, 64)
CASE(doubles256, double, 256)
CASE(chars1024, signed char, 1024)

// An object aligned further than a line of the machine's caches.
__attribute__((noinline)) static int fill(char *to) {
  memset(to, 1, 100);
  return (unsigned long)to % 1024 == 0;
}
static int aligned(int n) {
  _Alignas(1024) char own[100];
  _Alignas(64) char less[100];
  int fine = fill(own) && (unsigned long)less % 64 == 0;
  less[n] = 2;
  return fine && own[n] == 1 && less[n] == 2;
}

int main(void) {
  int fine = 1;
  cilk_for (int i = 0; i < 3; i++)
    if (!aligned(i))
      fine = 0;
  fine &= chars16_check(3) && chars32_check(3) && shorts64_check(3) && ints32_check(3) &&
          longs16_check(3) && longs64_check(3) && floats8_check(3) && floats64_check(3) &&
          doubles32_check(3) && doubles64_check(3) && doubles256_check(3) && chars1024_check(3);
  return !fine;
}
