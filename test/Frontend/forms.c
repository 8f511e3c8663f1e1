// Every form of a spawn gives what the serial elision gives: each marker is
// run as a call of its child, and a sync as nothing.
//
// RUN: cilk2chan %s --emit=markers -Wno-cilk -o %t.ll
// RUN: sed -e '/^declare .*@__cilk_spawn/d' -e 's/__cilk_child/__cilk_spawn/g' %t.ll > %t.run.ll
// RUN: echo 'void __cilk_sync(void) {}' > %t.sync.c
// RUN: %clang -Wno-override-module %t.run.ll %t.sync.c -o %t.marked
// RUN: cilk2chan %s --emit=markers -fcilk-serialize -Wno-cilk -o %t.serial.ll
// RUN: %clang -Wno-override-module %t.serial.ll -o %t.serial
// RUN: %t.marked > %t.1
// RUN: %t.serial > %t.2
// RUN: diff %t.1 %t.2
// RUN: FileCheck %s < %t.1

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
  int a, b;
  double c[4];
} Big;
typedef struct {
  float x, y;
} Small;
struct Bits {
  unsigned a : 3, b : 9;
  struct {
    int d : 5;
  };
};
struct Node {
  int (*op)(int);
  long value;
};

static int twice(int n) { return 2 * n; }
static int minus(int n) { return -n; }
static double scale(double d, float f) { return d * f; }
static long long wide(short s) { return s * 10000000000LL; }
static float half(int n) { return n / 2.0f; }
static unsigned char byte(int n) { return n; }
static Big big(Big b, int n) {
  b.a += n;
  b.c[3] = n;
  return b;
}
static Small small(Small s) { return (Small){s.y, s.x}; }
static int count;
static void note(const char *text, _Bool flag) {
  count += flag;
  printf("%s", text);
}
static int *at(int *array, int index) { return array + index; }
static int sum(int n, ...) {
  va_list list;
  va_start(list, n);
  int result = 0;
  while (n--)
    result += va_arg(list, int);
  va_end(list);
  return result;
}
static _Complex double turn(_Complex double z) { return z * 1.0i; }
static int row(int n, int m[n][n], int i) { return m[i][0] + m[i][n - 1]; }
static int oldStyle(a, f) int a; float f; { return a + f; }

#define SPAWN cilk_spawn
#define CALL(f, ...) spawn f(__VA_ARGS__)

static int global;
static _Thread_local int local;

static void destinations(int n) {
  int array[8] = {0}, i = 0;
  struct Bits bits = {0}, *pointer = &bits;
  struct Node node = {minus, 0}, *next = &node;
  spawn note("note ", n);
  SPAWN note("macro ", 1);
  CALL(note, "call\n", 2);
  array[i++] = spawn twice(n);
  *at(array, 2) = cilk_spawn twice(i);
  next->value = _Cilk_spawn next->op(4);
  bits.b = spawn twice(200);
  pointer->a = spawn twice(6);
  pointer->d = spawn minus(3);
  global = spawn twice(21);
  local = spawn twice(5);
  register int fast = spawn twice(8);
  volatile int slow = spawn twice(9);
  _Atomic int atomic = spawn twice(10);
  sync;
  // CHECK: note macro call
  // CHECK-NEXT: 3 6 2 -4 400 4 -3 42 10 16 18 20
  printf("%d %d %d %ld %u %u %d %d %d %d %d %d\n", count, array[0], array[2],
         next->value, bits.b, bits.a, bits.d, global, local, fast, slow,
         atomic);
  bits.b += spawn twice(5);
  atomic += spawn twice(1);
  fast -= spawn twice(1);
  slow <<= spawn byte(2);
  sync;
  // CHECK-NEXT: 410 22 14 72
  printf("%u %d %d %d\n", bits.b, atomic, fast, slow);
}

static void types(void) {
  double d = spawn scale(2.5, 2);
  float f = spawn scale(1.5, 3);
  unsigned char c = spawn twice(300);
  _Bool flag = spawn scale(0.25, 1);
  long long w = spawn wide(3);
  const int constant = spawn half(7);
  int cast = (char)spawn twice(0x81);
  Big b = {1, 2, {3}};
  b = spawn big(b, 7);
  Small s = spawn small((Small){1, 2});
  _Complex double z = spawn turn(2.0);
  sync;
  // CHECK-NEXT: 5.0 4.5 88 1 30000000000 3 2 8 7.0 2.0 1.0 0.0+2.0i
  printf("%.1f %.1f %d %d %lld %d %d %d %.1f %.1f %.1f %.1f+%.1fi\n", d, f, c,
         flag, w, constant, cast, b.a, b.c[3], s.x, s.y, __real__ z,
         __imag__ z);
  c += spawn twice(100);
  f *= spawn twice(2);
  w -= spawn scale(2, 0.5f);
  __imag__ z = spawn twice(4);
  int *p = spawn at((int[]){1, 2, 3}, 1);
  p -= spawn byte(1);
  int old = spawn oldStyle(1, 2.5f), many = spawn sum(3, 1, 'a', (short)2);
  sync;
  // CHECK-NEXT: 32 18.0 29999999999 8.0 1 3 100
  printf("%d %.1f %lld %.1f %d %d %d\n", c, f, w, __imag__ z, *p, old, many);
}

static double choose(int n) {
  double d = n ? spawn twice(n) : 2.5f;
  sync;
  d += n > 1 ? spawn half(n) : n > 0 ? 100 : spawn minus(7);
  n > 1 ? spawn note("yes ", 0) : (void)0;
  sync;
  return n > 2 ? spawn scale(d, 2) : d;
}

static int statements(int n) {
  int x = spawn twice(n), *p = &x, y = spawn twice(p == &x), total = 0, i;
  if (n > 100)
    spawn note("if", 1);
  else
    total += spawn twice(1);
  for (int j = spawn twice(0), k = 1; k < 4; k++)
    total += spawn twice(k + 0 * (j = 0));
  for (i = 0; i < 6; total += spawn twice(i))
    i += 2;
  for (spawn note("for ", 0), i = 0; i < 2; spawn note("inc ", 0), i++)
    ;
  do
    spawn note("do ", 0);
  while (i-- > 0);
  switch (n) {
  case 5:
    total += spawn twice(50);
  case 6:
    total += spawn twice(60);
    break;
  default:
    spawn note("default", 1);
    sync;
  }
again:
  total += spawn twice(1);
  if (++i < 2)
    goto again;
  static int kept;
  kept = spawn twice(kept + 1);
  int inner = ({
    int t = spawn twice(9);
    sync;
    t + 1;
  });
  ({ spawn note("discarded ", 0); });
  (void)spawn twice(3);
  if (n > 5)
    sync;
  else {
    cilk_sync;
  }
  int square[n][n];
  for (i = 0; i < n * n; i++)
    square[i / n][i % n] = i;
  int rows = spawn row(n, square, n - 1);
  sync;
  total += ({
    if (n == 7)
      return -1;
    0;
  });
  return x + y + total + kept + inner + rows;
}

static int blocks(int n) {
  int x = 1, array[4] = {0};
  register int fast = 3;
  static int calls;
  cilk_spawn {
    int mine = spawn twice(n);
    sync;
    for (int i = 0; i < fast; i++) {
      if (i == 2)
        break;
      array[i] = mine;
    }
    calls++;
    cilk_spawn { x += array[1]; }
  }
  sync;
  for (int i = 0; i < 3; i++)
    cilk_spawn { calls += 10; }
  sync;
  return x + array[0] + calls;
}

static Big returned(int n) { return spawn big((Big){n}, 1); }
static void nothing(void) { return spawn note("nothing\n", 0); }

int main(void) {
  sync();
  destinations(3);
  types();
  // CHECK-NEXT: -4.5 102.0 yes yes 5.0 15.0
  printf("%.1f ", choose(0));
  printf("%.1f ", choose(1));
  double two = choose(2), three = choose(3);
  printf("%.1f %.1f\n", two, three);
  // CHECK-NEXT: for inc inc do do do discarded
  int five = statements(5), seven = statements(7);
  // CHECK-SAME: default
  printf("\n%d %d\n", five, seven);
  // CHECK: -1
  // CHECK-NEXT: 44
  printf("%d\n", blocks(3));
  // CHECK-NEXT: 5
  printf("%d\n", returned(4).a);
  // CHECK-NEXT: nothing
  nothing();
  return 0;
}
