//===- errno-after-sync.c - errno and thread-local variables ------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What depends on the thread is right on either side of a sync: errno's address
// and thread-local variables are those of the thread that runs.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes
// LIBS: -lpthread

#include "../Support/check.h"
#include <cilk/cilk.h>
#include <errno.h>
#include <pthread.h>

static _Thread_local pthread_t owner;
static _Thread_local int owned;

static int fail(int n) {
  errno = n;
  return errno;
}

/* Is the thread-local memory that this code sees that of its own thread? */
static void own(void) {
  if (!owned) {
    owned = 1;
    owner = pthread_self();
  }
  CHECK(pthread_equal(owner, pthread_self()));
}

static long work(int n) {
  own();
  errno = n;
  CHECK_EQUAL(errno, n);
  if (n == 0)
    return 1;
  long a = cilk_spawn work(n - 1);
  int *before = &errno;
  long b = cilk_spawn work(n - 1);
  CHECK_EQUAL(fail(n + 1), n + 1);
  cilk_sync;
  own();
  errno = 5 * n;
  CHECK_EQUAL(errno, 5 * n);
  CHECK_EQUAL(strtol("99999999999999999999999", NULL, 10), 0x7fffffffffffffff);
  CHECK_EQUAL(errno, ERANGE);
  (void)before;
  return a + b;
}

int main(int argc, char **argv) {
  int n = (int)argument(argc, argv, 1, 12);
  CHECK_EQUAL(work(n), 1L << n);
  printf("%ld leaves\n", 1L << n);
  return 0;
}
