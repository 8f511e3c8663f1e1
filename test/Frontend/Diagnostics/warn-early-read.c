// A result is read, or what it goes to is changed, before its sync.
//
// RUN: cilk2chan --emit=markers %s -o %t.ll 2>&1 | FileCheck %s

int f(int);
int g(int n) {
  int x = spawn f(n), y;
  // CHECK: [[@LINE+1]]:7: warning: 'x' is read before the sync that makes the result of the spawn available [-Wcilk-early-read]
  y = x + 1;
  // CHECK: [[@LINE-3]]:11: note: spawned here
  sync;
  return x + y;
}
int conditions(int n) {
  int x = spawn f(n), y = spawn f(n), z = spawn f(n), v = spawn f(n);
  // CHECK: [[@LINE+1]]:7: warning: 'x' is read before the sync
  if (x < 0)
    return -1;
  y = spawn f(n);
  // CHECK: [[@LINE+1]]:10: warning: 'y' is read before the sync
  while (y)
    break;
  z = spawn f(n);
  // CHECK: [[@LINE+1]]:19: warning: 'z' is read before the sync
  for (int i = 0; z > i; i++)
    sync;
  v = spawn f(n);
  // CHECK: [[@LINE+1]]:11: warning: 'v' is read before the sync
  switch (v) {
  case 1:
    return 2;
  }
  return 0;
}
int changes(int n) {
  int s = 0, x = spawn f(n);
  // CHECK: [[@LINE+1]]:3: warning: 'x' is changed before the sync that makes the result of the spawn available [-Wcilk-early-read]
  x += 1;
  // CHECK: [[@LINE-3]]:18: note: spawned here
  x = spawn f(n);
  // CHECK: [[@LINE+1]]:6: warning: 'x' is changed before the sync
  --(x);
  x = spawn f(n);
  // CHECK: [[@LINE+1]]:3: warning: 'x' is changed before the sync
  x = n;
  x = spawn f(n);
  // CHECK: [[@LINE+1]]:3: warning: 'x' is changed before the sync
  x = spawn f(n + 1);
  s += spawn f(n);
  // CHECK: [[@LINE+1]]:3: warning: 's' is changed before the sync
  s ^= n;
  s <<= spawn f(n);
  // CHECK: [[@LINE+1]]:3: warning: 's' is changed before the sync
  s <<= n;
  s += spawn f(n);
  // CHECK: [[@LINE+1]]:11: warning: 's' is read before the sync
  s = n + s;
  s += spawn f(n);
  s *= spawn f(n);
  // CHECK: [[@LINE+1]]:3: warning: 's' is changed before the sync
  s += n;
  sync;
  return s + x;
}
double rounded(int n) {
  double s = 0;
  _Bool any = 0;
  s += spawn f(n);
  // CHECK: [[@LINE+1]]:3: warning: 's' is changed before the sync
  s += n;
  any += spawn f(n);
  // CHECK: [[@LINE+1]]:3: warning: 'any' is changed before the sync
  any += n;
  n += spawn f(3);
  // CHECK: [[@LINE+1]]:3: warning: 'n' is changed before the sync
  n += .5;
  sync;
  return s;
}
int global, slot[4];
struct box {
  int m, n;
  struct box *next;
} box, boxes[2];
int places(int n, struct box *p, struct box *q) {
  global = spawn f(n);
  // CHECK: [[@LINE+1]]:7: warning: 'global' is read before the sync
  n = global;
  slot[1] = spawn f(n);
  // CHECK: [[@LINE+1]]:7: warning: 'slot[1]' is read before the sync
  n = slot[1];
  box.m = spawn f(n);
  // CHECK: [[@LINE+1]]:9: warning: 'box.m' is read before the sync
  n = f(box.m);
  boxes[1].n = spawn f(n);
  // CHECK: [[@LINE+1]]:9: warning: 'boxes[1]' is read before the sync
  box = boxes[1];
  boxes[1].n = spawn f(n);
  // CHECK: [[@LINE+1]]:3: warning: 'boxes[1].n' is changed before the sync
  boxes[1].n = 7;
  p->n = spawn f(n);
  // CHECK: [[@LINE+1]]:9: warning: 'p->n' is read before the sync
  n = f(p->n);
  (*p).m = spawn f(n);
  // CHECK: [[@LINE+1]]:9: warning: 'p[0].m' is read before the sync
  n = f(p[0].m);
  static int own[2];
  own[0] += spawn f(n);
  own[0] += n;
  // CHECK: [[@LINE+1]]:7: warning: 'own[0]' is read before the sync
  n = own[0];
  sync;
  return global + slot[1] + box.m;
}
// CHECK-NOT: warning:
int otherPlaces(int n, struct box *p, struct box *q) {
  slot[1] = spawn f(n);
  n = slot[2] + slot[n] + q->n;
  slot[n] = spawn f(n);
  n = slot[n];
  box.m = spawn f(n);
  n = box.n;
  box.n = 3;
  p->n = spawn f(n);
  n = q->n + p->m + p[1].n;
  p = p->next;
  n = p->n;
  q->n = spawn f(n);
  q++;
  n = q->n;
  sync;
  return global + slot[1] + box.m;
}
int inAnyOrder(int n) {
  int s = 0, m = 1, a = -1, o = 0, e = 0;
  short narrow = 0;
  float array[9], *place = array;
  _Bool any = 0;
  s += spawn f(n);
  s -= 1;
  s++;
  s += spawn f(n);
  m *= spawn f(n);
  m *= n;
  a &= spawn f(n);
  a &= n;
  o |= spawn f(n);
  o |= n;
  e ^= spawn f(n);
  e ^= n;
  narrow += spawn f(n);
  --narrow;
  place += spawn f(0);
  place++;
  any |= spawn f(n);
  any |= n;
  sync;
  return s + m + a + o + e + narrow + any + (int)*place;
}
int loops(int n) {
  int x = spawn f(n), y = spawn f(n);
  if (n) {
    sync;
    n = x;
  }
  do {
    sync;
  } while (x);
  for (;;)
    return x + y;
}
int fine(int n) {
  int x = spawn f(n), y = spawn f(n), *p = &x;
  x += spawn f(n);
  n = sizeof(x);
  if (n)
    sync;
  y = x;
  x = spawn f(x);
  return x + y + *p;
}
