// vectors.c - Vectors as the arguments and results of calls that the host does.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A register of 32 or 64 bytes is stored to an object that is aligned as much, or it is a fault. The
// program says nothing on a processor without such registers.
// RUN: cilk2chan -O2 --target=vgiw -Wno-psabi -mavx2 -DNEEDS='"avx2"' %s -o %t.2 && %t.2
// RUN: cilk2chan -O0 --target=vgiw -mavx512f -mavx512bw -DNEEDS='"avx512bw"' %s -o %t.512 && %t.512
// RUN: cilk2chan -O1 --target=vgiw -Wno-psabi -DWIDER -DNEEDS='"sse2"' %s -o %t.any && %t.any

#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void check(void) {
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

#ifdef WIDER
CASE(longs128, long, 128)
#else
CASE(chars32, signed char, 32)
CASE(shorts16, short, 16)
CASE(ints64, int, 64)
CASE(floats8, float, 8)
CASE(doubles32, double, 32)
CASE(doubles64, double, 64)
#endif

// An object aligned further than a line of the machine's caches.
static int fill(char *to) {
  char *volatile at = to; // LLVM need not look
  memset(at, 1, 100);
  return (unsigned long)at % 1024 == 0;
}
static int aligned(int n) {
  _Alignas(1024) char own[100];
  _Alignas(64) char less[100];
  char *volatile other = less;
  int fine = fill(own) && (unsigned long)other % 64 == 0;
  less[n] = 2;
  return fine && own[n] == 1 && less[n] == 2;
}

int main(void) {
  int fine = 1;
  cilk_for (int i = 0; i < 3; i++)
    if (!aligned(i))
      fine = 0;
#ifdef WIDER
  fine &= longs128_check(3);
#else
  fine &= chars32_check(3) && shorts16_check(3) && ints64_check(3) && floats8_check(3) &&
          doubles32_check(3) && doubles64_check(3);
#endif
  return !fine;
}
