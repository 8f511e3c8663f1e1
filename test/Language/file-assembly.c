//===- file-assembly.c - Assembly at file scope --------------------*- C
//-*-===//
//
// Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What it defines, for all files or for this one alone, can be spawned, called
// and read; and it may name what is static in C.
//
//===----------------------------------------------------------------------===//
// VGIW-SAMPLE: yes

#include "../Support/check.h"
#include <cilk/cilk.h>

__asm__(".globl next_word\n"
        "next_word: .quad 11\n"
        "own_word: .quad 31\n"
        ".globl address_of_counter\n"
        ".data\n"
        ".p2align 3\n"
        "address_of_counter: .quad counter\n"
        ".text\n");
extern long next_word, own_word;
extern long *address_of_counter;
static long counter __attribute__((used)) = 5;

#ifdef __x86_64__
__asm__(".globl plus_seven\n.type plus_seven,@function\n"
        "plus_seven: leaq 7(%rdi), %rax\n ret\n"
        ".type nine_more,@function\n"
        "nine_more: leaq 9(%rdi), %rax\n ret\n");
long plus_seven(long n);
long plus_nine(long n) __asm__("nine_more");
#else
static long plus_seven(long n) { return n + 7; }
static long plus_nine(long n) { return n + 9; }
#endif

static long sum(int n) {
  if (n == 0)
    return next_word + own_word;
  long a = cilk_spawn sum(n - 1), b = cilk_spawn plus_seven(n);
  long c = plus_nine(n);
  cilk_sync;
  return a + b + c;
}

static void count(void) { ++*address_of_counter; }

int main(void) {
  CHECK_EQUAL(sum(3), 42 + (8 + 9 + 10) + (10 + 11 + 12));
  cilk_spawn count();
  cilk_sync;
  CHECK_EQUAL(counter, 6);
  printf("%ld %ld\n", sum(3), counter);
  return 0;
}
