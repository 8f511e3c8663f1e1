/*===- control-flow.c - Syncs anywhere in the control flow ----------------===*\
|* Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.     *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
// RUN: cilk2chan -fcilk-serialize -w -O1 %s -o %t.serial
// RUN: cilk2chan -w -O0 %s -o %t.0 && cilk2chan -w -O2 %s -o %t.2
// RUN: %t.serial > %t.want
// RUN: %t.0 | diff %t.want -
// RUN: %t.2 | diff %t.want -
// RUN: CHAN_WIDTH=1 CHAN_WORKERS=3 %t.2 | diff %t.want -

// There is a kernel for each sync.
// RUN: cilk2chan -w -O2 --emit=mlir %s | FileCheck %s --implicit-check-not='chan.kernel @irreducible'
// CHECK-DAG: chan.kernel @irreducible.0 consumes @irreducible.entry
// CHECK-DAG: chan.kernel @irreducible.1 consumes @irreducible.after1 {{.*}}@irreducible.after1 + 0
// CHECK-DAG: chan.kernel @irreducible.2 consumes @irreducible.after2 {{.*}}@irreducible.after1 + 0
// CHECK-DAG: chan.kernel @irreducible.3 consumes @irreducible.after3 frame
// CHECK-DAG: chan.kernel @switches.4 consumes @switches.after4 frame
// CHECK-DAG: chan.kernel @arrays.1 consumes @arrays.after1 {{.*}}@arrays.after1 + 0
// CHECK-DAG: chan.kernel @count.0 consumes @count.entry

#include <stdio.h>

static int next(int x) { return x + 1; }

// Two entries into one loop, syncs on some of its paths.
static int irreducible(int n, int *a) {
  int i = 0, s = 0, t = 0, *array = a;
  if (n & 1)
    goto middle;
top:
  i++;
  array[i] = cilk_spawn next(i + s);
  if (i % 3 == 0) {
    cilk_sync;
    s += array[i] + i;
  }
middle:
  t += i;
  if (i > 20)
    goto out;
  if (t & 4) {
    i += 2;
    goto top;
  }
  cilk_sync;
  s ^= array[i];
  if (i < 15)
    goto top;
  i++;
  goto middle;
out:
  cilk_sync;
  for (int k = 0; k <= i; k++)
    s = s * 3 + array[k];
  return s + t;
}

static int switches(int n) {
  int r[8] = {0};
  for (int i = 0; i < 8; i++)
    switch ((n + i) % 5) {
    case 0:
      r[i] = cilk_spawn next(i);
      break;
    case 1:
      cilk_sync;
    case 2:
      r[i] += next(3);
      break;
    case 3:
      if (n > 3) {
        r[i] = cilk_spawn switches(n - 4);
        cilk_sync;
      }
      break;
    default:
      if (i > 5)
        return cilk_spawn next(n);
    }
  cilk_sync;
  int s = 0;
  for (int i = 0; i < 8; i++)
    s = s * 7 + r[i];
  return s;
}

// Memory of a size known at run time, a new one each turn.
static int arrays(int n) {
  int s = 0;
  for (int i = 1; i < n; i++) {
    int b[i];
    for (int k = 0; k < i; k++)
      b[k] = cilk_spawn next(k * i);
    cilk_sync;
    if (i & 1)
      s++;
    for (int k = 0; k < i; k++)
      s += b[k];
  }
  return s;
}

// Nothing after the last sync.
static void count(int *a, int n) {
  if (n < 2) {
    if (n)
      a[0]++;
    return;
  }
  cilk_spawn count(a, n / 2);
  count(a + n / 2, n - n / 2);
}

int main(void) {
  for (int n = 0; n < 20; n++) {
    int a[64] = {0}, c[100] = {0}, sum = 0;
    count(c, n * 5);
    for (int i = 0; i < 100; i++)
      sum += (i + 1) * c[i];
    printf("%d %d %d %d\n", irreducible(n, a), switches(n), arrays(n), sum);
  }
}
