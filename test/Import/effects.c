// What spawning functions access is what their C does, without the runtime.
//
// RUN: cilk2chan -O1 -Wno-cilk-serial --emit=llvm -o %t.ll %s
// RUN: FileCheck --input-file=%t.ll %s
// RUN: cilk2chan -O1 -Wno-cilk-serial --dump-after=import -c -o %t.o %s 2>&1 | FileCheck --check-prefix=IMPORT %s
// RUN: cilk2chan -O2 -Wno-cilk-serial -S -emit-llvm -o - %s | FileCheck --check-prefix=ONCE %s
// RUN: cilk2chan -O1 -Wno-cilk-serial -Rpass=chan-hoist -c -o /dev/null %s 2>&1 | FileCheck --check-prefix=REMARK --implicit-check-not=remark: %s
// RUN: cilk2chan -O1 -Wno-cilk-serial -fno-chan-hoist --dump-after=import -c -o /dev/null %s 2>&1 | FileCheck --check-prefix=STAYS %s

#include <cilk/cilk.h>

struct tree {
  int value;
  struct tree *left, *right;
};
struct pair {
  int one, two;
};
int external(int);
static int count;
static volatile int watched;
static _Atomic int shared;
static const int table[] = {1, 1, 2, 5};

#define RECURSION(name, before)                                                \
  int name(int n) {                                                            \
    if (n < 2)                                                                 \
      return n;                                                                \
    before;                                                                    \
    int a = cilk_spawn name(n - 1);                                            \
    int b = name(n - 2);                                                       \
    cilk_sync;                                                                 \
    return a + b;                                                              \
  }

static RECURSION(fib, )
static RECURSION(constants, n -= table[n & 3])
static _Thread_local int own;
static RECURSION(reads, n -= count)
static RECURSION(writes, ++count)
static RECURSION(watches, n -= watched)
static RECURSION(shares, ++shared)
static RECURSION(asks, n = external(n))
static RECURSION(assembles, __asm__ volatile("" ::: "memory"))
static RECURSION(of_thread, n -= &own == (int *)(long)n)
__attribute__((weak)) RECURSION(replaced, )

static int odd(int n);
static int even(int n) {
  int a = n == 0 ? 1 : cilk_spawn odd(n - 1);
  cilk_sync;
  return a;
}
static int odd(int n) {
  int a = n == 0 ? 0 : cilk_spawn even(n - 1);
  cilk_sync;
  return a;
}
static int sum(const struct tree *tree) {
  if (!tree)
    return 0;
  int left = cilk_spawn sum(tree->left);
  int right = sum(tree->right);
  cilk_sync;
  return tree->value + left + right;
}
static void fill(int *to, int n) {
  if (n < 2) {
    *to = n;
    return;
  }
  cilk_spawn fill(to, n / 2);
  fill(to + n / 2, n - n / 2);
}
static int calls(int n) {
  int a = cilk_spawn writes(n);
  cilk_sync;
  return a;
}
static int passed(struct pair pair) {
  int a = cilk_spawn fib(pair.one);
  cilk_sync;
  return a + pair.two;
}

int use(struct tree *tree, int *to, int n) {
  int r = 0;
  r += fib(n);
  r += constants(n);
  r += reads(n);
  r += writes(n);
  r += watches(n);
  r += shares(n);
  r += asks(n);
  r += assembles(n);
  r += of_thread(n);
  r += replaced(n);
  r += even(n);
  r += sum(tree);
  fill(to, n);
  r += calls(n);
  r += passed((struct pair){n, n});
  return r;
}
// CHECK-LABEL: define {{.*}}@use(
// CHECK: call i32 @fib({{.*}} #[[NONE:[0-9]+]]
// CHECK: call i32 @constants({{.*}} #[[NONE]]
// CHECK: call i32 @reads({{.*}} #[[READ:[0-9]+]]
// CHECK: call i32 @writes(i32 noundef %{{[0-9]+}}){{$}}
// CHECK: call i32 @watches(i32 noundef %{{[0-9]+}}){{$}}
// CHECK: call i32 @shares(i32 noundef %{{[0-9]+}}){{$}}
// CHECK: call i32 @asks(i32 noundef %{{[0-9]+}}){{$}}
// CHECK: call i32 @assembles(i32 noundef %{{[0-9]+}}){{$}}
// CHECK: call i32 @of_thread(i32 noundef %{{[0-9]+}}){{$}}
// CHECK-NOT: call i32 @replaced{{.*}} #
// CHECK: call i32 @even({{.*}} #[[NONE]]
// CHECK: call i32 @sum({{.*}} #[[READ]]
// CHECK: call void @fill({{.*}}){{$}}
// CHECK: call i32 @calls({{.*}}){{$}}
// CHECK: call i32 @passed({{.*}} #[[NONE]]
// CHECK-DAG: attributes #[[NONE]] = { memory(none) }
// CHECK-DAG: attributes #[[READ]] = { memory(read) }

// ONCE-LABEL: define {{.*}}@repeat(
// ONCE: call {{.*}}@fib(
// ONCE-NOT: @fib
// ONCE: ret i32
int repeat(int n) {
  int r = 0;
  for (int i = 0; i < 100; ++i)
    r ^= fib(n) + i;
  return r;
}

// Before kernels are made, in functions that spawn.
// IMPORT-LABEL: llvm.func @repeat_and_spawn(
// IMPORT: llvm.call @fib({{.*}}) : (
// IMPORT: ^[[LOOP:bb[0-9]+]](
// IMPORT-NOT: @fib(
// IMPORT: llvm.call @writes(
// IMPORT: llvm.cond_br {{.*}}, ^[[LOOP]](
// IMPORT: llvm.call @__cilk_spawn_abi
int repeat_and_spawn(int n) {
  int r = 0;
  for (int i = 0; i < 100; ++i)
    // REMARK-DAG: effects.c:[[#@LINE+1]]:10: remark: all iterations make this call alike, which has no effects: it is made once, in front of the loop
    r ^= fib(n) + writes(i);
  int other = cilk_spawn reads(n);
  r += reads(n - 1);
  cilk_sync;
  return r + other;
}

// STAYS-LABEL: llvm.func @repeat_and_spawn(
// STAYS: ^bb
// STAYS: llvm.call @fib(
// STAYS-LABEL: llvm.func @in_parallel(
// STAYS-NOT: llvm.call @fib(
// STAYS: llvm.return
// In front of a parallel loop that has iterations; its body is no kernel then.
// IMPORT-LABEL: llvm.func @in_parallel(
// IMPORT: %[[RUNS:.*]] = llvm.icmp "ne" %[[COUNT:.*]], %{{.*}} : i64
// IMPORT-NEXT: llvm.cond_br %[[RUNS]], ^[[CALL:bb[0-9]+]], ^[[LOOP:bb[0-9]+]](
// IMPORT: ^[[CALL]]:
// IMPORT: %[[MORE:.*]] = llvm.add %arg2
// IMPORT: %[[RESULT:.*]] = llvm.call @fib(%[[MORE]])
// IMPORT: llvm.br ^[[LOOP]](%[[RESULT]] : i32)
// IMPORT: ^[[LOOP]](%[[PASSED:.*]]: i32):
// IMPORT: llvm.call @__cilk_for_abi.[[NUMBER:[0-9]+]]({{.*}}, %[[COUNT]], {{.*}}, %[[PASSED]])
// IMPORT-NOT: llvm.func internal @__cilk_body.[[NUMBER]](
void in_parallel(int *to, int n, int m) {
  cilk_for (int i = 0; i < n; ++i)
    // REMARK-DAG: effects.c:[[#@LINE+1]]:13: remark: all iterations
    to[i] = fib(m + 1) + i;
}

// Of these that every iteration makes alike, and through two loops.
// IMPORT-LABEL: llvm.func @of_several(
// IMPORT-NOT: ^bb
// IMPORT: llvm.call @fib(%arg1)
// IMPORT-NOT: llvm.call @{{[a-z]}}
// IMPORT: llvm.call @__cilk_for_abi
// IMPORT-NOT: llvm.call @{{[a-z]}}
// IMPORT: llvm.return
static int small(int n) { return n * 7; }
void of_several(int (*to)[8], int n) {
  cilk_for (int i = 0; i < 100; ++i)
    // REMARK-DAG: effects.c:[[#@LINE+1]]:5: remark: all iterations
    cilk_for (int j = 0; j < 8; ++j) {
      int odd = small(n) + j;
      if (j & 1)
        odd += constants(n);
      // REMARK-DAG: effects.c:[[#@LINE+1]]:18: remark: all iterations
      to[i][j] = fib(n) + fib(j) + reads(n) + even(odd);
    }
}

// Not behind what may end the program.
// IMPORT-LABEL: llvm.func @behind(
// IMPORT-NOT: llvm.call @fib
// IMPORT: llvm.return
void behind(int *to, int n) {
  cilk_for (int i = 0; i < 100; ++i) {
    external(i);
    to[i] = fib(n);
  }
}

// Nor behind what ends it on a way of its own.
// IMPORT-LABEL: llvm.func @behind_check(
// IMPORT-NOT: llvm.call @fib
// IMPORT: llvm.return
_Noreturn void end(void);
void behind_check(int *to, int n) {
  cilk_for (int i = 0; i < 100; ++i) {
    if (to[i] < 0)
      end();
    to[i] = fib(n);
  }
}

// Functions without a loop or a spawn may become constants where they are.
// IMPORT-LABEL: llvm.func @of_small(
// IMPORT-NOT: llvm.call @kept
// IMPORT: llvm.return
__attribute__((noinline)) static int kept(int n) { return n * 7; }
void of_small(int *to) {
  cilk_for (int i = 0; i < 100; ++i)
    to[i] = kept(6) + writes(i);
}

// And what is called with the results.
// IMPORT-LABEL: llvm.func @of_results(
// IMPORT: %[[ONE:.*]] = llvm.call @fib(%arg1)
// IMPORT: %[[TWO:.*]] = llvm.call @fib(%[[ONE]])
// IMPORT: %[[THREE:.*]] = llvm.call @even(%[[TWO]])
// IMPORT: llvm.call @__cilk_for_abi{{.*}}%[[THREE]]
void of_results(int *to, int n) {
  cilk_for (int i = 0; i < 100; ++i)
    // REMARK-DAG: effects.c:[[#@LINE+3]]:18: remark: all iterations
    // REMARK-DAG: effects.c:[[#@LINE+2]]:22: remark: all iterations
    // REMARK-DAG: effects.c:[[#@LINE+1]]:13: remark: all iterations
    to[i] = even(fib(fib(n))) + i;
}
