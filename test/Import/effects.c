// What spawning functions access is what their C does, without the runtime.
//
// RUN: cilk2chan -O1 -Wno-cilk-serial --emit=llvm -o %t.ll %s
// RUN: FileCheck --input-file=%t.ll %s
// RUN: cilk2chan -O2 -Wno-cilk-serial -S -emit-llvm -o - %s | FileCheck --check-prefix=ONCE %s

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
