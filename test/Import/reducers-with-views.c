// reducers-with-views.c - Why a reducer of integers has views, one reason each.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: for i in 1 2 3 4 5 6 7 8 9; do cilk2chan -O1 -DREASON=$i --emit=cilk %s | grep 'call @chan_reducer_view' > /dev/null || { echo "$i has no views"; exit 1; }; done
// RUN: for i in 1 2 3 4 5 6 7 8 9; do cilk2chan -O1 -DREASON=$i -Rpass-missed=chan-reducers -c -o %t.o %s 2>&1 | grep remark: ; done | FileCheck %s
// CHECK: remark: reducer 'counter' has views, and its functions no lanes: its functions, as far as they are in this file
// CHECK: its functions, as far as they are in this file, are not those of an integer operation whose order is free (+, &, |, ^)
// CHECK: its functions, as far as they are in this file
// CHECK: another file may use it; 'static' keeps it to this one
// CHECK: this use is no update by its own operation, and other tasks may run beside it [-Rpass-missed=chan-reducers]
// CHECK: this use is no update
// CHECK: this use is no update
// CHECK: this use is no update
// CHECK: this use is no update
// RUN: cilk2chan -O1 -DREASON=0 -Rpass=chan-reducers -c -o %t.o %s 2>&1 | FileCheck --check-prefix=PASSED %s
// PASSED: remark: reducer 'counter' is updated in place, without views [-Rpass=chan-reducers]
// RUN: cilk2chan -O1 -DREASON=0 --emit=cilk %s | not grep chan_reducer

static void zero(void *view) { *(long *)view = REASON == 1; }
static void add(void *left, void *right) {
  *(long *)left += *(long *)right;
#if REASON == 2
  *(long *)left *= 2;
#endif
}
#if REASON == 3
void other(void *left, void *right);
#define add other
#endif

#if REASON != 4
static
#endif
    long cilk_reducer(zero, add) counter;

void use(long *value);
static void tree(int n) {
#if REASON == 5
  counter *= 3;
#elif REASON == 6
  if (counter < n)
    counter = n;
#elif REASON == 7
  use(&counter);
#endif
  counter++;
  if (n == 0)
    return;
  cilk_spawn tree(n - 1);
  tree(n - 1);
}

#if REASON != 8
static
#endif
    long count(int n) {
  counter = 0;
  tree(n);
  return counter;
}

int main(int argc, char **argv) {
#if REASON == 9
  cilk_spawn tree(argc);
#endif
  long number = count(argc);
  cilk_sync;
  return number;
}
