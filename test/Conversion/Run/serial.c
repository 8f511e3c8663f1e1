/*===- serial.c - What is subtle about serial clones ----------------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -w -O2 %s -o %t -lpthread && cilk2chan -w -O1 -DLIBRARY -fPIC -shared %s -o %t.so
// RUN: for workers in 1 2 8; do CHAN_WORKERS=$workers %t %t.so > %t.out && FileCheck %s < %t.out || exit 1; done
// RUN: for workers in 1 2; do CHAN_WORKERS=$workers CHAN_STACK=256K %t %t.so > %t.out && FileCheck %s < %t.out || exit 1; done
// RUN: cilk2chan -w -O1 -fsanitize=address,undefined -fno-sanitize-recover=all %s -o %t.asan -lpthread
// RUN: CHAN_WORKERS=1 CHAN_STACK=1M %t.asan | FileCheck %s
// RUN: CHAN_WORKERS=2 %t.asan exit; test $? = 7

// Where there are no loops, a clone may start again as a kernel; where there
// are, it has a slow path.
// RUN: cilk2chan -w -O2 --emit=mlir %s | FileCheck --check-prefix=CLONES %s
// CLONES: llvm.func internal @deep.serial.[[BODY:[a-z]+]](
// CLONES: call {{.*}}@chan_promote
// CLONES: llvm.func internal @assign.serial(
// CLONES: call {{.*}}@chan_late_open
// CLONES: call @chan_late_defer(
// CLONES: llvm.func internal @boards.serial(
// CLONES: call {{.*}}@chan_late_open
// CLONES: llvm.func internal @loops.serial(
// CLONES: call @chan_late_calls(
// CLONES: call @__chan_late.loops.entry(
// CLONES: call @chan_late_close(

// With a small stack, the clones leave their fast paths in the middle of
// everything below.

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY
int inLibrary(int n) {
  if (n == 0)
    return 0;
  int x = cilk_spawn inLibrary(n - 1);
  cilk_sync;
  return x + 1;
}
#else

/* Both recursions, of which the second leaves no room for the first's. */
static long deep(long n) {
  if (n == 0)
    return 0;
  long x = cilk_spawn deep(n - 1);
  cilk_sync;
  return x + 1;
}
static long deepByCalls(long n) {
  if (n == 0)
    return 0;
  long x = cilk_spawn deep(n % 3);
  long y = deepByCalls(n - 1);
  cilk_sync;
  return y + 1 + (x - n % 3);
}

/* Assignments in order, whichever were late. */
struct text {
  char data[40];
};
static struct text word(int n) {
  struct text result = {""};
  if (n > 0)
    result = word(n - 1);
  result.data[n] = 'a' + n;
  return result;
}
static int number(int n, int depth) {
  if (depth == 0)
    return n;
  int x = cilk_spawn number(n, depth - 1);
  cilk_sync;
  return x;
}
static long assign(int depth) {
  unsigned char small = 0;
  long value = 1;
  struct text text;
  for (int i = 1; i <= 20; ++i) {
    value *= cilk_spawn number(i % 3 + 1, depth);
    value -= cilk_spawn number(i, 3);
    small += cilk_spawn number(i, depth / 2);
    text = cilk_spawn word(i);
  }
  cilk_sync;
  return value % 1000003 + small + text.data[20];
}
static long assignInPlace(void) {
  unsigned char small = 0;
  long value = 1;
  for (int i = 1; i <= 20; ++i) {
    value *= i % 3 + 1;
    value -= i;
    small += i;
  }
  return value % 1000003 + small + 'a' + 20;
}

/* Memory whose scope ends before its child does. */
static long sumOf(const int *from, int n, int depth) {
  if (depth > 0) {
    int copy[n];
    memcpy(copy, from, sizeof copy);
    long x = cilk_spawn sumOf(copy, n, depth - 1);
    cilk_sync;
    return x;
  }
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += from[i];
  return sum;
}
static long boards(int n, int depth) {
  long sums[n];
  for (int i = 0; i < n; ++i) {
    int board[i + 1];
    int *other = __builtin_alloca(sizeof(int) * 4);
    for (int k = 0; k <= i; ++k)
      board[k] = k;
    for (int k = 0; k < 4; ++k)
      other[k] = i;
    if (i % 2)
      sums[i] = cilk_spawn sumOf(board, i + 1, depth);
    else
      sums[i] = cilk_spawn sumOf(other, 4, depth);
  }
  cilk_sync;
  long sum = 0;
  for (int i = 0; i < n; ++i)
    sum += sums[i] == (i % 2 ? i * (i + 1) / 2 : 4 * i);
  return sum;
}

/* What loops store into, as they are left in the middle: arrays for results, in
   loops and in loops in loops, also of spawns, and a variable whose address is known. */
static long loops(int n) {
  long results[3] = {1, 2, 3}, squares[2][2], known = 0, calls[1] = {0};
  long spawned[2][2] = {{5, 6}, {7, 8}}, later[2][2];
  long *volatile place = &known;
  if (n <= 0)
    return 1;
  for (int i = 0; i < 2; ++i)
    spawned[i][i] = cilk_spawn loops(-n), later[1 - i][i] = cilk_spawn loops(-n);
  cilk_sync;
  cilk_for (int i = 0; i < 3; ++i)
    results[i] += loops(i ? -i : n - 1);
  cilk_for (int i = 0; i < 2; ++i)
    cilk_for (int k = 0; k < 2; ++k)
      squares[i][k] = results[i + k] + loops(-n);
  if (n % 100 == 0) {
    cilk_for (int i = 0; i < 1; ++i) {
      known = loops(n - 99 * n / 100) > 0;
      calls[i] += *place;
    }
    *place += known;
  }
  return (results[0] + results[1] - 3 + results[2] - 4 + squares[1][1] - 5 +
          squares[0][0] - results[0] - 1 + calls[0] + known +
          spawned[0][0] - spawned[1][1] + spawned[0][1] * 10 +
          spawned[1][0] - 67 + later[0][1] - later[1][0]) %
         1000000;
}

/* Stored in front of the guard, and used behind it, by name and by address. */
static long before(int n, long *out) {
  long first[4] = {0}, second[3];
  memset(second, 0, sizeof second);
  second[1] = n;
  if (n < 2)
    return n;
  first[1] = cilk_spawn before(n - 1, &second[2]);
  first[2] = cilk_spawn before(n - 2, second);
  cilk_sync;
  *out += 1;
  return first[0] + first[1] + first[2] + first[3] +
         (second[0] + second[2] + second[1]) % 7;
}

/* A library's callback, a pointer, another thread. */
static int compare(const void *a, const void *b) {
  int x = cilk_spawn number(*(const int *)a, 40);
  int y = cilk_spawn number(*(const int *)b, 3);
  cilk_sync;
  return (x > y) - (x < y);
}
static int isSorted(void) {
  int values[200];
  for (int i = 0; i < 200; ++i)
    values[i] = i * 7919 % 211;
  qsort(values, 200, sizeof *values, compare);
  int sorted = 1;
  for (int i = 1; i < 200; ++i)
    sorted &= values[i - 1] <= values[i];
  return sorted;
}
static int sortedInTask(int n) {
  int a = cilk_spawn isSorted();
  int b = cilk_spawn isSorted();
  cilk_sync;
  return a + b;
}
static long (*volatile step)(long) = deep;
static long byPointer(long n) {
  long x = cilk_spawn step(n);
  long y = step(n);
  cilk_sync;
  return x + y;
}
static void *inThread(void *result) {
  *(long *)result = deepByCalls(3000) + byPointer(2000);
  return NULL;
}

static int leave(int n) {
  if (n == 0)
    exit(7);
  int x = cilk_spawn leave(n - 1);
  cilk_sync;
  return x;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "exit") == 0)
    return leave(100);
  printf("%ld %ld\n", deep(100000), deepByCalls(100000));
  // CHECK: 100000 100000
  printf("%d\n", assign(2000) == assignInPlace());
  // CHECK-NEXT: 1
  printf("%ld\n", boards(50, 100));
  // CHECK-NEXT: 50
  long out = 0;
  printf("%ld\n", before(20, &out) + out);
  // CHECK-NEXT: 38579
  printf("%ld\n", loops(20000));
  // CHECK-NEXT: 20601
  printf("%d\n", sortedInTask(0));
  // CHECK-NEXT: 2
  long result[3];
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i)
    pthread_create(&threads[i], NULL, inThread, &result[i]);
  for (int i = 0; i < 3; ++i)
    pthread_join(threads[i], NULL);
  printf("%ld %ld %ld\n", result[0], result[1], result[2]);
  // CHECK-NEXT: 7000 7000 7000
  int sum = 0;
  for (int i = 0; argc > 1 && i < 3; ++i) {
    void *library = dlopen(argv[1], RTLD_NOW);
    sum += ((int (*)(int))dlsym(library, "inLibrary"))(1000);
    dlclose(library);
  }
  printf("%d\n", argc > 1 ? sum : 3000);
  // CHECK-NEXT: 3000
  return 0;
}
#endif
