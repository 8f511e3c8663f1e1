// noalias.c - What a loop's body is told of the pointers that it captures.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -O1 --emit=llvm -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O1 -g --emit=llvm -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O1 --target=vgiw --emit=llvm -Wno-cilk %s | FileCheck %s
// RUN: cilk2chan -O1 -fno-builtin --emit=llvm -Wno-cilk %s | FileCheck %s --check-prefix=OWN
// RUN: cilk2chan -O0 --emit=llvm -Wno-cilk %s | FileCheck %s --check-prefix=NONE

// NONE-NOT: @__cilk_body.{{.*}}noalias

void lock(void);
void keep(const int *);
void *malloc(unsigned long);
void free(void *);
double sqrt(double);
extern int *kept;

// CHECK: define internal void @__cilk_body.0(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr noalias %{{[0-9]*}}, ptr noalias %{{[0-9]*}})
void parameters(int n, int *restrict to, int *from, int *restrict by) {
  cilk_for (int i = 0; i < n; i++)
    to[i] = from[i] * by[0];
}

// Also what else is known to be an object of its own.
// CHECK: define internal void @__cilk_body.1(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr noalias %{{[0-9]*}}, ptr noalias %{{[0-9]*}})
// OWN: define internal void @__cilk_body.1(i64 %0, i64 %1, i32 %2, ptr %3, ptr %4)
double objects(int n) {
  double table[100];
  double *all = malloc(n * sizeof(double));
  cilk_for (int i = 0; i < n; i++)
    table[i % 100] = all[i] = sqrt(i);
  double first = all[0] + table[0];
  free(all);
  return first;
}

// Another name for a part of it, which others have, or that the body finds in
// memory.
// CHECK: define internal void @__cilk_body.2(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.3(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.4(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.5(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}})
void twoNames(int n, int *restrict p) {
  int *behind = p + n;
  cilk_for (int i = 0; i < n; i++)
    p[i] = behind[-i];
}
void keptBefore(int n, int *restrict p) {
  keep(p);
  cilk_for (int i = 0; i < n; i++)
    p[i] = *kept;
}
void keptBeside(int n, int *restrict p) {
  kept = p;
  cilk_for (int i = 0; i < n; i++)
    p[i] = *kept;
}
void keptInside(int n, int *restrict p) {
  cilk_for (int i = 0; i < n; i++) {
    if (i == 0)
      kept = p;
    p[i] = i;
  }
}

// Where iterations wait for others, these come to the same places.
// CHECK: define internal void @__cilk_body.6(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.7(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.8(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.9(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}})
static void turn(int depth) {
  if (depth)
    turn(depth - 1);
  else
    lock();
}
void locks(int n, int *restrict sum) {
  cilk_for (int i = 0; i < n; i++) {
    turn(i);
    *sum += i;
  }
}
void spins(int n, int *restrict sum, int *restrict flag) {
  cilk_for (int i = 0; i < n; i++) {
    while (__atomic_exchange_n(flag, 1, __ATOMIC_ACQUIRE))
      ;
    *sum += i;
    __atomic_store_n(flag, 0, __ATOMIC_RELEASE);
  }
}
void calls(int n, int *restrict sum, void (*enter)(void)) {
  cilk_for (int i = 0; i < n; i++) {
    enter();
    *sum += i;
  }
}
void assembles(int n, int *restrict sum) {
  cilk_for (int i = 0; i < n; i++) {
    __asm__ volatile("" ::: "memory");
    *sum += i;
  }
}

// A loop inside another's body is told what that is.
// CHECK: define internal void @__cilk_body.10(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, i32 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr noalias %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.12(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
void nested(int n, int *restrict to, int *from) {
  cilk_for (int i = 0; i < n; i++)
    cilk_for (int j = 0; j < n; j++)
      to[i * n + j] = from[j];
}
void nestedTwice(int n, int *restrict to) {
  cilk_for (int i = 0; i < n; i++) {
    int *row = to + i * n;
    cilk_for (int j = 0; j < n; j++)
      row[j] = to[j];
  }
}

// What all callers of a function pass is known: each object by one pointer.
static void fill(double *p, int n) {
  for (int i = 0; i < n; i++)
    p[i] = i;
}
// CHECK: define internal void @__cilk_body.14(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr noalias %{{[0-9]*}}, ptr noalias %{{[0-9]*}})
// OWN: define internal void @__cilk_body.14(i64 %0, i64 %1, i32 %2, ptr %3, ptr %4)
static void copy(double *to, double *from, int n) {
  cilk_for (int i = 0; i < n; i++)
    to[i] = from[i];
}
static void andBack(double *to, double *from, int n) {
  copy(to, from, n);
  copy(from, to, n);
}
double passed(int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  fill(a, n);
  for (int i = 0; i < n; i++)
    andBack(b, a, n);
  double first = b[0];
  free(a);
  free(b);
  return first;
}

// Not where one of them passes parts of one object, or what others have. The
// third swaps two objects, which stay two.
// CHECK: define internal void @__cilk_body.15(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.16(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.17(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr noalias %{{[0-9]*}}, ptr noalias %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.18(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
static void copyHalf(double *to, double *from, int n) {
  cilk_for (int i = 0; i < n; i++)
    to[i] = from[i];
}
void halves(int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  copyHalf(a, b, n);
  copyHalf(a, a + n / 2, n / 2);
}
static double *last;
static void note(double *p) { last = p; }
static void copyNoted(double *to, double *from, int n) {
  cilk_for (int i = 0; i < n; i++)
    to[i] = from[i] + last[i];
}
void noted(int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  note(a);
  note(b);
  copyNoted(a, b, n);
}
static void copyStep(double *to, double *from, int n) {
  cilk_for (int i = 0; i < n; i++)
    to[i] = from[i];
}
void steps(int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) {
    copyStep(a, b, n);
    double *before = a;
    a = b;
    b = before;
  }
}
static void copyLent(double *to, double *from, int n) {
  cilk_for (int i = 0; i < n; i++)
    to[i] = from[i];
}
void (*lent)(double *, double *, int) = copyLent;
void lends(int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  copyLent(a, b, n);
}

// Nor where two variables have the same pointer.
// CHECK: define internal void @__cilk_body.19(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.20(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
void sameTwice(int n, int *restrict p) {
  int *q = p;
  cilk_for (int i = 0; i < n; i++)
    p[i] = q[i] + 1;
}
static void sameOfOwn(int n, double *p) {
  double *q = p;
  cilk_for (int i = 0; i < n; i++)
    p[i] = q[i] + 1;
}
void passesOwn(int n) {
  double *a = malloc(n * sizeof(double));
  sameOfOwn(n, a);
}

// What a function of the file passes on is an object of its own, too.
// CHECK: define internal void @__cilk_body.21(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr noalias %{{[0-9]*}}, ptr noalias %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.22(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
// OWN: define internal void @__cilk_body.21(i64 %0, i64 %1, i32 %2, ptr %3, ptr %4)
void exit(int);
static void *obtain(unsigned long size, int orNull) {
  void *memory = size ? malloc(size) : (void *)0;
  if (!memory && !orNull)
    exit(1);
  return memory;
}
static double *numbers(int n) { return obtain(n * sizeof(double), 0); }
void obtained(int n) {
  double *a = numbers(n), *b = obtain(n * sizeof(double), 0);
  cilk_for (int i = 0; i < n; i++)
    a[i] = b[i] + 1;
  free(a);
  free(b);
}
// Not so what it keeps, or has had before.
static double *spare;
static double *keeping(int n) {
  double *memory = malloc(n * sizeof(double));
  spare = memory;
  return memory;
}
static double *reusing(int n) {
  return spare ? spare : malloc(n * sizeof(double));
}
void keeps(int n) {
  double *a = keeping(n), *b = reusing(n);
  cilk_for (int i = 0; i < n; i++)
    a[i] = b[i] + 1;
}

// Objects that a loop swaps or passes round, or that two variables get by the
// same choice, are followed in pairs.
// CHECK: define internal void @__cilk_body.23(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr noalias %{{[0-9]*}}, ptr noalias %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.24(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr noalias %{{[0-9]*}}, ptr noalias %{{[0-9]*}}, ptr noalias %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.25(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr noalias %{{[0-9]*}}, ptr noalias %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.26(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr noalias %{{[0-9]*}}, ptr noalias %{{[0-9]*}})
void swaps(int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  for (int k = 0; k < n; k++) {
    cilk_for (int i = 0; i < n; i++)
      a[i] = b[i] + 1;
    double *before = a;
    a = b;
    b = before;
  }
}
void passesRound(int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double)),
         *c = malloc(n * sizeof(double));
  for (int k = 0; k < n; k++) {
    cilk_for (int i = 0; i < n; i++)
      a[i] = b[i] + c[i];
    double *before = a;
    a = b;
    b = c;
    c = before;
  }
}
void swapsInside(int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  for (int k = 0; k < n; k++)
    for (int m = 0; m < k; m++) {
      cilk_for (int i = 0; i < n; i++)
        a[i] = b[i] + 1;
      if (m % 3) {
        double *before = a;
        a = b;
        b = before;
      }
    }
}
void chooses(int n, int way) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double)),
         *c = malloc(n * sizeof(double));
  double *from = a, *to = b;
  if (way) {
    from = b;
    to = c;
  }
  cilk_for (int i = 0; i < n; i++)
    to[i] = from[i] + 1;
}
// Not so where they may be the same, now or before, or where something else
// may be one of them.
// CHECK: define internal void @__cilk_body.27(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.28(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.29(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.30(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.31(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}}, ptr %{{[0-9]*}})
void copiesOne(int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  for (int k = 0; k < n; k++) {
    cilk_for (int i = 0; i < n; i++)
      a[i] = b[i] + 1;
    a = b;
  }
}
void choosesTwice(int n, int way, int other) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  double *from = way ? a : b, *to = other ? a : b;
  cilk_for (int i = 0; i < n; i++)
    to[i] = from[i] + 1;
}
void lagging(int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  double *last = malloc(n * sizeof(double));
  for (int k = 0; k < n; k++) {
    double *now = k % 2 ? a : b;
    cilk_for (int i = 0; i < n; i++)
      now[i] = last[i] + 1;
    if (k % 3)
      last = now;
  }
}
double *given(void);
void mixes(int n) {
  double *a = given(), *b = malloc(n * sizeof(double));
  kept = (int *)b;
  for (int k = 0; k < n; k++) {
    cilk_for (int i = 0; i < n; i++)
      a[i] = b[i] + 1;
    double *before = a;
    a = b;
    b = before;
  }
}
void swapsParts(int n) {
  double *a = malloc(n * sizeof(double)), *b = a + n / 2,
         *c = malloc(n * sizeof(double));
  for (int k = 0; k < n; k++) {
    cilk_for (int i = 0; i < n / 2; i++)
      a[i] = b[i] + c[i];
    double *before = a;
    a = b;
    b = c;
    c = before;
  }
}

// A loop's body may keep what another finds.
// CHECK: define internal void @__cilk_body.32(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}})
// CHECK: define internal void @__cilk_body.33(i64 %{{[0-9]*}}, i64 %{{[0-9]*}}, i32 %{{[0-9]*}}, ptr %{{[0-9]*}})
void keptByOther(int n) {
  int *p = malloc(n * sizeof(int));
  cilk_for (int i = 0; i < n; i++)
    if (i == 0)
      kept = p;
  cilk_for (int i = 0; i < n; i++)
    p[i] = kept[i];
}
