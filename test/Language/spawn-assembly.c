//===- spawn-assembly.c - Assembly in spawning functions ----------*- C -*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembly with operands, symbolic names, clobbers, memory and local labels,
// before and behind a sync.
//
//===----------------------------------------------------------------------===//

#include "../Support/check.h"
#include <cilk/cilk.h>

static long id(long n) { return n; }

static long operands(long n) {
  long sum = n, memory[2] = {1, 2};
  __asm__("leaq 1(%[sum]), %[sum]" : [sum] "+r"(sum));
  long x = cilk_spawn id(sum);
  __asm__ volatile("movq %[from], %%rax\n\taddq %%rax, %[to]"
                   : [to] "+m"(memory[1])
                   : [from] "r"(n)
                   : "rax", "cc", "memory");
  cilk_sync;
  long quotient, remainder;
  __asm__("divq %4"
          : "=a"(quotient), "=d"(remainder)
          : "0"(x + memory[1]), "1"(0L), "r"(10L)
          : "cc");
  return quotient * 100 + remainder;
}

/// The label is another one in each copy of the statement.
static int labels(int n) {
  int x = cilk_spawn id(n), count = 0;
  for (int i = 0; i < 2; i++) {
    __asm__ volatile("testl %1, %1\n\tjz skip%=\n\tincl %0\nskip%=:"
                     : "+r"(count)
                     : "r"(n)
                     : "cc");
    if (i == 0)
      cilk_sync;
  }
  return x + count;
}

int main(void) {
  CHECK(operands(20) == 403);
  CHECK(labels(0) == 0);
  CHECK(labels(3) == 5);
  return 0;
}
