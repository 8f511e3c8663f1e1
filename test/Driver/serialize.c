// serialize.c - The serial elision is ordinary C and takes nothing from the runtime.
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: cilk2chan -fcilk-serialize --emit=llvm %s | FileCheck --check-prefix=IR --implicit-check-not=chan_ %s
// RUN: cilk2chan -fcilk-serialize %s -o %t && %t
// RUN: llvm-nm %t | FileCheck --check-prefix=SYMBOLS --implicit-check-not=chan_ %s
// SYMBOLS: T twice
// IR: define {{.*}}i32 @twice
// IR: call i32 @twice

int twice(int n) {
  if (n == 0)
    return 0;
  int x = cilk_spawn twice(n - 1);
  cilk_sync;
  return x + 2;
}

int main(void) { return twice(4) != 8; }
