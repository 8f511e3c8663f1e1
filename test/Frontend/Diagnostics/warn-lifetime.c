// An object of an inner scope ends before a sync waits for a spawn that has its
// address.
//
// RUN: cilk2chan --emit=markers %s -o %t.ll 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: cilk2chan -fcilk-serialize -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: cilk2chan -Wno-cilk-lifetime --emit=markers %s -o %t.ll 2>&1 | count 0

struct inner { int a[4]; };
struct s { int n; struct inner in; const int *p; };
void f(const int *), g(struct s *), h(struct s), v(int);

void direct(int n) {
  for (int i = 0; i < n; i++) {
    int x = i;
    // CHECK: [[@LINE+2]]:5: warning: 'x', whose address this 'spawn' has, ends with its block, before a sync waits for the child [-Wcilk-lifetime]
    // CHECK: [[@LINE-2]]:9: note: declared here; sync before the block ends, or declare it outside
    spawn f(&x);
    int a[3] = {i};
    // CHECK: [[@LINE+2]]:5: warning: 'a', whose address
    // CHECK: [[@LINE-2]]:9: note: declared here
    spawn f(a);
    // CHECK: [[@LINE+1]]:5: warning: 'a', whose address
    spawn f(&(a)[1]);
    // CHECK: [[@LINE+1]]:5: warning: 'a', whose address
    cilk_spawn f(n ? a + 1 : 0);
    struct s s = {i};
    // CHECK: [[@LINE+1]]:5: warning: 's', whose address
    spawn f(s.in.a);
    // CHECK: [[@LINE+1]]:5: warning: 's', whose address
    spawn g((void *)&s);
    // CHECK: [[@LINE+2]]:5: warning: a compound literal, whose address this 'spawn' has, ends with its block, before a sync waits for the child [-Wcilk-lifetime]
    // CHECK: [[@LINE+1]]:13: note: it stands here; sync before the block ends, or declare a variable outside
    spawn f((int[]){1, i});
    // CHECK: [[@LINE+1]]:5: warning: a compound literal
    spawn g(&(struct s){i});
    int vla[n];
    vla[0] = 0;
    // CHECK: [[@LINE+1]]:5: warning: 'vla', whose address
    spawn f(vla);
  }
  if (n) {
    int x = n;
    // CHECK: [[@LINE+1]]:5: warning: 'x', whose address
    spawn f(&x);
  }
  sync;
}
void indirect(int n) {
  while (n--) {
    int x = n, y = n, z = n;
    const int *p = &x, *q;
    q = 1 + p;
    // CHECK: [[@LINE+1]]:5: warning: 'x', whose address
    spawn f(q);
    struct s s = {.p = &y};
    // CHECK: [[@LINE+1]]:5: warning: 'y', whose address
    spawn h(s);
    struct s t, *to = &t;
    to->p = &z;
    // CHECK: [[@LINE+2]]:5: warning: 't', whose address
    // CHECK: [[@LINE+1]]:5: warning: 'z', whose address
    spawn g(&t);
  }
}
void blocks(int n) {
  do {
    int a[2] = {n, n}, sum = 0, only = n;
    // CHECK: [[@LINE+2]]:5: warning: 'sum', whose address this 'cilk_spawn' has,
    // CHECK: [[@LINE+1]]:5: warning: 'a', whose address
    cilk_spawn {
      sum += a[0] + only;
      {
        int own = 0;
        // CHECK: [[@LINE+1]]:9: warning: 'own', whose address
        spawn f(&own);
      }
    }
  } while (n--);
}
void ways(int n) {
  for (;;) {
    int x = n;
    // CHECK: [[@LINE+1]]:5: warning: 'x', whose address
    spawn f(&x);
    if (n == 7)
      break;
    if (n == 8)
      sync;
    else if (n == 9)
      return;
    sync;
  }
  {
    int x = n;
    // CHECK: [[@LINE+1]]:5: warning: 'x', whose address
    spawn f(&x);
    switch (n) {
    case 1:
      sync;
      break;
    default:
      break;
    }
  }
  {
    int x = n;
    // CHECK: [[@LINE+1]]:5: warning: 'x', whose address
    spawn f(&x);
    if (n)
      goto out;
    sync;
  }
out:
  cilk_for (int i = 0; i < n; i++) {
    while (n) {
      int x = n;
      // CHECK: [[@LINE+1]]:7: warning: 'x', whose address
      spawn f(&x);
    }
    {
      int x = n;
      // A sync of the loop's waits for the loop's.
      spawn f(&x);
      sync;
    }
  }
  for (;;) {
    int x = n;
    // CHECK: [[@LINE+1]]:5: warning: 'x', whose address
    spawn f(&x);
    cilk_for (int i = 0; i < n; i++)
      sync;
    if (n)
      continue;
    sync;
  }
}

void right(int n, struct s parameter) {
  int local = n, *out = &local, array[9], k;
  spawn f(&local);
  for (int i = 0; i < n; i++) {
    spawn f(&local);
    spawn f(out);
    spawn f(&array[i]);
    spawn f(parameter.in.a);
    static int kept;
    spawn f(&kept);
    int x = i, a[3] = {i}, *inner = a;
    const int *p = &x;
    spawn v(x);
    spawn v(a[1] + *inner);
    spawn h((struct s){i});
    spawn v(sizeof a + (p == &x));
  }
  for (int i = 0; i < n; i++) {
    int x = i;
    spawn f(&x);
    if (n == 3) {
      sync;
      continue;
    }
    if (n == 4)
      return;
    sync;
  }
  for (int i = 0; i < n; i++)
    cilk_scope {
      int x = i;
      spawn f(&x);
      if (n == 2)
        break;
    }
  cilk_for (int i = 0; i < n; i++) {
    int x = i;
    spawn f(&x);
    if (n == 2)
      continue;
    x = 2;
  }
  for (k = 0; k < n; k++) {
    int x = k, a[2] = {k};
    cilk_for (int i = 0; i < n; i++) {
      spawn f(&x);
      spawn f(a);
    }
    cilk_spawn { v(k + x); }
    cilk_spawn {
      int own = 0, sum = 0;
      spawn f(&own);
      cilk_spawn { sum++; }
    }
  }
  {
    int x = n;
    do {
      spawn f(&x);
    } while (n--);
    do {
      sync;
    } while (n++ < 3);
  }
}
