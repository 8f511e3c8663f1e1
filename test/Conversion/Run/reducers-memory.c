// reducers-memory.c - The memory of views does not grow with the number of children of
// one activation: strands that have ended are combined at once.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O2 %s -o %t
// RUN: for workers in 1 2 4; do CHAN_WORKERS=$workers %t 20000 > %t.few && CHAN_WORKERS=$workers %t 400000 > %t.many && \
// RUN:   cat %t.few %t.many && test $(cat %t.many) -lt $(($(cat %t.few) + 20000)) || exit 1; done

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

// Of 256 bytes, so that 400000 views would take 100 MB.
typedef struct {
  long sum, padding[31];
} wide;
void zero(void *view) { *(wide *)view = (wide){0}; }
void add(void *left, void *right) {
  ((wide *)left)->sum += ((wide *)right)->sum;
}
wide cilk_reducer(zero, add) total;

void child(long i) { total.sum += i; }
void parent(long n) {
  for (long i = 0; i < n; i++) {
    cilk_spawn child(i);
    total.sum++;
  }
}

// Prints the greatest memory in KB.
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  parent(n);
  if (total.sum != n * (n + 1) / 2)
    return 1;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%ld\n", usage.ru_maxrss);
}
