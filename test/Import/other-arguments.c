// other-arguments.c - A spawned call with other arguments than the definition has.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Without a prototype C allows it, and no optimiser may stumble over it. What is
// not there the callee must not ask for.
// RUN: for o in -O0 -O1 -O2; do cilk2chan -w $o %s -o %t && %t || exit 1; done

int late();

static int sum(int n) {
  int x = 0;
  if (n < 5)
    x = cilk_spawn late(n);
  cilk_sync;
  return x;
}

int late(n, scale)
int n;
double scale;
{
  return n + 1;
}

int main(void) { return sum(3) != 4; }
