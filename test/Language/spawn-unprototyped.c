//===- spawn-unprototyped.c - K&R callees -------------------------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions without a prototype, spawned before and after their definitions.
//
//===----------------------------------------------------------------------===//
// CFLAGS: -std=gnu89 -Wno-deprecated-non-prototype -Wno-strict-prototypes
// SANITIZE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

static int late();
static int tree();

static int sum(n, scale)
int n;
double scale;
{
  int x, y;
  if (n < 1)
    return 0;
  x = cilk_spawn late(n, scale);
  y = tree(n - 1, scale);
  cilk_sync;
  return x + y;
}

static int tree(n, scale)
int n;
double scale;
{
  int x;
  x = cilk_spawn sum(n, scale);
  cilk_sync;
  return x;
}

static int late(n, scale)
int n;
double scale;
{
  return (int)(n * scale);
}

int main(void) {
  CHECK(sum(20, 3.0) == 630);
  return 0;
}
