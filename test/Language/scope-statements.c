//===- scope-statements.c - Scopes and spawns of statements -------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cilk_scope and cilk_spawn stand in front of any statement, also where there
// are no braces around them.
//
//===----------------------------------------------------------------------===//
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

#define SCOPE cilk_scope
#define BLOCK(...) {__VA_ARGS__}

static int slow(int n) {
  volatile int k = 0;
  while (k < 1000)
    k++;
  return n;
}

static void set(int *p, int n) { *p = slow(n); }

static int loops(int n) {
  int cells[20], sum = 0;
  cilk_scope for (int i = 0; i < n; i++) cells[i] = cilk_spawn slow(i);
  for (int i = 0; i < n; i++)
    sum += cells[i];
  _Cilk_scope cilk_for (int i = 0; i < n; i++) cells[i] = 2 * i;
  for (int i = 0; i < n; i++)
    sum += cells[i];
  int i = 0;
  cilk_scope while (i < n) {
    set(&cells[i], 0);
    cilk_spawn set(&cells[i], i + 1);
    i++;
  }
  cilk_scope do i--, cells[i] -= 1;
  while (i > 0)
    ;
  for (; i < n; i++)
    sum += cells[i];
  return sum;
}

static int nested(void) {
  int x = 0, y = 0, z = 0;
  cilk_scope cilk_scope cilk_spawn set(&x, 1);
  CHECK_EQUAL(x, 1);
  cilk_scope {
    cilk_scope cilk_spawn { y = slow(2); }
  }
  CHECK_EQUAL(y, 2);
  SCOPE cilk_scope SCOPE { z = cilk_spawn slow(3); }
  CHECK_EQUAL(z, 3);
  cilk_scope BLOCK(x = cilk_spawn slow(4);) CHECK_EQUAL(x, 4);
  // The block's scope ends before the block does.
  cilk_spawn cilk_scope {
    cilk_spawn set(&x, 5);
    y = cilk_spawn slow(6);
  }
  cilk_sync;
  return x + y + z;
}

/// Each scope is a branch or a body.
static int branches(int n) {
  int x = 0, y = 0;
  if (n > 1)
    cilk_scope x = cilk_spawn slow(n);
  CHECK_EQUAL(x, n > 1 ? n : 0);
  if (n > 2)
    cilk_scope cilk_spawn set(&x, n + 1);
  else
    cilk_scope y = cilk_spawn slow(n + 2);
  CHECK_EQUAL(x + y, n > 2 ? n + 1 : n > 1 ? n + n + 2 : n + 2);
  if (n > 3)
    cilk_scope if (n > 4) x = cilk_spawn slow(1);
  else
    x = cilk_spawn slow(2);
  else cilk_scope cilk_scope;
  for (int i = 0; i < n; i++)
    cilk_scope y = cilk_spawn slow(x + y);
  switch (n) {
  case 1:
    cilk_scope x = cilk_spawn slow(10);
    break;
  again:
    cilk_scope y += cilk_spawn slow(1);
  default:
    cilk_scope if (y < 20) goto again;
  }
  return x * 100 + y;
}

static int leaves(int n) {
  int x = 0;
  for (int i = 0; i < 10; i++) {
    cilk_scope if (i == n) {
      x = cilk_spawn slow(i);
      break;
    }
    cilk_scope if (i % 2) {
      x = cilk_spawn slow(-1);
      continue;
    }
  }
  if (x == 3)
    cilk_scope return n * 2;
  return x;
}

/// What is spawned is a statement.
static int spawned(int n) {
  int cells[20] = {0}, sum = 0, x = 0, k = 0;
  cilk_spawn for (int i = 0; i < n; i++) cells[i] = slow(i);
  cilk_spawn cilk_for (int i = n; i < 20; i++) cells[i] = 1;
  cilk_spawn if (n > 3) x = slow(n);
  else x = -slow(n);
  cilk_spawn while (k < n) k++;
  cilk_spawn switch (n) {
  case 1:
    sum = 1;
    break;
  default:
    sum = 2;
  }
  cilk_sync;
  for (int i = 0; i < 20; i++)
    sum += cells[i];
  return sum * 1000 + x * 10 + k;
}

/// `cilk_spawn x = f()` is `x = cilk_spawn f()`.
static long assigned(int n) {
  int cells[20], *p = cells;
  long sum = 0;
  struct {
    int member;
  } s;
  for (int i = 0; i < n; i++)
    cilk_spawn *p++ = slow(i);
  cilk_spawn s.member = (short)slow(70000);
  cilk_spawn sum += slow(n);
  cilk_sync;
  for (int i = 0; i < n; i++)
    sum += cells[i];
  return sum * 10000 + s.member;
}

int main(void) {
  CHECK_EQUAL(loops(20), 190 + 380 + 190);
  CHECK_EQUAL(nested(), 5 + 6 + 3);
  CHECK_EQUAL(branches(1), 1000 + 3);
  CHECK_EQUAL(branches(2), 220);
  CHECK_EQUAL(branches(3), 420);
  CHECK_EQUAL(branches(5), 120);
  CHECK_EQUAL(leaves(2), 2);
  CHECK_EQUAL(leaves(3), 6);
  CHECK_EQUAL(leaves(11), -1);
  CHECK_EQUAL(spawned(5), (2 + 10 + 15) * 1000 + 50 + 5);
  CHECK_EQUAL(assigned(20), (20 + 190) * 10000 + (short)70000);
  printf("%d %d\n", branches(7), spawned(9));
  return 0;
}
