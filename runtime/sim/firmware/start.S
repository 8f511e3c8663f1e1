# start.S - Part of cilk2chan, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The beginning of the aggregator's program: calls main with the arguments that are in
# a0 and up.  The simulator has set sp, to the end of the stack, and ra, to the address
# where the program has ended (Hart.h).  Main's value stays in a0.

  .section .text.start, "ax", @progbits
  .globl _start
  .type _start, @function
_start:
  andi sp, sp, -16
  addi sp, sp, -16
  sd ra, 8(sp)
  li s0, 0
  call main
  ld ra, 8(sp)
  addi sp, sp, 16
  ret
  .size _start, . - _start
